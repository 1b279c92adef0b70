// What the pages do beyond being read: search, sorting, filters, the theme. Everything is there without it.
"use strict";
(() => {
  const root = document.body.dataset.root;
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  // As the program folds names: no case, no diacritics, ae oe ue inside of words as a o u.
  const letters = { ø: "o", æ: "ae", œ: "oe", ß: "ss", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
  const fold = text => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")
    .replace(/[øæœßłđðþı]/g, letter => letters[letter])
    .replace(/([aou])e(?=[a-z])/g, "$1");
  const wordsOf = text => fold(text).split(/[^a-z0-9]+/).filter(Boolean);

  // The theme: the system's, until the reader chooses.
  const button = one("button.theme");
  const dark = () => (document.documentElement.dataset.theme
    || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const label = () => { button.textContent = dark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    const theme = dark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    try { localStorage.setItem("greatness-theme", theme); } catch { /* It holds for this page. */ }
    label();
  });
  label();
  button.hidden = false;

  // A link to a part that is folded unfolds it.
  const unfold = () => {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { /* It is taken as it stands. */ }
    const part = name && document.getElementById(name);
    if (part && part.tagName === "DETAILS") { part.open = true; part.scrollIntoView(); }
  };
  addEventListener("hashchange", unfold);
  unfold();

  // A row is a link as a whole: the first in it.
  document.addEventListener("click", event => {
    const row = event.target.closest("table.rows tbody tr");
    if (!row || event.target.closest("a, button, summary") || String(getSelection())) return;
    const link = one("a", row);
    if (link) { if (event.ctrlKey || event.metaKey) open(link.href); else location.href = link.href; }
  });

  // Sorting.
  const value = cell => {
    const text = cell ? cell.textContent.trim().replace(/\u2212/g, "-").replace(/(\d),(?=\d{3})/g, "$1").replace(/^½/, "0½").replace(/½/, ".5") : "";
    const number = /^-?\d[\d.]*/.exec(text);
    return { text: fold(text), number: number ? parseFloat(number[0]) : NaN };
  };
  for (const table of all("table.sortable")) {
    const heads = all("thead th", table);
    heads.forEach((head, column) => {
      const control = document.createElement("button");
      control.type = "button";
      control.append(...head.childNodes);
      head.append(control);
      control.addEventListener("click", () => {
        const numeric = head.classList.contains("n");
        const up = head.getAttribute("aria-sort") === "descending"
          || (!head.hasAttribute("aria-sort") && (!numeric || column === 0));
        heads.forEach(other => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const rows = all("tbody tr", table).map(row => [row, value(row.cells[column])]);
        rows.sort(([, a], [, b]) => {
          if (!numeric) return (up ? 1 : -1) * (a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
          // What has no figure comes last either way.
          if (isNaN(a.number) || isNaN(b.number)) return isNaN(a.number) - isNaN(b.number);
          return (up ? 1 : -1) * (a.number - b.number);
        });
        table.tBodies[0].append(...rows.map(([row]) => row));
      });
    });
  }

  // Filters of a ranked list.
  const filters = one("form.filters");
  if (filters) {
    const table = one("table.filtered");
    const heads = all("thead th", table).map(head => head.textContent.trim());
    const year = heads.indexOf("Year"), band = heads.indexOf("Band");
    const roman = ["", "I", "II", "III", "IV", "V", "VI", "VII"];
    const rows = all("tbody tr", table).map(row => ({
      row, kind: row.dataset.k, year: Number(row.cells[year].textContent),
      band: band < 0 ? "" : row.cells[band].textContent,
      text: fold(row.cells[1].textContent + " " + row.cells[2].textContent),
    }));
    const field = name => filters.elements[name] ? filters.elements[name].value.trim() : "";
    const apply = () => {
      const from = Number(field("from")) || -Infinity, to = Number(field("to")) || Infinity;
      const words = wordsOf(field("text")), wanted = roman[field("band")] || "", kind = field("kind");
      let shown = 0;
      for (const line of rows) {
        const fits = line.year >= from && line.year <= to && (!wanted || line.band === wanted)
          && (!kind || line.kind === kind) && words.every(word => line.text.includes(word));
        line.row.hidden = !fits;
        shown += fits;
      }
      one("output", filters).textContent = shown === rows.length ? "" : `${shown} of ${rows.length}`;
    };
    filters.addEventListener("input", apply);
    filters.addEventListener("reset", () => setTimeout(apply));
    filters.addEventListener("submit", event => event.preventDefault());
    filters.hidden = false;
    apply();
  }

  // Crosstables: a cell lights the other side of the same pair.
  for (const table of all("table.square")) {
    const light = (event, on) => {
      const cell = event.target.closest("td");
      const row = cell && cell.parentElement;
      const column = cell && cell.cellIndex - 1, at = row && row.sectionRowIndex;
      const other = cell && column >= 0 && table.tBodies[0].rows[column];
      if (!other || cell.classList.contains("n")) return;
      cell.classList.toggle("lit", on);
      other.cells[at + 1].classList.toggle("lit", on);
    };
    table.addEventListener("mouseover", event => light(event, true));
    table.addEventListener("mouseout", event => light(event, false));
  }

  // Search: the files of the index are scripts, so that they load from a disk as well.
  const form = one("form.search"), input = one("input", form), list = one("ul.found", form);
  const files = new Map();
  let whole = null;
  const load = name => new Promise(done => {
    const script = document.createElement("script");
    script.src = `${root}search/${name}.js`;
    script.onload = script.onerror = () => done();
    document.head.append(script);
  });
  window.greatnessIndex = index => { whole = index; };
  window.greatnessEntries = (name, entries) => { files.set(name, entries); };
  const fileFor = word => {
    let name = null;
    for (let end = 2; end <= word.length; end++) {
      const beginning = word.slice(0, end);
      if (beginning in whole) name = beginning;
      if (whole[beginning]) break;
    }
    return name;
  };
  let asked = 0, current = -1;
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    current = -1;
  };
  const say = text => { one("[role=status]", form).textContent = text; };
  const find = async () => {
    const mine = ++asked;
    const words = wordsOf(input.value);
    if (!words.some(word => word.length > 1)) { say(""); return close(); }
    if (!whole) await load("index");
    // Of the words one whose file holds everything, if there is such a one; of these the longest.
    const files_ = words.map(word => whole && fileFor(word)).filter(Boolean);
    files_.sort((a, b) => whole[b] - whole[a] || b.length - a.length);
    const name = files_[0];
    if (name && !files.has(name)) await load("s-" + name);
    if (mine !== asked) return;
    const entries = (name && files.get(name)) || [];
    const fits = entry => { const theirs = entry[4].split(" "); return words.every(word => theirs.some(other => other.startsWith(word))); };
    const found = entries.filter(fits).slice(0, 12);
    close();
    found.forEach(([kind, id, title, detail], place) => {
      const item = document.createElement("li");
      item.role = "option";
      item.id = `found-${place}`;
      item.setAttribute("aria-selected", "false");
      const link = document.createElement("a");
      link.href = `${root}${kind === "p" ? "players" : "events"}/${id}.html`;
      link.tabIndex = -1;
      link.textContent = title;
      const small = document.createElement("span");
      small.className = "small";
      small.textContent = (kind === "p" ? "" : "Event: ") + detail;
      item.append(link, " ", small);
      list.append(item);
    });
    if (!found.length) {
      const item = document.createElement("li");
      item.role = "option";
      item.setAttribute("aria-selected", "false");
      item.setAttribute("aria-disabled", "true");
      item.textContent = "Nobody and nothing of that name";
      list.append(item);
    }
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    say(found.length ? `${found.length} found` : "Nothing found");
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
    else if (event.key === "Escape") close();
  });
  form.addEventListener("submit", event => {
    event.preventDefault();
    const link = one(`li[aria-selected=true] a`, list) || one("a", list);
    if (link) location.href = link.href;
  });
  list.addEventListener("click", event => {
    const link = one("a", event.target.closest("li") || list);
    if (link) location.href = link.href;
  });
  document.addEventListener("click", event => { if (!form.contains(event.target)) close(); });
  form.addEventListener("focusout", event => { if (event.relatedTarget && !form.contains(event.relatedTarget)) close(); });
  form.hidden = false;
})();
