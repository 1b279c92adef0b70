// Tests the page that events share: builds an archive of events that nobody looks for, and opens each of them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { PATIENCE, launch } from "./archive.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "shared-"));
const names = ["Alders", "Berg", "Claes", "Dubois", "Evers", "Faber", "Goossens", "Hendrix", "Ivens", "Jonckheer", "Kesteloot", "Lemmens"];
const out = join(folder, "out");
let browser;

const game = (event, date, round, white, black, result, moves = "") =>
  `[Event "${event}"]\n[Site "Ghent"]\n[Date "${date}"]\n[Round "${round}"]\n[White "${white}, A"]\n[Black "${black}, A"]\n[Result "${result}"]\n\n${moves} ${result}\n\n`;

/** A round robin of six in rounds without two of its games, an open without three of its games, and a match. */
function collection() {
  const results = ["1-0", "1/2-1/2", "0-1"];
  let pgn = "", played = 0;
  // The circle method: the last player stays, the others go round.
  for (let round = 0; round < 5; round++) for (let pair = 0; pair < 3; pair++) {
    const one = pair === 0 ? 5 : (round + pair) % 5, other = (round + 5 - pair) % 5;
    const [white, black] = round % 2 ? [one, other] : [other, one];
    if (played++ % 6 === 4) continue;
    pgn += game("Club Championship", `1923.08.0${round + 1}`, round + 1, names[white], names[black], results[played % 3], "1. e4 e5 2. Nf3");
  }
  for (let round = 1; round <= 4; round++) for (let pair = 0; pair < (round === 4 ? 3 : 6); pair++) {
    const white = names[2 * pair], black = names[(2 * pair + 2 * round - 1) % 12];
    pgn += game("Open of the Town", `1931.05.0${round}`, round, white, black, results[(pair + round) % 3]);
  }
  for (let number = 1; number <= 3; number++) pgn += game("Match", `1925.03.0${number}`, number, names[10], names[11], "1-0");
  return pgn;
}

// Serves the archive below a path, and its page for missing addresses as free hosts do.
const types = { html: "text/html", css: "text/css", js: "text/javascript" };
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname, file = join(out, path.replace(/^\/chess\/archive\//, ""));
  const isThere = path.startsWith("/chess/archive/") && existsSync(file) && statSync(file).isFile();
  response.writeHead(isThere ? 200 : 404, { "content-type": types[isThere ? file.split(".").pop() : "html"] ?? "application/octet-stream" });
  response.end(readFileSync(isThere ? file : join(out, "404.html")));
});
let base;

