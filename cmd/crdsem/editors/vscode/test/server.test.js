// Drives the server with the protocol library of VS Code, and checks each answer with its types'
// guards. CRDSEM names the program.
const assert = require("node:assert");
const { spawn } = require("node:child_process");
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { after, before, test } = require("node:test");
const { pathToFileURL } = require("node:url");
const lsp = require("vscode-languageserver-protocol/node");

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tabs.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: tabs, kind: Tab}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - rule: self.size > 0
            properties:
              image: {type: string, description: The image to run.}
              size: {type: integer, default: 1}
`;
const object = `apiVersion: example.com/v1
kind: Tab
metadata:
  name: a
spec:
  imagge: x
`;

const folder = mkdtempSync(join(tmpdir(), "crdsem-"));
const uri = (name) => pathToFileURL(join(folder, name)).toString();
let program;
let client;
const published = [];
const waiting = [];

before(async () => {
  writeFileSync(join(folder, "crd.yaml"), crd);
  writeFileSync(join(folder, "x.yaml"), object);
  program = spawn(process.env.CRDSEM ?? "crdsem", ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  client = lsp.createProtocolConnection(
    new lsp.StreamMessageReader(program.stdout),
    new lsp.StreamMessageWriter(program.stdin),
  );
  client.onNotification(lsp.PublishDiagnosticsNotification.type, (found) => {
    published.push(found);
    for (const check of waiting) check();
  });
  client.onRequest(lsp.RegistrationRequest.type, () => undefined);
  client.onRequest(lsp.WorkDoneProgressCreateRequest.type, () => undefined);
  client.listen();
  const started = await client.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(folder).toString(), name: "test" }],
    capabilities: {
      window: { workDoneProgress: true },
      workspace: { didChangeWatchedFiles: { dynamicRegistration: true } },
    },
  });
  assert.equal(started.serverInfo.name, "crdsem");
  assert.equal(started.capabilities.positionEncoding, "utf-16");
  await client.sendNotification(lsp.InitializedNotification.type, {});
});

after(async () => {
  await client.sendRequest(lsp.ShutdownRequest.type);
  const ended = new Promise((resolve) => program.on("exit", resolve));
  await client.sendNotification(lsp.ExitNotification.type);
  assert.equal(await ended, 0);
  rmSync(folder, { recursive: true });
});

/** Waits for diagnostics that a condition holds for. */
function diagnostics(condition) {
  return new Promise((resolve) => {
    const check = () => {
      const found = published.findLast(condition);
      if (found) resolve(found);
    };
    waiting.push(check);
    check();
  });
}

function open(name, text) {
  return client.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
    textDocument: { uri: uri(name), languageId: "yaml", version: 1, text },
  });
}

const at = (name, line, character) => ({
  textDocument: { uri: uri(name) },
  position: { line, character },
});

test("findings are published, with links to their rules", async () => {
  await open("x.yaml", object);
  const found = await diagnostics((d) => d.uri === uri("x.yaml") && d.diagnostics.length > 0);
  assert.ok(found.diagnostics.every((d) => lsp.Diagnostic.is(d)));
  const [first] = found.diagnostics;
  assert.equal(first.code, "PIPE-006");
  assert.match(first.codeDescription.href, /^https:\/\//);
  assert.deepEqual(first.range.start, { line: 5, character: 2 });
});

test("fields are completed", async () => {
  const list = await client.sendRequest(lsp.CompletionRequest.type, at("x.yaml", 5, 4));
  assert.ok(list.items.every((item) => lsp.TextEdit.is(item.textEdit)));
  assert.deepEqual(list.items.map((item) => item.label).sort(), ["image", "size"]);
});

test("a field is described", async () => {
  const hover = await client.sendRequest(lsp.HoverRequest.type, at("x.yaml", 4, 1));
  assert.ok(lsp.Hover.is(hover));
  assert.match(hover.contents.value, /self\.size > 0[^]*cost/);
});

test("actions fix a finding", async () => {
  const range = lsp.Range.create(5, 0, 5, 0);
  const actions = await client.sendRequest(lsp.CodeActionRequest.type, {
    textDocument: { uri: uri("x.yaml") },
    range,
    context: { diagnostics: [] },
  });
  assert.ok(actions.every((action) => lsp.CodeAction.is(action)));
  assert.ok(actions.every((action) => lsp.WorkspaceEdit.is(action.edit)));
  assert.equal(actions[0].title, "change it to image");
});

test("places are located", async () => {
  await open("crd.yaml", crd);
  const rule = at("crd.yaml", 18, 27);
  const declared = await client.sendRequest(lsp.DefinitionRequest.type, rule);
  assert.ok(lsp.Location.is(declared));
  assert.equal(declared.range.start.line, 21);
  const uses = await client.sendRequest(lsp.ReferencesRequest.type, {
    ...rule,
    context: { includeDeclaration: true },
  });
  assert.ok(uses.every((use) => lsp.Location.is(use)));
  assert.equal(uses.length, 2);
  const edit = await client.sendRequest(lsp.RenameRequest.type, { ...rule, newName: "count" });
  assert.ok(lsp.WorkspaceEdit.is(edit));
  assert.equal(edit.changes[uri("crd.yaml")].length, 2);
});

test("the outline, folds and inlays", async () => {
  const textDocument = { uri: uri("crd.yaml") };
  const symbols = await client.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument });
  assert.ok(symbols.every((symbol) => lsp.DocumentSymbol.is(symbol)));
  const folds = await client.sendRequest(lsp.FoldingRangeRequest.type, { textDocument });
  assert.ok(folds.length > 0 && folds.every((fold) => lsp.FoldingRange.is(fold)));
  const range = lsp.Range.create(0, 0, 100, 0);
  const inlays = await client.sendRequest(lsp.InlayHintRequest.type, { textDocument, range });
  assert.ok(inlays.every((inlay) => lsp.InlayHint.is(inlay)));
  assert.match(inlays[0].label, /^cost \d+ of 10,000,000$/);
  const found = await client.sendRequest(lsp.WorkspaceSymbolRequest.type, { query: "tab a" });
  assert.ok(found.every((symbol) => lsp.Location.is(symbol.location)));
  assert.deepEqual(found.map((symbol) => symbol.name), ["Tab a"]);
});

test("a change is answered with its version, and what is stored is shown", async () => {
  const changed = diagnostics((d) => d.uri === uri("x.yaml") && d.version === 2);
  await client.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
    textDocument: { uri: uri("x.yaml"), version: 2 },
    contentChanges: [{ range: lsp.Range.create(5, 2, 5, 8), text: "image" }],
  });
  assert.deepEqual((await changed).diagnostics, []);
  const stored = await client.sendRequest(lsp.ExecuteCommandRequest.type, {
    command: "crdsem.stored",
    arguments: [uri("x.yaml"), 0],
  });
  assert.match(stored, /image: x\n {2}size: 1\n/);
});

test("a template has no findings", async () => {
  await open("template.yaml", "a: {{ .Values.x }}\nkind: [\n");
  const found = await diagnostics((d) => d.uri === uri("template.yaml"));
  assert.deepEqual(found.diagnostics, []);
});
