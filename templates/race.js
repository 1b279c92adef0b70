// Shows the first ten of a year as bars, with a slider and a button that plays the years.
// The data are the rows of the table on the page.
"use strict";
(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const place = one("#race"), slider = one("input", place), shown = one("output", place), button = one("button", place), list = one(".race", place);
  const years = [...document.querySelectorAll("#first-ten tbody tr")].reverse().map(row => {
    const [system, ...cells] = row.querySelectorAll("td");
    const players = cells.map(cell => {
      const name = one("a, b", cell);
      return { name: name.textContent, href: name.getAttribute("href"), rating: Number(one(".small", cell).textContent) };
    });
    return { year: one("th", row).textContent, system: system.textContent, players };
  });
  if (years.length < 2) return;
  // A bar loses a hundredth of its length for each three points behind the leader.
  const POINTS = 300, SHORTEST = 2;
  // The bar of a player stays the same element from year to year, so that it moves to its place.
  const bars = new Map();
  const bar = ({ name, href }) => {
    const key = href || name;
    if (bars.has(key)) return bars.get(key);
    const made = document.createElement("li"), title = document.createElement(href ? "a" : "span"), points = document.createElement("span");
    title.textContent = name;
    if (href) title.href = href;
    points.className = "n";
    made.append(title, points);
    bars.set(key, made);
    return made;
  };
  const show = () => {
    const { year, system, players } = years[slider.value];
    const best = players[0].rating;
    list.replaceChildren(...players.map(player => {
      const made = bar(player), behind = best - player.rating;
      made.style.setProperty("--length", `${Math.max(SHORTEST, 100 - 100 * behind / POINTS)}%`);
      made.lastChild.textContent = behind ? `${player.rating} (−${behind})` : player.rating;
      return made;
    }));
    shown.textContent = `${year}, ${system}`;
    slider.setAttribute("aria-valuetext", year);
  };
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    button.textContent = "Play";
    button.setAttribute("aria-pressed", "false");
  };
  slider.max = years.length - 1;
  slider.value = years.length - 1;
  slider.addEventListener("input", () => { stop(); show(); });
  button.addEventListener("click", () => {
    if (timer) return stop();
    if (Number(slider.value) === years.length - 1) slider.value = 0;
    button.textContent = "Stop";
    button.setAttribute("aria-pressed", "true");
    timer = setInterval(() => {
      slider.value = Number(slider.value) + 1;
      show();
      if (Number(slider.value) === years.length - 1) stop();
    }, 700);
    show();
  });
  one("form", place).addEventListener("submit", event => event.preventDefault());
  place.hidden = false;
  show();
})();
