// Charts: values where the reader points, and the choice of lines where there are more than six. `archive.js` loads this on pages
// with charts. Without it, a chart shows its first six lines, and its titles name the values.
"use strict";
(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const make = (name, attributes, parent) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent.append(made);
    return made;
  };

  // One note for the page, next to the point that it names.
  const note = document.createElement("output");
  note.className = "value";
  note.hidden = true;
  document.body.append(note);
  const hide = () => { note.hidden = true; for (const ring of all(".plot .pointed")) ring.remove(); };
  const tell = (text, x, y) => {
    note.textContent = text;
    note.hidden = false;
    const { width, height } = note.getBoundingClientRect();
    note.style.left = `${Math.max(4, Math.min(x - width / 2, innerWidth - width - 4))}px`;
    note.style.top = `${y - height - 12 > 0 ? y - height - 12 : y + 16}px`;
  };
  addEventListener("scroll", hide, { passive: true, capture: true });

  // The points of a line: positions from its path, values in words.
  const pointsOf = line => {
    const dots = line.parentElement.classList.contains("rings") ? 4 : 0;
    const places = [...line.getAttribute("d").matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)];
    return line.dataset.values.split("|").flatMap((value, at) => places[at] ? [{ x: Number(places[at][1]) + dots, y: Number(places[at][2]), value }] : []);
  };
  const isShown = series => getComputedStyle(series).display !== "none";

  for (const plot of all("svg.plot")) {
    const series = all(".series", plot).filter(one => one.querySelector("path.line"));
    const lines = series.map(of => ({ of, name: of.dataset.name, points: pointsOf(one("path.line", of)) }));
    const shown = () => lines.filter(line => line.points.length && isShown(line.of));
    const point = (line, at) => {
      const { x, y, value } = line.points[at];
      for (const ring of all(".pointed", plot)) ring.remove();
      make("circle", { class: "pointed", cx: x, cy: y, r: 5 }, plot);
      const where = new DOMPoint(x, y).matrixTransform(plot.getScreenCTM());
      tell(line.name ? `${line.name}, ${value}` : value, where.x, where.y);
    };
    // The nearest point within a finger's width.
    const near = event => {
      const where = new DOMPoint(event.clientX, event.clientY).matrixTransform(plot.getScreenCTM().inverse());
      let best = null, least = 22;
      for (const line of shown()) line.points.forEach(({ x, y }, at) => {
        const far = Math.hypot(x - where.x, y - where.y);
        if (far < least) { least = far; best = [line, at]; }
      });
      return best;
    };
    const follow = event => {
      const title = event.target.closest("circle, rect, path, g, a") && event.target.closest(":has(> title):not(svg)");
      const text = title && one("title", title).textContent;
      const best = lines.length ? near(event) : null;
      if (text) { hide(); tell(text, event.clientX, event.clientY); } else if (best) point(...best); else hide();
    };
    plot.addEventListener("pointermove", follow);
    plot.addEventListener("pointerdown", follow);
    plot.addEventListener("pointerleave", event => { if (event.pointerType === "mouse") hide(); });
    for (const link of all("a", plot)) {
      link.addEventListener("focus", () => {
        const title = one("title", link), box = link.getBoundingClientRect();
        if (title && link.matches(":focus-visible")) tell(title.textContent, box.left + box.width / 2, box.top);
      });
      link.addEventListener("blur", hide);
    }
    if (!lines.length) continue;

    // With the keyboard: left and right along a line, up and down to another.
    let line = 0, at = -1;
    plot.tabIndex = 0;
    plot.addEventListener("keydown", event => {
      const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      const there = shown();
      if (event.key === "Escape") hide();
      if (!step || !there.length || event.target !== plot) return;
      event.preventDefault();
      const before = there[line % there.length].points[Math.max(at, 0)];
      line = (line + step[0] + there.length) % there.length;
      const { points } = there[line];
      if (step[0] && before) at = points.reduce((best, { x }, place) => Math.abs(x - before.x) < Math.abs(points[best].x - before.x) ? place : best, 0);
      else at = Math.max(0, Math.min(points.length - 1, at + step[1]));
      point(there[line], at);
    });
    plot.addEventListener("blur", hide);

    // The choice among more than six lines. A line that is chosen takes the place and the stroke of the one chosen longest ago.
    const names = [...new Set(lines.map(line => line.name).filter(Boolean))];
    const of = name => lines.filter(line => line.name === name).map(line => line.of);
    const isLater = name => of(name).some(one => one.classList.contains("later"));
    if (!names.some(isLater)) continue;
    const chosen = names.filter(name => !isLater(name));
    const most = chosen.length;
    const labels = () => {
      const rows = lines.filter(({ of: group, points }) => points.length && !group.classList.contains("later") && one(".label text", group)).map(({ of: group, points }) => {
        const text = one(".label text", group);
        return { group, drawn: Number(text.getAttribute("y")), y: points[points.length - 1].y + 4 };
      }).sort((a, b) => a.y - b.y);
      rows.forEach((row, place) => { if (place) row.y = Math.max(row.y, rows[place - 1].y + 13); });
      let lowest = Math.max(...all(".axes line", plot).map(axis => Number(axis.getAttribute("y2")))) + 4;
      for (const row of rows.toReversed()) { row.y = Math.min(row.y, lowest); lowest = row.y - 13; }
      for (const { group, drawn, y } of rows) one(".label", group).setAttribute("transform", `translate(0 ${y - drawn})`);
    };
    const group = document.createElement("div");
    group.className = "choice on-screen";
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", `Lines of the chart, at most ${most}`);
    const buttons = new Map(names.map(name => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      group.append(button);
      return [name, button];
    }));
    const strokeOf = name => /\bs\d+\b/.exec(of(name)[0].getAttribute("class"))[0];
    const put = (name, on, stroke) => {
      for (const part of of(name)) {
        if (stroke) part.setAttribute("class", part.getAttribute("class").replace(/\bs\d+\b/, stroke));
        part.classList.toggle("later", !on);
      }
    };
    const free = [];
    const label = () => buttons.forEach((button, name) => button.setAttribute("aria-pressed", String(chosen.includes(name))));
    buttons.forEach((button, name) => button.addEventListener("click", () => {
      hide();
      if (chosen.includes(name)) {
        if (chosen.length === 1) return;
        chosen.splice(chosen.indexOf(name), 1);
        free.push(strokeOf(name));
        put(name, false);
      } else {
        if (chosen.length === most) {
          const gone = chosen.shift();
          free.push(strokeOf(gone));
          put(gone, false);
        }
        put(name, true, free.shift());
        chosen.push(name);
      }
      label();
      labels();
    }));
    label();
    plot.after(group);
  }
})();
