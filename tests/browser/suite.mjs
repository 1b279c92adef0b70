// Tests the built site in a browser: opening, search, filters, sorting, folding, theme, accessibility,
// valid HTML and links.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { HtmlValidate } from "html-validate";
import { PATIENCE, archive, filesOf, kinds, launch, pages, sharedEvents, url } from "./archive.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const read = page => readFileSync(join(archive, page), "utf8");
const ALL_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
const WIDE = { width: 1280, height: 900 }, PHONE = { width: 390, height: 800 };

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

/** Opens a page, and fails on errors of the console or the network. */
async function open(page, options = {}, address = url(page)) {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  context.setDefaultTimeout(PATIENCE);
  const tab = await context.newPage();
  const complaints = [];
  tab.on("console", message => { if (["error", "warning"].includes(message.type())) complaints.push(message.text()); });
  tab.on("pageerror", error => complaints.push(String(error)));
  tab.on("requestfailed", request => complaints.push(`${request.url()} failed`));
  tab.on("request", request => {
    const own = request.url().startsWith("file:") || request.url().startsWith(new URL(address).origin);
    if (!own && !request.url().startsWith("data:")) complaints.push(`asked ${request.url()}`);
  });
  await tab.goto(address);
  tab.done = async () => { await context.close(); assert.deepEqual(complaints, [], page); };
  return tab;
}

test("a page runs no script that is not a file of the site", async () => {
  for (const page of Object.values(kinds).slice(0, 3)) {
    const context = await browser.newContext();
    const tab = await context.newPage();
    await tab.goto(url(page));
    const ran = await tab.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
      return window.ran === true;
    });
    assert.equal(ran, false, page);
    await context.close();
  }
});

// Each test has its own window, and waits for the browser half of the time.
describe("every kind of page", { concurrency: 3 }, () => {
  for (const [kind, page] of Object.entries(kinds)) {
    // The two schemes differ only in colours, so the dark one needs only the rules about colours.
    for (const [colorScheme, runOnly] of [["light", ALL_RULES], ["dark", COLOUR_RULES]]) {
      test(`${kind}, ${colorScheme}, meets WCAG 2.2 AA`, async () => {
        const tab = await open(page, { colorScheme, reducedMotion: "reduce" });
        for (const part of await tab.$$("details")) await part.evaluate(one => { one.open = true; });
        await tab.evaluate(axe);
        // The pages have no frames, and their styles are loaded.
        const found = await tab.evaluate(rules => axe.run(document, { preload: false, runOnly: rules }), runOnly);
        assert.ok(found.passes.length > 0, "no rule was tried");
        const violations = found.violations.map(one =>
          `${one.id}: ${one.help} (${one.nodes.length}: ${one.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(" | ")})`);
        assert.deepEqual(violations, []);
        await tab.done();
      });
    }

    test(`${kind} does not scroll sideways on a phone`, async () => {
      const tab = await open(page, { viewport: PHONE });
      for (const part of await tab.$$("details")) await part.evaluate(one => { one.open = true; });
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth) <= PHONE.width);
      await tab.done();
    });

    test(`${kind} says the same without scripts`, async () => {
      const plain = await open(page, { javaScriptEnabled: false });
      const text = await plain.locator("main").innerText();
      assert.ok(text.length > 100, text);
      assert.equal(await plain.locator("form:visible, button:visible").count(), 0);
      await plain.done();
    });
  }

  test("is valid HTML", async () => {
    const validator = new HtmlValidate({
      extends: ["html-validate:standard", "html-validate:a11y"],
      rules: {
        // Roles and boolean attributes as browsers accept them. The length of titles is not checked.
        "long-title": "off", "no-inline-style": "error", "prefer-native-element": "off",
        "no-redundant-role": "off", "svg-focusable": "off", "tel-non-breaking": "off",
        // Filters apply while typing, and Enter searches.
        "wcag/h32": "off",
      },
    });
    const problems = [];
    for (const page of Object.values(kinds)) {
      const report = await validator.validateString(read(page), page);
      for (const result of report.results) {
        for (const one of result.messages.slice(0, 5)) problems.push(`${page}:${one.line}: ${one.ruleId}: ${one.message}`);
      }
    }
    assert.deepEqual(problems, []);
  });
});

// The only kinds of pages elsewhere that pages link to: a player at FIDE or Wikidata, and the licence of the data.
const OUTER = /^https:\/\/(ratings\.fide\.com\/profile\/\d+|www\.wikidata\.org\/wiki\/Q\d+|creativecommons\.org\/publicdomain\/zero\/1\.0\/)$/;

