// Answers SQL queries over the tables of an archive, in a worker of the page `sql.html`. SQLite
// holds the tables, each loaded when a query first names it.
import initSqlJs from "sql.js/dist/sql-wasm-browser.js";
import { decompress } from "fzstd";
import { parquetReadObjects } from "hyparquet";

/** The number of rows that a page shows, and that the worker sends as cells. */
const SHOWN = 500;
/** The number of rows of the CSV file that a page offers. */
const MOST_ROWS = 1_000_000;
/** Larger files (bytes) would fill a browser's memory. */
const LARGEST_FILE = 200_000_000;

const loaded = new Set();
let database;

const quoted = name => `"${name.replaceAll('"', '""')}"`;

/** Fetches a file of the archive, or says why it cannot be read. */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} cannot be loaded (status ${answer.status})`);
  const size = Number(answer.headers.get("content-length"));
  if (size > LARGEST_FILE) {
    throw new Error(`${address} has ${Math.round(size / 1e6)} MB, too much for a browser. Download it and use DuckDB or polars.`);
  }
  return answer;
}

async function rowsOf(table) {
  if (!table.file.endsWith(".parquet")) return (await fetched(table.file)).json();
  const file = await (await fetched(table.file)).arrayBuffer();
  return parquetReadObjects({ file, compressors: { ZSTD: bytes => decompress(bytes) } });
}

/** A value as SQLite takes it. */
function stored(value) {
  if (value === undefined || value === null) return null;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === "object" ? JSON.stringify(value) : value;
}

const SQL_TYPES = { integer: "INTEGER", number: "REAL", boolean: "BOOLEAN" };

async function load(table) {
  const rows = await rowsOf(table);
  const columns = table.columns.map(([name, type]) => `${quoted(name)} ${SQL_TYPES[type] ?? "TEXT"}`);
  database.run(`CREATE TABLE ${quoted(table.name)} (${columns.join(", ")})`);
  const insert = database.prepare(`INSERT INTO ${quoted(table.name)} VALUES (${columns.map(() => "?").join(", ")})`);
  database.run("BEGIN");
  for (const row of rows) insert.run(table.columns.map(([name]) => stored(row[name])));
  database.run("COMMIT");
  insert.free();
  loaded.add(table.name);
}

/** The tables that a query may name: every table whose name stands in it as a word. */
function namedIn(query, tables) {
  const words = new Set(query.toLowerCase().match(/[a-z_][a-z0-9_]*/g) ?? []);
  return tables.filter(table => words.has(table.name) && !loaded.has(table.name));
}

const cell = value => {
  const text = value === null ? "" : String(value);
  // Text that a spreadsheet would take for a formula begins with an apostrophe, as in our CSV files.
  const harmless = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** Runs a query, and returns its first rows and all of them as CSV. */
function answered(query) {
  const statements = [...database.iterateStatements(query)].length;
  if (statements !== 1) throw new Error("Write one statement.");
  const statement = database.prepare(query);
  const columns = statement.getColumnNames();
  const rows = [], lines = [columns.map(cell).join(",")];
  while (statement.step()) {
    const row = statement.get();
    if (rows.length < SHOWN) rows.push(row);
    lines.push(row.map(cell).join(","));
    if (lines.length > MOST_ROWS) break;
  }
  statement.free();
  return { columns, rows, count: lines.length - 1, csv: `${lines.join("\n")}\n` };
}

self.onmessage = async ({ data: { query, tables } }) => {
  try {
    if (!database) {
      const sqlite = await initSqlJs({ locateFile: () => "sql.wasm" });
      database = new sqlite.Database();
    }
    for (const table of namedIn(query, tables)) {
      self.postMessage({ loading: table.name });
      await load(table);
    }
    self.postMessage(answered(query));
  } catch (error) {
    self.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
};
