// Queries over the tables of the archive. The engine runs in a worker, so that a query can be stopped.
"use strict";
(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const form = one("#sql"), query = one("#query"), answer = one("#answer"), save = one(".save");
  const run = one("[type=submit]", form), stop = one(".stop", form), status = one("[role=status]", form);
  const tables = [...document.querySelectorAll(".tables li")].map(item => ({
    name: item.dataset.name,
    file: item.dataset.file,
    columns: item.dataset.columns.split(",").map(column => column.split(" ")),
  }));
  const make = (name, text = "", attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  form.hidden = false;
  // A page that was opened from the disk may not read its neighbours.
  if (location.protocol === "file:") {
    status.textContent = "A browser does not let a page on the disk read tables. Open the archive with “greatness serve”, or from a web server.";
    run.disabled = true;
    return;
  }

  let worker, began = 0;
  const finish = text => {
    run.disabled = false;
    stop.hidden = true;
    status.textContent = text;
  };
  const shown = value => {
    if (value === null) return "";
    return typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(8))) : String(value);
  };
  const show = ({ columns, rows, count, csv }) => {
    const table = make("table", "", { class: "rows" }), head = make("tr"), top = make("thead"), body = make("tbody");
    table.append(make("caption", "Answer", { class: "hidden" }));
    const isNumber = place => rows.some(row => typeof row[place] === "number");
    head.append(...columns.map((column, place) => make("th", column, isNumber(place) ? { scope: "col", class: "n" } : { scope: "col" })));
    top.append(head);
    for (const row of rows) {
      const line = make("tr");
      line.append(...row.map(value => make("td", shown(value), typeof value === "number" ? { class: "n" } : {})));
      body.append(line);
    }
    table.append(top, body);
    answer.replaceChildren(table);
    answer.hidden = save.hidden = false;
    const link = one(".csv", save);
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
    const time = ((performance.now() - began) / 1000).toFixed(1);
    const all = count > rows.length ? `; the first ${rows.length} are shown` : "";
    finish(`${count} ${count === 1 ? "row" : "rows"} in ${time} s${all}.`);
  };
  const told = ({ data }) => {
    if (data.loading) status.textContent = `Loading ${data.loading} …`;
    else if (data.error) finish(data.error);
    else show(data);
  };
  const start = () => {
    if (!worker) {
      worker = new Worker("sql-worker.js");
      worker.onmessage = told;
      worker.onerror = () => finish("The engine cannot be loaded.");
    }
    history.replaceState(null, "", `#q=${encodeURIComponent(query.value)}`);
    one(".link", save).href = location.href;
    began = performance.now();
    answer.hidden = save.hidden = run.disabled = true;
    stop.hidden = false;
    status.textContent = "Running …";
    worker.postMessage({ query: query.value, tables });
  };
  form.addEventListener("submit", event => { event.preventDefault(); start(); });
  query.addEventListener("keydown", event => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); if (!run.disabled) start(); }
  });
  stop.addEventListener("click", () => {
    worker.terminate();
    worker = undefined;
    finish("Stopped.");
  });
  // The query of the address is filled in; only a click runs it, so that a link cannot.
  const fill = () => {
    const asked = new URLSearchParams(location.hash.slice(1)).get("q");
    if (asked) {
      query.value = asked;
      form.scrollIntoView();
      query.focus();
    }
  };
  addEventListener("hashchange", fill);
  fill();
})();