test("every link and anchor of every page has a target", () => {
  const anchors = new Map();
  const anchorsOf = page => {
    if (!anchors.has(page)) anchors.set(page, new Set([...read(page).matchAll(/ id="([^"]*)"/g)].map(match => match[1])));
    return anchors.get(page);
  };
  // A part like `from=1901&to=2000` is what the fields of the filters say.
  const fields = new Map();
  const fieldsOf = page => {
    if (!fields.has(page)) fields.set(page, new Set([...read(page).matchAll(/<(?:input|select)[^>]* name="([^"]*)"/g)].map(match => match[1])));
    return fields.get(page);
  };
  const isPartOf = (anchor, page) => anchorsOf(page).has(anchor) || (read(page).includes('class="filters"')
    && anchor.includes("=") && anchor.replaceAll("&amp;", "&").split("&").every(part => fieldsOf(page).has(part.split("=")[0])));
  // After compare.html# and player.html?p= stand players, after event.html?e= events without a page.
  const players = new Set(filesOf("compare").flatMap(text => [...text.matchAll(/^greatnessDossier\("([^"]*)"/gm)].map(found => found[1])));
  const events = new Set(sharedEvents().map(([id]) => id));
  const arePlayers = (anchor, page) => page === "compare.html" && anchor.split(",").every(id => players.has(id));
  const isShared = (page, query) => page === "event.html" && events.has(query.replace(/^e=/, "")) || page === "player.html" && players.has(query.replace(/^p=/, ""));
  const exists = new Map();
  const isThere = path => {
    if (!exists.has(path)) exists.set(path, existsSync(join(archive, path)) && statSync(join(archive, path)).isFile());
    return exists.get(path);
  };
  const broken = [];
  let followed = 0;
  for (const page of pages()) {
    for (const [, link] of read(page).matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (OUTER.test(link)) continue;
      if (/^[a-z]+:/.test(link)) { broken.push(`${page}: ${link} leads to another site`); continue; }
      const [address, anchor] = link.split("#"), [path, query] = address.split("?");
      const target = path ? normalize(join(dirname(page), decodeURIComponent(path))) : page;
      followed += 1;
      if (!isThere(target)) broken.push(`${page}: ${link}`);
      else if (query && !isShared(target, query)) broken.push(`${page}: ${link} leads to nothing`);
      else if (anchor && !isPartOf(decodeURIComponent(anchor), target) && !arePlayers(decodeURIComponent(anchor), target)) broken.push(`${page}: ${link} (no such part)`);
    }
  }
  assert.deepEqual(broken.slice(0, 20), []);
  assert.ok(followed > 10_000, `${followed} links`);
});

// What each search took, for the benchmark report: bytes of the index, milliseconds with the browser's own.
const searched = [];
after(() => {
  const largest = Math.max(...searched.map(([, bytes]) => bytes)), longest = Math.max(...searched.map(([, , took]) => took));
  if (searched.length) console.log(`# searches: at most ${largest} bytes, ${Math.round(longest)} ms`);
});

for (const [size, viewport] of [["wide", WIDE], ["on a phone", PHONE]]) {
  describe(`a reader, ${size},`, () => {
    test("searches players and events from the keyboard", async () => {
      const tab = await open("index.html", { viewport });
      const input = tab.locator(".search input");
      await input.fill("tarrash");
      await input.fill("Tarrasch");
      const found = tab.locator("#found li");
      await found.first().waitFor();
      assert.match(await found.first().innerText(), /Tarrasch, Siegbert/);
      await input.press("ArrowDown");
      assert.equal(await input.getAttribute("aria-activedescendant"), "found-0");
      await input.press("Enter");
      await tab.waitForURL(/players\/tarrasch-siegbert\.html$/);
      await tab.locator(".search input").fill("vienna 1898");
      await tab.locator("#found li a").first().waitFor();
      await tab.locator(".search input").press("Enter");
      await tab.waitForURL(/events\/vienna-1898\.html$/);
      await tab.locator(".search input").fill("xqzzk");
      await tab.locator("#found li:not([id])").waitFor();
      assert.match(await tab.locator("#found li").innerText(), /No player, event, year or term found/);
      await tab.locator(".search input").press("Escape");
      assert.equal(await tab.locator("#found").isVisible(), false);
      await tab.done();
    });

    test("finds what people type, first of all", async () => {
      for (const [asked, expected] of [
        ["mikhail tal", /^Tal, Mikhail/], ["garry kasparov", /^Kasparov, Garry/], ["Bobby Fischer", /^Fischer, Bobby/],
        ["Aljechin", /^Alekhine, Alexander/], ["Nimzovich", /^Nimzowitsch, Aron/], ["Tarasch", /^Tarrasch, Siegbert/],
        ["wien 1898", /^(Kaiser-Jubiläumsturnier, )?Vienna 1898/], ["world championship 1972", /Fischer–Spassky/],
        ["USSR championship", /USSR Championship/], ["Таль", /^Tal, Mikhail/], ["Алехин", /^Alekhine/],
        ["kortschnoj", /^Korchnoi/], ["Botwinnik", /^Botvinnik/], ["kasprov", /^Kasparov/], ["gasparov", /^Kasparov/], ["BÖNSCH", /^B(o|ö)e?nsch/],
        ["1935 euwe", /Euwe/], ["t", /./],
        // A finished word is itself before it begins another one: US, not USSR.
        ["us championship 1963", /^US Championship, New York 1963/], ["soviet championship", /USSR Championship/],
        ["dutch championship", /^Dutch Championship/], ["capablanca", /^Capablanca, José Raúl/], ["Alekhine", /^Alekhine, Alexander/],
        ["capablanca memorial", /^Capablanca Memorial/], ["tal petrosian", /^Petrosian–Tal/], ["karpov kasparov", /^Karpov–Kasparov/],
        ["1925", /^1925 Year: /], ["1925 moscow", /^Moscow 1925/], ["G-score", /^G-score/], ["gscore", /^G-score/],
        ["performance rating", /^performance rating.* Glossary$/],
        // Pages of the archive by their titles.
        ["greatest players", /^The greatest players/], ["strongest tournaments", /^The strongest tournaments/],
        ["world champions", /^World championships/], ["method", /^The method/], ["codebook", /^Codebook/],
        ["downloads", /^Downloads/], ["missing", /^Missing games/], ["review", /^Review queue/],
        // Questions: words that name nothing, years by two digits, a player's victory, initials.
        ["best tournament of Tal", /^Tal, Mikhail/], ["who was the strongest player in 1914", /^1914 Year: /],
        ["Fischer vs Spassky", /^Fischer–Spassky/], ["Zurich 53", /Zürich 1953/], ["Linares 94", /^Linares 1994/],
        ["Tarrasch Vienna", /^Vienna 1898/], ["Karpov 1994", /^Linares 1994/], ["MVL", /^Vachier-Lagrave/],
        ["world champion", /^World championships/],
        // Names whose family name comes first have no comma.
        ["hou yifan", /^Hou Yifan/], ["ding liren", /^Ding Liren/],
      ]) {
        const tab = await open("years.html", { viewport });
        let bytes = 0;
        tab.on("request", request => {
          const path = decodeURIComponent(new URL(request.url()).pathname);
          if (path.includes("/search/") && existsSync(path)) bytes += statSync(path).size;
        });
        // From the last letter to the answer, as the page itself counts.
        const took = await tab.evaluate(asked => new Promise(done => {
          const input = document.querySelector(".search input"), list = document.querySelector("#found");
          input.focus();
          const started = performance.now();
          new MutationObserver((_, watcher) => {
            if (list.hidden || !list.querySelector("li[id]")) return;
            watcher.disconnect();
            done(performance.now() - started);
          }).observe(list, { childList: true, attributes: true });
          input.value = asked;
          input.dispatchEvent(new Event("input", { bubbles: true }));
        }), asked);
        const first = tab.locator("#found li[id]").first();
        assert.match(await first.innerText(), expected, asked);
        assert.ok(bytes > 0 && bytes <= 60_000, `${asked}: ${bytes} bytes`);
        searched.push([asked, bytes, took]);
        await tab.done();
      }
    });

    test("gets results from an address with ?q=, as browsers ask with OpenSearch", async () => {
      const tab = await open("search.html", { viewport }, url("search.html") + "?q=mikhail+tal");
      const results = tab.locator("#results li");
      await results.first().waitFor();
      assert.match(await results.first().innerText(), /^Tal, Mikhail/);
      assert.match(await tab.locator("#answer").innerText(), /^\d+ results for “mikhail tal”$/);
      assert.equal(await tab.locator("#ask input").inputValue(), "mikhail tal");
      for (const link of await results.locator("a").evaluateAll(links => links.map(link => link.getAttribute("href")))) {
        assert.ok(existsSync(join(archive, link.split("#")[0])), link);
      }
      await tab.locator("#ask input").fill("<xqzzk>");
      await tab.locator("#ask button").click();
      await tab.locator("#answer", { hasText: "No player, event, year or term found for “<xqzzk>”" }).waitFor();
      assert.equal(await results.count(), 0);
      await tab.locator("#ask input").fill("vienna 1898");
      await tab.locator("#ask button").click();
      await results.locator("a", { hasText: "Vienna 1898" }).first().click();
      await tab.waitForURL(/events\/vienna-1898\.html$/);
      await tab.done();
    });

    test("reports that it found only similar spellings", async () => {
      const tab = await open("years.html", { viewport });
      await tab.locator(".search input").fill("Tarasch");
      await tab.locator("#found li[id]").first().waitFor();
      assert.equal(await tab.locator("#found li").first().innerText(), "Did you mean:");
      await tab.done();
    });

    test("filters the Greatness List by years, band, kind and name, and the address keeps it", async () => {
      const tab = await open("greatness.html", { viewport });
      const shown = () => tab.locator("table.filtered tbody tr").count();
      const counts = async () => /^(\d+) of (\d+)$/.exec(await tab.locator("output").innerText()).slice(1).map(Number);
      const until = text => tab.waitForFunction(text => text.test(document.querySelector("output").textContent), text);
      const whole = Number(await tab.locator("table.filtered").getAttribute("data-total"));
      assert.equal(await shown(), 100);
      assert.ok(whole > 500);
      await tab.fill("input[name=from]", "1890");
      await tab.fill("input[name=to]", "1899");
      await until(/ of /);
      await tab.waitForFunction(() => document.querySelectorAll("table.filtered tbody tr").length !== 100);
      const [nineties, of] = await counts();
      assert.equal(of, whole);
      assert.ok(nineties > 5 && nineties === await shown());
      await tab.selectOption("select[name=band]", { index: 2 });
      await tab.waitForFunction(before => document.querySelectorAll("table.filtered tbody tr").length < before, nineties);
      await tab.click("button[type=reset]");
      await until(/^$/);
      assert.equal(await shown(), 100);
      await tab.fill("input[name=text]", "fischer");
      await tab.fill("input[name=from]", "1960");
      await tab.waitForFunction(() => location.hash.includes("from=1960") && document.querySelectorAll("table.filtered tbody tr").length < 100);
      for (const text of await tab.locator("table.filtered tbody tr").allInnerTexts()) assert.match(text, /Fischer/);
      const [number] = await counts();
      // "Fischer, from 1960" as a link, sorted by year.
      const linked = await open("greatness.html", { viewport }, url("greatness.html") + "#from=1960&text=fischer&sort=Year");
      await linked.waitForFunction(() => / of /.test(document.querySelector("output").textContent));
      assert.equal(await linked.locator("table.filtered tbody tr").count(), number);
      const years = (await linked.locator("table.filtered tbody tr td:nth-child(4)").allTextContents()).map(Number);
      assert.ok(years[0] >= 1960);
      assert.deepEqual(years, years.toSorted((a, b) => a - b));
      await linked.done();
      // "On a par or above", as the page of an event links to it.
      const par = await open("greatness.html", { viewport }, url("greatness.html") + "#g=300.5");
      await par.waitForFunction(() => / of /.test(document.querySelector("output").textContent));
      const scores = (await par.locator("table.filtered tbody tr td:nth-child(5)").allTextContents()).map(parseFloat);
      assert.ok(scores.length > 5 && scores.every(score => score >= 300.5));
      await par.done();
      await tab.done();
    });

    test("shows more of a long list, and sorts all of it within a tenth of a second", async () => {
      const tab = await open("greatness.html", { viewport });
      const whole = Number(await tab.locator("table.filtered").getAttribute("data-total"));
      const rows = tab.locator("table.filtered tbody tr");
      await tab.getByRole("button", { name: /^Show \d+ more of/ }).click();
      await tab.waitForFunction(() => document.querySelectorAll("table.filtered tbody tr").length > 100);
      assert.equal(await rows.count(), Math.min(400, whole));
      const ranks = (await rows.locator("td:first-child").allTextContents()).map(text => parseInt(text, 10));
      assert.deepEqual(ranks, ranks.map((_, place) => place + 1));
      const took = await tab.evaluate(() => new Promise(done => {
        const table = document.querySelector("table.filtered"), started = performance.now();
        table.addEventListener("sorted", () => done(performance.now() - started), { once: true });
        table.querySelector("thead th:nth-child(4) button").click();
      }));
      console.log(`# sorted ${whole} lines in ${Math.round(took)} ms`);
      const years = (await rows.locator("td:nth-child(4)").allTextContents()).map(Number);
      assert.deepEqual(years, years.toSorted((a, b) => b - a));
      await tab.done();
    });

    test("sorts by any column and back", async () => {
      const tab = await open("greatness.html", { viewport });
      const column = async number => {
        const texts = await tab.locator(`table.sortable tbody tr td:nth-child(${number})`).allTextContents();
        return texts.map(text => parseFloat(text));
      };
      const ranks = await column(1);
      assert.deepEqual(ranks, ranks.toSorted((a, b) => a - b));
      const sorted = place => tab.evaluate(place => new Promise(done => {
        const table = document.querySelector("table.sortable");
        table.addEventListener("sorted", done, { once: true });
        table.querySelector(`thead th:nth-child(${place}) button`).click();
      }).then(() => {}), place);
      await sorted(2);
      assert.equal(await tab.locator("table.sortable thead th:nth-child(2)").getAttribute("aria-sort"), "ascending");
      assert.notDeepEqual(await column(1), ranks);
      await sorted(5);
      const scores = await column(5);
      assert.deepEqual(scores, scores.toSorted((a, b) => b - a));
      await sorted(1);
      assert.deepEqual(await column(1), ranks);
      await tab.done();
    });

    test("unfolds the games of a G-score, also by its address", async () => {
      const tab = await open("events/vienna-1898.html", { viewport });
      const part = tab.locator("#g-tarrasch-siegbert");
      assert.equal(await part.evaluate(one => one.open), false);
      await part.locator("summary").focus();
      await tab.keyboard.press("Enter");
      assert.equal(await part.locator("tbody tr").count(), 41);
      const gains = await part.locator("tbody tr td:last-child").allTextContents();
      const sum = gains.reduce((sum, text) => sum + parseFloat(text.replace("\u2212", "-")), 0);
      const stated = /P-Zero (\d+\.\d+)/.exec(await part.locator("p").innerText())[1];
      assert.ok(Math.abs(sum - parseFloat(stated)) < 0.05, `${sum} and ${stated}`);
      await tab.goto(url("events/vienna-1898.html#g-pillsbury-harry-nelson"));
      assert.equal(await tab.locator("#g-pillsbury-harry-nelson").evaluate(one => one.open), true);
      await tab.done();
    });

    test("keeps a chosen theme", async () => {
      const tab = await open("index.html", { viewport, colorScheme: "light" });
      const paper = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await paper();
      await tab.click("button.theme");
      const dark = await paper();
      assert.notEqual(dark, light);
      await tab.goto(url("method.html"));
      assert.equal(await paper(), dark);
      await tab.click("button.theme");
      assert.equal(await paper(), light);
      await tab.done();
    });
  });
}

for (const [page, count] of [["laboratory.html", 7], ["forecasts.html", 2], ["comparison.html", 1], ["pool.html", 4], ["ages.html", 3]]) test(`the lines of ${page} lie within their frames, and their names apart`, async () => {
  const tab = await open(page);
  const charts = tab.locator("svg.lines");
  assert.equal(await charts.count(), count);
  const faults = await charts.evaluateAll(all => all.flatMap(svg => {
    const outer = svg.getBoundingClientRect();
    const found = [];
    for (const line of svg.querySelectorAll(".series:not(.later) :is(path, text), rect")) {
      const inner = line.getBoundingClientRect();
      if (inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1)
        found.push(`${svg.querySelector("title").textContent}: ${line.textContent || line.tagName} is outside`);
    }
    const names = [...svg.querySelectorAll(".series:not(.later) text")].map(text => text.getBoundingClientRect()).sort((a, b) => a.top - b.top);
    for (let i = 1; i < names.length; i++)
      if (names[i].top < names[i - 1].bottom - 4) found.push(`${svg.querySelector("title").textContent}: names overlap`);
    return found;
  }));
  assert.deepEqual(faults, []);
  await tab.done();
});

test("a chart shows six lines with six strokes, others by choice, and values where the reader points", async () => {
  const plain = await open("players/fischer-bobby.html", { javaScriptEnabled: false });
  const strokes = tab => tab.locator("svg.ratings .series").evaluateAll(all => all
    .filter(one => getComputedStyle(one).display !== "none").map(one => /s\d/.exec(one.getAttribute("class"))[0]));
  assert.deepEqual((await strokes(plain)).toSorted(), ["s1", "s2", "s3", "s4", "s5", "s6"]);
  const years = (await plain.locator("svg.ratings .axes text[text-anchor=middle]").allTextContents()).map(Number);
  assert.ok(years.every(year => year <= 1992), years.join(" "));
  await plain.done();
  for (const viewport of [WIDE, PHONE]) {
    const tab = await open("players/fischer-bobby.html", { viewport });
    const choice = tab.locator("svg.ratings + .choice button");
    await choice.first().waitFor();
    const later = choice.and(tab.locator("[aria-pressed=false]"));
    const name = await later.first().innerText();
    await later.first().click();
    assert.equal(await tab.locator(`svg.ratings .series[data-name="${name}"]`).evaluate(one => getComputedStyle(one).display), "inline");
    const drawn = await strokes(tab);
    assert.equal(new Set(drawn).size, drawn.length);
    assert.equal(drawn.length, 6);
    const plot = tab.locator("svg.ratings");
    await plot.focus();
    await plot.press("ArrowRight");
    await plot.press("ArrowRight");
    assert.match(await tab.locator("output.value").innerText(), /^[A-Z].*, 19\d\d-\d\d: 2\d{3}$/);
    await plot.press("Escape");
    assert.equal(await tab.locator("output.value").isVisible(), false);
    await tab.done();
  }
});

test("a filter that leaves no row is named, and can be cleared", async () => {
  const tab = await open("greatness.html");
  const empty = tab.locator("p.empty");
  await tab.fill("input[name=from]", "1890");
  await tab.fill("input[name=text]", "fischer");
  await tab.fill("input[name=to]", "1899");
  await empty.waitFor();
  assert.match(await empty.innerText(), /^No row passes all these filters\./);
  const clear = empty.getByRole("button", { name: /^Clear “Player or event fischer”: \d+ rows/ });
  const left = /: (\d+) rows/.exec(await clear.innerText())[1];
  await clear.click();
  await tab.waitForFunction(() => document.querySelector("p.empty").hidden);
  assert.match(await tab.locator("form.filters output").innerText(), new RegExp(`^${left} of `));
  await tab.fill("input[name=text]", "xqzzk");
  await empty.waitFor();
  await empty.getByRole("button", { name: "Clear all filters" }).click();
  await tab.waitForFunction(() => document.querySelectorAll("table.filtered tbody tr").length === 100);
  await tab.done();
});

test("lists on a phone break no word within", async () => {
  for (const page of ["greatness.html", "greatness/band-1.html", "tournaments.html", "matches.html", "champions.html", "forecasts.html",
    "foresight.html", "decades/1890s.html", "pairs/karpov-anatoly--kasparov-garry.html", "players/fischer-bobby.html", "years/1972.html"]) {
    const tab = await open(page, { viewport: PHONE });
    const broken = await tab.evaluate(() => {
      const found = [], range = document.createRange();
      const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        if (!text.parentElement.closest("table") || !text.parentElement.checkVisibility()) continue;
        for (const { 0: word, index } of text.data.matchAll(/[\p{L}\p{M}]{2,}/gu)) {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (new Set([...range.getClientRects()].filter(box => box.width).map(box => Math.round(box.top))).size > 1) found.push(word);
        }
      }
      return found;
    });
    assert.deepEqual(broken, [], page);
    await tab.done();
  }
});

describe("events and players without a page", () => {
  // The facts of an event as its record has them: the page must show all of them.
  const factsOf = event => ({
    players: event.standings.length,
    games: event.games.length / 3,
    missing: event.missing.length,
  });
  // One event of each form of crosstable, one with missing games, and the largest.
  const chosen = () => {
    const all = sharedEvents(), size = ([, event]) => event.games.length;
    const found = ["match", "square", "list"].map(form => all.find(([, event]) => event.form === form));
    found.push(all.find(([, event]) => event.missing.length > 0), all.toSorted((a, b) => size(b) - size(a))[0]);
    return found.filter(Boolean);
  };
  const followed = (tab, selector) => tab.locator(selector).evaluateAll(links => links.map(link => link.getAttribute("href")));

  test("an event is shown from its record: players, games, what is missing, links", async () => {
    for (const viewport of [WIDE, PHONE]) for (const colorScheme of ["light", "dark"]) for (const [id, event] of chosen()) {
      const tab = await open(`event.html?e=${id}`, { viewport, colorScheme });
      await tab.locator("#any table.standings").waitFor();
      const expected = factsOf(event);
      assert.equal(await tab.locator("#any h1").innerText(), event.name);
      assert.equal(await tab.locator("#any table.standings tbody tr").count(), expected.players, id);
      assert.equal(await tab.locator("#any table.crosstable tbody tr").count(), expected.players, id);
      assert.equal(await tab.locator("#any details table tbody tr").count(), Math.min(expected.games, 300), id);
      assert.equal(await tab.locator("#any h2:text-is('Missing games')").count(), Math.min(expected.missing, 1), id);
      assert.equal((await tab.title()).endsWith(" · The Greatness Archive"), true);
      for (const link of await followed(tab, "#any a")) assert.ok(existsSync(join(archive, link.split(/[?#]/)[0])), link);
      assert.match(await tab.locator(".cite p").first().evaluate(text => text.textContent), new RegExp(event.name.slice(0, 8).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
      await tab.evaluate(axe);
      assert.deepEqual((await tab.evaluate(() => axe.run(document, { preload: false }))).violations.map(one => one.id), []);
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth) <= viewport.width);
      await tab.done();
    }
  });

  test("the address of before, and that of an event that has a page now, lead to the event", async () => {
    const [[id, event]] = sharedEvents();
    const old = await open(`event.html#${id}`);
    await old.locator("#any h1", { hasText: event.name }).waitFor();
    await old.done();
    const own = await open("event.html?e=vienna-1898");
    await own.waitForURL(/events\/vienna-1898\.html$/);
    await own.done();
  });

  test("a player is shown from his data, and found by the search", async () => {
    const ids = filesOf("compare").flatMap(text => [...text.matchAll(/^greatnessDossier\("([^"]*)"/gm)].map(found => found[1]));
    const id = ids.find(id => !existsSync(join(archive, `players/${id}.html`)));
    const tab = await open(`player.html?p=${id}`);
    await tab.locator("#any table").first().waitFor();
    const name = await tab.locator("#any h1").innerText();
    assert.ok(await tab.locator("#any tbody tr").count() >= 1);
    await tab.locator(".search input").fill(name);
    await tab.locator(`#found a[href="player.html?p=${id}"]`).waitFor();
    await tab.locator("#any a", { hasText: "Compare with another player" }).click();
    await tab.waitForURL(/compare\.html#/);
    await tab.done();
  });

  test("a former address of a player leads to the present one", async () => {
    const moved = filesOf("compare").flatMap(text => [...text.matchAll(/^self\.greatnessMoved\?\.\((.*)\);$/gm)].flatMap(found => Object.entries(JSON.parse(found[1]))));
    for (const start of ["players/", "player.html?p="]) {
      const [former, present] = moved.find(([, address]) => address.startsWith(start));
      const tab = await open(`player.html?p=${former}`);
      await tab.waitForURL(url => url.href.endsWith(present));
      await tab.done();
    }
  });

  test("an unknown event is reported", async () => {
    const tab = await open("event.html?e=nothing-of-this-name-1900");
    await tab.locator("#any", { hasText: "no event nothing-of-this-name-1900" }).waitFor();
    await tab.done();
  });
});

describe("the race of the first ten", () => {
  const names = tab => tab.locator(".race li > :first-child").allInnerTexts();

  test("the slider shows the row of its year, and the button plays the years", async () => {
    const tab = await open("first-ten.html");
    await tab.locator("#race").waitFor();
    const slider = tab.locator("#race input");
    await slider.fill("0");
    const [year, system, ...first] = await tab.locator("#first-ten tbody tr").last().evaluate(row => [...row.children]
      .map(cell => (cell.querySelector("a, b") ?? cell).textContent));
    assert.equal(await tab.locator("#race output").innerText(), `${year}, ${system}`);
    assert.deepEqual(await names(tab), first);
    assert.equal(first.length, 10);
    await tab.locator("#race button").click();
    await tab.waitForFunction(() => Number(document.querySelector("#race input").value) >= 2);
    await tab.locator("#race button", { hasText: "Stop" }).click();
    assert.equal(await tab.locator("#race button").getAttribute("aria-pressed"), "false");
    assert.notDeepEqual(await names(tab), first);
    await tab.done();
  });
});

describe("the comparison of two players", () => {
  const address = "compare.html#karpov-anatoly,kasparov-garry";
  const text = (tab, title) => tab.locator(`#compared section:has(h2:text-is("${title}"))`).innerText();

  test("the address selects the players: careers, score, ratings, events", async () => {
    const tab = await open(address);
    await tab.locator("#compared section").first().waitFor();
    const pair = read("pairs/karpov-anatoly--kasparov-garry.html");
    const [, games, events] = /(\d+) games in (\d+) events/.exec(pair);
    assert.match(await text(tab, "Against each other"), new RegExp(`^Against each other\\s+${games} games: `));
    // Events in which they did not meet are there as well.
    const met = await tab.locator("#compared section:last-child tbody tr:not(:has-text('did not meet'))").count();
    assert.equal(met, Number(events));
    assert.equal(await tab.locator("#compared svg path").count() > 2, true);
    assert.match(await tab.title(), /^Anatoly Karpov and Garry Kasparov/);
    const link = await tab.locator("#compared a", { hasText: "All of their games" }).getAttribute("href");
    assert.ok(existsSync(join(archive, link)));
    await tab.done();
  });

  test("sides change, and the address with them", async () => {
    const tab = await open(address);
    await tab.locator("#compared section").first().waitFor();
    const before = await text(tab, "Against each other");
    await tab.locator("[name=swap]").click();
    await tab.waitForFunction(() => document.title.startsWith("Garry Kasparov"));
    assert.match(tab.url(), /#kasparov-garry,karpov-anatoly$/);
    const [, a, b] = /: ([\d½]+)–([\d½]+)/.exec(before);
    assert.ok((await text(tab, "Against each other")).includes(`${b}–${a}`));
    await tab.done();
  });

  test("players are found as they are typed", async () => {
    const tab = await open("compare.html");
    for (const [field, typed, id] of [["one", "lasker emanuel", "lasker-emanuel"], ["other", "tarrasch", "tarrasch-siegbert"]]) {
      await tab.locator(`[name=${field}]`).fill(typed);
      await tab.waitForFunction(list => document.querySelector(list).options.length > 0, `#${field}-found`);
      await tab.locator(`[name=${field}]`).press("Tab");
      await tab.waitForFunction(id => location.hash.includes(id), id);
    }
    await tab.locator("#compared section").first().waitFor();
    assert.match(await tab.title(), /^Emanuel Lasker and Siegbert Tarrasch/);
    await tab.done();
  });

  test("it is accessible when filled, and does not scroll sideways on a phone", async () => {
    for (const colorScheme of ["light", "dark"]) {
      const tab = await open(address, { viewport: PHONE, colorScheme });
      await tab.locator("#compared section").first().waitFor();
      for (const part of await tab.$$("details")) await part.evaluate(one => { one.open = true; });
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth) <= PHONE.width);
      await tab.evaluate(axe);
      const { violations } = await tab.evaluate(() => axe.run(document, { preload: false }));
      assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
      await tab.done();
    }
  });

  test("an unknown player is reported", async () => {
    const tab = await open("compare.html#nobody-anywhere,karpov-anatoly");
    await tab.waitForFunction(() => document.querySelector("#compare output").textContent.includes("No player nobody-anywhere"));
    await tab.done();
  });
});

test("the plot shows every rated player inside its frame, and names him on focus", async () => {
  for (const [page, players] of [["events/vienna-1898.html", 20], ["events/fischer-spassky-reykjavik-1972.html", 2], ["events/moscow-2001.html", 50]]) {
    const tab = await open(page);
    const points = tab.locator("svg.plot .point");
    assert.ok(await points.count() >= players, page);
    const outside = await points.locator("circle, rect").evaluateAll(marks => marks.filter(mark => {
      const inner = mark.getBoundingClientRect(), outer = mark.ownerSVGElement.getBoundingClientRect();
      return inner.left < outer.left || inner.right > outer.right || inner.top < outer.top || inner.bottom > outer.bottom;
    }).length);
    assert.equal(outside, 0, page);
    const late = points.filter({ has: tab.locator(".late") });
    if (await late.count()) {
      const name = late.first().locator("text");
      assert.equal(await name.evaluate(text => getComputedStyle(text).visibility), "hidden");
      await late.first().focus();
      assert.equal(await name.evaluate(text => getComputedStyle(text).visibility), "visible");
    }
    await tab.done();
  }
});

test("a cell of a crosstable highlights the other cell of its pair", async () => {
  const tab = await open("events/vienna-1898.html");
  await tab.hover(".square tbody tr:nth-child(1) td:nth-child(6)");
  const lit = await tab.locator(".square .lit").evaluateAll(cells => cells.map(cell => [cell.parentElement.sectionRowIndex + 1, cell.cellIndex]));
  assert.deepEqual(lit, [[1, 5], [5, 1]]);
  await tab.done();
});

test("labels of the plot do not cover each other", async () => {
  for (const page of [kinds.tournament, kinds.swiss, kinds.knockout, "events/london-1899.html"]) {
    const tab = await open(page);
    const clashes = await tab.evaluate(() => {
      const labels = [...document.querySelectorAll("svg.plot .point text:not(.late)")].map(text => [text.textContent, text.getBoundingClientRect()]);
      const found = [];
      labels.forEach(([a, x], place) => labels.slice(place + 1).forEach(([b, y]) => {
        const width = Math.min(x.right, y.right) - Math.max(x.left, y.left);
        const height = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
        if (width > 3 && height > 5) found.push(`${a} and ${b}`);
      }));
      return found;
    });
    assert.deepEqual(clashes, [], page);
    await tab.done();
  }
});

test("works below a path of a web server, and a first visit is light", async () => {
  const types = { html: "text/html", css: "text/css", js: "text/javascript", svg: "image/svg+xml" };
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = join(archive, path.replace(/^\/chess\/archive\//, ""));
    if (!path.startsWith("/chess/archive/") || !existsSync(file) || !statSync(file).isFile()) { response.writeHead(404); return response.end(); }
    const bytes = readFileSync(file);
    response.writeHead(200, { "content-type": types[file.split(".").pop()] ?? "application/octet-stream" });
    response.end(bytes);
  });
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  const base = `http://127.0.0.1:${server.address().port}/chess/archive/`;
  try {
    const largest = pages("events").map(page => [statSync(join(archive, page)).size, page]).sort((a, b) => b[0] - a[0])[0][1];
    for (const [page, limit] of [["index.html", 150_000], [largest, 400_000]]) {
      const tab = await open(page, {}, base + page);
      // The index of the search is loaded when the page is shown and the browser idles: not counted.
      const loaded = await tab.evaluate(() => {
        const [visit] = performance.getEntriesByType("navigation");
        const parts = performance.getEntriesByType("resource").filter(part => part.startTime < visit.loadEventStart);
        return [visit, ...parts].map(part => [part.name.split("/").pop(), part.transferSize]);
      });
      const transferred = loaded.reduce((sum, [, size]) => sum + size, 0);
      assert.ok(transferred > 10_000 && transferred < limit, `${page}: ${transferred} bytes: ${loaded.join("; ")}`);
      await tab.locator(".search input").fill("lasker");
      await tab.locator("#found li a").first().waitFor();
      await tab.done();
    }
  } finally { server.close(); }
});

test("an event prints on two pages", async () => {
  const tab = await open("events/vienna-1898.html");
  const pdf = await tab.pdf({ format: "A4", preferCSSPageSize: true });
  const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
  assert.ok(sheets <= 2, `${sheets} sheets`);
  await tab.done();
});
