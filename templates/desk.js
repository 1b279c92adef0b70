// The desk of the Ratings Administrator: the queue, one event, and the effect of each choice.
(() => {
  const base = '/.greatness/desk';
  const at = (id) => document.getElementById(id);
  const form = at('choice');
  const SCREEN = 25;
  let queue = [];
  let shown = SCREEN;
  let event = null;
  let asked = 0;

  const make = (tag, text, properties = {}) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    Object.assign(element, properties);
    return element;
  };
  const ask = async (path, method = 'GET', body) => {
    let response;
    try {
      response = await fetch(base + path, {
        method,
        headers: body ? { 'content-type': 'application/json' } : {},
        body: body && JSON.stringify(body),
      });
    } catch {
      throw new Error('The desk does not answer. Start “greatness serve” again; what you typed stays on this page.');
    }
    const text = await response.text();
    let found;
    try { found = JSON.parse(text); } catch { throw new Error(text || response.statusText); }
    if (!response.ok) throw Object.assign(new Error(found.error), { status: response.status });
    return found;
  };
  const problem = (text) => {
    at('problem').textContent = text || '';
    at('problem').hidden = !text;
  };
  const number = (value, digits = 0) => (value === null || value === undefined ? '–' : value.toFixed(digits));
  const today = () => {
    const now = new Date();
    const two = (part) => String(part).padStart(2, '0');
    return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  };

  const showQueue = () => {
    const left = queue.filter((row) => !row.decided).length;
    at('count').textContent = `${left} of ${queue.length} ${queue.length === 1 ? "event" : "events"} still undecided.`;
    at('queue').replaceChildren(...queue.slice(0, shown).map((row) => {
      const button = make('button', undefined, { type: 'button', className: 'row' });
      button.append(make('span', row.name, { className: row.decided ? 'decided' : row.elsewhere ? 'elsewhere' : '' }));
      button.append(make('span', row.decided ? 'decided' : row.effect || row.why, { className: 'small' }));
      if (event && event.id === row.id) button.setAttribute('aria-current', 'true');
      button.addEventListener('click', () => { if (mayLeave()) open(row.id); });
      const item = make('li');
      item.append(button);
      return item;
    }));
    at('more').hidden = queue.length <= shown;
  };

  // Fields with several values: how they are read from a text, and written as one.
  const parts = (text, separator) => text.split(separator).map((part) => part.trim()).filter(Boolean);
  const words = { read: (text) => parts(text, /[\s,]+/), write: (all) => all.join(' ') };
  const names = { read: (text) => parts(text, ';'), write: (all) => all.join('; ') };
  const lines = (what, least, read, write) => ({
    read: (text) => parts(text, '\n').map((line) => {
      const found = line.split('|').map((part) => part.trim());
      if (found.length < least || found.some((part, place) => place < least && !part)) {
        throw new Error(`“${line}” is incomplete; write ${what}`);
      }
      return read(found);
    }),
    write: (all) => all.map((one) => write(one).filter((part) => part).join(' | ')).join('\n'),
  });
  const round = (text) => (text ? { round: text } : {});
  const several = {
    merge: words,
    winners: names,
    // The points of the winner and of the second.
    score: {
      read: (text) => {
        const found = /^(\d*)(½|\.5)?\s*[-–—:]\s*(\d*)(½|\.5)?$/.exec(text);
        if (!found) throw new Error(`“${text}” is no score; write 12½–8½`);
        return [Number(found[1]) + (found[2] ? 0.5 : 0), Number(found[3]) + (found[4] ? 0.5 : 0)];
      },
      write: (both) => both.map((points) => `${Math.floor(points) || (points % 1 ? '' : 0)}${points % 1 ? '½' : ''}`).join('–'),
    },
    special_conditions: names,
    forfeits: lines('White | Black | round, and play-off if it is one', 2,
      ([white, black, number, part]) => {
        if (part && !/^play-?off$/i.test(part)) throw new Error(`“${part}” is not understood; write play-off, or leave it out`);
        return { white, black, ...round(number), ...(part ? { play_off: true } : {}) };
      },
      (one) => [one.white, one.black, one.round || (one.play_off ? '?' : ''), one.play_off ? 'play-off' : '']),
    moved_games: lines('event | White | Black | round', 3,
      ([from, white, black, number]) => ({ from, white, black, ...round(number) }),
      (one) => [one.from, one.white, one.black, one.round]),
    split: lines('name | player | player', 3,
      ([name, ...players]) => ({ name, players: players.filter(Boolean) }), (one) => [one.name, ...one.players]),
    persons: lines('name | other name', 2,
      ([name, ...spellings]) => ({ name, spellings: spellings.filter(Boolean) }), (one) => [one.name, ...one.spellings]),
  };
  const SEGMENTS = ['main', 'extra', 'play_off'];

  const choice = () => {
    const data = new FormData(form);
    const text = (name) => (data.get(name) || '').trim();
    const flag = (name) => (text(name) === '' ? null : text(name) === 'true');
    const value = (name) => (text(name) === '' ? null : Number(text(name)));
    // The form has no field for the reason of a single rating, which stays as it was.
    const known = (event.decision || event.bundled || {}).ratings || [];
    const ratings = [...at('players').rows].flatMap((row) => {
      const { player } = row.dataset;
      const [set, remove] = row.querySelectorAll('input');
      const { reason } = known.find((rating) => rating.player === player) || {};
      const own = reason ? { player, reason } : { player };
      if (remove.checked) return [{ ...own, delete: true }];
      return set.value === '' ? [] : [{ ...own, set: Number(set.value) }];
    });
    return {
      author: text('author'),
      date: text('date') || today(),
      reason: text('reason'),
      name: text('name') || null,
      kind: text('kind') || null,
      policy: text('policy') || null,
      move_pressure: flag('move_pressure'),
      listed: flag('listed'),
      complete: data.has('complete'),
      tempo: text('tempo') || null,
      reviewed: data.has('reviewed'),
      number_two: value('number_two'),
      list_day: text('list_day') || null,
      expected_games: value('expected_games'),
      elo_k: value('elo_k'),
      ratings,
      start: text('start') || null,
      end: text('end') || null,
      outcome: text('outcome') || null,
      scoring: text('scoring') || null,
      score: text('score') ? several.score.read(text('score')) : null,
      winners: data.has('no_winner') ? [] : text('winners') ? several.winners.read(text('winners')) : null,
      segments: Object.fromEntries(SEGMENTS.map((part) => [part, flag(`segment_${part}`)]).filter(([, counts]) => counts !== null)),
      ...Object.fromEntries(['special_conditions', 'forfeits', 'moved_games', 'split', 'persons', 'merge']
        .map((name) => [name, several[name].read(text(name))])),
      source: text('source') || null,
      note: text('note') || null,
    };
  };

  const fill = (decision) => {
    for (const element of form.elements) {
      if (!element.name || ['author', 'date', 'reason'].includes(element.name)) continue;
      let value = decision ? decision[element.name] : undefined;
      if (element.name.startsWith('segment_')) value = decision && decision.segments ? decision.segments[element.name.slice(8)] : undefined;
      if (element.name === 'no_winner') value = Boolean(decision && decision.winners && !decision.winners.length);
      if (element.type === 'checkbox') element.checked = value === true;
      else if (Array.isArray(value)) element.value = several[element.name].write(value);
      else element.value = value === null || value === undefined ? '' : String(value);
    }
    for (const row of at('players').rows) {
      const decided = (decision && decision.ratings || []).find((rating) => rating.player === row.dataset.player);
      const [set, remove] = row.querySelectorAll('input');
      set.value = decided && decided.set !== undefined && decided.set !== null ? decided.set : '';
      remove.checked = Boolean(decided && decided.delete);
    }
  };

  const changed = (cell, before, after) => {
    cell.classList.toggle('changed', before !== after);
    return cell;
  };
  const show = (answer) => {
    const effect = at('effect');
    effect.classList.remove('wrong');
    effect.textContent = (answer.sentence || 'No published rank changes.').replace(/^the event/, 'The event');
    const { before, after } = answer;
    const figures = [
      ['Ranked lists', (of) => of.status],
      ['Name', (of) => of.name],
      ['Days', (of) => of.days || '–'],
      ['Winner', (of) => of.winners || '–'],
      ['End', (of) => of.outcome || '–'],
      ['Strength', (of) => number(of.strength, 2)],
      ['Ratings', (of) => (of.statistic === null ? of.fit : `${of.fit}: ${number(of.statistic, 2)} of ${number(of.critical, 2)}`)],
      ['Number two', (of) => number(of.number_two)],
      ['Games', (of) => `${of.games[0]} of ${of.games[1] || '?'}`],
      ['Players', (of) => String(of.players)],
      ['Kind and tempo', (of) => `${of.kind}, ${of.tempo}`],
    ];
    at('figures').replaceChildren(...figures.map(([name, of]) => {
      const row = make('tr');
      row.append(make('th', name, { scope: 'row' }), make('td', of(before)), changed(make('td', of(after)), of(before), of(after)));
      return row;
    }));
    const rows = new Map([...at('players').rows].map((row) => [row.dataset.player, row]));
    for (const player of answer.players) {
      const row = rows.get(player.name);
      if (!row) continue;
      const values = [number(player.points, 1), number(player.found), number(player.rating_before), number(player.rating), player.origin,
        number(player.residual), number(player.g_before, 1), number(player.g, 1)];
      values.forEach((value, place) => { row.cells[place + 3].textContent = value; });
      changed(row.cells[6], values[2], values[3]);
      changed(row.cells[10], values[6], values[7]);
    }
    at('later').replaceChildren(...answer.later.map((text) => make('li', text)));
    at('later').hidden = !answer.later.length;
    at('steps').replaceChildren(...answer.steps.map((step) => make('li', step)));
  };
  const wrong = (error) => {
    at('effect').classList.add('wrong');
    at('effect').textContent = error.message;
  };

  // What is decided in the form, as a text, to notice choices that are not saved. Author and date are filled in anew
  // for each event.
  const SIGN = ['author', 'date', 'reason'];
  let saved = '';
  const state = () => {
    try { return JSON.stringify({ ...choice(), author: '', date: '' }); } catch (error) { return error.message; }
  };
  const isUnsaved = () => Boolean(event) && state() !== saved;
  const mayLeave = () => !isUnsaved()
    || window.confirm(`Your choices about ${event.name} are not saved. Leave them?`);
  window.addEventListener('beforeunload', (leaving) => { if (isUnsaved()) leaving.preventDefault(); });

  // A number that the form refuses has no effect.
  const refused = () => [...form.elements].find((element) => element.name !== '' && !SIGN.includes(element.name)
    && element.validity && !element.validity.valid)
    || [...at('players').querySelectorAll('input')].find((element) => !element.validity.valid);
  const labelOf = (element) => element.getAttribute('aria-label') || element.closest('label').firstChild.textContent.trim();

  let timer;
  const look = () => {
    clearTimeout(timer);
    at('written').textContent = '';
    timer = setTimeout(async () => {
      if (!event) return;
      asked += 1;
      const mine = asked;
      try {
        const wrongOne = refused();
        if (wrongOne) throw new Error(`${labelOf(wrongOne)}: ${wrongOne.validationMessage}`);
        const answer = await ask(`/effect/${event.id}`, 'POST', choice());
        if (mine === asked) show(answer);
      } catch (error) {
        if (mine === asked) wrong(error);
      }
    }, 60);
  };

  // The last event that was asked for is shown, however late the answers about others come.
  let opening = 0;
  const open = async (id) => {
    opening += 1;
    const mine = opening;
    let found;
    try { found = await ask(`/event/${encodeURIComponent(id)}`); } catch (error) {
      if (mine === opening) problem(error.message);
      return;
    }
    if (mine !== opening) return;
    problem('');
    event = found;
    asked += 1;
    history.replaceState(null, '', `#${event.id}`);
    const link = make('a', event.name, { href: event.page });
    at('name').replaceChildren(link);
    at('why').textContent = event.why;
    at('elsewhere').textContent = event.elsewhere || '';
    at('elsewhere').hidden = !event.elsewhere;
    const { bundled } = event;
    const notice = bundled && `The bundled decisions decide about this event (${bundled.author}: ${bundled.reason}) `
      + (event.decision ? 'Your decision replaces theirs as a whole.' : 'What you save replaces that decision as a whole; its choices are filled in below.');
    at('bundled').textContent = notice || '';
    at('bundled').hidden = !bundled;
    at('work').hidden = false;
    at('field').replaceChildren(...event.answer.players.map((player) => make('option', undefined, { value: player.name })));
    form.elements.kind.replaceChildren(make('option', 'as recognised', { value: '' }),
      ...event.kinds.map(([word, words]) => make('option', words, { value: word })));
    at('players').replaceChildren(...event.answer.players.map((player) => {
      const row = make('tr');
      row.dataset.player = player.name;
      row.append(make('th', player.name, { scope: 'row' }));
      const set = make('input', undefined, { type: 'number', min: 500, max: 3000, step: 1, inputMode: 'numeric' });
      set.setAttribute('aria-label', `Rating of ${player.name}`);
      const remove = make('input', undefined, { type: 'checkbox' });
      remove.setAttribute('aria-label', `Delete the rating of ${player.name}`);
      for (const input of [set, remove]) {
        const cell = make('td');
        cell.append(input);
        row.append(cell);
      }
      for (let place = 0; place < 8; place += 1) row.append(make('td', '', { className: place === 4 ? '' : 'n' }));
      return row;
    }));
    fill(event.decision || bundled);
    form.elements.author.value = event.decision ? event.decision.author : localStorage.getItem('desk-author') || '';
    form.elements.date.value = event.decided_on || today();
    form.elements.reason.value = event.decision ? event.decision.reason : '';
    saved = state();
    at('other').textContent = (event.choice || 'The other choice').replace(/:$/, '');
    at('other').hidden = !event.suggested || event.suggested.reviewed;
    at('take-back').hidden = !event.decision;
    at('written').textContent = event.decision ? 'Saved in the decisions file.' : '';
    show(event.answer);
    showQueue();
    at('event').focus({ preventScroll: true });
  };

  // Offers the rebuild, and follows one that runs. The page of the event is linked when it is done.
  let following;
  const showRebuild = (found) => {
    at('rebuild').hidden = false;
    at('command').textContent = found.command;
    // A command that would not rebuild this archive is not shown.
    at('how').hidden = Boolean(found.refusal);
    at('refusal').textContent = found.refusal || '';
    at('refusal').hidden = !found.refusal;
    at('run').hidden = Boolean(found.refusal);
    at('run').disabled = found.state === 'running';
    const progress = at('progress');
    if (found.state === 'running') progress.textContent = `The archive is being rebuilt. The pages stay as they are until it is done. ${found.message ? `Now: ${found.message}.` : ''}`;
    else if (found.state === 'failed') progress.textContent = `The rebuild failed, and the archive is unchanged. ${found.message}`;
    else progress.textContent = '';
    const warnings = found.state === 'done' ? found.message : [];
    at('warnings').replaceChildren(...warnings.map((text) => make('li', text)));
    at('warnings').hidden = !warnings.length;
  };
  const offerRebuild = async () => {
    const found = await ask('/rebuild');
    if (found) showRebuild({ ...found, state: found.state === 'running' ? 'running' : 'idle' });
  };
  const follow = async () => {
    const found = await ask('/rebuild');
    showRebuild(found);
    if (found.state === 'running') { following = setTimeout(follow, 500); return; }
    if (found.state !== 'done') return;
    queue = await ask('/queue');
    if (isUnsaved()) showQueue();
    else await open(event.id);
    showRebuild(found);
    const warned = found.message.length;
    at('progress').replaceChildren('The archive is rebuilt. ', make('a', `See the new page of ${event.name}`, { href: event.page }),
      warned ? `. The build gave ${warned === 1 ? 'a warning' : `${warned} warnings`}:` : '.');
  };
  at('run').addEventListener('click', async () => {
    clearTimeout(following);
    at('warnings').hidden = true;
    at('run').disabled = true;
    at('progress').textContent = 'The rebuild begins.';
    try {
      await ask('/rebuild', 'POST');
      following = setTimeout(follow, 200);
    } catch (error) { at('progress').textContent = error.message; }
  });

  at('other').addEventListener('click', () => { fill(event.suggested); look(); });
  at('as-it-is').addEventListener('click', () => { fill({ reviewed: true }); look(); });
  at('clear').addEventListener('click', () => { fill(null); look(); });
  form.addEventListener('input', (input) => {
    if (input.target.name === 'author') localStorage.setItem('desk-author', input.target.value);
    if (!['author', 'date', 'reason', 'note'].includes(input.target.name)) look();
  });
  form.addEventListener('invalid', () => { at('written').textContent = ''; }, true);
  // Another desk decided meanwhile: its decision can be loaded, and what is typed here stays until then.
  const report = (error) => {
    at('written').textContent = error.message;
    if (error.status !== 409) return;
    const button = make('button', 'Load the event again', { type: 'button' });
    button.addEventListener('click', () => open(event.id));
    at('written').append(' ', button);
  };
  form.addEventListener('submit', async (submitted) => {
    submitted.preventDefault();
    at('written').textContent = '';
    try {
      const mine = state();
      const decided = choice();
      const answer = await ask(`/decide/${event.id}`, 'POST', { ...decided, seen: event.revision });
      event.revision = answer.revision;
      event.decision = decided;
      saved = mine;
      show(answer);
      queue = await ask('/queue');
      await showOwn();
      at('written').textContent = 'Saved. The archive changes with the next build.';
      at('take-back').hidden = false;
      await offerRebuild();
      showQueue();
    } catch (error) { report(error); }
  });
  const withdraw = async (id, revision) => {
    await ask(`/decide/${encodeURIComponent(id)}?seen=${revision}`, 'DELETE');
    queue = await ask('/queue');
    await showOwn();
  };
  at('take-back').addEventListener('click', async () => {
    try {
      await withdraw(event.id, event.revision);
      await open(event.id);
      at('written').textContent = 'Decision withdrawn.';
      await offerRebuild();
    } catch (error) { report(error); }
  });

  // All decisions of the file, also about events that are not in the queue.
  const showOwn = async () => {
    const own = await ask('/decisions');
    at('own-fold').hidden = !own.length;
    at('own-count').textContent = `Your decisions (${own.length})`;
    at('own').replaceChildren(...own.map((one) => {
      const button = make('button', undefined, { type: 'button', className: 'row' });
      button.append(make('span', one.name), make('span', `${one.what}: ${one.reason} (${one.author}, ${one.date})`, { className: 'small' }));
      button.addEventListener('click', () => { if (mayLeave()) open(one.id); });
      const remove = make('button', 'Withdraw', { type: 'button' });
      remove.setAttribute('aria-label', `Withdraw the decision about ${one.name}`);
      remove.addEventListener('click', async () => {
        const isShown = event && event.id === one.id;
        if (isShown ? !mayLeave() : false) return;
        if (!window.confirm(`Withdraw the decision about ${one.name}?`)) return;
        try {
          await withdraw(one.id, one.revision);
          if (isShown) await open(one.id);
          showQueue();
          await offerRebuild();
        } catch (error) { problem(error.message); }
      });
      const item = make('li');
      item.append(button, remove);
      return item;
    }));
  };
  at('more').addEventListener('click', () => { shown += 100; showQueue(); });
  // Finds events by name, as the search of the site does, and by id.
  let sought = { text: '', found: Promise.resolve([]) };
  // An archive of an earlier version has no search for other scripts.
  const byName = async (text) => (window.greatnessLook ? window.greatnessLook(text) : { places: [] });
  const seek = async (text) => {
    const [{ places }, ids] = text
      ? await Promise.all([byName(text), ask(`/find?name=${encodeURIComponent(text)}`)])
      : [{ places: [] }, []];
    if (text !== sought.text) return [];
    const events = places.filter(([kind]) => kind === 'e')
      .map(([, id, title, detail]) => ({ id: id.replace(/^#/, ''), title, detail }));
    const others = ids.filter((id) => !events.some((one) => one.id === id)).map((id) => ({ id, title: id, detail: '' }));
    const found = [...events, ...others];
    at('none').textContent = text && !found.length ? `No event is called “${text}”.` : '';
    at('found').replaceChildren(...found.map((one) => {
      const button = make('button', undefined, { type: 'button', className: 'row' });
      button.append(make('span', one.title), make('span', one.detail, { className: 'small' }));
      button.addEventListener('click', () => leaveFor(one.id));
      const item = make('li');
      item.append(button);
      return item;
    }));
    return found;
  };
  // What is found for a text stays as it is: leaving the field for one of the buttons must not replace it.
  const find = async () => {
    const text = at('find').value.trim();
    if (text !== sought.text) {
      sought.text = text;
      sought.found = seek(text);
      sought.found.catch(() => { if (text === sought.text) sought.text = ''; });
    }
    return sought.found;
  };
  const leaveFor = (id) => {
    if (!mayLeave()) return;
    at('find').value = '';
    sought = { text: '', found: Promise.resolve([]) };
    at('found').replaceChildren();
    open(id);
  };
  // A click on what is found chooses that, not the event that has exactly the name in the field.
  at('found').addEventListener('mousedown', (pressed) => pressed.preventDefault());
  at('find').addEventListener('input', () => { find().catch((error) => problem(error.message)); });
  // A name that only one event has opens it; among several the administrator chooses.
  at('find').addEventListener('change', async () => {
    try {
      const name = at('find').value.trim().toLowerCase();
      const found = await find();
      const exact = found.filter((one) => one.title.toLowerCase() === name || one.id === name);
      const one = exact.length === 1 ? exact[0] : found.length === 1 ? found[0] : undefined;
      if (one) leaveFor(one.id);
    } catch (error) { problem(error.message); }
  });
  form.elements.merge.addEventListener('input', async () => {
    const name = form.elements.merge.value.trim().split(/\s+/).pop();
    if (!name) return;
    const found = await ask(`/find?name=${encodeURIComponent(name)}`).catch(() => []);
    at('ids').replaceChildren(...found.map((id) => make('option', undefined, { value: id })));
  });

  const begin = async () => {
    try { queue = await ask('/queue'); } catch (error) { at('count').textContent = error.message; return; }
    showQueue();
    await showOwn().catch((error) => problem(error.message));
    const id = decodeURIComponent(location.hash.slice(1)) || (queue.find((row) => !row.decided) || {}).id;
    // The administrator may have chosen an event meanwhile.
    if (id && !opening) open(id);
    // Decisions of an earlier day that no build has used.
    const rebuild = await ask('/rebuild').catch(() => null);
    if (rebuild && (rebuild.is_due || rebuild.state === 'running')) showRebuild(rebuild);
  };
  begin();
})();
