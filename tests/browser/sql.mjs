// Tests the page that queries the tables: builds an archive with `[site] sql = true`, serves it, and asks.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { PATIENCE, launch } from "./archive.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "sql-"));
const program = process.env.GREATNESS_PROGRAM;
let browser, server, address;

before(async () => {
  mkdirSync(join(folder, "none"));
  writeFileSync(join(folder, "greatness.toml"), "[site]\nsql = true\n");
  const collection = join(import.meta.dirname, "../cases/site/board.pgn");
  execFileSync(program, ["-q", "build", "--config", "greatness.toml", "--pgn", collection, "--ratings", "none", "--out", "out"], { cwd: folder });
  server = spawn(program, ["serve", "out", "--port", "0"], { cwd: folder });
  address = await new Promise((done, failed) => {
    let output = "";
    server.stdout.on("data", data => { output += data; if (output.includes("\n")) done(output.trim()); });
    server.on("exit", code => failed(new Error(`ended with ${code}`)));
  });
  browser = await launch();
});
after(async () => { await browser?.close(); server?.kill(); rmSync(folder, { recursive: true, force: true }); });

async function open(options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const tab = await context.newPage();
  const complaints = [];
  tab.on("console", message => { if (message.type() === "error") complaints.push(message.text()); });
  tab.on("pageerror", error => complaints.push(String(error)));
  await tab.goto(`${new URL("sql.html", address).href}${hash}`);
  await tab.locator("#query").waitFor();
  tab.done = async () => { await context.close(); assert.deepEqual(complaints, []); };
  return tab;
}

/** Runs a query, and returns what the page says of it. */
async function run(tab, query) {
  await tab.locator("#query").fill(query);
  await tab.locator("#sql [type=submit]").click();
  const status = tab.locator("#sql [role=status]");
  await tab.waitForFunction(() => !document.querySelector("#sql [type=submit]").disabled);
  return status.innerText();
}

test("a query is answered as a table and as CSV", async () => {
  const tab = await open();
  const said = await run(tab, "SELECT count(*) AS games, sum(played) AS played, sum(repeats) AS repeats FROM games");
  assert.match(said, /^1 row in /);
  const [games, played, repeats] = (await tab.locator("#answer tbody td").allInnerTexts()).map(Number);
  assert.ok(games > 0 && played === games && repeats === 0, `${games} ${played} ${repeats}`);
  const [download] = await Promise.all([tab.waitForEvent("download"), tab.locator(".csv").click()]);
  assert.equal(readFileSync(await download.path(), "utf8"), `games,played,repeats\n${games},${played},${repeats}\n`);
  await tab.done();
});

test("every example runs, and its link only fills it in", async () => {
  const tab = await open();
  const links = await tab.locator(".examples a").evaluateAll(all => all.map(one => one.getAttribute("href")));
  assert.ok(links.length >= 5);
  for (const link of links) {
    const linked = await open({}, link);
    assert.equal(await linked.locator("#answer").isVisible(), false);
    const said = await run(linked, await linked.locator("#query").inputValue());
    assert.match(said, /^\d+ rows? in /, said);
    await linked.done();
  }
  await tab.done();
});

test("errors say what is wrong, and a query can be stopped", async () => {
  const tab = await open();
  assert.match(await run(tab, "SELEC 1"), /syntax error/);
  assert.match(await run(tab, "SELECT absent FROM events"), /no such column: absent/);
  assert.match(await run(tab, "SELECT 1; SELECT 2"), /one statement/);
  await tab.locator("#query").fill("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n");
  await tab.locator("#sql [type=submit]").click();
  await tab.locator(".stop").click();
  assert.equal(await tab.locator("#sql [role=status]").innerText(), "Stopped.");
  assert.match(await run(tab, "SELECT 2 AS two"), /^1 row in /);
  await tab.done();
});

test("the page is accessible, fits a phone, and explains itself on the disk", async () => {
  const tab = await open({ viewport: { width: 390, height: 800 } });
  await run(tab, "SELECT * FROM events");
  assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth) <= 390);
  for (const part of await tab.$$("details")) await part.evaluate(one => { one.open = true; });
  await tab.evaluate(axe);
  const found = await tab.evaluate(() => axe.run(document, { preload: false, runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] }));
  assert.deepEqual(found.violations.map(one => `${one.id}: ${one.nodes.map(node => node.html).join(" | ").slice(0, 300)}`), []);
  await tab.goto(pathToFileURL(join(folder, "out/sql.html")).href);
  assert.match(await tab.locator("#sql [role=status]").innerText(), /from a web server/);
  await tab.done();
});
