// What the pages do beyond being read: sorting, filters, the theme; search is `search.js`. Everything is there without it.
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

  // Frames that scroll can be reached from the keyboard; those that have room enough are no stops.
  const frames = all(".slide, .scroll");
  const reach = () => frames.forEach(frame => {
    if (frame.scrollWidth > frame.clientWidth + 1) frame.tabIndex = 0;
    else frame.removeAttribute("tabindex");
  });
  addEventListener("resize", reach);
  for (const part of all("details")) part.addEventListener("toggle", reach);
  reach();

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

  // Search comes when somebody goes there.
  const form = one("form.search");
  form.addEventListener("focusin", () => {
    const script = document.createElement("script");
    script.src = `${root}search.js`;
    document.head.append(script);
  }, { once: true });
  form.addEventListener("submit", event => { event.preventDefault(); form.dataset.sent = "1"; });
  form.hidden = false;
})();
