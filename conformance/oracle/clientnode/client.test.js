// The client for Node against crdsem-server. run.sh starts the server and sets KUBECONFIG.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as k8s from "@kubernetes/client-node";

const config = new k8s.KubeConfig();
config.loadFromFile(process.env.KUBECONFIG);
const core = config.makeApiClient(k8s.CoreV1Api);
const definitions = config.makeApiClient(k8s.ApiextensionsV1Api);
const custom = config.makeApiClient(k8s.CustomObjectsApi);
const untyped = k8s.KubernetesObjectApi.makeApiClient(config);
const namespace = "default";
const tabs = { group: "example.com", version: "v1", namespace, plural: "tabs" };
const patchAs = (strategy) => k8s.setHeaderOptions("Content-Type", strategy);

const tab = (name, size) => ({
  apiVersion: "example.com/v1",
  kind: "Tab",
  metadata: { name, namespace },
  spec: { size },
});

// code returns the code that a request is refused with.
async function code(request) {
  try {
    await request;
  } catch (err) {
    return [err.code, JSON.parse(err.body).message];
  }
  return [200, ""];
}

before(async () => {
  await definitions.createCustomResourceDefinition({
    body: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "tabs.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "tabs", singular: "tab", kind: "Tab", listKind: "TabList" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            subresources: {
              status: {},
              scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
            },
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: {
                  spec: {
                    type: "object",
                    properties: { size: { type: "integer", _default: 1, maximum: 9 } },
                  },
                  status: { type: "object", properties: { size: { type: "integer" } } },
                },
              },
            },
          },
        ],
      },
    },
  });
});

after(async () => {
  await definitions.deleteCustomResourceDefinition({ name: "tabs.example.com" });
});

test("a definition is established", async () => {
  const stored = await definitions.readCustomResourceDefinition({ name: "tabs.example.com" });
  const established = stored.status.conditions.find((c) => c.type === "Established");
  assert.equal(established.status, "True");
  assert.equal(stored.status.acceptedNames.kind, "Tab");
});

test("typed objects", async () => {
  const body = { metadata: { name: "typed", labels: { app: "a" } }, data: { key: "1" } };
  const made = await core.createNamespacedConfigMap({ namespace, body });
  assert.ok(made.metadata.creationTimestamp instanceof Date);
  assert.equal((await code(core.createNamespacedConfigMap({ namespace, body })))[0], 409);
  made.data.key = "2";
  const at = { namespace, name: "typed" };
  await core.replaceNamespacedConfigMap({ ...at, body: made });
  assert.equal((await code(core.replaceNamespacedConfigMap({ ...at, body: made })))[0], 409);
  await core.patchNamespacedConfigMap(
    { ...at, body: { data: { more: "3" } } },
    patchAs(k8s.PatchStrategy.StrategicMergePatch),
  );
  const read = await core.readNamespacedConfigMap(at);
  assert.deepEqual(read.data, { key: "2", more: "3" });
  const list = await core.listNamespacedConfigMap({ namespace, labelSelector: "app=a" });
  assert.deepEqual(list.items.map((item) => item.metadata.name), ["typed"]);
  await core.deleteNamespacedConfigMap(at);
  assert.deepEqual(await code(core.readNamespacedConfigMap(at)), [
    404,
    'configmaps "typed" not found',
  ]);
});

