// The official TypeScript client (npm `@modelcontextprotocol/client`) against the binary: stdio and HTTP, both eras.
//
// TRAILMARK_BIN=path/to/trailmark TRAILMARK_NODE_MODULES=folder/with/node_modules node typescript_client.mjs

import { Mismatch, binary, expect, expectEqual, frozenSurface, main, packages, withHome, withHttpServer } from "./harness.cjs";

const load = packages();
const { Client, ProtocolError, StreamableHTTPClientTransport } = load("@modelcontextprotocol/client");
const { StdioClientTransport } = load("@modelcontextprotocol/client/stdio");
const { AjvJsonSchemaValidator } = load("@modelcontextprotocol/client/validators/ajv");

const CONNECT = { timeout: 15_000 };
const CONCURRENT_CALLS = 20;
const NO_SUCH_ID = "00000000-0000-7000-8000-000000000000";
const TEMPLATE = "trailmark://documents/{id}";
// After this time the package ends a stdio server by force.
const PATIENCE_MS = 2_000;

const ERAS = [
  { name: "legacy", mode: "legacy", version: "2025-11-25" },
  { name: "auto", mode: "auto", version: "2026-07-28" },
  { name: "pin", mode: { pin: "2026-07-28" }, version: "2026-07-28" },
];

const TOOLS = new Map(frozenSurface().map((tool) => [tool.name, tool]));

/** The package's own validator, counting how often the package asks it. */
class CountingValidator {
  count = 0;
  inner = new AjvJsonSchemaValidator();

  getValidator(schema) {
    const validate = this.inner.getValidator(schema);
    return (value) => {
      this.count += 1;
      return validate(value);
    };
  }
}

/** A connected client, and what its checks share. */
class Subject {
  successes = 0;
  errors = [];
  validator = new CountingValidator();
  outputs = new Map();

  constructor(era) {
    this.era = era;
    this.client = new Client(
      { name: "trailmark-tests", version: "1.0.0" },
      { versionNegotiation: { mode: era.mode }, jsonSchemaValidator: this.validator },
    );
    this.client.onerror = (error) => this.errors.push(error);
  }

  /** Lists the tools, after which the package validates their answers. */
  async learnTools() {
    const { tools } = await this.client.listTools();
    const validator = new AjvJsonSchemaValidator();
    const speakJson = tools.filter((tool) => tool.outputSchema);
    this.outputs = new Map(speakJson.map((tool) => [tool.name, validator.getValidator(tool.outputSchema)]));
    return tools;
  }

  /** The body of the answer, after everything that holds for every answer was checked. */
  async call(name, args) {
    const result = await this.client.callTool({ name, arguments: args });
    expectEqual(result.content.map((block) => block.type), ["text"], `${name}: content blocks`);
    const body = result.structuredContent;
    expectEqual(JSON.parse(result.content[0].text), body, `${name}: the text, parsed`);
    expectEqual(result.content[0].text, JSON.stringify(body, null, 2), `${name}: the text`);
    expectEqual(result.isError ?? false, !body.ok, `${name}: isError`);
    // The package does not validate failures; the schema covers them all the same.
    const validated = this.outputs.get(name)(body);
    expect(validated.valid, `${name}: not as its outputSchema says: ${validated.errorMessage}`);
    return body;
  }

  async succeed(name, args) {
    const body = await this.call(name, args);
    expect(body.ok && body.error === null, `${name} failed: ${JSON.stringify(body.error)}`);
    this.successes += 1;
    return body.data;
  }

  async fail(name, args) {
    const body = await this.call(name, args);
    expect(!body.ok && body.data === null, `${name} should have failed: ${JSON.stringify(body)}`);
    return body.error;
  }

  async save(topic, content = "text", more = {}) {
    return (await this.succeed("mongo_save_document", { topic, content, ...more })).id;
  }
}

/** The protocol error that a request must end in. */
async function refusal(request) {
  const answer = await request.catch((error) => {
    if (ProtocolError.isInstance(error)) return error;
    throw error;
  });
  if (!ProtocolError.isInstance(answer)) throw new Mismatch(`expected an error, got ${JSON.stringify(answer)}`);
  return answer;
}

