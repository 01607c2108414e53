// Parts of the page and of the site that need no browser.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { found, newSearch } from "../page/src/search.js";
import { moveOf } from "../page/src/swap.js";

test("the search answers questions, documents before rules", async () => {
  const sections = await readFile(new URL("../dist/site/search.json", import.meta.url), "utf8");
  const search = newSearch(JSON.parse(sections));
  const wanted = {
    "how to ignore an error": "docs/repositories.html#ignoring-an-error",
    "github action": "docs/use.html#github-actions",
    argo: "docs/use.html#gitlab-tekton-argo-workflows",
    "--fail-on": "docs/crdsem_",
    "suppress finding": "docs/repositories.html#ignoring-an-error",
    "RAT-035": "spec/ratcheting.html#rat-035",
  };
  for (const [text, link] of Object.entries(wanted)) {
    const links = found(search, text).map(({ id }) => id);
    const at = links.findIndex((id) => id.startsWith(link));
    assert.ok(at >= 0 && at < 3, `${text}: ${links.join(" ")}`);
  }
  const links = found(search, "ignore").map(({ id }) => id);
  assert.match(links[0], /^docs\//);
  assert.deepEqual(found(search, "xyzzyplugh"), []);
});

test("texts that are in the wrong pane can be moved", () => {
  const crd = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  const object = { apiVersion: "example.com/v1", kind: "Tab" };
  const texts = { definition: "left", object: "right" };
  const moved = (left, right) => moveOf({ definitions: left, objects: right })?.moved(texts);
  assert.deepEqual(moved([object], [crd]), { definition: "right", object: "left" });
  assert.deepEqual(moved([crd], [crd]), { definition: "right", object: "" });
  assert.deepEqual(moved([], [crd]), { definition: "right", object: "" });
  assert.deepEqual(moved([object], [object]), { definition: "", object: "left" });
  assert.deepEqual(moved([object], []), { definition: "", object: "left" });
  assert.equal(moved([crd], [object]), undefined);
  assert.equal(moved([], [object]), undefined);
  assert.equal(moved([{ verdict: "unreadable" }], [object]), undefined);
});