before(async () => {
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${server.address().port}/chess/archive/`;
  writeFileSync(join(folder, "games.pgn"), collection());
  writeFileSync(join(folder, "greatness.toml"), `[ratings]\ncompute = false\n[site]\ngames = true\nurl = "${base}"\n`);
  execFileSync(process.env.GREATNESS_PROGRAM, ["-q", "build", "--config", "greatness.toml", "--pgn", "games.pgn", "--out", "out"], { cwd: folder });
  browser = await launch();
});
after(async () => { server.close(); await browser?.close(); rmSync(folder, { recursive: true, force: true }); });

const shared = () => readdirSync(join(out, "event-records")).map(name => readFileSync(join(out, "event-records", name), "utf8"))
  .flatMap(text => Object.entries(JSON.parse(text.slice("greatnessEvents(".length, text.lastIndexOf(")"))).events)).filter(([, event]) => event);

async function open(page, options) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE);
  const tab = await context.newPage(), complaints = [];
  tab.on("console", message => { if (message.type() === "error") complaints.push(message.text()); });
  tab.on("pageerror", error => complaints.push(String(error)));
  await tab.goto(pathToFileURL(out).href + "/" + page);
  tab.done = async () => { await context.close(); assert.deepEqual(complaints, [], page); };
  return tab;
}

test("each form of event is shown whole: wide, narrow, light and dark", async () => {
  const events = shared();
  const square = events.find(([, event]) => event.form === "square");
  assert.ok(square && square[1].missing.length > 0, "the round robin lacks games");
  for (const form of ["match", "list"]) assert.ok(events.some(([, event]) => event.form === form), form);
  for (const width of [1280, 360]) for (const colorScheme of ["light", "dark"]) for (const [id, event] of events) {
    const tab = await open(`event.html?e=${id}`, { viewport: { width, height: 900 }, colorScheme });
    await tab.locator("#any table.standings").waitFor();
    const rows = await tab.locator("#any table").evaluateAll(tables => tables.map(table => table.tBodies[0].rows.length));
    assert.deepEqual(rows, [event.standings.length, event.standings.length, event.games.length / 3], id);
    assert.equal(await tab.locator("#any h1").innerText(), event.name);
    assert.equal(await tab.locator("#any h2:text-is('Missing games')").count(), event.missing.length ? 1 : 0, id);
    for (const link of await tab.locator("#any a").evaluateAll(links => links.map(link => link.getAttribute("href"))))
      assert.ok(existsSync(join(out, link.split(/[?#]/)[0])), link);
    await tab.evaluate(axe);
    assert.deepEqual((await tab.evaluate(() => axe.run(document, { preload: false }))).violations.map(one => one.id), [], id);
    assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth) <= width, id);
    await tab.done();
  }
});

test("the crosstable has every result once from each side", async () => {
  const [id, event] = shared().find(([, event]) => event.form === "square");
  const tab = await open(`event.html?e=${id}`, {});
  await tab.locator("#any table.crosstable").waitFor();
  const cells = await tab.locator("#any table.crosstable tbody tr").evaluateAll(rows => rows.map(row => [...row.cells].slice(1, -1).map(cell => cell.textContent)));
  let results = 0;
  for (const [row, line] of cells.entries()) for (const [column, text] of line.entries()) {
    const other = { 1: "0", 0: "1", "½": "½", "": "" }[text];
    assert.equal(cells[column][row], other, `${row}, ${column}`);
    results += text.length;
  }
  assert.equal(results, 2 * event.games.length / 3);
  await tab.done();
});

test("a game of the event opens on the board, and the board leads back", async () => {
  const [id] = shared().find(([, event]) => event.form === "square");
  const tab = await open(`event.html?e=${id}`, {});
  await tab.locator("#any a", { hasText: "board" }).first().click();
  await tab.locator(".board span").first().waitFor();
  await tab.locator("#which a").click();
  await tab.waitForURL(new RegExp(`event\\.html\\?e=${id}$`));
  await tab.done();
});

test("the standings can be sorted", async () => {
  const [id, event] = shared().find(([, event]) => event.form === "square");
  const tab = await open(`event.html?e=${id}`, {});
  const names = () => tab.locator("#any table.standings tbody th").allInnerTexts();
  await tab.locator("#any table.standings thead button", { hasText: "Player" }).click();
  const sorted = await names();
  assert.equal(sorted.length, event.standings.length);
  assert.deepEqual(sorted, sorted.toSorted());
  await tab.done();
});

test("every address that an event or a player had leads there, by the page for missing ones", async () => {
  const [id, event] = shared().find(([, event]) => event.form === "square");
  const player = /^greatnessDossier\("([^"]*)"/m.exec(readFileSync(join(out, "compare/0.js"), "utf8"))[1];
  const context = await browser.newContext(), tab = await context.newPage();
  for (const [old, now] of [
    [`events/${id}.html`, `event.html?e=${id}`], [`data/events/${id}.json`, `event.html?e=${id}`], [`data/events/${id}.pgn`, `event.html?e=${id}`],
    [`cards/${id}.svg`, `event.html?e=${id}`], [`players/${player}.html`, `player.html?p=${player}`], [`event.html#${id}`, `event.html#${id}`],
  ]) {
    await tab.goto(base + old);
    await tab.waitForURL(base + now);
    await tab.locator("#any table").first().waitFor();
    if (now.startsWith("event")) assert.equal(await tab.locator("#any h1").innerText(), event.name);
    await tab.goto("about:blank");
  }
  await context.close();
});