const CHECKS = {
  "negotiates the version": async ({ client, era }) => {
    expectEqual(client.getNegotiatedProtocolVersion(), era.version, "protocol version");
  },

  "introduces itself": async ({ client }) => {
    expectEqual(client.getServerVersion().name, "trailmark", "server name");
    const given = Object.keys(client.getServerCapabilities()).sort();
    expectEqual(given, ["completions", "prompts", "resources", "tools"], "capabilities");
    const instructions = client.getInstructions() ?? "";
    expect(instructions.includes("mongo_find_by_topic"), `instructions: ${instructions}`);
    expect(Buffer.byteLength(instructions) < 2048, "the instructions have 2 KB or more");
  },

  "lists every tool with annotations and schemas": async (subject) => {
    const tools = await subject.learnTools();
    expectEqual(tools.map((tool) => tool.name).sort(), [...TOOLS.keys()], "tools");
    for (const tool of tools) {
      const frozen = TOOLS.get(tool.name);
      const seen = Object.fromEntries(Object.keys(frozen).map((key) => [key, tool[key]]));
      expectEqual(seen, frozen, `what the client sees of ${tool.name}`);
    }
  },

  "saves, finds, updates and deletes": async (subject) => {
    const source = { type: "web", url: "https://example.com/a", title: "A page" };
    const id = await subject.save("Round trip", "first\nsecond", { tags: ["one", "two"], source });
    const { createdAt, updatedAt, ...found } = await subject.succeed("mongo_find_by_id", { id });
    const expected = { id, topic: "Round trip", content: "first\nsecond", tags: ["one", "two"], source };
    expectEqual(found, expected, "the document");
    expectEqual(createdAt, updatedAt, "times of a new document");
    const patch = { content: "changed", tags: [] };
    expectEqual(await subject.succeed("mongo_update_document", { id, patch }), { updated: true }, "update");
    const changed = await subject.succeed("mongo_find_by_id", { id });
    expectEqual([changed.topic, changed.content, changed.tags], ["Round trip", "changed", []], "the patch");
    expectEqual(await subject.succeed("mongo_delete_document", { id }), { deleted: true }, "delete");
    for (const [tool, more] of [["find_by_id", {}], ["delete_document", {}], ["update_document", { patch }]]) {
      const error = await subject.fail(`mongo_${tool}`, { id, ...more });
      expectEqual(error.code, "NOT_FOUND", `${tool} of a document that is gone`);
    }
  },

  "finds Chinese text": async (subject) => {
    const id = await subject.save("缓存失效策略", "写入时先删除缓存，再更新数据库。🙂", { tags: ["架构"] });
    for (const topic of ["缓存失效策略", "缓存失效", "更新数据库", "架构"]) {
      const { items } = await subject.succeed("mongo_find_by_topic", { topic });
      expect(items.some((item) => item.id === id), `${topic} found ${JSON.stringify(items)}`);
    }
    const { items } = await subject.succeed("mongo_find_by_topic", { topic: "量子纠缠" });
    expectEqual(items, [], "a search for something else");
  },

  "bad arguments are tool errors": async (subject) => {
    const wrong = [
      ["mongo_save_document", { topic: "no content" }, "content"],
      ["mongo_save_document", { topic: 7, content: "x" }, "topic"],
      ["mongo_save_document", { topic: "x".repeat(201), content: "x" }, "topic"],
      ["mongo_save_document", { topic: "x", content: "x", colour: "red" }, "colour"],
      ["mongo_save_document", { topic: "x", content: "x", source: { type: "rumour" } }, "type"],
      ["mongo_find_by_topic", { topic: "x", limit: 21 }, "limit"],
      ["mongo_find_all", { limit: 0 }, "limit"],
      ["mongo_update_document", { id: NO_SUCH_ID, patch: {} }, "patch"],
    ];
    for (const [tool, args, named] of wrong) {
      const error = await subject.fail(tool, args);
      expectEqual(error.code, "INVALID_ARGUMENT", `${tool} with a bad ${named}`);
      expect(error.message.includes(named), `${tool}: "${error.message}" does not name ${named}`);
    }
  },

  "an unknown tool is a protocol error": async ({ client }) => {
    const error = await refusal(client.callTool({ name: "no_such_tool", arguments: {} }));
    expectEqual([error.code, error.message], [-32602, "Unknown tool: no_such_tool"], "error");
    const content = [{ type: "text", text: "Error: Unknown tool: no_such_tool" }];
    expectEqual(error.data, { content, isError: true }, "error.data");
  },

  "documents are resources": async (subject) => {
    const { client } = subject;
    const { resourceTemplates } = await client.listResourceTemplates();
    expectEqual(resourceTemplates.map((template) => template.uriTemplate), [TEMPLATE], "templates");
    const uri = TEMPLATE.replace("{id}", await subject.save("As a resource", "read me 读我"));
    const { resources } = await client.listResources();
    const listed = resources.filter((resource) => resource.uri === uri);
    const seen = listed.map(({ title, mimeType, size }) => ({ title, mimeType, size }));
    const size = Buffer.byteLength("read me 读我");
    expectEqual(seen, [{ title: "As a resource", mimeType: "text/plain", size }], "the resource in the list");
    const { contents } = await client.readResource({ uri });
    expectEqual(contents, [{ uri, mimeType: "text/plain", text: "read me 读我" }], "contents");
    const error = await refusal(client.readResource({ uri: TEMPLATE.replace("{id}", NO_SUCH_ID) }));
    // The package turns the -32002 of the older era into this.
    expectEqual(error.code, -32602, `code of "${error.message}"`);
  },

  "completes the id of a document": async (subject) => {
    const id = await subject.save("To be completed");
    const complete = async (value) => {
      const ref = { type: "ref/resource", uri: TEMPLATE };
      return (await subject.client.complete({ ref, argument: { name: "id", value } })).completion.values;
    };
    expectEqual(await complete(id.slice(0, -2)), [id], "completion of all but two characters");
    expectEqual(await complete("zzzz"), [], "completion of what no id begins with");
  },

  "offers two prompts": async (subject) => {
    const { client } = subject;
    const { prompts } = await client.listPrompts();
    const offered = prompts.map(({ name, arguments: [{ name: argument, required }] }) => [name, argument, required]);
    expectEqual(offered.sort(), [["hand_over", "task", true], ["recall", "topic", true]], "prompts");
    const topic = "Retry budget of the importer";
    const uri = TEMPLATE.replace("{id}", await subject.save(topic, "three tries 三次"));
    const { messages } = await client.getPrompt({ name: "recall", arguments: { topic } });
    expectEqual(messages.map((message) => message.content.type), ["text", "resource"], "blocks of recall");
    const { resource } = messages[1].content;
    expectEqual([resource.uri, resource.text.includes("three tries 三次")], [uri, true], "the document in recall");
    const handed = await client.getPrompt({ name: "hand_over", arguments: { task: "the importer" } });
    expect(handed.messages[0].content.text.includes("We worked on: the importer"), JSON.stringify(handed));
    const missing = await refusal(client.getPrompt({ name: "recall", arguments: {} }));
    expectEqual(missing.code, -32602, "code for a missing argument");
    const unknown = await refusal(client.getPrompt({ name: "no_such_prompt" }));
    expectEqual(unknown.code, -32602, "code for an unknown prompt");
  },

  "answers concurrent calls": async (subject) => {
    const topics = Array.from({ length: CONCURRENT_CALLS }, (_, number) => `concurrent ${number}`);
    const ids = await Promise.all(topics.map((topic) => subject.save(topic)));
    expectEqual(new Set(ids).size, CONCURRENT_CALLS, "different ids");
    const found = await Promise.all(ids.map((id) => subject.succeed("mongo_find_by_id", { id })));
    expectEqual(found.map((document) => document.topic), topics, "topics, read concurrently");
  },

  "the package validated every success and had nothing to complain of": async ({ successes, errors, validator }) => {
    expect(successes > 0, "no call succeeded");
    expectEqual(validator.count, successes, "validated answers");
    expectEqual(errors, [], "errors seen by the package");
  },
};

