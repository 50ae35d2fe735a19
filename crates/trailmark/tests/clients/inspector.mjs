// The command line of the MCP Inspector (npm `@modelcontextprotocol/inspector`) against the binary: stdio and HTTP,
// both eras; above all its schema lint, which must find nothing.
//
// TRAILMARK_BIN=path/to/trailmark TRAILMARK_NODE_MODULES=folder/with/node_modules node inspector.mjs
// TRAILMARK_NODE names another Node for the Inspector itself.

import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { binary, end, expect, expectEqual, frozenSurface, main, packages, start, withHome, withHttpServer } from "./harness.cjs";

const NODE = process.env.TRAILMARK_NODE || process.execPath;
const ERAS = { legacy: "2025-11-25", modern: "2026-07-28" };
// The Inspector's exit codes.
const OK = 0;
const AUTH_REQUIRED = 3;
const TOOL_ERROR = 5;
const SCHEMA_UNPORTABLE = 6;
const STUB = "stub-server";
// How long one run of the Inspector may take.
const PATIENCE_MS = 30_000;

/** The Inspector, set on one server and one era. */
class Inspector {
  constructor(home, target) {
    this.home = home;
    this.target = target;
  }

  /** What it printed, and how it ended. */
  async run(...request) {
    const manifest = packages().resolve("@modelcontextprotocol/inspector/package.json");
    const launcher = path.join(path.dirname(manifest), "clients/launcher/build/index.js");
    const args = [launcher, "--cli", ...this.target, "--stored-auth-only", "--format", "json", ...request];
    // It keeps a catalogue in the home folder; the developer's own is not its business.
    const env = { PATH: process.env.PATH, HOME: this.home, USERPROFILE: this.home, NO_COLOR: "1" };
    const child = start(NODE, args, { env, cwd: this.home, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => end(child), PATIENCE_MS);
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    const code = await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
    clearTimeout(timer);
    return { code, stdout, stderr };
  }

  /** The one JSON object on stdout, and stderr, if it ended as expected. */
  async answer(expectedCode, ...request) {
    const { code, stdout, stderr } = await this.run(...request);
    expect(code === expectedCode, `exit code ${code}, expected ${expectedCode}: ${stdout}${stderr}`);
    return { ...JSON.parse(stdout), stderr };
  }

  async call(expectedCode, tool, args) {
    const request = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args)];
    const { result, stderr } = await this.answer(expectedCode, ...request);
    const body = result.structuredContent;
    expectEqual(JSON.parse(result.content[0].text), body, "the text, parsed");
    expectEqual([result.isError ?? false, body.ok], [expectedCode !== OK, expectedCode === OK], "isError and ok");
    return { body, stderr };
  }
}

const CHECKS = {
  "negotiates the version": async (inspector, version) => {
    const { result } = await inspector.answer(OK, "--method", "initialize");
    expectEqual([result.serverInfo.name, result.protocolVersion], ["trailmark", version], "server");
    expect(result.instructions.includes("mongo_find_by_topic"), `instructions: ${result.instructions}`);
  },

  "the schemas have 0 errors and 0 warnings": async (inspector) => {
    const { result, schemaFindings, stderr } = await inspector.answer(OK, "--method", "tools/list", "--strict");
    const frozen = frozenSurface().map(({ name }) => name);
    expectEqual(result.tools.map((tool) => tool.name).sort(), frozen, "tools");
    expectEqual(schemaFindings, undefined, "findings");
    expectEqual(stderr, "", "stderr");
  },

  "saves a document that another client reads": async (inspector) => {
    const document = { topic: "检查器", content: "由 Inspector 保存 🙂", tags: ["工具"] };
    const saved = await inspector.call(OK, "mongo_save_document", document);
    const read = await inspector.call(OK, "mongo_find_by_id", { id: saved.body.data.id });
    const { topic, content, tags } = read.body.data;
    expectEqual({ topic, content, tags }, document, "the document");
  },

  "a tool error is one": async (inspector) => {
    const { body, stderr } = await inspector.call(TOOL_ERROR, "mongo_save_document", { topic: "no content" });
    expectEqual(body.error.code, "INVALID_ARGUMENT", "code of the error");
    expect(body.error.message.includes("content"), `the message names no field: ${body.error.message}`);
    expectEqual(JSON.parse(stderr).error.code, "tool_is_error", "what the Inspector says");
  },
};

async function checkAll(report, name, home, target) {
  for (const [era, version] of Object.entries(ERAS)) {
    const inspector = new Inspector(home, [...target, "--protocol-era", era]);
    for (const [sentence, check] of Object.entries(CHECKS)) {
      await report.run(`${name} ${era}: ${sentence}`, () => check(inspector, version));
    }
  }
}

async function overStdio(report, home) {
  await checkAll(report, "stdio", home, ["-e", `TRAILMARK_HOME=${home}`, "--cwd", home, binary(), "serve"]);
}

async function overHttp(report, home) {
  await withHttpServer(report, "http", home, async ({ url, headers }) => {
    await checkAll(report, "http", home, [url, "--header", `Authorization: ${headers.Authorization}`]);
    await report.run("http: asks for the token", async () => {
      const { code, stderr } = await new Inspector(home, [url]).run("--method", "tools/list");
      expectEqual([code, JSON.parse(stderr).error.code], [AUTH_REQUIRED, "auth_required"], "without a token");
    });
  });
}

/** Without these, a lint that is not on would look like one that finds nothing. */
async function theLintFinds(report, home) {
  const lint = async (property, code, severity) => {
    const script = fileURLToPath(import.meta.url);
    const inspector = new Inspector(home, [NODE, script, STUB, JSON.stringify(property)]);
    const { schemaFindings } = await inspector.answer(code, "--method", "tools/list", "--strict");
    expectEqual(schemaFindings[0].findings.map((finding) => finding.severity), [severity], "findings");
  };
  await report.run("the lint finds an error", () => lint(true, SCHEMA_UNPORTABLE, "error"));
  await report.run("the lint finds a warning", () => lint({ type: ["string", "null"] }, OK, "warning"));
}

/** A server on standard input and output whose only tool has this property. */
function stubServer(property) {
  const tool = { name: "stub", inputSchema: { type: "object", properties: { property } } };
  const serverInfo = { name: STUB, version: "1.0.0" };
  const initialized = { protocolVersion: ERAS.legacy, capabilities: { tools: {} }, serverInfo };
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const result = method === "initialize" ? initialized : { tools: [tool] };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
}

if (process.argv[2] === STUB) {
  stubServer(JSON.parse(process.argv[3]));
} else {
  main(async (report) => {
    for (const group of [theLintFinds, overStdio, overHttp]) {
      await report.runGroup(group.name, () => withHome((home) => group(report, home)));
    }
  });
}
