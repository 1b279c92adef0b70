// The board. The address names the event and the game after the #, and then the half-move: `vienna-1898,12,30`.
"use strict";
(() => {
  const one = selector => document.querySelector(selector);
  const page = one(".board-page"), board = one(".board"), list = one("ol.moves"), select = one("select[name=game]"), caption = one("#played");
  const make = (name, text = "", attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const events = new Map(), asked = new Map();
  window.greatnessGames = found => { for (const [id, event] of Object.entries(found)) events.set(id, event); };
  // The file of an event is the last one whose first event is not after it, by year and identifier.
  const firsts = [...document.querySelectorAll("#first-events li")].map(item => item.textContent);
  const yearAndId = id => `${id.split("-").filter(part => /^\d{4}$/.test(part)).pop() || ""} ${id}`;
  const load = async id => {
    if (!/^[a-z0-9-]+$/.test(id)) return undefined;
    const number = firsts.filter(first => yearAndId(first) <= yearAndId(id)).length - 1;
    if (!asked.has(number)) asked.set(number, new Promise(done => {
      const script = make("script", "", { src: `games/${number}.js` });
      script.onload = script.onerror = () => done();
      document.head.append(script);
    }));
    await asked.get(number);
    return events.get(id);
  };

  const USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  const GLYPHS = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
  const at = square => (8 - Number(square[1])) * 8 + square.charCodeAt(0) - 97;
  const start = fen => [...(fen || USUAL).split(" ")[0].replaceAll("/", "")].flatMap(one => (/\d/.test(one) ? Array(Number(one)).fill("") : [one]));
  const isWhite = piece => piece !== "" && piece === piece.toUpperCase();
  // Moves are pairs of squares. Castling is the king capturing its own rook.
  const play = (position, squares) => {
    const next = [...position], from = at(squares.slice(0, 2)), to = at(squares.slice(2, 4)), piece = next[from], taken = next[to];
    next[from] = "";
    if (/k/i.test(piece) && /r/i.test(taken) && isWhite(piece) === isWhite(taken)) {
      const row = from - from % 8, short = to > from;
      next[to] = "";
      next[row + (short ? 6 : 2)] = piece;
      next[row + (short ? 5 : 3)] = taken;
      return next;
    }
    if (/p/i.test(piece) && from % 8 !== to % 8 && taken === "") next[from - from % 8 + to % 8] = "";
    const becomes = squares[4];
    next[to] = becomes ? (isWhite(piece) ? becomes.toUpperCase() : becomes) : piece;
    return next;
  };

  let event, id = "", game, positions = [], moves = [], ply = 0, turned = false;
  const draw = () => {
    const last = ply ? moves[ply - 1][1] : "", lit = last ? [at(last.slice(0, 2)), at(last.slice(2, 4))] : [];
    board.replaceChildren(...positions[ply].map((_, cell) => {
      const place = turned ? 63 - cell : cell, piece = positions[ply][place];
      const square = make("span", piece ? GLYPHS[piece.toLowerCase()] + "\ufe0e" : "");
      square.className = `${(place + Math.floor(place / 8)) % 2 ? "dark" : "light"}${piece ? (isWhite(piece) ? " white" : " black") : ""}${lit.includes(place) ? " lit" : ""}`;
      return square;
    }));
    list.querySelectorAll("[aria-current]").forEach(button => button.removeAttribute("aria-current"));
    const current = list.querySelector(`[data-ply="${ply}"]`);
    if (current) {
      current.setAttribute("aria-current", "true");
      const [top, bottom] = [current.offsetTop - list.offsetTop, current.offsetTop - list.offsetTop + current.offsetHeight];
      if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
    }
    const position = ply ? `${numbered(ply)} ${moves[ply - 1][0]}` : "Initial position";
    caption.textContent = ply === moves.length ? `${position}. ${game[3].replaceAll("1/2", "½").replace("-", "–")}` : position;
    board.setAttribute("aria-label", `Board: ${position}`);
  };
  const first = () => {
    const fields = (game[6] || "").split(" ");
    return { black: fields[1] === "b" ? 1 : 0, number: Number(fields[5]) || 1 };
  };
  const numbered = ply => {
    const { black, number } = first(), half = ply - 1 + black;
    return `${number + Math.floor(half / 2)}${half % 2 ? "…" : "."}`;
  };
  const go = to => {
    ply = Math.max(0, Math.min(moves.length, to));
    history.replaceState(null, "", `#${id},${game[0]}${ply ? `,${ply}` : ""}`);
    draw();
  };
  const open = (number, to) => {
    game = event.games.find(([own]) => own === number) || event.games[0];
    select.value = String(game[0]);
    const words = game[7].split(" ");
    moves = [];
    positions = [start(game[6])];
    for (let place = 0; place + 1 < words.length; place += 2) {
      moves.push([words[place], words[place + 1]]);
      positions.push(play(positions[positions.length - 1], words[place + 1]));
    }
    list.replaceChildren(...moves.map(([san], place) => {
      const item = make("li"), button = make("button", `${place === 0 || numbered(place + 1).endsWith(".") ? numbered(place + 1) + " " : ""}${san}`, { type: "button", "data-ply": place + 1 });
      item.append(button);
      return item;
    }));
    go(to);
  };
  const read = async () => {
    const [wanted, number, to] = decodeURIComponent(location.hash.slice(1)).split(",");
    if (!wanted) { one("#which").textContent = "Choose an event. Its page links to its games."; return; }
    event = await load(wanted);
    if (!event) { one("#which").textContent = `This archive has no games of ${wanted}.`; page.hidden = true; return; }
    id = wanted;
    const link = make("a", event.name, { href: event.page });
    one("#which").replaceChildren(link);
    document.title = `${event.name}: games · The Greatness Archive`;
    select.replaceChildren(...event.games.map(([number, white, black, result, date, round]) =>
      make("option", `${round ? `${round}: ` : ""}${white} – ${black} ${result.replaceAll("1/2", "½").replace("-", "–")}`, { value: number })));
    page.hidden = false;
    open(Number(number), Number(to) || 0);
  };
  select.addEventListener("change", () => open(Number(select.value), 0));
  list.addEventListener("click", event => { const button = event.target.closest("button"); if (button) go(Number(button.dataset.ply)); });
  const act = { first: () => go(0), back: () => go(ply - 1), on: () => go(ply + 1), last: () => go(moves.length), turn: () => { turned = !turned; draw(); } };
  page.addEventListener("click", event => { const button = event.target.closest("[data-go]"); if (button) act[button.dataset.go](); });
  document.addEventListener("keydown", event => {
    if (page.hidden || event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const key = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (key) { event.preventDefault(); act[key](); }
  });
  window.addEventListener("hashchange", read);
  read();
})();
