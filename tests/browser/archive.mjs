// The archive under test, its pages by kind, and a browser to open them in.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** The folder of the archive: GREATNESS_ARCHIVE, or the default folder of the program. */
export const archive = process.env.GREATNESS_ARCHIVE
  ?? join(import.meta.dirname, "../../reports/archive");

/** How long a page may take (ms) on a machine that runs engines and simulations at the same time. */
export const PATIENCE = 120_000;

/** One page of every kind, including hard cases: large fields, a match, a knock-out. */
export const kinds = {
  front: "index.html",
  greatness: "greatness.html",
  greatest: "greatest-players.html",
  greatestOfEra: "greatest-players/1900-1924.html",
  strength: "tournaments.html",
  matches: "matches.html",
  century: "greatness/19th-century.html",
  sort: "tournaments/double-round-robin.html",
  fragments: "fragments.html",
  lacking: "missing.html",
  published: "published.html",
  chessmetrics: "chessmetrics.html",
  foresight: "foresight.html",
  followUps: "follow-ups.html",
  events: "events.html",
  decade: "decades/1890s.html",
  tournament: "events/vienna-1898.html",
  match: "events/fischer-spassky-reykjavik-1972.html",
  swiss: "events/manila-interzonal-1990.html",
  knockout: "events/moscow-2001.html",
  player: "players/tarrasch-siegbert.html",
  pair: "pairs/karpov-anatoly--kasparov-garry.html",
  champions: "champions.html",
  compare: "compare.html",
  anyEvent: "event.html",
  anyPlayer: "player.html",
  players: "players.html",
  letter: "letters/k.html",
  years: "years.html",
  year: "years/1972.html",
  ratings: "ratings.html",
  ranking: "ratings/computed-chessmetrics-1900.html",
  comparison: "comparison.html",
  review: "review.html",
  method: "method.html",
  glossary: "glossary.html",
  laboratory: "laboratory.html",
  forecasts: "forecasts.html",
  titles: "titles.html",
  averages: "five-year-averages.html",
  longevity: "longevity.html",
  firstTen: "first-ten.html",
  classes: "strongest-by-class.html",
  twoBest: "number-one-against-number-two.html",
  records: "records.html",
  famous: "famous.html",
  seriesList: "series.html",
  series: "series/linares.html",
  pool: "pool.html",
  ages: "ages.html",
  moves: "moves.html",
  analysed: "events/karpov-korchnoi-merano-1981.html",
  champion: "players/lasker-emanuel.html",
  about: "about.html",
  downloads: "downloads.html",
  missing: "404.html",
  search: "search.html",
};

const paths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const launch = () => chromium.launch({
  executablePath: process.env.GREATNESS_CHROMIUM ?? paths.find(path => existsSync(path)),
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** The address of a page on the disk. */
export const url = page => {
  const [, path, rest] = /^([^?#]*)(.*)$/.exec(page);
  return pathToFileURL(join(archive, path)).href + rest;
};

/** The texts of the scripts in a folder of data. */
export const filesOf = folder => readdirSync(join(archive, folder)).filter(name => name.endsWith(".js"))
  .map(name => readFileSync(join(archive, folder, name), "utf8"));

/** The events without their own page: the identifier and the record of each. */
export const sharedEvents = () => filesOf("event-records")
  .flatMap(text => Object.entries(JSON.parse(text.slice("greatnessEvents(".length, text.lastIndexOf(")"))).events))
  .filter(([, event]) => event);

/** All pages of the archive, relative to its folder. */
export function pages(folder = "") {
  return readdirSync(join(archive, folder), { withFileTypes: true }).flatMap(entry => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) return pages(path);
    return entry.name.endsWith(".html") ? [path] : [];
  });
}
