package main

import (
	"fmt"
	"strings"
	"testing"
)

// liveCRD is a definition that helm applied, with a CA bundle by cainjector.
func liveCRD() string {
	conversion := strings.Replace(byWebhook, `url: "https://127.0.0.1:1/"`,
		`caBundle: "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCi0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K", service: {name: c, namespace: s, path: /convert, port: 443}`, 1)
	return strings.Replace(boxes(conversion, [2]string{"v1", onlyA}), "metadata: {name: boxes.ex.io}", `metadata:
  name: boxes.ex.io
  managedFields:
  - manager: helm
    operation: Apply
    apiVersion: apiextensions.k8s.io/v1
    fieldsType: FieldsV1
    fieldsV1: {"f:spec": {"f:conversion": {"f:strategy": {}, "f:webhook": {"f:conversionReviewVersions": {}, "f:clientConfig": {"f:service": {"f:name": {}, "f:namespace": {}, "f:path": {}, "f:port": {}}}}},
      "f:group": {}, "f:scope": {}, "f:names": {"f:kind": {}, "f:listKind": {}, "f:plural": {}, "f:singular": {}}, "f:versions": {}}}
  - manager: cainjector
    operation: Update
    apiVersion: apiextensions.k8s.io/v1
    fieldsType: FieldsV1
    fieldsV1: {"f:spec": {"f:conversion": {"f:webhook": {"f:clientConfig": {"f:caBundle": {}}}}}}`, 1) + established
}

// liveBox returns a stored object with the managers of its fields, each a name,
// an operation and a set in JSON.
func liveBox(spec string, managers ...[3]string) string {
	text := "apiVersion: ex.io/v1\nkind: Box\nmetadata:\n  name: a\n  namespace: " +
		"default\n  uid: u\n  managedFields:\n"
	for _, m := range managers {
		text += fmt.Sprintf("  - {manager: %s, operation: %s, apiVersion: ex.io/v1, "+
			"fieldsType: FieldsV1, fieldsV1: {\"f:spec\": %s}}\n", m[0], m[1], m[2])
	}
	return text + "spec: {" + spec + "}\n"
}

