// Sorting, filters and the theme of the pages; search is in `search.js`. All contents are readable without scripts.
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
    try { localStorage.setItem("greatness-theme", theme); } catch { /* The theme applies to this page only. */ }
    label();
  });
  label();
  button.hidden = false;

  // A link to a folded part unfolds it.
  const unfold = () => {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { /* Use the undecoded name. */ }
    const part = name && document.getElementById(name);
    if (part && part.tagName === "DETAILS") { part.open = true; part.scrollIntoView(); }
  };
  addEventListener("hashchange", unfold);
  unfold();

  // A report names the whole address: on a page that shows any event, its end names the event.
  const report = one(".report a"), reported = report && report.href;
  if (report) report.addEventListener("click", () => {
    report.href = reported.replace(/\.html(?=%0D%0A)/, `.html${encodeURIComponent(location.search + location.hash)}`);
  });

  // A click on a row follows its first link.
  document.addEventListener("click", event => {
    const row = event.target.closest("table.rows tbody tr");
    if (!row || event.target.closest("a, button, summary") || String(getSelection())) return;
    const link = one("a", row);
    if (link) { if (event.ctrlKey || event.metaKey) open(link.href); else location.href = link.href; }
  });

  // Only frames that scroll are in the tab order.
  const frames = all(".slide, .scroll, .chosen");
  const reach = () => frames.forEach(frame => {
    if (frame.scrollWidth > frame.clientWidth + 1) frame.tabIndex = 0;
    else frame.removeAttribute("tabindex");
  });
  addEventListener("resize", reach);
  for (const part of all("details")) part.addEventListener("toggle", reach);
  for (const box of all(".columns input")) box.addEventListener("change", reach);
  // After the first layout, so that measuring does not cause another.
  requestAnimationFrame(() => setTimeout(reach));

  // Tables: sorting, filters, and further rows from files. A line is a row, or its HTML until it is shown.
  // The rows that "Show more" adds, and the fewest that a filter shows.
  const MORE = 300;
  const entities = { amp: "&", lt: "<", gt: ">", quot: '"' };
  const plain = html => html.replace(/<[^>]*>/g, "").replace(/&(?:(amp|lt|gt|quot)|#x([0-9a-f]+)|#(\d+));/gi,
    (_, name, hex, decimal) => name ? entities[name.toLowerCase()] : String.fromCodePoint(parseInt(hex || decimal, hex ? 16 : 10)));
  const textOf = (line, column) => {
    if (line.row) return line.row.cells[column] ? line.row.cells[column].textContent : "";
    line.cells ||= line.html.split(/<t[hd](?=[ >])[^>]*>/).slice(1);
    return plain(line.cells[column] || "");
  };
  const mark = (line, name) => line.row ? line.row.dataset[name] || "" : (new RegExp(` data-${name}="([^"]*)"`).exec(line.html.slice(0, 200)) || ["", ""])[1];
  const rowOf = line => {
    if (!line.row) {
      const made = document.createElement("template");
      made.innerHTML = line.html;
      line.row = made.content.firstElementChild;
    }
    return line.row;
  };
  const number = text => {
    const cleaned = text.trim().replace(/\u2212/g, "-").replace(/(\d),(?=\d{3})/g, "$1").replace(/^½/, "0½").replace(/½/, ".5");
    return parseFloat((/^-?\d[\d.]*/.exec(cleaned) || ["x"])[0]);
  };
  const waiting = {};
  window.greatnessRows = (name, part, rows) => { (waiting[`${name}-${part}`] || (() => {}))(rows); };
  const load = (name, part) => new Promise((done, failed) => {
    const script = document.createElement("script");
    waiting[`${name}-${part}`] = rows => { delete waiting[`${name}-${part}`]; done(rows); };
    script.onerror = failed;
    script.src = `${root}lists/${name}-${part}.js`;
    document.head.append(script);
  });

  const sortable = table => {
    const body = table.tBodies[0], heads = all("thead th", table);
    const files = Number(table.dataset.files) || 0, name = table.dataset.list;
    const lines = all("tr", body).map(row => ({ row }));
    const short = table.nextElementSibling && table.nextElementSibling.classList.contains("more") ? table.nextElementSibling : null;
    const first = files ? lines.length : Math.max(MORE, lines.length);
    let loaded = null, column = -1, up = true, fits = null, limit = first;
    const whole = () => loaded ||= (async () => {
      table.setAttribute("aria-busy", "true");
      try {
        const parts = await Promise.all([...Array(files).keys()].map(part => load(name, part)));
        for (const html of parts.flat()) lines.push({ html });
      } catch { /* The rows of the page stay. */ }
      table.removeAttribute("aria-busy");
    })();
    let shown = lines;
    const show = () => {
      shown = fits ? lines.filter(fits) : lines.slice();
      if (column >= 0) {
        const numeric = heads[column].classList.contains("n"), sign = up ? 1 : -1;
        const keyed = shown.map(line => [line, numeric ? number(textOf(line, column)) : fold(textOf(line, column).trim())]);
        // Rows without a number are last in both directions.
        keyed.sort(numeric ? ([, a], [, b]) => isNaN(a) || isNaN(b) ? isNaN(a) - isNaN(b) : sign * (a - b)
          : ([, a], [, b]) => sign * (a < b ? -1 : a > b ? 1 : 0));
        shown = keyed.map(([line]) => line);
      }
      body.replaceChildren(...shown.slice(0, limit).map(rowOf));
      const total = files && lines.length < Number(table.dataset.total) ? Number(table.dataset.total) : shown.length;
      more.hidden = total <= Math.min(limit, shown.length);
      more.textContent = `Show ${Math.min(MORE, total - Math.min(limit, shown.length))} more of ${total}`;
      return [shown.length, lines.length];
    };
    const more = document.createElement("button");
    more.type = "button";
    more.className = "on-screen";
    more.hidden = true;
    if (files) {
      (short || table).after(more);
      more.hidden = false;
      more.textContent = `Show ${Math.min(MORE, Number(table.dataset.total) - lines.length)} more of ${table.dataset.total}`;
    }
    more.addEventListener("click", async () => {
      await whole();
      const from = Math.min(limit, shown.length);
      limit += MORE;
      show();
      const next = body.rows[from] && one("a", body.rows[from]);
      if (next) next.focus();
    });
    const sort = async (to, upward) => {
      column = to; up = upward;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      if (heads[to]) heads[to].setAttribute("aria-sort", up ? "ascending" : "descending");
      await whole();
      return show();
    };
    heads.forEach((head, place) => {
      const control = document.createElement("button");
      control.type = "button";
      control.append(...head.childNodes);
      head.append(control);
      control.addEventListener("click", async () => {
        const numeric = head.classList.contains("n");
        await sort(place, head.getAttribute("aria-sort") === "descending" || (!head.hasAttribute("aria-sort") && (!numeric || place === 0)));
        table.dispatchEvent(new Event("sorted"));
      });
    });
    return {
      table, heads, whole, sort,
      sorted: () => column < 0 ? "" : `${heads[column].textContent.trim()}${up ? "" : ".down"}`,
      count: passes => lines.filter(passes).length,
      filter: async by => { if (by) await whole(); fits = by; limit = by ? Math.max(first, MORE) : first; return show(); },
    };
  };
  const tables = all("table.sortable").map(sortable);
  // The page that shows any event makes its tables later.
  window.greatnessSortable = sortable;

  // Filters of a ranked list. The address includes filters and order, so a view of the list can be linked.
  const filters = one("form.filters");
  const ranked = filters && tables.find(one => one.table.classList.contains("filtered"));
  if (ranked) {
    const titles = ranked.heads.map(head => head.textContent.trim());
    const year = titles.findIndex(title => /^(Year|Born)$/.test(title)), band = titles.indexOf("Band"), score = titles.indexOf("G");
    const roman = ["", "I", "II", "III", "IV", "V", "VI", "VII"];
    const names = ["from", "to", "band", "g", "kind", "country", "text"];
    const field = name => filters.elements[name] ? filters.elements[name].value.trim() : "";
    const textForFilter = line => line.text ||= fold(`${textOf(line, 1)} ${textOf(line, 2)}`);
    const write = () => {
      const state = new URLSearchParams(names.filter(field).map(name => [name, field(name)]));
      if (ranked.sorted()) state.set("sort", ranked.sorted());
      const text = state.toString();
      try { history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search); } catch { /* The address does not change. */ }
    };
    // Says which filter leaves no row, and offers to clear it.
    const empty = document.createElement("p");
    empty.className = "empty";
    empty.setAttribute("role", "status");
    empty.hidden = true;
    ranked.table.after(empty);
    const titleOf = name => {
      const control = filters.elements[name], label = control.labels[0].firstChild.textContent.trim();
      return `${label} ${control.selectedOptions ? control.selectedOptions[0].textContent : control.value}`;
    };
    const offer = (text, cleared) => {
      const clear = document.createElement("button");
      clear.type = "button";
      clear.textContent = text;
      clear.addEventListener("click", () => {
        for (const name of cleared) filters.elements[name].value = "";
        filters.elements[cleared[0]].focus();
        apply();
        write();
      });
      return clear;
    };
    const explain = tests => {
      const set = Object.keys(tests);
      const without = set.map(name => [name, ranked.count(line => set.every(other => other === name || tests[other](line)))]).filter(([, left]) => left);
      empty.replaceChildren();
      if (set.length === 1) empty.append(`No row passes the filter “${titleOf(set[0])}”. `);
      else if (!without.length) empty.append("No row passes these filters, even without any one of them. ");
      else empty.append("No row passes all these filters. ");
      for (const [name, left] of set.length > 1 ? without : [])
        empty.append(offer(`Clear “${titleOf(name)}”: ${left} ${left === 1 ? "row" : "rows"}`, [name]), " ");
      empty.append(offer(set.length > 1 ? "Clear all filters" : "Clear this filter", set));
    };
    let latest = 0;
    const apply = async () => {
      const turn = ++latest;
      const from = Number(field("from")), to = Number(field("to")), wanted = roman[field("band")], kind = field("kind"), country = field("country");
      const words = wordsOf(field("text")), of = line => Number(textOf(line, year));
      const every = {
        from: line => of(line) >= from,
        to: line => of(line) <= to,
        band: line => textOf(line, band).trim() === wanted,
        g: line => parseFloat(textOf(line, score)) >= Number(field("g")),
        kind: line => mark(line, "k") === kind,
        country: line => mark(line, "c").split(" ").includes(country),
        text: line => words.every(word => textForFilter(line).includes(word)),
      };
      const tests = Object.fromEntries(names.filter(field).map(name => [name, every[name]])), set = Object.values(tests);
      if (set.length) await ranked.whole();
      if (turn !== latest) return;
      const [shown, total] = await ranked.filter(set.length > 0 && (line => set.every(test => test(line))));
      one("output", filters).textContent = set.length ? `${shown} of ${total}` : "";
      empty.hidden = shown > 0 || !set.length;
      if (!empty.hidden) explain(tests);
    };
    const read = async () => {
      const state = new URLSearchParams(location.hash.slice(1));
      if (location.hash && !location.hash.includes("=")) return;
      let some = false;
      for (const name of names) if (filters.elements[name]) {
        filters.elements[name].value = state.get(name) || "";
        some ||= state.has(name);
      }
      const [title, down] = (state.get("sort") || "").split(".");
      const place = titles.indexOf(title);
      if (place >= 0) await ranked.sort(place, !down);
      if (some || one("output", filters).textContent) await apply();
    };
    filters.addEventListener("input", () => { apply(); write(); });
    filters.addEventListener("focusin", () => ranked.whole(), { once: true });
    filters.addEventListener("reset", () => setTimeout(() => { apply(); write(); }));
    filters.addEventListener("submit", event => event.preventDefault());
    ranked.table.addEventListener("sorted", write);
    addEventListener("hashchange", read);
    filters.hidden = false;
    read();
  }

  // Crosstables: a cell highlights the other cell of the same pair.
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

  // The script of the charts loads at once for lines, which it makes reachable from the keyboard, and for others when they are used.
  let charted = false;
  const chart = () => {
    if (charted) return;
    charted = true;
    const script = document.createElement("script");
    script.src = `${root}charts.js`;
    document.head.append(script);
  };
  if (one(".plot .line")) chart();
  for (const plot of all("svg.plot")) for (const use of ["pointerenter", "focusin"]) plot.addEventListener(use, chart, { once: true });

  // The date of a decision is the day on which its entry is copied.
  for (const entry of all("pre.entry")) entry.textContent = entry.textContent.replace("0001-01-01", new Date().toISOString().slice(0, 10));

  // The search script and its index load when the page is idle, or when the search field gets the focus. They run in this order.
  const form = one("form.search");
  let searching = false;
  const prepare = () => {
    if (searching) return;
    searching = true;
    for (const path of ["search.js", "search/index.js"]) {
      const script = document.createElement("script");
      script.async = false;
      script.src = root + path;
      document.head.append(script);
    }
  };
  form.addEventListener("focusin", prepare);
  if (one("#ask")) prepare();
  if (window.requestIdleCallback && !navigator.connection?.saveData) addEventListener("load", () => requestIdleCallback(prepare));
  form.addEventListener("submit", event => { event.preventDefault(); form.dataset.sent = "1"; });
  form.hidden = false;
})();
