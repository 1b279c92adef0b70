// Compares two players. The address names them after the #: `karpov-anatoly,kasparov-garry`.
"use strict";
(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const form = one("#compare"), place = one("#compared"), message = one("output", form);
  const sides = [form.elements.one, form.elements.other];
  const systems = [...document.querySelectorAll("#systems li")].map(item => item.textContent);
  const make = (name, text = "", attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const link = (href, text) => make("a", text, { href });
  // The key of an event: its identifier, with a # where it has no page.
  const eventAt = key => (key[0] === "#" ? `event.html?e=${key.slice(1)}` : `events/${key}.html`);

  // The files of players, each loaded once. `fileOf` is the same as in the program.
  const asked = new Map(), dossiers = new Map(), names = new Map();
  const load = source => {
    if (!asked.has(source)) asked.set(source, new Promise(done => {
      const script = make("script", "", { src: source });
      script.onload = script.onerror = () => done();
      document.head.append(script);
    }));
    return asked.get(source);
  };
  window.greatnessDossier = (id, dossier) => { dossiers.set(id, dossier); };
  const fileOf = id => [...id].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 0) % Number(form.dataset.files);
  const dossier = async id => {
    if (!/^[a-z0-9-]+$/.test(id)) return undefined;
    await load(`compare/${fileOf(id)}.js`);
    return dossiers.get(id);
  };

  const halves = points => (points % 2 ? (points > 1 ? Math.floor(points / 2) : "") + "½" : String(points / 2));
  const cells = (row, texts) => {
    for (const text of texts) {
      const cell = make("td", typeof text === "object" ? "" : String(text), { class: "n" });
      if (typeof text === "object") cell.append(text);
      row.append(cell);
    }
    return row;
  };
  const table = (caption, heads, rows) => {
    const made = make("table", "", { class: "rows" });
    made.append(make("caption", caption, { class: "hidden" }));
    const head = make("tr"), body = make("tbody"), top = make("thead");
    heads.forEach((text, column) => head.append(make("th", text, column ? { scope: "col", class: "n" } : { scope: "col" })));
    top.append(head);
    for (const [first, ...rest] of rows) {
      const row = make("tr"), name = make("th", "", { scope: "row" });
      name.append(first);
      row.append(name);
      body.append(cells(row, rest));
    }
    made.append(top, body);
    const frame = make("div", "", { class: "scroll", role: "region", "aria-label": caption, tabindex: 0 });
    frame.append(made);
    return frame;
  };
  const section = (title, ...parts) => {
    const made = make("section");
    made.append(make("h2", title), ...parts);
    return made;
  };

  // Events with both players, with their score against each other.
  const meetings = ([a, b]) => {
    const theirs = new Map(b.events.map(event => [event[0], event]));
    return a.events.filter(event => theirs.has(event[0])).map(event => {
      const other = theirs.get(event[0]);
      const games = event[9].split(".").filter(Boolean).map(text => /^(\d+)([wb])(\d)$/.exec(text)).filter(game => game && Number(game[1]) === other[4]);
      return { event, other, scores: games.map(game => Number(game[3])), whites: games.map(game => game[2] === "w") };
    });
  };
  const score = scores => `${halves(scores.reduce((sum, own) => sum + own, 0))}–${halves(scores.reduce((sum, own) => sum + 2 - own, 0))}`;
  const tally = scores => `+${scores.filter(own => own === 2).length} −${scores.filter(own => own === 0).length} =${scores.filter(own => own === 1).length}`;

  // The lists with both players, and a chart of one of them.
  const space = "http://www.w3.org/2000/svg";
  const draw = (name, attributes, text = "") => {
    const made = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  };
  // Lists of published ratings come first, whose levels readers know.
  const FIRST = ["Elo", "Chessmetrics"];
  const rankOf = name => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const sharedLists = pair => systems.map((name, number) => ({ name, lists: pair.map(side => side.ratings.find(list => list[0] === number)) }))
    .filter(({ lists }) => lists.every(Boolean)).sort((a, b) => rankOf(a.name) - rankOf(b.name));
  const highest = list => years(list).reduce((best, point) => (point[1] > best[1] ? point : best));
  const years = ([, first, ratings]) => ratings.map((rating, at) => [first + at, rating]).filter(([, rating]) => rating);
  // By age, a list begins at the player's age in its first year.
  const aged = ({ born }, [number, first, ratings]) => [number, first - born, ratings];
  const chart = (pair, lists, title) => {
    const [width, height, left, right, top, bottom] = [760, 320, 58, 600, 16, 286];
    const lines = lines => lines.flatMap(years);
    const all = lines(lists.filter(Boolean));
    const span = (values, room) => [Math.min(...values) - room, Math.max(...values) + room];
    const [low, high] = span(all.map(([, rating]) => rating), 20), [first, last] = span(all.map(([year]) => year), 0);
    const x = year => left + (right - left) * (year - first) / Math.max(1, last - first);
    const y = rating => bottom - (bottom - top) * (rating - low) / (high - low);
    const svg = draw("svg", { class: "plot ratings", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: the table below has the figures` });
    const step = (span, most) => [1, 2, 5, 10, 20, 50, 100, 200, 500].find(step => span / step <= most) || 1000;
    const axes = draw("g", { class: "axes" });
    for (let at = Math.ceil(low / step(high - low, 6)) * step(high - low, 6); at <= high; at += step(high - low, 6)) {
      axes.append(draw("line", { x1: left, x2: right, y1: y(at), y2: y(at) }), draw("text", { x: left - 8, y: y(at) + 4, "text-anchor": "end" }, at));
    }
    for (let at = Math.ceil(first / step(last - first, 8)) * step(last - first, 8); at <= last; at += step(last - first, 8)) {
      axes.append(draw("line", { x1: x(at), x2: x(at), y1: top, y2: bottom }), draw("text", { x: x(at), y: bottom + 18, "text-anchor": "middle" }, at));
    }
    svg.append(axes);
    const labels = [];
    lists.forEach((list, side) => {
      if (!list) return;
      let path = "", before = -9;
      const points = years(list);
      for (const [year, rating] of points) {
        path += `${year - before > 2 ? "M" : "L"}${x(year).toFixed(1)} ${y(rating).toFixed(1)}`;
        before = year;
      }
      const group = draw("g", { class: `series s${side + 1}` });
      let label = y(points[points.length - 1][1]) + 4;
      while (labels.some(other => Math.abs(other - label) < 13)) label += 13;
      labels.push(label);
      group.append(draw("path", { d: path }), draw("path", { d: `M${right + 8} ${label - 4}h22` }), draw("text", { x: right + 36, y: label }, pair[side].name.split(" ").pop()));
      if (points.length === 1) group.append(draw("circle", { cx: x(points[0][0]), cy: y(points[0][1]), r: 3.5 }));
      svg.append(group);
    });
    return svg;
  };
  const ratings = pair => {
    const shared = sharedLists(pair);
    if (!shared.length) return section("Ratings", make("p", "No rating list has both players."));
    const choice = make("select", "", { name: "system" }), label = make("label", "List "), figure = make("figure", "", { class: "slide", tabindex: 0 });
    shared.forEach(({ name }) => choice.append(make("option", name)));
    label.append(choice);
    const byAge = make("input", "", { type: "checkbox" }), ages = make("label", " at the same age");
    ages.prepend(byAge);
    if (pair.every(({ born }) => born)) label.append(" ", ages);
    const rows = shared.map(({ name, lists }) => {
      const best = lists.map(highest);
      const both = years(lists[0]).map(([year, rating]) => [rating, years(lists[1]).find(([other]) => other === year)?.[1]]).filter(([, other]) => other);
      const ahead = both.filter(([own, other]) => own > other).length;
      return [document.createTextNode(name), `${best[0][1]} (${best[0][0]})`, `${best[1][1]} (${best[1][0]})`, both.length ? `${ahead} of ${both.length}` : "none"];
    });
    const details = make("details");
    const show = () => {
      const { name, lists } = shared[choice.selectedIndex];
      const shown = byAge.checked ? lists.map((list, side) => aged(pair[side], list)) : lists;
      figure.replaceChildren(chart(pair, shown, name), make("figcaption", `${name}: the first rating of each year${byAge.checked ? ", by age" : ""}.`));
      const all = new Map();
      lists.forEach((list, side) => years(list).forEach(([year, rating]) => { all.set(year, Object.assign(all.get(year) || ["", ""], { [side]: rating })); }));
      details.replaceChildren(make("summary", "As a table, year by year"), table(name, ["Year", ...pair.map(side => side.name)],
        [...all].sort(([a], [b]) => a - b).map(([year, two]) => [document.createTextNode(year), ...two])));
    };
    choice.addEventListener("change", show);
    byAge.addEventListener("change", show);
    show();
    return section("Ratings", label, figure, details, make("h3", "Highest ratings by list"),
      table("Highest ratings", ["List", ...pair.map(side => side.name), "Years in which the first was ahead"], rows));
  };

  // Peak against peak by the first list that has both, in a sentence.
  const peaks = pair => {
    const [first] = sharedLists(pair);
    if (!first) return "";
    const best = first.lists.map(highest), [a, b] = pair.map(({ name, born }, side) =>
      `${name} ${best[side][1]} (${best[side][0]}${born ? `, aged ${best[side][0] - born}` : ""})`);
    const share = 1 / (1 + 10 ** ((best[1][1] - best[0][1]) / 400));
    return `At their peaks by the list ${first.name}: ${a}, ${b}. With these ratings ${pair[0].name} is expected to score ${Math.round(100 * share)}%. ` +
      "A list compares contemporaries; between eras it says less.";
  };
  const firsts = ({ firsts: [won, of] }) => (of ? `${won} of ${of} tournaments` : "");
  const profile = ({ great }) => great.map((count, at) => (count ? `${count} of ${100 * (at + 1)} or more` : "")).filter(Boolean).join(", ");

  const show = (ids, pair) => {
    const met = meetings(pair), games = met.flatMap(({ scores }) => scores), [a, b] = pair.map(({ name }) => name);
    const facts = table("Careers", ["Figure", a, b], [
      ["Years", ...pair.map(({ years }) => (years ? years.join("–") : ""))],
      ["Events", ...pair.map(({ events }) => events.length)],
      ["Games", ...pair.map(({ games }) => games)],
      ["Score", ...pair.map(({ games, points }) => (games ? `${points} (${Math.round(100 * parse(points) / games)}%)` : ""))],
      ["Titles", ...pair.map(({ titles }) => titles.join("; "))],
      ["First places", ...pair.map(firsts)],
      ["G-scores", ...pair.map(profile)],
      ["Best G", ...pair.map(({ best }) => (best ? link(eventAt(best[1]), `${best[0]}, ${best[2]}`) : ""))],
      ["Page", ...ids.map((id, side) => link(pair[side].page, pair[side].name))],
    ].map(([name, ...rest]) => [document.createTextNode(name), ...rest]));
    const against = make("p", games.length
      ? `${games.length} ${games.length === 1 ? "game" : "games"}: ${score(games)} (${tally(games)} for ${a}). `
      : "This archive has no game between them.");
    if (games.length >= 10) {
      const [first, second] = [...ids].sort();
      against.append(link(`pairs/${first}--${second}.html`, "All of their games"));
    }
    const placed = event => `${event[10] ? "withdrew," : `${event[12] || event[4]}.`} ${event[6]}${event[7] ? ` + ${event[7]}` : ""}`;
    against.append(make("span", "Games of events that this archive lacks, such as team events, are not counted.", { class: "small" }));
    const peak = peaks(pair);
    const parts = [section("Careers", ...(peak ? [make("p", peak, { class: "lead" })] : []), facts), section("Against each other", against)];
    if (met.length) {
      parts.push(section("Events with both players", table("Events in which both played", ["Event", a, b, "Against each other"],
        met.map(({ event, other, scores }) => [link(eventAt(event[0]), event[1]), placed(event), placed(other),
          scores.length ? score(scores) : "did not meet"]))));
    }
    parts.splice(2, 0, ratings(pair));
    place.replaceChildren(...parts);
    document.title = `${a} and ${b} · The Greatness Archive`;
    message.textContent = "";
  };
  const parse = points => Number(points.replace("½", ".5"));

  let turn = 0;
  const chosen = ["", ""];
  const look = async () => {
    const mine = ++turn;
    place.replaceChildren();
    const pair = await Promise.all(chosen.map(id => (id ? dossier(id) : undefined)));
    if (mine !== turn) return;
    pair.forEach((side, at) => {
      if (side) { names.set(side.name, chosen[at]); sides[at].value = side.name; }
      else if (chosen[at]) message.textContent = `No player ${chosen[at]} in this archive`;
    });
    if (pair.every(Boolean)) show([...chosen], pair);
    else if (!pair.some((side, at) => chosen[at] && !side)) message.textContent = pair.some(Boolean) ? "Choose a second player" : "Choose two players";
  };
  const read = () => {
    location.hash.slice(1).split(",").slice(0, 2).forEach((id, side) => { chosen[side] = decodeURIComponent(id); });
    look();
  };
  const take = (side, id) => {
    chosen[side] = id;
    history.replaceState(null, "", `#${chosen.join(",")}`);
    look();
  };
  sides.forEach((input, side) => {
    const list = one(`#${input.getAttribute("list")}`);
    input.addEventListener("input", async () => {
      if (names.has(input.value)) return take(side, names.get(input.value));
      if (!window.greatnessLook) await load("search.js");
      const typed = input.value, found = await window.greatnessLook(typed);
      if (typed !== input.value) return;
      const players = found.places.filter(([kind]) => kind === "p");
      list.replaceChildren(...players.map(([, id, name, detail]) => {
        names.set(name, id.replace("#", ""));
        return make("option", detail, { value: name });
      }));
    });
    input.addEventListener("change", async () => {
      // Enter takes the first that was found.
      const found = names.get(input.value) ?? names.get(one("option", list)?.value);
      if (found && found !== chosen[side]) take(side, found);
    });
  });
  form.elements.swap.addEventListener("click", () => {
    chosen.reverse();
    history.replaceState(null, "", `#${chosen.join(",")}`);
    look();
  });
  form.addEventListener("submit", event => event.preventDefault());
  window.addEventListener("hashchange", read);
  form.hidden = false;
  read();
})();
