// Search. The index is in small files, which are scripts so that they also load from a disk.
"use strict";
(() => {
  // More than one script may load this one.
  if (window.greatnessLook) return;
  const root = document.body.dataset.root;
  const one = (selector, from = document) => from.querySelector(selector), all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const form = one("form.search"), input = form && one("input", form), list = form && one("ul.found", form);
  const FIRST_NAMES = 128, NAMES = 32, NEAR_FILES = 128, FAR_NAMES = 128, SHOWN = 10, INITIAL = 3;
  const blockOf = place => {
    const near = place - FIRST_NAMES, far = near - NEAR_FILES * NAMES;
    if (near < 0) return [0, place];
    return far < 0 ? [1 + Math.floor(near / NAMES), near % NAMES] : [1 + NEAR_FILES + Math.floor(far / FAR_NAMES), far % FAR_NAMES];
  };
  // Costs of an entry whose word begins with that of the search: with the last word, which may be unfinished, and with another.
  const BEGUN = 1, OTHER_BEGUN = 3, MISSPELT = -1;

  // As the program folds names: no case, no diacritics, ae oe ue inside of words as a o u; Cyrillic letters as theirs.
  const letters = { ø: "o", æ: "ae", œ: "oe", ß: "ss", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
  const cyrillic = Object.fromEntries([..."абвгдезийклмнопрстуфыэіґ"].map((letter, place) => [letter, "abvgdezijklmnoprstufyeig"[place]]));
  Object.assign(cyrillic, { ж: "zh", х: "kh", ц: "ts", ч: "ch", ш: "sh", щ: "shch", ъ: "", ь: "", ю: "iu", я: "ia", є: "ie" });
  const fold = text => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")
    .replace(/[øæœßłđðþı]/g, letter => letters[letter])
    .replace(/[\u0400-\u04ff]/g, letter => cyrillic[letter] ?? letter)
    .replace(/([aou])e(?=[a-z])/g, "$1");
  // Words of questions that name nothing: "best tournament of Tal". They count only alone.
  const EMPTY = new Set("a an and at by for in of on or the to vs v versus against who what which when where was were is best greatest strongest player tournament played".split(" "));
  const asked = text => {
    const all = fold(text).split(/[^a-z0-9]+/).filter(Boolean), telling = all.filter(word => !EMPTY.has(word));
    const words = (telling.length ? telling : all).slice(0, 8);
    return { words, titles: new Set([words.join(""), all.slice(0, 8).join("")]) };
  };

  // The same sounds as in the program (`sound.rs`), so that spellings of one name are equal.
  const together = [["tsch", "k"], ["tch", "k"], ["tsh", "k"], ["sch", "s"], ["sh", "s"], ["sz", "s"], ["zh", "s"], ["ch", "k"], ["kh", "k"],
    ["ck", "k"], ["cz", "k"], ["gh", "g"], ["ph", "f"], ["th", "t"], ["qu", "kv"], ["x", "ks"], ["c", "k"], ["q", "k"], ["w", "v"], ["z", "s"],
    ["y", "i"], ["j", "i"]];
  const soundOf = word => {
    if (/[^a-z]/.test(word)) return word;
    for (const [written, heard] of together) word = word.replaceAll(written, heard);
    let heard = "";
    [...word].forEach((letter, place) => {
      const before = word[place - 1], vowel = other => other !== undefined && "aeiou".includes(other);
      if (letter === "h" && before !== undefined) {
        if (!vowel(before) || !vowel(word[place + 1])) return;
        letter = "k";
      }
      if (letter === "i" && before !== undefined && !vowel(before) && vowel(word[place + 1])) return;
      if (!heard.endsWith(letter)) heard += letter;
    });
    if (heard.length > 3 && heard.endsWith("e")) heard = heard.slice(0, -1);
    if (heard.length > 3 && heard.endsWith("of")) heard = heard.slice(0, -1) + "v";
    return heard;
  };

  // One letter inserted, removed or replaced, or two letters swapped.
  const slip = (a, b) => {
    if (Math.abs(a.length - b.length) > 1) return false;
    let from = 0, back = 0;
    while (from < a.length && a[from] === b[from]) from++;
    while (back < a.length - from && back < b.length - from && a[a.length - 1 - back] === b[b.length - 1 - back]) back++;
    const [x, y] = [a.slice(from, a.length - back), b.slice(from, b.length - back)];
    return (x.length <= 1 && y.length <= 1) || (x.length === 2 && x === y[1] + y[0]);
  };

  // Each file loads once.
  const loading = new Map(), files = new Map();
  let beginnings = null, starts = null, ends = null, others = Infinity;
  const load = name => {
    if (!loading.has(name)) loading.set(name, new Promise(done => {
      const path = `${root}search/${name}.js`;
      // `archive.js` asks for the index together with this script. It runs after this script.
      const waiting = name === "index" && !beginnings && one(`script[src="${path}"]`);
      const script = waiting || document.createElement("script");
      script.addEventListener("load", done);
      script.addEventListener("error", done);
      if (waiting) return;
      script.src = path;
      document.head.append(script);
    }));
    return loading.get(name);
  };
  const numbers = text => {
    let last = 0;
    const all = text ? text.replace("+", "").split(".").map(one => last += parseInt(one, 36)) : [];
    return { all, more: text.endsWith("+") };
  };
  window.greatnessIndex = (words, titles, firstOther, first, last) => {
    const all = (prefix, names) => names.split(" ").map(name => [prefix + name.replace("*", ""), name.endsWith("*")]);
    beginnings = new Map([...all("s-", words), ...all("t-", titles)]);
    others = firstOther;
    starts = new Set(first.split(" "));
    ends = new Set(last.split(" "));
  };
  window.greatnessWords = (name, first, text) => {
    const words = new Map(), parts = text ? text.split(" ") : [];
    for (let place = 0; place < parts.length; place += 2) words.set(parts[place], parts[place + 1]);
    files.set(name, { first, words });
  };
  window.greatnessSounds = (name, words) => { files.set(name, words.split(" ").map(word => [word, soundOf(word)])); };
  window.greatnessNames = (block, names) => { files.set("n-" + block, names); };

  // Entries that have a word (`s-`) or a title (`t-`), with a cost: 0 for the whole, `begun` for one that begins with it.
  const having = async (prefix, word, begun) => {
    const found = new Map();
    let name = null;
    for (let end = 0; end <= word.length; end++) {
      const beginning = prefix + word.slice(0, end);
      if (beginnings.has(beginning)) name = beginning;
      if (beginnings.get(beginning)) break;
    }
    if (name === null) return { found, last: Infinity };
    await load(name);
    const file = files.get(name);
    let last = Infinity;
    const add = (text, cost) => {
      const { all, more } = numbers(text);
      for (const place of all) if (!(found.get(place) <= cost)) found.set(place, cost);
      if (more) last = Math.min(last, all[all.length - 1]);
    };
    if (!file) return { found, last };
    for (const [other, text] of file.words) {
      if (other === word) add(text, 0);
      else if (other.startsWith(word)) add(text, begun);
    }
    // The most important entries with this beginning. More letters find the others.
    if (!beginnings.get(name) && name === prefix + word) add(file.first, begun);
    return { found, last };
  };
  const whole = word => having("s-", word, BEGUN);
  // The last two digits of a year also stand for the whole year.
  const centuries = async (word, begun) => {
    const exact = await having("s-", word, begun);
    if (!/^\d\d$/.test(word)) return exact;
    const found = new Map(), others = await Promise.all(["19", "18", "20"].map(century => having("s-", century + word, 0)));
    others.forEach(({ found: theirs }, at) => { for (const [place, cost] of theirs) if (cost === 0 && !(found.get(place) <= at / 2)) found.set(place, at / 2); });
    for (const [place, cost] of exact.found) if (!found.has(place)) found.set(place, cost + 1);
    return { found, last: Infinity };
  };

  // Similar words, for misspellings.
  const similar = async word => {
    if (word.length < 3 || /\d/.test(word)) return [];
    const sound = soundOf(word), start = sound.slice(0, 2), end = sound.slice(-2);
    // Few words are in one file, more of them in files by one sound or by two.
    const fileOf = (prefix, all, two) => [two, two[0], ""].filter(sounds => all.has(sounds)).slice(0, 1).map(sounds => prefix + sounds);
    const names = [...fileOf("f-", starts, start), ...fileOf("e-", ends, end)];
    await Promise.all(names.map(load));
    const costs = new Map();
    for (const name of names) {
      for (const [other, heard] of files.get(name) || []) {
        if (other === word) continue;
        const cost = heard === sound ? 1.5 : (word.length > 3 && slip(word, other)) || (sound.length > 4 && slip(sound, heard)) ? 2.5 : 0;
        if (cost) costs.set(other, cost);
      }
    }
    return [...costs].sort((a, b) => a[1] - b[1]).slice(0, 5);
  };

  // How much a title moves an entry up: a player precedes memorials to that player, unless they are far more important. The other kinds have
  // the highest numbers: a whole title puts one of them first, the beginning of a title of several words among the first.
  const risen = (place, cost, words) => place < others ? (cost === MISSPELT || (cost === 0 && words > 1) ? 9 : 6) : cost === 0 ? 100 : words > 1 ? 7 : 0;
  const standing = (place, cost, titled, words) =>
    2.5 * cost + Math.log2(1 + place) - (titled.has(place) ? risen(place, titled.get(place), words) : 0);

  // Entries that match all words, or as many words as possible. Those with the title have all words.
  const rank = (sets, titled, all, most) => {
    const costs = new Map();
    for (const { found } of sets) {
      for (const place of found.keys()) {
        if (costs.has(place)) continue;
        let cost = 0, fits = 0, best = Infinity;
        for (const { found: theirs, last } of sets) {
          const own = theirs.get(place) ?? (place > last ? 1 : undefined);
          if (own !== undefined) { cost += own; fits++; best = Math.min(best, own); }
        }
        // Initials alone match no player.
        if (best < INITIAL && (!all || fits === sets.length)) costs.set(place, [fits, standing(place, cost, titled, sets.length)]);
      }
    }
    for (const [place, cost] of titled) if (!costs.has(place)) costs.set(place, [sets.length, standing(place, cost, titled, sets.length)]);
    return [...costs].sort(([, a], [, b]) => b[0] - a[0] || a[1] - b[1]).slice(0, most);
  };

  // Calls `show` with the first results as soon as their names are known, then with more of them.
  const look = async ({ words, titles }, show = () => {}, most = SHOWN) => {
    await load("index");
    if (!beginnings) return { places: [], note: "The search files are missing" };
    load("n-0");
    const titled = new Map(), exact = await Promise.all(words.map((word, place) => centuries(word, place < words.length - 1 ? OTHER_BEGUN : BEGUN)));
    for (const title of titles) {
      if (title.length < 3) continue;
      for (const [place, cost] of (await having("t-", title, BEGUN)).found) if (!(titled.get(place) <= cost)) titled.set(place, cost);
    }
    let places = rank(exact, titled, true, most), note = "";
    // Several words that are all found are not misspelt; one that is rarely found may be.
    if (places.length < (words.length > 1 ? 1 : 3) && words.join("").length > 2) {
      // Similar spellings, and initials instead of names.
      const wider = await Promise.all(words.map(async (word, place) => {
        const all = { found: new Map(exact[place].found), last: exact[place].last }, other = await similar(word);
        const theirs = await Promise.all(other.map(([near]) => whole(near)));
        theirs.forEach(({ found }, at) => {
          for (const [entry, cost] of found) {
            const sum = cost + other[at][1];
            if (cost === 0 && !(all.found.get(entry) <= sum)) all.found.set(entry, sum);
          }
        });
        if (!places.length && words.length > 1 && /^[a-z]{2}/.test(word)) {
          for (const [entry, cost] of (await whole(word[0])).found) if (cost === 0 && !all.found.has(entry)) all.found.set(entry, INITIAL);
        }
        return all;
      }));
      // A misspelt surname is its player's before it is that of memorials.
      const near = words.length > 1 ? [] : await Promise.all((await similar(words[0])).map(([word]) => having("t-", word, BEGUN)));
      for (const { found } of near) for (const [place, cost] of found) if (cost === 0 && !titled.has(place)) titled.set(place, MISSPELT);
      const none = !places.length;
      places = rank(wider, titled, true, most);
      if (none && places.length) note = "Did you mean";
      if (!places.length && words.length > 1) {
        places = rank(wider, titled, false, 5);
        if (places.length) note = "No entry matches all words; these match most";
      }
    }
    const entryOf = ([place]) => { const [block, at] = blockOf(place); return files.get("n-" + block)?.[at]; };
    const known = () => {
      const entries = places.map(entryOf), end = entries.indexOf(undefined);
      return end < 0 ? entries : entries.slice(0, end);
    };
    const blocks = new Set(places.map(([place]) => blockOf(place)[0]));
    await Promise.all([...blocks].map(async block => { await load("n-" + block); if (known().length) show(note, known()); }));
    return { note, places: places.map(entryOf).filter(Boolean) };
  };

  // For other scripts: the results for a text.
  window.greatnessLook = async text => {
    const question = asked(text);
    return question.words.length ? look(question) : { places: [], note: "" };
  };

  // A page without the box has only the results for its own script.
  if (!form) return;
  let turn = 0, current = -1;
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    current = -1;
  };
  const say = text => { one("[role=status]", form).textContent = text; };
  const line = text => {
    const item = document.createElement("li");
    item.role = "option";
    item.setAttribute("aria-selected", "false");
    item.setAttribute("aria-disabled", "true");
    item.className = "small";
    item.textContent = text;
    return item;
  };
  // Where the entries of each kind are, and how their details begin.
  const folders = {
    p: { page: "player.html?p=", path: id => `players/${id}.html`, detail: detail => detail },
    e: { page: "event.html?e=", path: id => `events/${id}.html`, detail: detail => `Event: ${detail}` },
    m: { path: id => `pairs/${id}.html`, detail: detail => `Pair of players: ${detail}` },
    y: { path: id => `years/${id}.html`, detail: detail => `Year: ${detail}` },
    g: { path: id => `glossary.html#${id}`, detail: () => "Glossary" },
    w: { path: id => id, detail: () => "Page" },
  };
  const entry = ([kind, id, title, detail]) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = root + (id[0] === "#" ? folders[kind].page + id.slice(1) : folders[kind].path(id));
    link.textContent = title;
    const small = document.createElement("span");
    small.className = "small";
    small.textContent = folders[kind].detail(detail);
    item.append(link, " ", small);
    return item;
  };
  const option = (found, place) => {
    const item = entry(found);
    item.role = "option";
    item.id = `found-${place}`;
    item.setAttribute("aria-selected", "false");
    one("a", item).tabIndex = -1;
    return item;
  };
  const find = async () => {
    const mine = ++turn;
    const question = asked(input.value);
    if (!question.words.length) {
      say("");
      close();
      if (input.value.trim()) {
        list.append(line("Names are found by Latin letters and figures"));
        list.hidden = false;
        input.setAttribute("aria-expanded", "true");
      }
      return;
    }
    let begun = false;
    const show = (note, places) => {
      if (mine !== turn) return;
      if (!begun) {
        close();
        if (note) list.append(line(note + (places.length ? ":" : "")));
        list.dataset.of = input.value;
        list.hidden = false;
        input.setAttribute("aria-expanded", "true");
      }
      begun = true;
      for (let place = all("li[id]", list).length; place < places.length; place++) list.append(option(places[place], place));
    };
    const { places, note } = await look(question, show);
    if (mine !== turn) return;
    show(note, places);
    if (!places.length && !note) list.append(line("No player, event, year or term found"));
    say(places.length ? `${note ? note + ": " : ""}${places.length} found` : "No results");
  };
  const choose = step => {
    const items = all("li[id]", list);
    if (!items.length) return;
    if (current >= 0) items[current].setAttribute("aria-selected", "false");
    current = (current + step + items.length) % items.length;
    items[current].setAttribute("aria-selected", "true");
    items[current].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[current].id);
  };
  input.addEventListener("input", find);
  input.addEventListener("focus", find);
  input.addEventListener("keydown", event => {
    if (event.key === "ArrowDown") { event.preventDefault(); choose(1); }
    else if (event.key === "ArrowUp") { event.preventDefault(); choose(current < 0 ? 0 : -1); }
    else if (event.key === "Escape") { turn++; close(); }
  });
  form.addEventListener("submit", async event => {
    event.preventDefault();
    // A fast typist presses Enter before the last result arrives.
    if (list.hidden || list.dataset.of !== input.value) await find();
    const link = one("li[aria-selected=true] a", list) || one("a", list);
    if (link) location.href = link.href;
  });
  list.addEventListener("click", event => {
    const link = one("a", event.target.closest("li") || list);
    if (link) location.href = link.href;
  });
  document.addEventListener("click", event => { if (!form.contains(event.target)) close(); });
  form.addEventListener("focusout", event => { if (event.relatedTarget && !form.contains(event.relatedTarget)) close(); });
  // The page of results answers `?q=`, the address that opensearch.xml gives to browsers.
  const ask = one("#ask");
  const answer = async text => {
    const question = asked(text), hasWords = question.words.length > 0, results = one("#results");
    const { places, note } = hasWords ? await look(question, () => {}, 50) : { places: [], note: "" };
    results.replaceChildren(...places.map(entry));
    const found = `${places.length} ${places.length === 1 ? "result" : "results"} for “${text}”`;
    one("#answer").textContent = !hasWords ? (text.trim() ? "Names are found by Latin letters and figures" : "") : !places.length ? note || `No player, event, year or term found for “${text}”` : note ? `${note}: ${found}` : found;
  };
  if (ask) {
    const field = one("input", ask);
    const read = () => { field.value = new URLSearchParams(location.search).get("q") || ""; answer(field.value); };
    ask.addEventListener("submit", event => {
      event.preventDefault();
      try { history.pushState(null, "", `?q=${encodeURIComponent(field.value)}`); } catch { /* The address does not change. */ }
      answer(field.value);
    });
    addEventListener("popstate", read);
    ask.hidden = false;
    read();
  }
  // Handle a text that was typed or sent while this script was loading.
  if (form.dataset.sent) form.requestSubmit();
  else if (input.value) find();
})();
