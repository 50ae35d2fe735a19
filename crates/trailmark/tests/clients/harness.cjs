// What the Node scripts here share: packages from outside the repository, checks and their report, a server over HTTP.
//
// TRAILMARK_BIN names the binary, TRAILMARK_SURFACE the folder of the frozen tools. The packages are found from TRAILMARK_NODE_MODULES, the folder that holds
// `node_modules`, or without it from the folder of the script.

"use strict";

const { isDeepStrictEqual, inspect } = require("node:util");
const { createRequire } = require("node:module");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const OVERALL_MS = 280_000;
const GROUP_MS = 120_000;
const ONE_CHECK_MS = 40_000;
const START_MS = 20_000;
const STOP_MS = 5_000;

/** What a check found is not what it expected. */
class Mismatch extends Error {}

function expect(condition, otherwise) {
  if (!condition) throw new Mismatch(otherwise);
}

function expectEqual(actual, expected, what) {
  const show = (value) => inspect(value, { depth: 8, breakLength: Infinity });
  expect(isDeepStrictEqual(actual, expected), `${what}: expected ${show(expected)}, got ${show(actual)}`);
}

function binary() {
  const given = process.env.TRAILMARK_BIN;
  if (!given) throw new Mismatch("TRAILMARK_BIN must name the trailmark binary");
  return path.resolve(given);
}

/** The tools as they are frozen in the repository, by name. */
function frozenSurface() {
  const folder = process.env.TRAILMARK_SURFACE || path.join(__dirname, "../../contract/tools");
  // The tools for APIs are there only where a server has any.
  const files = fs.readdirSync(folder).filter((file) => file.endsWith(".json") && !file.startsWith("api_"));
  return files.sort().map((file) => JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")));
}

/** The `require` that finds the installed packages. */
function packages() {
  return createRequire(path.join(path.resolve(process.env.TRAILMARK_NODE_MODULES || __dirname), "script.js"));
}

class Report {
  passed = 0;
  failed = 0;

  record(name, problem) {
    if (problem === undefined) {
      this.passed += 1;
      console.log(`ok    ${name}`);
    } else {
      this.failed += 1;
      console.log(`FAIL  ${name}: ${problem}`);
    }
  }

  /** Runs one check; whatever it throws, or too long a wait, is a failure. */
  async run(name, check) {
    this.record(name, await problemOf(ONE_CHECK_MS, check));
  }

  /** Runs many checks; only what stops them half-way is reported here. */
  async runGroup(name, checks) {
    const problem = await problemOf(GROUP_MS, checks);
    if (problem !== undefined) this.record(`${name}: runs to the end`, problem);
  }
}

async function problemOf(milliseconds, action) {
  return within(milliseconds, action).then(
    () => undefined,
    (error) => (error instanceof Mismatch ? error.message : inspect(error)),
  );
}

async function within(milliseconds, action) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Mismatch(`not finished after ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([action(), late]);
  } finally {
    clearTimeout(timer);
  }
}

const children = new Set();
const homes = new Set();

/** Starts a program in a process group of its own, so that what it starts can be ended with it. */
function start(program, args, options) {
  const child = spawn(program, args, { ...options, detached: true });
  children.add(child);
  child.once("close", () => children.delete(child));
  return child;
}

/** Ends a program and all it started. */
function end(child) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

/** Runs a script to its end, prints the closing line and sets the exit code; nothing it started outlives it. */
function main(script) {
  process.on("exit", () => {
    children.forEach(end);
    homes.forEach(remove);
  });
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => process.exit(2));
  setTimeout(() => {
    console.log(`FAIL  not finished after ${OVERALL_MS} ms`);
    process.exit(2);
  }, OVERALL_MS);
  const report = new Report();
  script(report)
    .catch((error) => report.record("the script runs to the end", inspect(error)))
    .then(() => {
      console.log(`${report.passed} passed, ${report.failed} failed`);
      process.exit(report.failed === 0 && report.passed > 0 ? 0 : 1);
    });
}

/** Gives `action` an empty data folder that is gone afterwards. */
async function withHome(action) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "trailmark-client-"));
  homes.add(home);
  try {
    return await action(home);
  } finally {
    remove(home);
    homes.delete(home);
  }
}

function remove(folder) {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Gives `action` the address and the token of a server; that it ends well is a check of its own. */
async function withHttpServer(report, name, home, action) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith("TRAILMARK_")));
  const server = start(binary(), ["serve", "--http", "127.0.0.1:0"], {
    env: { ...env, TRAILMARK_HOME: home },
    cwd: home,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  server.stderr.on("data", (chunk) => (said += chunk));
  const ended = new Promise((resolve) => server.once("close", resolve));
  try {
    const url = await announcedUrl(() => said, ended);
    const token = fs.readFileSync(path.join(home, "http-token"), "utf8").trim();
    await action({ url, headers: { Authorization: `Bearer ${token}` } });
    await report.run(`${name}: ends when asked to, and not before`, () => endsWell(server, ended, () => said));
  } finally {
    end(server);
  }
}

async function announcedUrl(said, ended) {
  const seen = async () => {
    for (;;) {
      const found = /listening on (http:\/\/\S+\/mcp)\s/.exec(said());
      if (found) return found[1];
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const died = ended.then((code) => {
    throw new Mismatch(`the server ended with ${code}: ${said()}`);
  });
  return within(START_MS, () => Promise.race([seen(), died]));
}

async function endsWell(server, ended, said) {
  expectEqual(server.exitCode, null, "exit code before it was asked to end");
  server.kill("SIGTERM");
  expectEqual(await within(STOP_MS, () => ended), 0, "exit code");
  const unexpected = said().split("\n").filter((line) => line && !/listening on|the bearer token is in/.test(line));
  expectEqual(unexpected, [], "lines on stderr");
}

module.exports = { Mismatch, binary, end, expect, expectEqual, frozenSurface, main, packages, start, withHome, withHttpServer };