// People apply, and an update that replaces is judged otherwise
// (karpenter#2157, kubernetes#108081).
func TestR13ApplyNotReplace(t *testing.T) {
	const (
		items = `{type: object, properties: {num: {type: integer}, set: {type: array, x-kubernetes-list-type: set, items: {type: string}},
      l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}, v: {type: string}}}},
      atom: {type: object, x-kubernetes-map-type: atomic, properties: {x: {type: string}, w: {type: string}}}, m: {type: object, additionalProperties: {type: string}}}}`
	)
	const ports = `{type: object, properties: {ports: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [port, proto],
      items: {type: object, required: [port], properties: {port: {type: integer}, proto: {type: string, default: TCP}, name: {type: string}}}}}}`
	hpa := [3]string{"hpa", "Update", `{"f:num": {}}`}
	helm := [3]string{"helm", "Apply", `{"f:num": {}}`}
	replaced := "judged as a replacement"
	runReports(t, map[string]string{
		"live.yaml": liveCRD(), "crd.yaml": boxes("", [2]string{"v1", items}),
		"new.yaml":      boxes("", [2]string{"v1", onlyA}),
		"new-none.yaml": boxes("{strategy: None}", [2]string{"v1", onlyA}),
		"hpa.yaml":      liveBox("num: 5", hpa), "five.yaml": boxOf("v1", "num: 5"), "two.yaml": boxOf("v1", "num: 2"),
		"helm.yaml": liveBox("num: 5, m: {a: b}", helm, [3]string{"kubectl", "Update", `{"f:m": {"f:a": {}}}`}),
		"list.yaml": liveBox("l: [{k: a, v: x}, {k: b, v: w}]", [3]string{"helm", "Apply", `{"f:l": {'k:{"k":"a"}': {".": {}, "f:k": {}, "f:v": {}}}}`},
			[3]string{"other", "Update", `{"f:l": {'k:{"k":"b"}': {".": {}, "f:k": {}, "f:v": {}}}}`}),
		"set.yaml":  liveBox("set: [a, b]", [3]string{"helm", "Apply", `{"f:set": {'v:"a"': {}}}`}, [3]string{"other", "Update", `{"f:set": {'v:"b"': {}}}`}),
		"atom.yaml": liveBox("atom: {x: a}", [3]string{"other", "Update", `{"f:atom": {}}`}),
	}, []reportCase{
		{name: "a definition without conversion over a CA bundle", command: "check --apply helm --old live.yaml new.yaml", code: exitRefused,
			want: []string{"spec.conversion.strategy: Required value", "Forbidden"}},
		{name: "with the strategy None", command: "check --apply helm --old live.yaml new-none.yaml", code: exitRefused, want: []string{"Forbidden"}},
		{name: "check of a replacement says what an apply does", command: "check --old live.yaml new.yaml",
			want: []string{replaced, `an apply by "helm" is refused`}},
		{name: "upgrade says so, too", command: "upgrade live.yaml new.yaml", want: []string{`an apply by "helm" is refused`}},
		{name: "upgrade in Markdown", command: "upgrade -o markdown live.yaml new.yaml", want: []string{`| notable |`, `an apply by "helm" is refused`}},
		{name: "upgrade fails on it", command: "upgrade --fail-on notable live.yaml same.yaml", code: exitRefused,
			files: map[string]string{"same.yaml": strings.Replace(boxes("{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {name: c, namespace: s, path: /convert, port: 443}}}}", [2]string{"v1", onlyA}), "metadata: {name: boxes.ex.io}", "metadata: {name: boxes.ex.io, labels: {a: b}}", 1)},
			want:  []string{"an apply differs", `an apply by "helm"`}},
		{name: "admit does not apply definitions", command: "admit --apply helm --old live.yaml new.yaml", want: []string{"(update)", `an apply by "helm" is refused`, "crdsem check --apply helm judges the apply"}},
		{name: "a manager without a name", command: "admit --apply= --old hpa.yaml --crd crd.yaml two.yaml", code: exitFailed, want: []string{"--apply needs a manager"}},
		{name: "a type of no patch", command: "admit --type json --crd crd.yaml two.yaml", code: exitFailed, want: []string{"--type needs --patch FILE"}},
		{name: "diff places conflicts", command: "diff --server hpa.yaml --apply helm --crd crd.yaml two.yaml", code: exitFailed,
			want: []string{`two.yaml:4:`, `refused: conflict with "hpa" using ex.io/v1: .spec.num (hint: --force-conflicts takes it from "hpa" using ex.io/v1: 5 becomes 2)`}},
		{name: "and with None", command: "upgrade live.yaml new-none.yaml", want: []string{`an apply by "helm" is refused`}},
		{name: "by another manager the webhook stays", command: "check --apply other --old live.yaml new.yaml", want: []string{"accepted"}},
		{name: "an autoscaler owns the number", command: "admit --apply helm --old hpa.yaml --crd crd.yaml two.yaml", code: exitRefused,
			want: []string{`conflict with "hpa" using ex.io/v1: .spec.num`, "5 becomes 2"}},
		{name: "the same number is shared", command: "admit --apply helm --old hpa.yaml --crd crd.yaml five.yaml", want: []string{"accepted"}},
		{name: "force takes it", command: "admit --apply helm --force-conflicts --old hpa.yaml --crd crd.yaml two.yaml", want: []string{"num: 2"}},
		{name: "what is left out goes", command: "admit --apply helm --old helm.yaml --crd crd.yaml o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "")}, want: []string{"a: b"}, not: []string{"    num: 5", "  num: 5"}},
		{name: "a replacement removes the fields of others", command: "admit --old helm.yaml --crd crd.yaml two.yaml",
			want: []string{replaced, `spec.m`}},
		{name: "items of others stay", command: "admit --apply helm --old list.yaml --crd crd.yaml o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "l: [{k: a, v: z}]")}, want: []string{"k: b", "v: z"}},
		{name: "an item of another is a conflict", command: "admit --apply helm --old list.yaml --crd crd.yaml o.yaml", code: exitRefused,
			files: map[string]string{"o.yaml": boxOf("v1", "l: [{k: a, v: x}, {k: b, v: q}]")},
			want:  []string{`conflict with "other" using ex.io/v1: .spec.l[k="b"].v`, "o.yaml:4:"}},
		{name: "members of a set stay", command: "admit --apply helm --old set.yaml --crd crd.yaml o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "set: [c]")}, want: []string{"- b", "- c"}, not: []string{"    - a\n"}},
		{name: "an atomic object is one field", command: "admit --apply helm --old atom.yaml --crd crd.yaml o.yaml", code: exitRefused,
			files: map[string]string{"o.yaml": boxOf("v1", "atom: {w: b}")}, want: []string{`conflict with "other" using ex.io/v1: .spec.atom`}},
		{name: "what is not declared", command: "validate --apply helm --old hpa.yaml --crd crd.yaml o.yaml", code: exitRefused,
			files: map[string]string{"o.yaml": boxOf("v1", "nnum: 2")}, want: []string{"field not declared in schema", "o.yaml:4:"}},
		{name: "the merged object is invalid", command: "admit --apply helm --old live2.yaml --crd b.yaml o.yaml", code: exitRefused,
			files: map[string]string{"b.yaml": boxes("", [2]string{"v1", `{type: object, properties: {a: {type: string}, b: {type: string}}, maxProperties: 1}`}),
				"live2.yaml": liveBox("a: x", [3]string{"other", "Update", `{"f:a": {}}`}), "o.yaml": boxOf("v1", "b: w")},
			want: []string{"Too many"}},
		{name: "managedFields in the file", command: "admit --apply helm --old hpa.yaml --crd crd.yaml o.yaml", code: exitRefused,
			files: map[string]string{"o.yaml": liveBox("num: 5", hpa)}, want: []string{"metadata.managedFields must be nil"}},
		{name: "two conflicts", command: "admit --apply helm --old l.yaml --crd crd.yaml o.yaml", code: exitRefused,
			files: map[string]string{"l.yaml": liveBox("num: 5, m: {a: b}", hpa, [3]string{"b", "Update", `{"f:m": {"f:a": {}}}`}), "o.yaml": boxOf("v1", "num: 1, m: {a: c}")},
			want:  []string{`conflict with "hpa"`, `conflict with "b"`, `"b" becomes "c"`}},
		{name: "the status by its manager", command: "admit --status --apply helm --old hpa.yaml --crd s.yaml o.yaml",
			files: map[string]string{"s.yaml": strings.ReplaceAll(statusCRD, "a: {type: string}", "num: {type: integer}"),
				"o.yaml": "apiVersion: ex.io/v1\nkind: Box\nmetadata: {name: a, namespace: default}\nstatus: {phase: Ready}\n"},
			want: []string{"(applyStatus, v1)", "phase: Ready", "num: 5"}},
		{name: "an apply of what is not there creates", command: "admit --apply helm --crd crd.yaml two.yaml", want: []string{"accepted: Box default/a (apply, v1)"}},
		{name: "in every minor", command: "validate --kubernetes all --apply helm --old hpa.yaml --crd crd.yaml two.yaml", code: exitRefused,
			want: []string{`conflict with "hpa"`}},
		{name: "keys of items that have defaults", command: "admit --apply helm --old ports.yaml --crd p.yaml o.yaml", code: exitRefused,
			files: map[string]string{"p.yaml": boxes("", [2]string{"v1", ports}), "o.yaml": boxOf("v1", "ports: [{port: 80, name: http}]"),
				"ports.yaml": liveBox("ports: [{port: 80, proto: TCP, name: web}]", [3]string{"ops", "Update", `{"f:ports": {'k:{"port":80,"proto":"TCP"}': {"f:name": {}}}}`})},
			want: []string{`.spec.ports[port=80,proto="TCP"].name`, `"web" becomes "http"`, "o.yaml:4:33"}},
		{name: "what two managers own stays if one leaves it out", command: "admit --apply helm --old shared.yaml --crd crd.yaml o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "set: [a]"), "shared.yaml": liveBox("num: 5, set: [a]", helm, hpa)}, want: []string{"num: 5"}},
		{name: "a replacement says what an apply keeps", command: "validate --old shared.yaml --crd crd.yaml o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "set: [a]"), "shared.yaml": liveBox("num: 5, set: [a]", helm, hpa)}, want: []string{`an apply by "helm" stores other values: spec.num stays 5`}},
		{name: "a JSON patch whose test fails", command: "admit --patch p.yaml --type json --crd crd.yaml hpa.yaml", code: exitRefused,
			files: map[string]string{"p.yaml": `[{"op": "test", "path": "/spec/num", "value": 4}]`}, want: []string{`operation 0 (test "/spec/num")`}},
		{name: "a JSON patch of what is not there", command: "admit --patch p.yaml --type json --crd crd.yaml hpa.yaml", code: exitRefused,
			files: map[string]string{"p.yaml": `[{"op": "remove", "path": "/spec/none"}]`}, want: []string{"there is no such path"}},
		{name: "a hint is about the value of the patch", command: "admit --patch p.yaml --type json --crd crd.yaml hpa.yaml", code: exitRefused,
			files: map[string]string{"p.yaml": `[{"op": "replace", "path": "/spec/num", "value": "3"}]`},
			want:  []string{`the value "3" is of type string, the schema wants integer; write it without quotes`}, not: []string{"the value 5"}},
		{name: "a strategic patch of an object", command: "admit --patch p.yaml --type strategic --crd crd.yaml hpa.yaml", code: exitRefused,
			files: map[string]string{"p.yaml": "spec: {num: 4}\n"}, want: []string{"`--type merge` or `--type json`"}},
		{name: "an object that was made anew", command: "admit --apply helm --old hpa.yaml --crd crd.yaml o.yaml", code: exitRefused,
			files: map[string]string{"o.yaml": strings.Replace(boxOf("v1", "num: 5"), "name: a,", "name: a, uid: other,", 1)}, want: []string{"metadata.uid", "immutable"}},
		{name: "a suite applies", command: "test s.crdtest.yaml", files: map[string]string{"s.crdtest.yaml": `crds: crd.yaml
cases:
- name: a conflict
  steps:
  - {create: {apiVersion: ex.io/v1, kind: Box, spec: {num: 5}}, manager: hpa}
  - apply: {apiVersion: ex.io/v1, kind: Box, spec: {num: 2}}
    manager: helm
    want: {error: 'conflict with "hpa"'}
`}, want: []string{"1 passed"}},
	})
}

// What is malformed gets a line with its place, and the rest is judged.
func TestBadInputOfApply(t *testing.T) {
	broken := func(entry string) string {
		return "apiVersion: ex.io/v1\nkind: Box\nmetadata:\n  name: a\n  namespace: " +
			"default\n  managedFields:\n  - " + entry + "\nspec: {a: x}\n"
	}
	second := named(boxOf("v1", "a: w"), "b")
	still := "accepted: Box default/b"
	admit := "admit --apply me --crd crd.yaml --old old.yaml o.yaml b.yaml"
	runReports(t, map[string]string{
		"crd.yaml": boxes("", [2]string{"v1", onlyA}), "o.yaml": boxOf("v1", "a: w"), "b.yaml": second,
		"live.yaml": liveCRD(), "new.yaml": boxes("", [2]string{"v1", onlyA}),
	}, []reportCase{
		{name: "a type that is not known", command: admit, code: exitRefused, want: []string{"managed fields", still, "o.yaml:1:1", "--show-managed-fields"}, not: []string{"fix the patch"},
			files: map[string]string{"old.yaml": broken(`{manager: x, operation: Update, apiVersion: ex.io/v1, fieldsType: Other, fieldsV1: {}}`)}},
		{name: "a version that the definition lacks", command: admit, code: exitRefused, want: []string{"request to convert CR to an invalid group/version: ex.io/v7", "managedFields has an apiVersion", still}, not: []string{"fix the patch"},
			files: map[string]string{"old.yaml": broken(`{manager: x, operation: Update, apiVersion: ex.io/v7, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:a": {}}}}`)}},
		{name: "a group that is another one", command: admit, code: exitRefused, want: []string{"is not suitable for converting to", "managedFields has an apiVersion", still}, not: []string{"fix the patch"},
			files: map[string]string{"old.yaml": broken(`{manager: x, operation: Update, apiVersion: other.io/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:a": {}}}}`)}},
		{name: "fields that are not known are ignored", command: admit, want: []string{"(apply, v1)", still},
			files: map[string]string{"old.yaml": broken(`{manager: x, operation: Update, apiVersion: ex.io/v1, fieldsType: FieldsV1, fieldsV1: {"x:spec": {}}}`)}},
		{name: "fields that are a string", command: admit, code: exitRefused, want: []string{"o.yaml:1:1", still},
			files: map[string]string{"old.yaml": broken(`{manager: x, operation: Update, apiVersion: ex.io/v1, fieldsType: FieldsV1, fieldsV1: "a"}`)}},
		{name: "an operation that is none", command: admit, code: exitRefused, want: []string{"o.yaml:1:1", still},
			files: map[string]string{"old.yaml": broken(`{manager: x, operation: Delete, apiVersion: ex.io/v1, fieldsType: FieldsV1, fieldsV1: {}}`)}},
		{name: "an entry that is no object", command: admit, code: exitRefused, want: []string{"o.yaml:", still},
			files: map[string]string{"old.yaml": broken("7")}},
		{name: "managedFields that are no list", command: admit, code: exitRefused, want: []string{"o.yaml:", still},
			files: map[string]string{"old.yaml": "apiVersion: ex.io/v1\nkind: Box\nmetadata: {name: a, namespace: default, managedFields: x}\nspec: {a: x}\n"}},
		{name: "a malformed document in --old", command: admit, code: exitRefused, want: []string{"old.yaml:2:1: error", "old.yaml:4:1: error", "conflict with \"before-first-apply\"", still},
			files: map[string]string{"old.yaml": "a: [\n---\nb: {\n---\n" + boxOf("v1", "a: x")}},
		{name: "and of a replacement", command: "admit --crd crd.yaml --old old.yaml o.yaml b.yaml", code: exitRefused,
			want:  []string{"old.yaml:1:", "(update, v1)", still},
			files: map[string]string{"old.yaml": "a: b: c\n---\n" + boxOf("v1", "a: x")}},
		{name: "a malformed stored definition", command: "check --old old.yaml new.yaml", code: exitRefused, want: []string{"old.yaml:3:1: error", "1 definition: 1 accepted"},
			files: map[string]string{"old.yaml": "kind: CustomResourceDefinition\nspec: [\n---\n" + liveCRD()}},
		{name: "a stored definition that does not decode", command: "check -v --old old.yaml new.yaml", code: exitRefused, want: []string{"old.yaml:1:", "accepted: CustomResourceDefinition"},
			files: map[string]string{"old.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x}\nspec: 7\n"}},
		{name: "a stored object is given twice", command: "admit --crd crd.yaml --old old.yaml o.yaml b.yaml", code: exitRefused, want: []string{"old.yaml:6:1", "is given twice", still},
			files: map[string]string{"old.yaml": boxOf("v1", "a: x") + "---\n" + boxOf("v1", "a: x")}},
		{name: "a live object of another kind", command: admit, want: []string{"old.yaml:1:1: left out of what is stored: no definition of v1 Pod was given", "(apply, v1)", still},
			files: map[string]string{"old.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\n"}},
		{name: "a live object of another group", command: admit, want: []string{"left out of what is stored: no definition of other.io/v1 Box was given", still},
			files: map[string]string{"old.yaml": strings.ReplaceAll(boxOf("v1", "a: x"), "ex.io", "other.io")}},
		{name: "a live object of an unknown version", command: admit, code: exitRefused, want: []string{"o.yaml:", still},
			files: map[string]string{"old.yaml": boxOf("v9", "a: x")}},
		{name: "a live object that is no object", command: admit, code: exitRefused, want: []string{"old.yaml:1:1", still},
			files: map[string]string{"old.yaml": "- a\n- b\n"}},
		{name: "a strategic patch of a definition", command: "check --patch p.yaml --type strategic new.yaml live.yaml", code: exitRefused,
			want:  []string{"new.yaml:6:10: error", "field is immutable", "live.yaml:"},
			files: map[string]string{"p.yaml": "spec: {scope: Cluster}\n"}},
		{name: "a strategic patch with a directive", command: "check --patch p.yaml --type strategic new.yaml", code: exitRefused,
			want:  []string{"new.yaml:1:1: error", `"$setElementOrder/finalizers" is not followed`},
			files: map[string]string{"p.yaml": "metadata: {$setElementOrder/finalizers: [a]}\n"}},
		{name: "a strategic patch that replaces", command: "check --patch p.yaml --type strategic new.yaml", code: exitRefused,
			want:  []string{"spec.names.plural: Required value"},
			files: map[string]string{"p.yaml": "spec: {names: {$patch: replace, kind: Box}}\n"}},
		{name: "a strategic patch of an object", command: "admit --patch p.yaml --type strategic --crd crd.yaml o.yaml b.yaml", code: exitRefused,
			want:  []string{"o.yaml:1:1: error", "the body of the request was in an unknown format", "b.yaml:1:1: error"},
			files: map[string]string{"p.yaml": "spec: {a: z}\n"}},
		{name: "a patch that is no JSON", command: "admit --patch p.yaml --crd crd.yaml o.yaml", code: exitFailed, want: []string{"p.yaml"},
			files: map[string]string{"p.yaml": "a: [\n"}},
		{name: "a patch of a list where an object is due", command: "admit --patch p.yaml --crd crd.yaml o.yaml b.yaml", code: exitRefused, want: []string{"o.yaml:", "b.yaml:"},
			files: map[string]string{"p.yaml": "[1]\n"}},
		{name: "diff of a malformed live file", command: "diff --crd crd.yaml --server old.yaml o.yaml", code: exitFailed, want: []string{"old.yaml:2:1: yaml"},
			files: map[string]string{"old.yaml": "a: [\n---\n" + boxOf("v1", "a: w")}},
		{name: "diff of a live object of another kind", command: "diff --crd crd.yaml --server old.yaml o.yaml", code: exitFailed, want: []string{"old.yaml:1:"},
			files: map[string]string{"old.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"}},
		{name: "upgrade of a malformed object", command: "upgrade new.yaml new.yaml o.yaml bad.yaml", code: exitRefused, want: []string{"bad.yaml:2:1: yaml", "1 object: 1 unaffected"},
			files: map[string]string{"bad.yaml": "a: [\n"}},
	})
}
