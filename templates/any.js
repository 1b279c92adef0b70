// Shows an event or a player without a separate page. The end of the address names it: `event.html?e=vienna-1898`.
"use strict";
(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const place = one("#any"), { what, folder, files } = place.dataset;
  const systems = [...document.querySelectorAll("#systems li")].map(item => item.textContent);
  const make = (name, text = "", attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  // Keys of events and players: an identifier, with a # where it has no page.
  const eventAt = key => (key[0] === "#" ? `event.html?e=${key.slice(1)}` : `events/${key}.html`);
  const playerAt = key => (key[0] === "#" ? `player.html?p=${key.slice(1)}` : `players/${key}.html`);

  // The data files, each loaded once. Both ways to find one are the same as in the program.
  const asked = new Map(), found = new Map();
  window.greatnessEvents = ({ players, events }) => {
    for (const [id, event] of Object.entries(events)) found.set(id, event && { ...event, names: players });
  };
  window.greatnessDossier = (id, dossier) => { found.set(id, dossier); };
  // The present addresses of players by their former identifiers.
  const moved = new Map();
  window.greatnessMoved = addresses => { for (const [id, address] of Object.entries(addresses)) moved.set(id, address); };
  const firsts = [...document.querySelectorAll("#first-events li")].map(item => item.textContent);
  const yearAndId = id => `${id.split("-").filter(part => /^\d{4}$/.test(part)).pop() || ""} ${id}`;
  const fileOf = id => {
    if (what === "event") return firsts.filter(first => yearAndId(first) <= yearAndId(id)).length - 1;
    return [...id].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 0) % Number(files);
  };
  const load = number => {
    if (!asked.has(number)) asked.set(number, new Promise(done => {
      const script = make("script", "", { src: `${folder}/${number}.js` });
      script.onload = script.onerror = () => done();
      document.head.append(script);
    }));
    return asked.get(number);
  };

  const table = (caption, heads, rows, style = "rows") => {
    const made = make("table", "", { class: style }), head = make("tr"), top = make("thead"), body = make("tbody");
    made.append(make("caption", caption, { class: "hidden" }));
    const classOf = kind => (kind === "n" || kind === "wide" ? { class: kind } : {});
    for (const [text, kind] of heads) head.append(make("th", text, { scope: "col", ...classOf(kind) }));
    top.append(head);
    for (const cells of rows) {
      const row = make("tr");
      cells.forEach((cell, column) => {
        const kind = heads[column][1];
        const made = make(kind === "head" ? "th" : "td", typeof cell === "object" ? "" : String(cell), kind === "head" ? { scope: "row" } : classOf(kind));
        if (typeof cell === "object") made.append(cell);
        row.append(made);
      });
      body.append(row);
    }
    made.append(top, body);
    const frame = make("div", "", { class: "scroll", role: "region", "aria-label": caption, tabindex: 0 });
    frame.append(made);
    return frame;
  };
  const link = (href, text) => make("a", text, { href });
  const section = (title, ...parts) => {
    const made = make("section");
    made.append(make("h2", title), ...parts);
    return made;
  };
  const show = (title, lead, ...parts) => {
    const lines = lead.filter(Boolean);
    place.replaceChildren(make("h1", title), ...lines.map((text, line) => make("p", text, line ? {} : { class: "lead" })), ...parts);
    document.title = `${title} · The Greatness Archive`;
  };
  // The citation of the page becomes one of what it shows.
  const cite = (id, title) => {
    const { page, name } = place.dataset;
    for (const text of document.querySelectorAll(".cite p, .cite pre")) {
      text.textContent = text.textContent.replaceAll(name, title).replaceAll(page, `${page}?${what[0]}=${id}`).replaceAll(`archive-${what}`, `archive-${id}`);
    }
  };

  // The results of an event. A game is three numbers: White and Black, as places in the standings, and White's half
  // points, with 4 if it was not played and 8 if its moves are known.
  const gamesOf = ({ games, rounds, days }) => {
    const list = [], spread = runs => runs.flatMap(([text, count]) => Array(count).fill(text));
    const round = spread(rounds), date = spread(days);
    for (let at = 0; at < games.length; at += 3) {
      const number = at / 3, [white, black, code] = games.slice(at, at + 3), halves = code & 3, played = !(code & 4);
      const mark = of => (played ? ["0", "½", "1"][of] : of > 1 ? "+" : "−");
      list.push({ number, white, black, marks: [mark(halves), mark(2 - halves)], round: round[number] || "", date: date[number] || "", moves: Boolean(code & 8) });
    }
    return list;
  };
  const crosstable = (event, games, names) => {
    const cells = names.map(() => []);
    for (const { number, white, black, marks } of games) {
      cells[white].push({ other: black, text: marks[0], white: true, number });
      cells[black].push({ other: white, text: marks[1], white: false, number });
    }
    const score = at => event.standings[at][3];
    const row = (at, name, ...between) => {
      const made = make("tr");
      made.append(make("th", name, { scope: "row" }), ...between, make("td", score(at), { class: "n" }));
      return made;
    };
    const made = make("table", "", { class: event.form === "square" ? "crosstable square" : "crosstable" }), top = make("thead"), head = make("tr"), body = make("tbody");
    head.append(make("th", "Player", { scope: "col" }));
    if (event.form === "match") {
      games.forEach((game, at) => head.append(make("th", game.round || at + 1, { scope: "col" })));
      names.forEach((name, at) => body.append(row(at, name, ...cells[at].map(cell => make("td", cell.text, cell.white ? {} : { class: "b" })))));
    } else if (event.form === "square") {
      names.forEach((name, at) => head.append(make("th", at + 1, { scope: "col", abbr: `against ${name}`, title: name })));
      names.forEach((name, at) => body.append(row(at, `${at + 1} ${name}`, ...names.map((_, other) => (other === at ? make("td", "", { class: "own" })
        : make("td", cells[at].filter(cell => cell.other === other).map(cell => cell.text).join("")))))));
    } else {
      head.append(make("th", "Games: colour, opponent's line, result", { scope: "col" }));
      names.forEach((name, at) => {
        const list = make("td", "", { class: "games" });
        for (const cell of cells[at]) list.append(`${cell.white ? "w" : "b"}${cell.other + 1} ${cell.text} `);
        body.append(row(at, `${at + 1} ${name}`, list));
      });
    }
    head.append(make("th", "Points", { scope: "col", class: "n" }));
    top.append(head);
    made.append(top, body);
    const frame = make("div", "", { class: "scroll", role: "region", "aria-label": "Crosstable", tabindex: 0 });
    frame.append(made);
    return frame;
  };
  const SHOWN = 60;
  const missingGames = (missing, names) => {
    const list = make("ul", "", { class: "small" });
    for (const [player, opponent, round, count] of missing.slice(0, SHOWN)) {
      const pair = [player, opponent].map(at => (at === null ? "unknown" : names[at])).join(" – ");
      list.append(make("li", `${pair}${count > 1 ? `: ${count} games` : ""}${round === null ? "" : `, round ${round}`}`));
    }
    if (missing.length > SHOWN) list.append(make("li", `And ${missing.length - SHOWN} more.`));
    return list;
  };
  const withLinks = (before, links, after = ".") => {
    const line = make("p", before);
    links.forEach((to, at) => line.append(at ? "; " : "", link(to.href, to.text)));
    line.append(after);
    return line;
  };
  const origins = ["", " estimated", " corrected", " decided"];
  const showEvent = (id, event) => {
    const players = event.standings.map(([player]) => event.names[player]), names = players.map(([, name]) => name), games = gamesOf(event);
    const player = at => link(playerAt(players[at][0]), names[at]);
    const facts = make("dl", "", { class: "facts" });
    for (const [term, fact] of event.facts) {
      const group = make("div");
      group.append(make("dt", term), make("dd", fact));
      facts.append(group);
    }
    // Ratings and G-scores have a column if a player has one.
    const hasRatings = event.standings.some(([, rating]) => rating), hasG = event.standings.some(row => row[6]);
    const standings = table("Standings", [["Rank", "n"], ["Player", "head"], ...(hasRatings ? [["Rating", "n"]] : []), ["Points", "n"], ["P-Zero", "n"], ...(hasG ? [["G", "n"]] : [])],
      event.standings.map(([, rating, origin, points, played, pZero, g, place], at) => {
        const shown = make("span", rating);
        if (rating && origin) shown.append(make("span", origins[origin], { class: "mark" }));
        return [place || at + 1, player(at), ...(hasRatings ? [shown] : []), `${points}/${played}`, pZero, ...(hasG ? [g] : [])];
      }), "standings rows sortable");
    const hasRounds = event.rounds.length > 0, hasDays = event.days.length > 0, hasMoves = games.some(game => game.moves);
    const heads = [...(hasRounds ? [["Round", "n"]] : []), ["White", "head"], ["Result", "n"], ["Black", ""], ...(hasDays ? [["Date", "wide"]] : []), ...(hasMoves ? [["Moves", ""]] : [])];
    const list = table("Games", heads, games.map(game => [...(hasRounds ? [game.round] : []), player(game.white), game.marks.join("–"), player(game.black),
      ...(hasDays ? [game.date] : []), ...(hasMoves ? [game.moves ? link(`games.html#${id},${game.number + 1}`, "board") : ""] : [])]), "rows sortable");
    const folded = make("details");
    folded.append(make("summary", games.length === 1 ? "1 game" : `${games.length} games`), list);
    folded.open = games.length <= SHOWN;
    const near = make("nav", "", { class: "neighbours", "aria-label": "Neighbours" }), lines = make("ul");
    const line = (text, ...links) => {
      const item = make("li", text);
      item.append(...links);
      lines.append(item);
    };
    for (const { what, link: to } of event.neighbours) line(`${what}: `, link(to.href, to.text));
    if (event.year !== null) line("All events of ", link(`years/${event.year}.html`, event.year));
    line("Data: ", link("downloads.html#events", "analyses (JSON) and games (PGN) of all events"));
    near.append(lines);
    const titled = (title, ...parts) => section(title, ...parts);
    show(event.name, [event.verdict], ...[
      event.unlisted && make("p", event.unlisted, { class: "doubt" }),
      event.part_of && withLinks("Part of ", [event.part_of]),
      event.parts.length > 0 && withLinks("Parts: ", event.parts),
      facts,
      titled("Standings", standings),
      titled({ match: "Game by game", square: "Crosstable", list: "Results" }[event.form], crosstable(event, games, names)),
      event.missing.length > 0 && titled("Missing games", missingGames(event.missing, names)),
      titled("Games", folded),
      event.reasons.length > 0 && titled("How the event was assembled", (() => {
        const made = make("ul");
        for (const reason of event.reasons) made.append(make("li", reason));
        return made;
      })()),
      near,
    ].filter(Boolean));
    for (const made of place.querySelectorAll("table.sortable")) if (window.greatnessSortable) window.greatnessSortable(made);
  };

  const scoreOf = event => `${event[6]}${event[7] ? ` + ${event[7]}` : ""}`;

  const showPlayer = (id, dossier) => {
    const { name, years, games, points, best, events, ratings } = dossier;
    const span = years ? (years[0] === years[1] ? String(years[0]) : years.join("–")) : "";
    const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    const parts = [section("Events", table("Events", [["Year", "n"], ["Event", "head"], ["Kind", "wide"], ["Place", "n"], ["Points", "n"], ["G", "n"]],
      events.map(event => [event[2] ?? "", link(eventAt(event[0]), event[1]), event[3], event[10] ? "withdrew" : `${event[12] || event[4]} of ${event[5]}`, scoreOf(event), event[8] && event[11] ? `${event[8]} (not ranked)` : event[8]])))];
    if (ratings.length) {
      parts.push(section("Ratings", table("Ratings", [["List", "head"], ["First", "n"], ["Highest", "n"], ["Last", "n"]], ratings.map(([system, first, list]) => {
        const known = list.map((rating, at) => [rating, first + at]).filter(([rating]) => rating);
        const ratingAndYear = ([rating, year]) => `${rating} (${year})`;
        return [systems[system], ratingAndYear(known[0]), ratingAndYear(known.reduce((best, point) => (point[0] > best[0] ? point : best))), ratingAndYear(known[known.length - 1])];
      }))));
    }
    const compare = make("p");
    compare.append(link(`compare.html#${id}`, "Compare with another player"));
    show(name, [[span, count(events.length, "event"), `${points} of ${count(games, "game")}`].filter(Boolean).join(" · "), best ? `Best G: ${best[0]}, ${best[2]}.` : ""], ...parts, compare);
  };

  const look = async () => {
    // Older addresses have the identifier after a #.
    const id = new URLSearchParams(location.search).get(what[0]) || decodeURIComponent(location.hash.slice(1));
    if (!id) {
      one("[role=status]", place).textContent = `The address of this page names the ${what} at its end. Use the search above to find one.`;
      return;
    }
    if (/^[a-z0-9-]+$/.test(id)) await load(fileOf(id));
    const shown = found.get(id);
    if (shown && what === "event") showEvent(id, shown);
    else if (shown && shown.page === `player.html?p=${id}`) showPlayer(id, shown);
    else if (found.has(id)) return location.replace(`${what}s/${id}.html`);
    else if (moved.has(id)) return location.replace(moved.get(id));
    else {
      show(what === "event" ? "An event" : "A player", []);
      place.append(make("p", `This archive has no ${what} ${id.slice(0, 100)}. A correction may have changed its address; the search above finds it by name.`, { role: "status" }));
      return;
    }
    cite(id, one("h1", place).textContent);
  };
  addEventListener("hashchange", () => location.reload());
  look();
})();
