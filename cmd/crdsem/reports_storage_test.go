package main

import "testing"

const (
	embeds = `{type: object, properties: {t: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}`
	anyT   = `{type: object, properties: {t: {type: object, x-kubernetes-preserve-unknown-fields: true}}}`
	// lostDep is what is said of the field that v1 lacks.
	lostDep = "spec.dep is not stored: the storage version v1 does not have it"
)

// A request in another version than the storage version: what is stored, what
// is answered, and what each version reads (strimzi-kafka-operator#12014,
// cluster-api-provider-aws#1616).
func TestR17StorageVersion(t *testing.T) {
	two := boxes("", [2]string{"v1", onlyA}, [2]string{"v1beta2", withDep})
	stored := "stored as\n    apiVersion: ex.io/v1\n"
	list := `{type: object, properties: {l: {type: array, items: {type: object, properties: {k: {type: string}, dep: {type: string}}}}}}`
	listA := `{type: object, properties: {l: {type: array, items: {type: object, properties: {k: {type: string}}}}}}`
	mapOf := func(values string) string {
		return `{type: object, properties: {m: {type: object, additionalProperties: ` + values + `}}}`
	}
	runReports(t, map[string]string{
		"new.yaml": two, "obj.yaml": boxOf("v1beta2", "a: x, dep: keep me"),
		"old.yaml":     boxes("", [2]string{"v1beta2", withDep}),
		"bare.yaml":    boxOf("v1beta2", "a: x"),
		"changed.yaml": boxOf("v1beta2", "a: w, dep: keep me"),
		"emb.yaml":     boxes("", [2]string{"v1", embeds}, [2]string{"v1beta2", anyT}),
		"number.yaml":  boxOf("v1beta2", "t: {apiVersion: v1, kind: Pod, metadata: {labels: {a: 1}, bogus: q}}"),
	}, []reportCase{
		{name: "admit shows what is stored", command: "admit --crd new.yaml obj.yaml",
			want: []string{stored, lostDep, "lost       spec.dep"}, not: []string{"      dep: keep me"}},
		{name: "and as an update", command: "admit --crd new.yaml --old bare.yaml obj.yaml",
			want: []string{stored, lostDep, "(update, v1beta2)"}, not: []string{"      dep: keep me"}},
		{name: "validate warns", command: "validate --crd new.yaml obj.yaml", want: []string{lostDep}},
		{name: "nothing is lost", command: "validate --crd new.yaml bare.yaml", not: []string{"not stored"}},
		{name: "convert", command: "convert --crd new.yaml --to v1 obj.yaml",
			want: []string{"spec.dep is lost", "apiVersion: ex.io/v1\n"}, not: []string{"dep: keep"}},
		{name: "upgrade", command: "upgrade old.yaml new.yaml obj.yaml", code: exitRefused,
			want: []string{"1 object: 1 pruned", "spec.dep: lost by the next write"}},
		{name: "lint", command: "lint new.yaml", want: []string{"properties[dep]", "LINT-storage"}},
		{name: "a conversion to storage that fails is no acceptance", command: "validate --crd emb.yaml number.yaml",
			code: exitRefused, want: []string{"number.yaml:"}},
		{name: "and admit says so", command: "admit --crd emb.yaml number.yaml", code: exitRefused,
			want: []string{"refused: Box default/a"}, not: []string{"stored as"}},
		{name: "the JSON has the stations", command: "admit -o json --crd new.yaml obj.yaml",
			want: []string{`"apiVersion": "ex.io/v1"`, `"lost": [`, `"path": "spec.dep"`}},
		{name: "the stored object is of the older version", command: "admit --crd new.yaml --old obj.yaml changed.yaml",
			want: []string{stored, lostDep}},
		{name: "fields in lists", command: "admit --crd crd.yaml o.yaml", files: map[string]string{
			"crd.yaml": boxes("", [2]string{"v1", listA}, [2]string{"v1beta2", list}),
			"o.yaml":   boxOf("v1beta2", "l: [{k: a, dep: b}, {k: c}]"),
		}, want: []string{"lost       spec.l[0].dep", "o.yaml:4:19: warning"}},
		{name: "the stored version has defaults of its own", command: "admit --crd crd.yaml o.yaml",
			files: map[string]string{
				"crd.yaml": boxes("", [2]string{"v1", `{type: object, properties: {a: {type: string}, d: {type: string, default: z}}}`},
					[2]string{"v1beta2", onlyA}),
				"o.yaml": boxOf("v1beta2", "a: x"),
			}, want: []string{stored}},
		{name: "a version that preserves unknown fields", command: "admit --crd crd.yaml o.yaml",
			files: map[string]string{
				"crd.yaml": boxes("", [2]string{"v1", onlyA}, [2]string{"v1beta2", `{type: object, x-kubernetes-preserve-unknown-fields: true}`}),
				"o.yaml":   boxOf("v1beta2", "a: x, more: {deep: 1}"),
			}, want: []string{"spec.more is not stored"}, not: []string{"  deep: 1"}},
		{name: "the storage version keeps more than it reads", command: "admit --crd crd.yaml o.yaml",
			files: map[string]string{
				"crd.yaml": boxes("", [2]string{"v1", `{type: object, x-kubernetes-preserve-unknown-fields: true}`}, [2]string{"v1beta2", withDep}),
				"o.yaml":   boxOf("v1beta2", "a: x, dep: d"),
			}, want: []string{"dep: d"}, not: []string{"not stored"}},
		{name: "a write through the storage version", command: "validate --crd new.yaml o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "a: x")}, not: []string{"not stored"}},
		{name: "a whole object that storage lacks", command: "admit --crd crd.yaml o.yaml",
			files: map[string]string{
				"crd.yaml": boxes("", [2]string{"v1", onlyA}, [2]string{"v1beta2", `{type: object, properties: {a: {type: string}, tls: {type: object, properties: {ca: {type: string}}}}}`}),
				"o.yaml":   boxOf("v1beta2", "a: x, tls: {ca: w}"),
			}, want: []string{"spec.tls is not stored", "lost       spec.tls"}},
		{name: "a status that storage lacks", command: "admit --status --old o.yaml --crd crd.yaml s.yaml",
			files: map[string]string{
				"crd.yaml": statusCRD, "o.yaml": boxOf("v1beta2", "a: x"),
				"s.yaml": boxOf("v1beta2", "a: x") + "status: {phase: Ready, note: text}\n",
			}, want: []string{"status.note is not stored", "phase: Ready"}},
		{name: "many objects are counted", command: "validate --crd new.yaml obj.yaml b.yaml",
			files: map[string]string{"b.yaml": named(boxOf("v1beta2", "a: w, dep: e"), "b")},
			want:  []string{"obj.yaml:4:14: warning", "b.yaml:4:", "2 objects: 2 accepted"}},
		{name: "in every minor", command: "validate --kubernetes 1.30,1.37 --crd new.yaml obj.yaml",
			want: []string{lostDep}},
		{name: "the version of the flag", command: "admit --version v1 --crd new.yaml bare.yaml", code: exitRefused,
			want: []string{"does not match the expected API version (ex.io/v1)"}},
		{name: "a version that is not served is no way in", command: "admit --crd crd.yaml obj.yaml",
			files: map[string]string{"crd.yaml": unserved(two, "v1beta2")}, code: exitRefused,
			want: []string{"v1beta2"}, not: []string{"stored as"}},
		{name: "what an old definition stored is lost by an apply", command: "admit --apply me --force-conflicts --crd new.yaml --old obj.yaml changed.yaml",
			want: []string{stored, "(apply, v1beta2)"}, not: []string{"      dep: keep me"}},
		{name: "upgrade to a storage version that lacks a list", command: "upgrade o.yaml n.yaml obj2.yaml", code: exitRefused,
			files: map[string]string{
				"o.yaml": boxes("", [2]string{"v1beta2", list}), "n.yaml": boxes("", [2]string{"v1", listA}, [2]string{"v1beta2", list}),
				"obj2.yaml": boxOf("v1beta2", "l: [{k: a, dep: b}]"),
			}, want: []string{"1 object: 1 pruned", "dep"}},
		{name: "another of the same versions is stored", command: "upgrade o.yaml new.yaml obj.yaml", code: exitRefused,
			files: map[string]string{"o.yaml": boxes("", [2]string{"v1beta2", withDep}, [2]string{"v1", onlyA})},
			want:  []string{"v1beta2 to v1 spec.dep: v1 lacks it: a value is lost on the next write", "1 object: 1 pruned"}},
		{name: "and what was lost before is no news", command: "upgrade o.yaml n.yaml", code: exitOK,
			files: map[string]string{"o.yaml": boxes("", [2]string{"v1beta2", onlyA}, [2]string{"v1", onlyA}, [2]string{"v1beta1", withDep}),
				"n.yaml": boxes("", [2]string{"v1", onlyA}, [2]string{"v1beta2", onlyA}, [2]string{"v1beta1", withDep})},
			want: []string{"another version is stored"}, not: []string{"spec.dep"}},
		{name: "upgrade to a storage version with a default", command: "upgrade old.yaml n.yaml bare.yaml", code: exitRefused,
			files: map[string]string{"n.yaml": boxes("", [2]string{"v1", `{type: object, properties: {a: {type: string}, dep: {type: string}, d: {type: object, default: {}, properties: {x: {type: integer, default: 3}}}}}`}, [2]string{"v1beta2", withDep})},
			want:  []string{"1 object: 1 unaffected"}, not: []string{"lost by the next write", "1 pruned"}},
		{name: "upgrade where the fields stay", command: "upgrade old.yaml n.yaml obj.yaml",
			files: map[string]string{"n.yaml": boxes("", [2]string{"v1", withDep}, [2]string{"v1beta2", withDep})},
			want:  []string{"1 object: 1 unaffected"}},
		{name: "convert to a version that is not served", command: "convert --crd crd.yaml --to v1beta1 obj.yaml",
			files: map[string]string{"crd.yaml": unserved(boxes("", [2]string{"v1", withDep}, [2]string{"v1beta2", withDep}, [2]string{"v1beta1", onlyA}), "v1beta1")},
			want:  []string{"apiVersion: ex.io/v1beta1\n", "spec.dep is lost", "warning: ex.io/v1beta1 is not served: no client reads this"}, not: []string{"keep me"}},
		{name: "a default of the storage version is no loss", command: "convert --crd crd.yaml --to v1beta2 bare.yaml",
			files: map[string]string{"crd.yaml": boxes("", [2]string{"v1", `{type: object, properties: {a: {type: string}, d: {type: string, default: z}}}`}, [2]string{"v1beta2", withDep})},
			want:  []string{"apiVersion: ex.io/v1beta2\n"}, not: []string{"lost"}},
		{name: "a wanted object without its type", command: "test s.crdtest.yaml",
			files: map[string]string{"s.crdtest.yaml": "crds: new.yaml\ncases:\n- name: c\n  create: {apiVersion: ex.io/v1beta2, kind: Box, spec: {a: x, dep: q}}\n  want: {object: {spec: {a: x}}}\n"},
			want:  []string{"1 passed"}},
		{name: "convert back and forth", command: "convert --crd new.yaml --to v1beta2 o.yaml",
			files: map[string]string{"o.yaml": boxOf("v1", "a: x")}, want: []string{"apiVersion: ex.io/v1beta2"}, not: []string{"lost"}},
		{name: "a field of the values of a map", command: "lint crd.yaml",
			files: map[string]string{"crd.yaml": boxes("", [2]string{"v1", mapOf(onlyA)}, [2]string{"v1beta2", mapOf(withDep)})},
			want:  []string{"additionalProperties.properties[dep]", "LINT-storage"}},
		{name: "and what is stored", command: "admit --crd crd.yaml o.yaml", files: map[string]string{
			"crd.yaml": boxes("", [2]string{"v1", mapOf(onlyA)}, [2]string{"v1beta2", mapOf(withDep)}),
			"o.yaml":   boxOf("v1beta2", "m: {p: {a: x, dep: w}, q: {dep: w}}"),
		}, want: []string{"lost       spec.m.p.dep", "lost       spec.m.q.dep", "        q: {}"}},
		{name: "items of another type", command: "lint crd.yaml",
			files: map[string]string{"crd.yaml": boxes("", [2]string{"v1", `{type: object, properties: {l: {type: array, items: {type: string}}}}`}, [2]string{"v1beta2", list})},
			want:  []string{"properties[l].items: the type is string in the storage version v1", "LINT-storage"}},
		{name: "a field of another type", command: "lint crd.yaml",
			files: map[string]string{"crd.yaml": boxes("", [2]string{"v1", `{type: object, properties: {a: {type: object}}}`}, [2]string{"v1beta2", onlyA})},
			want:  []string{"properties[a]: the type is object in the storage version v1"}},
		{name: "a map of which storage knows some keys", command: "lint crd.yaml",
			files: map[string]string{"crd.yaml": boxes("", [2]string{"v1", `{type: object, properties: {m: ` + onlyA + `}}`}, [2]string{"v1beta2", mapOf(`{type: string}`)})},
			want:  []string{"properties[m]: fields of any name are kept here", "LINT-storage"}},
		{name: "an integer is a number", command: "lint crd.yaml",
			files: map[string]string{"crd.yaml": boxes("", [2]string{"v1", `{type: object, properties: {i: {type: number}}}`}, [2]string{"v1beta2", `{type: object, properties: {i: {type: integer}}}`})},
			not:   []string{"LINT-storage"}},
		{name: "a third version reads less", command: "admit --crd crd.yaml o.yaml", files: map[string]string{
			"crd.yaml": boxes("", [2]string{"v1", withDep}, [2]string{"v1beta2", withDep}, [2]string{"v1beta1", onlyA}),
			"o.yaml":   boxOf("v1beta2", "a: x, dep: w"),
		}, want: []string{"answered as ex.io/v1beta2: the same", "read as\n    apiVersion: ex.io/v1beta1\n"}, not: []string{"lost"}},
		{name: "drift says whose schema lacks the field", command: "diff --server bare.yaml --crd new.yaml obj.yaml", code: exitOK,
			want: []string{"spec.dep is not stored: the storage version does not have it"}},
		{name: "an apply in another version than the last one", command: "admit --apply me --old live.yaml --crd new.yaml obj.yaml", code: exitRefused,
			files: map[string]string{"live.yaml": liveBox("a: x", [3]string{"me", "Apply", `{"f:a": {}}`})},
			want:  []string{".spec.dep: field not declared in schema", "the version in which the manager applied before lacks the field"}},
	})
}

var statusCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.ex.io}
spec:
  group: ex.io
  scope: Namespaced
  names: {plural: boxes, singular: box, kind: Box, listKind: BoxList}
  versions:
  - {name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, properties: {
      spec: {type: object, properties: {a: {type: string}}}, status: {type: object, properties: {phase: {type: string}}}}}}}
  - {name: v1beta2, served: true, storage: false, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, properties: {
      spec: {type: object, properties: {a: {type: string}}}, status: {type: object, properties: {phase: {type: string}, note: {type: string}}}}}}}
`
