// Shows an event or a player without a separate page. The part of the address after the # names it.
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
  const eventAt = key => (key[0] === "#" ? "event.html" + key : `events/${key}.html`);
  const playerAt = key => (key[0] === "#" ? "player.html" + key : `players/${key}.html`);

  // The files, each loaded once. `fileOf` is the same as in the program.
  const asked = new Map(), found = new Map();
  window.greatnessEvent = (id, event, players) => { found.set(id, { event, players }); };
  window.greatnessDossier = (id, dossier) => { found.set(id, dossier); };
  const fileOf = id => [...id].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 0) % Number(files);
  const load = number => {
    if (!asked.has(number)) asked.set(number, new Promise(done => {
      const script = make("script", "", { src: `${folder}/${number}.js` });
      script.onload = script.onerror = () => done();
      document.head.append(script);
    }));
    return asked.get(number);
  };

  const halves = points => (points % 1 ? (points > 1 ? Math.floor(points) : "") + "½" : String(points));
  const fixed = (number, digits) => (typeof number === "number" ? number.toFixed(digits).replace("-", "−") : "");
  const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
  const day = text => {
    const [year, month, date] = text.split(/[.-]/).map(Number);
    return [date || "", months[month - 1] || "", year || ""].filter(Boolean).join(" ");
  };
  const table = (caption, heads, rows) => {
    const made = make("table", "", { class: "rows" }), head = make("tr"), top = make("thead"), body = make("tbody");
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

  // Why an event is not ranked.
  const standings = {
    incomplete: "Too many of its games are missing for the ranked lists.", weak: "Too few of its ratings are reliable for the ranked lists.",
    unrated: "Too few of its ratings are known, or the line through them gives none for the others. So there are P-Zeros, but no G-scores.",
    team: "A team event. Performances of players who meet only through their teams are not ranked.",
    unrecognised: "Its pairings do not show what kind of event it was, so it is not ranked.", uncertain: "Number of games unknown, so it is not ranked.",
    computers: "Programs played in it, so it is not ranked.",
  };
  const showEvent = (id, { event, players }) => {
    const days = [...new Set([event.start, event.end].map(day).filter(Boolean))].join(" – ");
    const games = event.input.games, names = event.input.players.map(player => player.name), rows = [...event.players];
    const player = name => {
      const index = names.indexOf(name);
      return index < 0 ? document.createTextNode(name) : link(playerAt(players[index]), name);
    };
    const places = event.site && !event.name.includes(event.site) ? event.site : "";
    const table1 = table("Players", [["Rank", "n"], ["Player", "head"], ["Rating", "n"], ["Points", "n"], ["Games", "n"], ["P-Zero", "n"], ["Performance", "n"], ["G", "n"]],
      rows.map((row, at) => {
        // None of the games of a player who withdrew counts for places.
        const withdrew = !row.main_games && row.games && row.play_off_points === null;
        return [withdrew ? "withdrew" : at + 1, player(row.name), fixed(row.initial_rating, 0), halves(row.points), row.games, fixed(row.p_zero, 4), fixed(row.performance_rating, 0), withdrew ? "" : fixed(row.g_score, 2)];
      }));
    const table2 = table("Games", [["White", "head"], ["Result", "n"], ["Black", ""]], games.map(game => {
      const [white, black] = [game.white, game.black].map(index => link(playerAt(players[index]), names[index]));
      const score = game.white_score;
      return [white, score === 1 ? "1–0" : score === 0 ? "0–1" : "½–½", black];
    }));
    show(event.name, [[event.kind[0].toUpperCase() + event.kind.slice(1).replaceAll("_", " "), days, places, games.length === 1 ? "1 game" : `${games.length} games`, event.tempo].filter(Boolean).join(" · "),
      standings[event.status] || ""], section("Players", table1), section("Games", table2),
    make("p", "Data: "));
    place.lastChild.append(link(`data/events/${id}.json`, "analysis (JSON)"), document.createTextNode(", "), link(`data/events/${id}.pgn`, "games (PGN)"));
  };

  const showPlayer = (id, dossier) => {
    const { name, years, games, points, best, events, ratings } = dossier;
    const span = years ? (years[0] === years[1] ? String(years[0]) : years.join("–")) : "";
    const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    const parts = [section("Events", table("Events", [["Year", "n"], ["Event", "head"], ["Kind", "wide"], ["Place", "n"], ["Points", "n"], ["G", "n"]],
      events.map(event => [event[2] ?? "", link(eventAt(event[0]), event[1]), event[3], event[10] ? "withdrew" : `${event[4]} of ${event[5]}`, `${event[6]}/${event[7]}`, event[8] && event[11] ? `${event[8]} (not ranked)` : event[8]])))];
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

  let turn = 0;
  const look = async () => {
    const mine = ++turn;
    const id = decodeURIComponent(location.hash.slice(1));
    const report = text => { const line = one("[role=status]", place); if (line) line.textContent = text; };
    if (!id) return report("The address of this page names the event or player after a #. Use the search above to find one.");
    if (/^[a-z0-9-]+$/.test(id)) await load(fileOf(id));
    if (mine !== turn) return undefined;
    if (found.has(id)) return what === "event" ? showEvent(id, found.get(id)) : showPlayer(id, found.get(id));
    // It may have a page now, or another address.
    show(what === "event" ? "An event" : "A player", []);
    const line = make("p", `This archive has no ${what} ${id.slice(0, 100)} on this page. `, { role: "status" });
    if (/^[a-z0-9-]+$/.test(id)) line.append(link(`${what}s/${id}.html`, "It may have its own page"));
    place.append(line);
    return undefined;
  };
  window.addEventListener("hashchange", look);
  look();
})();