test("custom objects", async () => {
  const made = await custom.createNamespacedCustomObject({ ...tabs, body: tab("a") });
  assert.equal(made.spec.size, 1, "the default");
  const refused = await code(
    custom.createNamespacedCustomObject({ ...tabs, body: tab("b", 10) }),
  );
  assert.deepEqual(refused, [
    422,
    'Tab.example.com "b" is invalid: spec.size: Invalid value: 10: ' +
      "spec.size in body should be less than or equal to 9",
  ]);
  made.spec.size = 2;
  await custom.replaceNamespacedCustomObject({ ...tabs, name: "a", body: made });
  await custom.patchNamespacedCustomObject(
    { ...tabs, name: "a", body: [{ op: "replace", path: "/spec/size", value: 3 }] },
    patchAs(k8s.PatchStrategy.JsonPatch),
  );
  await custom.patchNamespacedCustomObjectStatus(
    { ...tabs, name: "a", body: { status: { size: 7 } } },
    patchAs(k8s.PatchStrategy.MergePatch),
  );
  await custom.patchNamespacedCustomObjectScale(
    { ...tabs, name: "a", body: { spec: { replicas: 4 } } },
    patchAs(k8s.PatchStrategy.MergePatch),
  );
  const scale = await custom.getNamespacedCustomObjectScale({ ...tabs, name: "a" });
  assert.deepEqual([scale.spec.replicas, scale.status.replicas], [4, 7]);
  const list = await custom.listNamespacedCustomObject(tabs);
  assert.deepEqual(list.items.map((item) => item.spec.size), [4]);
  await custom.deleteNamespacedCustomObject({ ...tabs, name: "a" });
  assert.equal((await custom.listNamespacedCustomObject(tabs)).items.length, 0);
});

test("untyped objects", async () => {
  await untyped.create(tab("u", 2));
  const applied = await untyped.patch(
    tab("u", 5),
    undefined,
    undefined,
    "node",
    true,
    k8s.PatchStrategy.ServerSideApply,
  );
  const managers = applied.metadata.managedFields.map((entry) => entry.operation);
  assert.ok(managers.includes("Apply"));
  assert.equal((await untyped.read(tab("u"))).spec.size, 5);
  const list = await untyped.list("example.com/v1", "Tab", namespace);
  assert.deepEqual(list.items.map((item) => item.metadata.name), ["u"]);
  await untyped.delete(tab("u"));
  assert.equal((await code(untyped.read(tab("u"))))[0], 404);
});

test("a watch", async () => {
  const seen = [];
  let ended;
  const end = new Promise((resolve) => (ended = resolve));
  let all;
  const complete = new Promise((resolve) => (all = resolve));
  const watch = await new k8s.Watch(config).watch(
    "/apis/example.com/v1/namespaces/default/tabs",
    { allowWatchBookmarks: true },
    (type, object) => {
      if (type !== "BOOKMARK") seen.push(`${type} ${object.metadata.name} ${object.spec?.size}`);
      if (type === "DELETED") all();
    },
    ended,
  );
  await untyped.create(tab("w", 2));
  await untyped.patch({ ...tab("w", 3) }, undefined, undefined, "node", undefined,
    k8s.PatchStrategy.MergePatch);
  await untyped.delete(tab("w"));
  await complete;
  watch.abort();
  await end;
  assert.deepEqual(seen, ["ADDED w 2", "MODIFIED w 3", "DELETED w 3"]);
});

test("an informer", async () => {
  await untyped.create(tab("old", 1));
  const informer = k8s.makeInformer(
    config,
    "/apis/example.com/v1/namespaces/default/tabs",
    () => custom.listNamespacedCustomObject(tabs),
  );
  const events = [];
  let all;
  const complete = new Promise((resolve) => (all = resolve));
  for (const kind of ["add", "update", "delete"]) {
    informer.on(kind, (object) => {
      events.push(`${kind} ${object.metadata.name}`);
      if (kind === "delete") all();
    });
  }
  await informer.start();
  assert.equal(informer.get("old", namespace).spec.size, 1);
  await untyped.create(tab("new", 2));
  await untyped.patch(tab("new", 3), undefined, undefined, "node", undefined,
    k8s.PatchStrategy.MergePatch);
  await untyped.delete(tab("old"));
  await complete;
  assert.deepEqual(events, ["add old", "add new", "update new", "delete old"]);
  assert.deepEqual(informer.list(namespace).map((item) => item.spec.size), [3]);
  await informer.stop();
});
