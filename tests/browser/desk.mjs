// Tests the desk of the Ratings Administrator in a browser: ten events are decided within a minute, each
// choice shows its effect at once, decisions are saved in the file, and a reload shows them. What is empty or
// dated later is refused, a bundled decision is replaced, and saving offers the rebuild.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PATIENCE, archive, launch } from "./archive.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const program = process.env.GREATNESS_PROGRAM;
const folder = mkdtempSync(join(tmpdir(), "desk-"));
const file = join(folder, "decisions.toml");
let browser, server, address;

before(async () => {
  assert.ok(program && existsSync(program), "GREATNESS_PROGRAM is the program");
  server = spawn(program, ["serve", archive, "--decide", file, "--port", "0"], { cwd: folder });
  address = await new Promise((done, failed) => {
    let output = "";
    server.stdout.on("data", data => { output += data; if (output.includes("\n")) done(output.trim()); });
    server.stderr.on("data", data => { if (String(data).startsWith("greatness:")) failed(new Error(String(data))); });
    server.on("exit", code => failed(new Error(`ended with ${code}`)));
  });
  browser = await launch();
});
after(async () => { await browser?.close(); server?.kill(); rmSync(folder, { recursive: true, force: true }); });

async function desk(options = {}, prepare = async () => {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const tab = await context.newPage();
  await prepare(tab);
  const complaints = [];
  tab.on("console", message => { if (message.type() === "error") complaints.push(message.text()); });
  tab.on("pageerror", error => complaints.push(String(error)));
  await tab.goto(address);
  await tab.locator("#queue button").first().waitFor();
  tab.done = async () => { await context.close(); assert.deepEqual(complaints, []); };
  return tab;
}

const effect = tab => tab.locator("#effect").innerText();

test("ten events are decided within a minute, each with its effect, and a reload shows them", async () => {
  const tab = await desk();
  const begun = Date.now();
  await tab.locator("[name=author]").fill("A. Archivist");
  const decided = [];
  let slowest = 0;
  for (let place = 0; place < 10; place += 1) {
    // Skip events that another file decides.
    const row = tab.locator("#queue button:not(:has(.elsewhere))").nth(place);
    const name = (await row.locator("span").first().innerText()).trim();
    await row.click();
    await tab.waitForFunction(name => document.querySelector("#name").innerText === name, name);
    assert.equal(await effect(tab), "No published rank changes.");
    const asked = Date.now();
    await tab.locator("#other").click();
    await tab.waitForFunction(() => document.querySelector("#effect").innerText.includes("no. "));
    slowest = Math.max(slowest, Date.now() - asked);
    // Every second event is kept as it is.
    if (place % 2) {
      await tab.locator("#as-it-is").click();
      await tab.waitForFunction(() => document.querySelector("#effect").innerText === "No published rank changes.");
    }
    await tab.locator("[name=reason]").fill(`Looked at, number ${place}: "it is so".`);
    await tab.locator("#write").click();
    await tab.waitForFunction(() => document.querySelector("#written").innerText.startsWith("Saved. "));
    decided.push(await tab.evaluate(() => location.hash.slice(1)));
  }
  const seconds = (Date.now() - begun) / 1000;
  assert.ok(seconds < 60, `${seconds} s`);
  assert.ok(slowest < 1000, `an effect took ${slowest} ms`);
  console.log(`# ten events decided in ${seconds.toFixed(1)} s, the slowest effect after ${slowest} ms`);
  const text = readFileSync(file, "utf8");
  assert.equal(new Set(decided).size, 10);
  for (const id of decided) assert.ok(text.includes(`[${id}]\nauthor = "A. Archivist"\ndate = 20`), `${id} in ${text}`);
  assert.equal(text.match(/^reviewed = true$/gm).length, 5);
  await tab.reload();
  await tab.locator("#queue .decided").nth(9).waitFor();
  assert.equal(await tab.locator("#queue .decided").count(), 10);
  await tab.done();
  // The program reads the file that the desk wrote.
  const { status, stderr } = await new Promise(done => {
    const run = spawn(program, ["event", decided[0], "--archive", archive, "--decisions", file], { cwd: folder });
    let stderr = "";
    run.stderr.on("data", data => { stderr += data; });
    run.on("exit", status => done({ status, stderr }));
  });
  assert.equal(status, 0, stderr);
});

test("every field shows its effect, errors are reported, and a decision is withdrawn", async () => {
  const tab = await desk();
  await tab.locator("#find").fill("Vienna 1898");
  await tab.locator("#find").press("Tab");
  await tab.waitForFunction(() => document.querySelector("#name").innerText === "Vienna 1898");
  const shows = async (part, act) => {
    await act();
    await tab.waitForFunction(part => document.querySelector("#effect").innerText.includes(part), part);
  };
  const unsaid = async () => {
    await shows("No published rank changes.", () => tab.locator("#clear").click());
  };
  await shows("leaves it", () => tab.locator("[name=listed]").selectOption("false"));
  await unsaid();
  await shows("leaves it", () => tab.locator("[name=tempo]").selectOption("rapid"));
  await unsaid();
  await shows("Tarrasch no. ", () => tab.locator("[name=number_two]").fill("2900"));
  await unsaid();
  await shows("leaves it", () => tab.locator("[name=expected_games]").fill("900"));
  await shows("is less than the 342 games", () => tab.locator("[name=expected_games]").fill("9"));
  await unsaid();
  await tab.locator("#games-fold > summary").click();
  await shows("cannot read the event nowhere-1900", () => tab.locator("[name=merge]").fill("nowhere-1900"));
  await shows("leaves it", () => tab.locator("[name=merge]").fill("vienna-1882"));
  await unsaid();
  await tab.locator("#ratings-fold > summary").click();
  await shows(" → ", () => tab.getByLabel("Rating of Pillsbury, Harry Nelson", { exact: true }).fill("2720"));
  await unsaid();
  await tab.getByLabel("Delete the rating of Pillsbury, Harry Nelson").check();
  await tab.waitForFunction(() => [...document.querySelectorAll("#players tr")].some(row =>
    row.dataset.player === "Pillsbury, Harry Nelson" && row.cells[7].innerText === "estimated"));
  // A decision needs a reason.
  await tab.locator("[name=author]").fill("A. Archivist");
  await tab.locator("[name=reason]").fill("He played under another name.");
  await tab.locator("#write").click();
  await tab.waitForFunction(() => document.querySelector("#written").innerText.startsWith("Saved. "));
  assert.match(readFileSync(file, "utf8"), /\[vienna-1898\]\n[^[]*ratings = \[\{ player = "Pillsbury, Harry Nelson", delete = true \}\]/);
  await tab.locator("#take-back").click();
  await tab.waitForFunction(() => document.querySelector("#written").innerText === "Decision withdrawn.");
  assert.ok(!readFileSync(file, "utf8").includes("vienna-1898"));
  await tab.done().catch(error => assert.match(String(error), /422/, "only what was refused on purpose"));
});

test("a cleared choice is not saved, the reason is empty, and saving offers the rebuild", async () => {
  const tab = await desk();
  const opened = async name => {
    await tab.locator("#find").fill(name);
    await tab.locator("#find").press("Tab");
    await tab.waitForFunction(name => document.querySelector("#name").innerText === name, name);
  };
  const written = part => tab.waitForFunction(part => document.querySelector("#written").innerText.includes(part), part);
  const row = tab.locator("#queue button:not(:has(.elsewhere)):not(:has(.decided))").first();
  const name = (await row.locator("span").first().innerText()).trim();
  await row.click();
  await tab.waitForFunction(name => document.querySelector("#name").innerText === name, name);
  const id = await tab.evaluate(() => location.hash.slice(1));
  assert.equal(await tab.locator("[name=reason]").inputValue(), "");
  await tab.locator("[name=author]").fill("A. Archivist");
  await tab.locator("[name=reason]").fill("Looked at.");
  await tab.locator("#clear").click();
  await tab.locator("#write").click();
  await written("Nothing is decided");
  await tab.locator("[name=date]").fill("2999-01-01");
  await tab.locator("#as-it-is").click();
  await tab.locator("#write").click();
  await written("is in the future");
  assert.ok(!existsSync(file) || !readFileSync(file, "utf8").includes(`[${id}]`));
  // Only decisions of earlier tests, which no build has used, offer the rebuild.
  assert.equal(await tab.locator("#rebuild").isHidden(), !existsSync(file));
  // Choices that are not saved are lost only if the administrator says so.
  await tab.locator("#find").fill("Vienna 1898");
  // An open dialog holds the key press, so it is answered in a listener and not after the press.
  const asked = new Promise((done, failed) => {
    tab.once("dialog", dialog => dialog.dismiss().then(() => done(dialog.message()), failed));
  });
  await tab.locator("#find").press("Tab");
  assert.match(await asked, /^Your choices about .* are not saved\. Leave them\?$/);
  assert.equal(await tab.locator("#name").innerText(), name);
  assert.equal(await tab.locator("[name=reason]").inputValue(), "Looked at.");
  tab.once("dialog", dialog => dialog.accept());
  // The bundled file decides about this one; the decision here replaces it.
  await opened("Cambridge Springs 1904");
  assert.match(await tab.locator("#bundled").innerText(), /What you save replaces that decision/);
  await tab.locator("[name=winners]").fill("Janowski, David; Lasker, Emanuel");
  await tab.waitForFunction(() => document.querySelector("#figures").innerText.includes("Janowski, David; Lasker, Emanuel"));
  await tab.locator("[name=reason]").fill("A test of shared winners.");
  await tab.locator("#write").click();
  await written("Saved. ");
  const text = readFileSync(file, "utf8");
  assert.match(text, /\[cambridge-springs-1904\]\n[^[]*winners = \["Janowski, David", "Lasker, Emanuel"\]/);
  assert.match(text, /player = "Lasker, Emanuel", set = 2826/);
  await tab.locator("#rebuild").waitFor();
  assert.match(await tab.locator("#command").innerText(), / build .*--decisions .*decisions.toml --out /);
  await tab.locator("#take-back").click();
  await written("Decision withdrawn.");
  await tab.done().catch(error => assert.match(String(error), /422/, "only what was refused on purpose"));
});

test("what is typed while the page still loads stays", async () => {
  let answer;
  const held = new Promise(done => { answer = done; });
  const tab = await desk({}, tab => tab.route("**/decisions", async route => { await held; await route.continue(); }));
  await tab.locator("#queue button").first().click();
  await tab.waitForFunction(() => location.hash !== "");
  await tab.locator("[name=reason]").fill("Looked at.");
  const listed = tab.waitForResponse("**/rebuild");
  answer();
  await listed;
  await tab.waitForLoadState("networkidle");
  assert.equal(await tab.locator("[name=reason]").inputValue(), "Looked at.");
  await tab.done();
});

test("two desks do not replace each other's decision, and own decisions are listed to withdraw them", async () => {
  const tabs = [await desk(), await desk()];
  for (const tab of tabs) {
    await tab.locator("#find").fill("London 1883");
    await tab.locator("#find").press("Tab");
    await tab.waitForFunction(() => document.querySelector("#name").innerText === "London 1883");
    await tab.locator("#as-it-is").click();
  }
  const save = async (tab, author, part) => {
    await tab.locator("[name=author]").fill(author);
    await tab.locator("[name=reason]").fill(`Because ${author} says so.`);
    await tab.locator("#write").click();
    await tab.waitForFunction(part => document.querySelector("#written").innerText.includes(part), part);
  };
  await save(tabs[0], "A. First", "Saved. ");
  await save(tabs[1], "B. Second", "Meanwhile A. First decided about it: \"Because A. First says so.\". Nothing was saved.");
  assert.ok(!readFileSync(file, "utf8").includes("B. Second"));
  await tabs[1].getByRole("button", { name: "Load the event again" }).click();
  await tabs[1].waitForFunction(() => document.querySelector("[name=author]").value === "A. First");
  await tabs[1].locator("[name=reason]").fill("Both agree.");
  await save(tabs[1], "B. Second", "Saved. ");
  assert.ok(readFileSync(file, "utf8").includes("Because B. Second says so."));
  await tabs[1].locator("#own-fold > summary").click();
  const own = tabs[1].locator("#own li", { hasText: "London 1883" });
  assert.match(await own.innerText(), /reviewed: Because B\. Second says so\. \(B\. Second, /);
  tabs[1].once("dialog", dialog => dialog.accept());
  await own.getByRole("button", { name: "Withdraw the decision about London 1883" }).click();
  await own.waitFor({ state: "detached" });
  assert.ok(!readFileSync(file, "utf8").includes("london-1883"));
  for (const tab of tabs) await tab.done().catch(error => assert.match(String(error), /409/, "only the refused one"));
});

test("events are found by their names, and a name that none has says so", async () => {
  const tab = await desk();
  await tab.locator("#find").fill("World Championship 1972");
  await tab.locator("#found button", { hasText: "Reykjav" }).first().click();
  await tab.waitForFunction(() => location.hash === "#fischer-spassky-reykjavik-1972");
  await tab.locator("#find").fill("US Championship 1963");
  await tab.locator("#found button").first().waitFor();
  await tab.locator("#find").fill("Nirgendwo 1203");
  await tab.waitForFunction(() => document.querySelector("#none").innerText === "No event is called “Nirgendwo 1203”.");
  await tab.done();
});

test("the event chosen last is shown, though the answer about another comes later", async () => {
  let release, asked = 0;
  const held = new Promise(done => { release = done; });
  const tab = await desk({}, tab => tab.route("**/event/*", async route => {
    asked += 1;
    if (asked === 1) await held;
    await route.continue();
  }));
  await tab.locator("#find").fill("World Championship 1972");
  await tab.locator("#found button", { hasText: "Reykjav" }).first().click();
  const chosen = () => location.hash === "#fischer-spassky-reykjavik-1972";
  await tab.waitForFunction(chosen);
  const late = tab.waitForResponse(response => response.url().includes("/event/"));
  release();
  await (await late).finished();
  await tab.evaluate(() => new Promise(done => setTimeout(done, 100)));
  assert.ok(await tab.evaluate(chosen));
  await tab.done();
});

test("the desk meets WCAG 2.2 AA, and does not scroll sideways on a phone", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const tab = await desk({ colorScheme, reducedMotion: "reduce" });
    await tab.locator("#work").waitFor();
    for (const part of await tab.$$("details")) await part.evaluate(one => { one.open = true; });
    await tab.evaluate(axe);
    const found = await tab.evaluate(() => axe.run(document, {
      preload: false, runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }));
    assert.deepEqual(found.violations.map(one => `${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(" | ")}`), []);
    if (process.env.DESK_PICTURES) await tab.screenshot({ path: join(process.env.DESK_PICTURES, `desk-${colorScheme}.png`), fullPage: true });
    await tab.done();
  }
  const phone = await desk({ viewport: { width: 390, height: 800 } });
  await phone.locator("#work").waitFor();
  assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth) <= 390);
  if (process.env.DESK_PICTURES) await phone.screenshot({ path: join(process.env.DESK_PICTURES, "desk-narrow.png"), fullPage: true });
  await phone.done();
});

test("a page of another site cannot decide", async () => {
  const path = `${address}/decide/vienna-1898`;
  const body = JSON.stringify({ author: "X", date: "2026-11-23", reason: "X", listed: false });
  const asked = async headers => (await fetch(path, { method: "POST", body, headers })).status;
  assert.equal(await asked({ "content-type": "application/json", origin: "http://evil.example" }), 403);
  assert.equal(await asked({ "content-type": "text/plain" }), 415);
  assert.ok(!existsSync(file) || !readFileSync(file, "utf8").includes("vienna-1898"));
});