async function checkAll(report, name, subject) {
  for (const [sentence, check] of Object.entries(CHECKS)) {
    await report.run(`${name}: ${sentence}`, () => check(subject));
  }
}

async function overStdio(report, era, home) {
  const name = `stdio ${era.name}`;
  const transport = new StdioClientTransport({
    command: binary(),
    args: ["serve"],
    env: { TRAILMARK_HOME: home },
    cwd: home,
    stderr: "pipe",
  });
  let said = "";
  transport.stderr.on("data", (chunk) => (said += chunk));
  const subject = new Subject(era);
  try {
    await subject.client.connect(transport, CONNECT);
    await checkAll(report, name, subject);
    await report.run(`${name}: ends by itself and logged nothing`, async () => {
      const asked = performance.now();
      await subject.client.close();
      const took = performance.now() - asked;
      expect(took < PATIENCE_MS, `it took ${took} ms`);
      expectEqual(said, "", "stderr");
    });
  } finally {
    await transport.close();
  }
}

async function overHttp(report, era, home) {
  const name = `http ${era.name}`;
  await withHttpServer(report, name, home, async ({ url, headers }) => {
    const subject = new Subject(era);
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    await subject.client.connect(transport, CONNECT);
    await checkAll(report, name, subject);
    await subject.client.close();
    await report.run(`${name}: asks for the token`, async () => {
      const stranger = new Subject(era).client;
      const connecting = stranger.connect(new StreamableHTTPClientTransport(new URL(url)), CONNECT);
      const outcome = await connecting.then(() => "connected", (error) => `${error.name} ${error.message}`);
      expect(/unauthorized|401/i.test(outcome), `without a token: ${outcome}`);
    });
  });
}

main(async (report) => {
  for (const transport of [overStdio, overHttp]) {
    for (const era of ERAS) {
      await report.runGroup(`${transport.name} ${era.name}`, () => withHome((home) => transport(report, era, home)));
    }
  }
});
