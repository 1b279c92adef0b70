// Tests the board in a browser: builds an archive with `[site] games = true` and plays through its games.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { PATIENCE, launch } from "./archive.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "board-"));
let browser;

before(async () => {
  mkdirSync(join(folder, "none"));
  writeFileSync(join(folder, "greatness.toml"), "[site]\ngames = true\n");
  const collection = join(import.meta.dirname, "../cases/site/board.pgn");
  execFileSync(process.env.GREATNESS_PROGRAM, ["-q", "build", "--config", "greatness.toml", "--pgn", collection, "--ratings", "none", "--out", "out"], { cwd: folder });
  browser = await launch();
});
after(async () => { await browser?.close(); rmSync(folder, { recursive: true, force: true }); });

async function open(anchor, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const tab = await context.newPage();
  const complaints = [];
  tab.on("console", message => { if (message.type() === "error") complaints.push(message.text()); });
  tab.on("pageerror", error => complaints.push(String(error)));
  await tab.goto(`${pathToFileURL(join(folder, "out/games.html")).href}#${anchor}`);
  await tab.locator(".board span").first().waitFor();
  tab.done = async () => { await context.close(); assert.deepEqual(complaints, []); };
  return tab;
}

// The position, row by row; capitals are White's.
const position = tab => tab.evaluate(() => {
  const letters = { "♚": "k", "♛": "q", "♜": "r", "♝": "b", "♞": "n", "♟": "p" };
  const cells = [...document.querySelectorAll(".board span")].map(cell => {
    const letter = letters[cell.textContent[0]] ?? ".";
    return cell.classList.contains("white") ? letter.toUpperCase() : letter;
  });
  return Array.from({ length: 8 }, (_, row) => cells.slice(8 * row, 8 * row + 8).join(""));
});

const usual = ["rnbqkbnr", "pppppppp", "........", "........", "........", "........", "PPPPPPPP", "RNBQKBNR"];

test("castling, en passant and promotion follow the rules", async () => {
  for (const [game, rows] of [
    [1, { 0: "r.bqk..r", 7: "RNBQ.RK." }],
    [2, { 0: "..kr.bnr", 7: "..KR.BNR" }],
    [3, { 0: "rnb.kb.r", 2: "...q.n..", 3: "........", 6: "PPPP.PPP" }],
    [4, { 0: "rNbqkb.r", 1: "..pppp.p" }],
  ]) {
    const tab = await open(`testville-1901,${game}`);
    assert.deepEqual(await position(tab), usual);
    await tab.locator("[data-go=last]").click();
    const found = await position(tab);
    for (const [row, pieces] of Object.entries(rows)) assert.equal(found[row], pieces, `game ${game}, row ${row}`);
    await tab.done();
  }
});

test("keys go from move to move, the address follows, and the board turns", async () => {
  const tab = await open("testville-1901,1");
  for (const _ of [1, 2, 3]) await tab.keyboard.press("ArrowRight");
  assert.match(tab.url(), /#testville-1901,1,3$/);
  assert.equal(await tab.locator("#played").innerText(), "2. Nf3");
  assert.equal(await tab.locator("ol.moves [aria-current]").innerText(), "2. Nf3");
  await tab.keyboard.press("ArrowLeft");
  assert.equal(await tab.locator("#played").innerText(), "1… e5");
  const before = await position(tab);
  await tab.locator("[data-go=turn]").click();
  assert.deepEqual((await position(tab)).map(row => [...row].reverse().join("")).reverse(), before);
  await tab.keyboard.press("End");
  assert.match(await tab.locator("#played").innerText(), /Bc5\. 1–0$/);
  await tab.done();
});

test("an illegal move ends the game", async () => {
  const tab = await open("testville-1901,6");
  assert.equal(await tab.locator("ol.moves li").count(), 4);
  await tab.done();
});

test("an unknown event is reported, and so is a missing one", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  for (const [anchor, expected] of [["nowhere-1900,1", "This archive has no games of nowhere-1900"], ["", "Choose an event"], ["../../x,1", "This archive has no games of"]]) {
    await tab.goto("about:blank");
    await tab.goto(`${pathToFileURL(join(folder, "out/games.html")).href}#${anchor}`);
    await tab.waitForFunction(expected => document.querySelector("#which").textContent.includes(expected), expected);
  }
  await context.close();
});

test("the board is accessible and does not scroll sideways on a phone", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const tab = await open("testville-1901,2,4", { viewport: { width: 390, height: 800 }, colorScheme });
    assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await tab.evaluate(axe);
    const { violations } = await tab.evaluate(() => axe.run(document, { preload: false }));
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
    await tab.done();
  }
});
