package main

import (
	"strings"
	"testing"
)

// Sizes (doris-operator#454, lws#366, kubernetes#107233).
func TestR10Sizes(t *testing.T) {
	text := func(n int) string { return strings.Repeat("x", n) }
	described := func(n int) string {
		return strings.Replace(boxes("", [2]string{"v1", onlyA}), "a: {type: string}",
			"a: {type: string, description: "+text(n)+"}", 1)
	}
	const (
		apply = "kubectl apply fails: it writes the whole"
		etcd  = "etcd takes requests of 1572864 bytes by default"
		limit = "Request entity too large: limit is 3145728"
	)
	spread := strings.Repeat("---\n"+described(100_000), 4)[4:]
	annotated := strings.Replace(boxOf("v1", "a: x"), "name: a,", "name: a, annotations: "+
		"{b: "+text(200_000)+"},", 1)
	annotated = strings.Replace(annotated, "a: x", "a: "+text(70_000), 1)
	runReports(t, map[string]string{"crd.yaml": described(10)}, []reportCase{
		{name: "a definition of 360 KB", command: "check a.yaml", files: map[string]string{"a.yaml": described(360_000)},
			want: []string{apply, "--server-side", "shorten the descriptions"}},
		{name: "lint", command: "lint a.yaml", files: map[string]string{"a.yaml": described(360_000)}, want: []string{apply}},
		{name: "validate", command: "validate a.yaml", files: map[string]string{"a.yaml": described(360_000)}, want: []string{apply}},
		{name: "just below", command: "check a.yaml", files: map[string]string{"a.yaml": described(250_000)}, not: []string{apply}},
		{name: "a definition of 2.1 MB", command: "check a.yaml", files: map[string]string{"a.yaml": described(2_100_000)}, want: []string{etcd, apply}},
		{name: "a definition of 3.2 MB", command: "check a.yaml", files: map[string]string{"a.yaml": described(3_200_000)}, code: exitRefused, want: []string{limit}},
		{name: "an object between etcd and the server", command: "validate --crd crd.yaml o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "a: "+text(2_000_000))}, want: []string{etcd}},
		{name: "an object of 3.2 MB", command: "validate --crd crd.yaml o.yaml", code: exitRefused,
			files: map[string]string{"o.yaml": boxOf("v1", "a: "+text(3_200_000))}, want: []string{limit}},
		{name: "an object for kubectl apply", command: "admit --crd crd.yaml o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "a: "+text(270_000))}, want: []string{apply}},
		{name: "a status has no annotation", command: "admit --status --old live.yaml --crd s.yaml o.yaml", not: []string{apply}, want: []string{etcd},
			files: map[string]string{"s.yaml": statusCRD, "live.yaml": boxOf("v1", "a: x"), "o.yaml": boxOf("v1", "a: x") + "status: {phase: " + text(1_700_000) + "}\n"}},
		{name: "a server-side apply has no annotation", command: "admit --apply me --crd crd.yaml o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "a: "+text(270_000))}, not: []string{apply}},
		{name: "many small definitions in a file", command: "check a.yaml", files: map[string]string{"a.yaml": spread}, not: []string{apply}},
		{name: "the size is that of the JSON", command: "check a.yaml",
			files: map[string]string{"a.yaml": "# " + text(400_000) + "\n" + described(10)}, not: []string{apply, etcd}},
		{name: "aliases count as often as they are used", command: "validate --crd crd.yaml o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "a: &a "+text(60_000)+", b: *a, c: *a, d: *a, e: *a, f: *a")},
			code:  exitRefused, want: []string{apply}},
		{name: "the annotations of the object count", command: "admit --crd crd.yaml o.yaml", files: map[string]string{"o.yaml": annotated}, want: []string{apply}},
		{name: "the last configuration is written anew", command: "validate --crd crd.yaml o.yaml",
			files: map[string]string{"o.yaml": strings.Replace(boxOf("v1", "a: x"), "name: a,", `name: a, annotations: {kubectl.kubernetes.io/last-applied-configuration: `+text(150_000)+`},`, 1)},
			not:   []string{apply}},
		{name: "a list of objects", command: "validate --crd crd.yaml o.yaml", files: map[string]string{"o.yaml": "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: ex.io/v1, kind: Box, metadata: {name: a}, spec: {a: " + text(270_000) + "}}\n"}, want: []string{apply, "o.yaml:4"}},
		{name: "many short items", command: "validate --crd l.yaml o.yaml", want: []string{apply},
			files: map[string]string{"l.yaml": boxes("", [2]string{"v1", `{type: object, properties: {l: {type: array, items: {type: string}}}}`}),
				"o.yaml": boxOf("v1", "l: ["+strings.Repeat("v234567, ", 30_000)+"]")}},
		{name: "bytes, not characters", command: "validate --crd crd.yaml o.yaml", files: map[string]string{"o.yaml": boxOf("v1", `a: "`+strings.Repeat("é", 140_000)+`"`)}, want: []string{apply}},
		{name: "quotes are escaped", command: "validate --crd crd.yaml o.yaml", files: map[string]string{"o.yaml": boxOf("v1", `a: '`+strings.Repeat(`"`, 140_000)+`'`)}, want: []string{apply}},
		{name: "a patch that makes the object large", command: "validate --patch p.yaml --type merge --crd crd.yaml o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "a: x"), "p.yaml": "metadata: {labels: {b: w}}\nspec: {a: " + text(1_700_000) + "}\n"}, want: []string{"the object with the change has", etcd}},
		{name: "an apply onto a large object", command: "validate --apply me --old l.yaml --crd two.yaml o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "b: "+text(700_000)), "l.yaml": liveBox("a: "+text(900_000), [3]string{"other", "Update", `{"f:a": {}}`}),
				"two.yaml": boxes("", [2]string{"v1", `{type: object, properties: {a: {type: string}, b: {type: string}}}`})}, want: []string{etcd}},
		{name: "annotations that are too long themselves", command: "check a.yaml", code: exitRefused, want: []string{"metadata.annotations: Too long: may not be more than 262144 bytes", apply},
			files: map[string]string{"a.yaml": strings.Replace(described(10), "name: boxes.ex.io", "name: boxes.ex.io, annotations: {b: "+text(270_000)+"}", 1)}},
		{name: "descriptions of several versions", command: "check a.yaml", want: []string{apply, "the descriptions, which have 300000 bytes"},
			files: map[string]string{"a.yaml": boxes("", [2]string{"v1", "{type: object, description: " + text(150_000) + "}"}, [2]string{"v2", "{type: object, description: " + text(150_000) + "}"})}},
		{name: "a suite with more than a server takes", command: "test s.crdtest.yaml", code: exitRefused, want: []string{limit, "1 passed, 2 failed"},
			files: map[string]string{"s.crdtest.yaml": "crds: crd.yaml\ncases:\n- name: less\n  create: {apiVersion: ex.io/v1, kind: Box, spec: {a: " + text(2_000_000) + "}}\n- name: more\n  create: {apiVersion: ex.io/v1, kind: Box, spec: {a: " + text(3_200_000) + "}}\n- name: apply\n  apply: {apiVersion: ex.io/v1, kind: Box, metadata: {name: a}, spec: {a: " + text(3_200_000) + "}}\n"}},
		{name: "as a bundle of CI", command: "check -o github a.yaml", files: map[string]string{"a.yaml": described(360_000)}, want: []string{"::warning", apply}},
	})
}

// Drift: a manifest beside the live object (argo-cd#28724, pi-cluster#93 and
// #300).
func TestR15Drift(t *testing.T) {
	const schema = `{type: object, properties: {roles: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {
      name: {type: string}, limit: {type: integer, default: -1}, inherit: {type: boolean, default: true}}}}, q: {x-kubernetes-int-or-string: true}, d: {type: string}, m: {type: object, additionalProperties: {type: string}},
      nu: {type: string, nullable: true}, e: {type: object, default: {}, properties: {on: {type: boolean, default: false}}}}}`
	const keyed = `{type: object, properties: {f: {type: number}, m: {type: object, additionalProperties: {type: object, properties: {w: {type: integer, default: 5}}}},
      ports: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [port, proto], items: {type: object, required: [port], properties: {port: {type: integer}, proto: {type: string, default: TCP}}}}}}`
	live := func(spec string) string {
		return "apiVersion: ex.io/v1\nkind: Box\nmetadata:\n  annotations:\n   " +
			" kubectl.kubernetes.io/last-applied-configuration: |\n" +
			"      {\"apiVersion\":\"ex.io/v1\"," +
			"\"kind\":\"Box\",\"metadata\":{\"annotations\":{}," +
			"\"name\":\"a\",\"namespace\":\"default\"},\"spec\":{}}\n" +
			"  creationTimestamp: \"2026-11-28T12:15:12Z\"\n  generation: 1\n  " +
			"name: a\n  namespace: default\n  resourceVersion: \"42\"\n  uid: " +
			"c2c8\nspec: {" + spec + "}\n"
	}
	server := "diff --server live.yaml --crd crd.yaml git.yaml"
	gitops := "diff --gitops --crd crd.yaml git.yaml"
	git := func(spec string) map[string]string {
		return map[string]string{"git.yaml": boxOf("v1", spec)}
	}
	both := func(spec, of string) map[string]string {
		return map[string]string{"git.yaml": boxOf("v1", spec), "live.yaml": live(of)}
	}
	runReports(t, map[string]string{"crd.yaml": boxes("", [2]string{"v1", schema})}, []reportCase{
		{name: "in sync, but for a pruned field", command: server, files: both("roles: [{name: app, comment: hello, limit: null}, {name: ro, inherit: false}]",
			"e: {on: false}, roles: [{inherit: true, limit: -1, name: app}, {inherit: false, limit: -1, name: ro}]"), want: []string{"spec.roles[0].comment is not stored"}},
		{name: "what a server adds is no difference", command: server, files: both("d: x", "d: x, e: {on: false}"), not: []string{"uid", "resourceVersion", "generation"}},
		{name: "a value", command: server, files: both("d: w", "d: x, e: {on: false}"), code: exitRefused, want: []string{`~ .spec.d: "x" -> "w"`}},
		{name: "a field more", command: server, files: both("d: w, nu: z", "d: w, e: {on: false}"), code: exitRefused, want: []string{".spec.nu"}},
		{name: "a default that changed", command: server, files: both("d: w", "d: w, e: {on: true}"), not: []string{"+", "~"}},
		{name: "an object that is not there", command: server, code: exitRefused, files: map[string]string{"git.yaml": named(boxOf("v1", "d: x"), "b"), "live.yaml": live("d: x")}, want: []string{"+ ."}},
		{name: "a refusal", command: server, files: both("d: 7", "d: x"), code: exitFailed, want: []string{"git.yaml:4:11", "refused"}},
		{name: "quantities stay", command: gitops, files: git("q: 1000m, e: {on: false}"), not: []string{"spec.q"}},
		{name: "durations stay", command: gitops, files: git("d: 1h0m0s, e: {on: false}"), not: []string{"spec.d"}},
		{name: "defaults under lists", command: gitops, files: git("roles: [{name: a}], e: {on: false}"), code: exitRefused, want: []string{"spec.roles[0].limit", "[DEF-002] (Argo CD)"}},
		{name: "a null for a default", command: gitops, files: git("roles: [{name: a, limit: null, inherit: true}], e: {on: false}"), code: exitRefused, want: []string{"spec.roles[0].limit"}},
		{name: "a null that is kept", command: gitops, files: git("nu: null, e: {on: false}"), not: []string{"spec.nu"}},
		{name: "a null that goes", command: gitops, files: git("d: null, e: {on: false}"), code: exitRefused, want: []string{"spec.d"}},
		{name: "a pruned field", command: gitops, files: git("x: 1, e: {on: false}"), code: exitRefused, want: []string{"spec.x", "[PRN-001]"}},
		{name: "an empty map stays", command: gitops, files: git("m: {}, e: {on: false}"), not: []string{"spec.m"}},
		{name: "defaults outside of lists are no drift", command: gitops, files: git("d: x"), not: []string{"spec.e"}},
		{name: "metadata that a server drops", command: gitops, files: map[string]string{"git.yaml": strings.Replace(boxOf("v1", "d: x"), "name: a,", "name: a, clusterName: x,", 1)},
			code: exitRefused, want: []string{"metadata.clusterName"}},
		{name: "a creationTimestamp of null", command: gitops, files: map[string]string{"git.yaml": strings.Replace(boxOf("v1", "d: x"), "name: a,", "name: a, creationTimestamp: null,", 1)},
			not: []string{"metadata.creationTimestamp"}},
		{name: "empty lists of a definition", command: "diff --gitops d.yaml", code: exitRefused,
			files: map[string]string{"d.yaml": strings.Replace(boxes("", [2]string{"v1", onlyA}), "kind: Box,", "kind: Box, shortNames: [], categories: [],", 1)},
			want:  []string{"spec.names.shortNames", "spec.names.categories"}},
		{name: "the status that controller-gen wrote", command: "diff --gitops d.yaml", code: exitRefused,
			files: map[string]string{"d.yaml": boxes("", [2]string{"v1", onlyA}) + "status: {acceptedNames: {kind: \"\", plural: \"\"}, conditions: [], storedVersions: []}\n"},
			want:  []string{"status"}},
		{name: "items by keys that have defaults", command: server, files: map[string]string{"crd.yaml": boxes("", [2]string{"v1", keyed}),
			"git.yaml": boxOf("v1", "ports: [{port: 80}, {port: 53, proto: UDP}]"), "live.yaml": live("ports: [{port: 53, proto: UDP}, {port: 80, proto: TCP}]")}, not: []string{"+", "~"}},
		{name: "a whole number with a point", command: server, files: map[string]string{"crd.yaml": boxes("", [2]string{"v1", keyed}),
			"git.yaml": boxOf("v1", "f: 1.0"), "live.yaml": live("f: 1")}, not: []string{"~"}},
		{name: "defaults of the values of a map", command: server, files: map[string]string{"crd.yaml": boxes("", [2]string{"v1", keyed}),
			"git.yaml": boxOf("v1", "m: {k: {}}"), "live.yaml": live("m: {k: {w: 5}, other: {w: 1}}")}, not: []string{"+", "- ", "~"}},
		{name: "what the last apply had", command: server, code: exitRefused, want: []string{"- .spec.nu"},
			files: map[string]string{"git.yaml": boxOf("v1", "d: x"), "live.yaml": strings.Replace(live("d: x, nu: z, e: {on: false}"), `"spec":{}`, `"spec":{"nu":"z"}`, 1)}},
		{name: "what a manager applied", command: "diff --server live.yaml --apply argocd --crd crd.yaml git.yaml", code: exitRefused, want: []string{"- .spec.num"},
			files: map[string]string{"git.yaml": boxOf("v1", "a: x"), "live.yaml": liveBox("a: x, num: 5", [3]string{"argocd", "Apply", `{"f:num": {}, "f:a": {}}`}),
				"crd.yaml": boxes("", [2]string{"v1", `{type: object, properties: {a: {type: string}, num: {type: integer}}}`})}},
		{name: "metadata of an embedded resource", command: gitops, code: exitRefused, want: []string{"spec.t.metadata.wrong", "META-023"},
			files: map[string]string{"crd.yaml": boxes("", [2]string{"v1", embeds}), "git.yaml": boxOf("v1", "t: {apiVersion: v1, kind: Pod, metadata: {wrong: 1}}")}},
		{name: "empty metadata", command: gitops, code: exitRefused, want: []string{"metadata.labels", "metadata.ownerReferences"},
			files: map[string]string{"git.yaml": strings.Replace(boxOf("v1", "d: x"), "name: a,", "name: a, labels: {}, ownerReferences: [],", 1)}},
		{name: "definitions are not compared in silence", command: "diff --server live.yaml git.yaml", code: exitFailed, want: []string{"definitions are not compared", "crdsem check --apply"},
			files: map[string]string{"git.yaml": boxes("{strategy: None}", [2]string{"v1", onlyA}), "live.yaml": boxes("", [2]string{"v1", onlyA})}},
		{name: "a field of a definition that is empty", command: "diff --gitops d.yaml", code: exitRefused, want: []string{"spec.preserveUnknownFields"},
			files: map[string]string{"d.yaml": strings.Replace(boxes("", [2]string{"v1", onlyA}), "  scope:", "  preserveUnknownFields: false\n  scope:", 1)}},
		{name: "JSON", command: "diff -o json --gitops --crd crd.yaml git.yaml", files: git("x: 1"), code: exitRefused, want: []string{`"PRN-001"`, `git.yaml:4:8"`}},
		{name: "several errors have a line each", command: gitops, code: exitFailed, files: git("d: 7, roles: [{name: 8}]"),
			want: []string{"git.yaml:4:11: refused: spec.d:", "git.yaml:4:29: refused: spec.roles[0].name:"}, not: []string{"<nil>"}},
		{name: "an object without a definition is counted", command: "diff --gitops git.yaml", code: exitNotJudged, files: git("d: x"),
			want: []string{"not judged, without a definition: 1 object"}},
	})
}

// What may be written, without a cluster and without an editor (kubectl#1419,
// bpfman-operator#473, koperator#66, mcp-kubernetes-server#47).
func TestR16Document(t *testing.T) {
	const status = `
          status: {type: object, properties: {conditions: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [type], items: {type: object,
            required: [type, status], properties: {type: {type: string, maxLength: 316}, status: {type: string, enum: ["True", "False"]}, reason: {type: string, minLength: 1, description: Why it is so.}}}}}}`
	crd := strings.Replace(statusCRD, "status: {type: object, properties: {phase: "+
		"{type: string}}}", strings.TrimSpace(status), 1)
	const spec = `{type: object, required: [size], properties: {size: {type: integer, minimum: 1, maximum: 9, default: 3, description: How many.}, name: {type: string, pattern: "^v[0-9]+$"},
      class: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == oldSelf, message: the class stays}]}, any: {type: object, x-kubernetes-preserve-unknown-fields: true},
      mode: {type: string, enum: [fast, slow]}, q: {x-kubernetes-int-or-string: true}, m: {type: object, additionalProperties: {type: integer, maximum: 5}},
      peers: {type: array, maxItems: 4, items: {type: object, required: [host], properties: {host: {type: string, format: ipv4}}}}}}`
	const more = `{type: object, properties: {vols: {type: array, minItems: 1, items: {type: string, pattern: "^[a-z]+$"}}, even: {type: integer, minimum: 1, exclusiveMinimum: true, multipleOf: 4},
      tpl: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}, either: {type: object, oneOf: [{required: [x]}, {required: [w]}], properties: {x: {type: string}, w: {type: integer}}},
      "dot.ted": {type: string, minLength: 1}, deep: {type: object, additionalProperties: {type: object, additionalProperties: {type: array, items: {type: object, properties: {leaf: {type: string, default: w}}}}}},
      nest: {type: array, items: {type: array, items: {type: object, properties: {deep: {type: boolean, default: false}}}}},
      tls: {type: object, properties: {ca: {type: string, maxLength: 9}}, x-kubernetes-validations: [{rule: "self.ca != ''", messageExpression: "'no ' + self.ca"}]}}}`
	const ruled = `{type: object, required: [low, high, cidr, l, m], properties: {low: {type: integer, minimum: 0}, high: {type: integer}, cidr: {type: string, maxLength: 43, x-kubernetes-validations: [{rule: isCIDR(self)}]},
      l: {type: array, maxItems: 4, items: {type: object, required: [p], properties: {p: {type: string, enum: [TCP, HTTP]}, h: {type: string}}}}, m: {type: object, additionalProperties: {type: string}}},
      x-kubernetes-validations: [{rule: self.low < self.high}, {rule: "self.l.exists(i, i.p == 'HTTP')"}]}`
	deprecated := strings.Replace(boxes("", [2]string{"v1", more}), "    served: true",
		"    deprecated: true\n    deprecationWarning: use v2\n    served: true", 1)
	shared := map[string]string{
		"more.yaml": deprecated, "crd.yaml": crd, "ruled.yaml": boxes("", [2]string{"v1", ruled}), "box.yaml": boxes("", [2]string{"v1", spec}),
		"old.yaml": boxes("", [2]string{"v1", spec}, [2]string{"v1beta1", onlyA}),
	}
	runReports(t, shared, []reportCase{
		{name: "the conditions", command: "describe crd.yaml Box.status.conditions",
			want: []string{"FIELD: conditions <[]Object>", "items are told apart by type", "reason", "-required-"}},
		{name: "a field below", command: "describe crd.yaml status.conditions.status", want: []string{`value: "True"`}},
		{name: "a description", command: "describe crd.yaml status.conditions.reason", want: []string{"Why it is so.", "least length: 1"}},
		{name: "the old word says where to go", command: "explain Box.status.conditions", code: exitFailed, want: []string{"crdsem describe"}},
		{name: "a rule is found by words", command: "explain pruning", want: []string{"PRN-"}},
		{name: "bounds and defaults", command: "describe box.yaml spec.size", want: []string{"default: 3", "minimum: 1", "maximum: 9", "How many."}},
		{name: "a pattern", command: "describe box.yaml spec.name", want: []string{"pattern: ^v[0-9]+$"}},
		{name: "what an update may not change", command: "describe box.yaml spec.class", want: []string{"cannot be changed", "the class stays"}},
		{name: "what is kept", command: "describe box.yaml spec.any", want: []string{"unknown fields are kept"}},
		{name: "a map", command: "describe box.yaml spec.m", want: []string{"map[string]integer"}},
		{name: "below a list", command: "describe box.yaml spec.peers[0].host", want: []string{"format: ipv4", "-required-"}},
		{name: "integer or string", command: "describe box.yaml spec.q", want: []string{"IntOrString"}},
		{name: "a page", command: "describe -o markdown box.yaml", want: []string{"| `spec.size` | integer | required; default: `3`", "the class stays", "## Updates", "`spec.any`"}},
		{name: "of every version", command: "describe -o markdown old.yaml", want: []string{"# Box ex.io/v1\n", "# Box ex.io/v1beta1\n"}},
		{name: "JSON", command: "describe -o json box.yaml spec.mode", want: []string{`"path": "spec.mode"`, `\"fast\"`}},
		{name: "a field that is misspelt", command: "describe box.yaml spec.siz", code: exitFailed, want: []string{"did you mean size"}},
		{name: "another version", command: "describe --version v1beta1 old.yaml spec", want: []string{"VERSION:    v1beta1"}},
		{name: "all names", command: "describe -r box.yaml", want: []string{"    peers\t<[]Object>\n      host\t<string> -required-"}},
		{name: "a full sample", command: "generate --full --crd box.yaml", want: []string{"size:", "minimum", "mode:", "host:", "any:"}},
		{name: "a minimal sample has a spec", command: "generate --minimal --crd box.yaml", want: []string{"spec:", "size: "}},
		{name: "what an item must be", command: "describe more.yaml spec.vols", want: []string{"each item: pattern: ^[a-z]+$", "fewest items: 1"}},
		{name: "what the value of a map must be", command: "describe box.yaml spec.m", want: []string{"each value: maximum: 5"}},
		{name: "below what keeps all fields", command: "describe box.yaml spec.any.some", code: exitFailed, want: []string{"it keeps all fields that it is given"}},
		{name: "standard metadata", command: "describe box.yaml metadata.labels", code: exitFailed, want: []string{"every resource has it", "Kubernetes' standard metadata"}},
		{name: "metadata of an embedded resource", command: "describe more.yaml spec.tpl.metadata", code: exitFailed, want: []string{"every resource has it"}},
		{name: "one of several fields", command: "describe more.yaml spec.either", want: []string{"exactly one of: x, w"}},
		{name: "a list of lists", command: "describe more.yaml spec.nest.deep", want: []string{"FIELD: deep <boolean>", "default: false"}},
		{name: "an exclusive bound", command: "describe more.yaml spec.even", want: []string{"minimum (exclusive): 1", "multiple of: 4"}},
		{name: "a message that is computed", command: "describe -o markdown more.yaml", want: []string{"| `spec.tls` | `self.ca != ''` | `'no ' + self.ca` |", "deprecated: use v2"}},
		{name: "a deprecated version", command: "describe more.yaml", want: []string{"DEPRECATED: use v2"}},
		{name: "a full sample is valid", command: "generate --full --crd more.yaml", want: []string{"  vols:\n  - a\n", "  even: 4\n", "    apiVersion: example.com/v1\n    kind: Example\n", "each item: pattern"}},
		{name: "a minimal sample where rules refuse plain values", command: "generate --minimal --crd ruled.yaml", want: []string{"spec:\n  cidr: ", "  l:\n    - p: HTTP\n", "  m: {}\n"}, not: []string{"      h:"}},
		{name: "a full sample where rules refuse plain values", command: "generate --full --crd ruled.yaml", want: []string{"    p: HTTP\n", "h: \"\"\n"}, not: []string{`cidr: ""`}},
		{name: "a full sample whose fields exclude each other", command: "generate --full --crd more.yaml", want: []string{"a server refuses the sample as it is, e.g. because fields exclude each other: \"spec.either\" must validate", "(oneOf)"}},
		{name: "a name with dots in brackets", command: "describe more.yaml spec['dot.ted']", want: []string{"FIELD: dot.ted <string>"}},
		{name: "keys of maps in brackets, as errors write them", command: "describe more.yaml spec.deep[a.b][c][0].leaf", want: []string{"FIELD: leaf <string>", `default: "w"`}},
		{name: "through maps without their keys", command: "describe more.yaml spec.deep.leaf", want: []string{"FIELD: leaf <string>"}},
		{name: "the name of the definition", command: "describe old.yaml boxes.ex.io.spec.size", want: []string{"FIELD: size <integer>"}},
		{name: "a field of another version", command: "describe old.yaml spec.a", code: exitFailed, want: []string{"v1beta1 has it: --version v1beta1"}},
		{name: "a page about a field that one version has", command: "describe -o markdown old.yaml spec.a", want: []string{"# Box ex.io/v1beta1"}, not: []string{"# Box ex.io/v1\n"}},
		{name: "a version that is not served", command: "describe --version v1beta1 gone.yaml", files: map[string]string{"gone.yaml": unserved(boxes("", [2]string{"v1", spec}, [2]string{"v1beta1", onlyA}), "v1beta1")}, want: []string{"VERSION:    v1beta1 (not served)"}},
		{name: "a minimal sample of an optional spec", command: "generate --minimal --crd crd.yaml", want: []string{"spec:"}},
	})
}
