package merge_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/structural"
)

type object = map[string]any

const fooSchema = `
type: object
properties:
  spec:
    type: object
    properties:
      ports:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name, protocol]
        items:
          type: object
          properties:
            name: {type: string}
            protocol: {type: string, default: TCP}
            port: {type: integer}
      tags:
        type: array
        x-kubernetes-list-type: set
        items: {type: string}
      args:
        type: array
        items: {type: string}
      selector:
        type: object
        x-kubernetes-map-type: atomic
        additionalProperties: {type: string}
      limits:
        type: object
        additionalProperties: {x-kubernetes-int-or-string: true}
      any:
        type: object
        x-kubernetes-preserve-unknown-fields: true
      template:
        type: object
        x-kubernetes-embedded-resource: true
        properties:
          size: {type: integer}
      when: {type: string, format: date-time}
  status:
    type: object
    properties:
      ready: {type: boolean}
`

func fooType(t testing.TB) *merge.Type {
	t.Helper()
	return compile(t, fooSchema)
}

func compile(t testing.TB, schema string) *merge.Type {
	t.Helper()
	s, err := structural.Parse([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	return merge.Compile(s)
}

// decode reads YAML with integers as int64.
func decode(t testing.TB, text string) object {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	out, _ := normal(value).(object)
	return out
}

func normal(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = normal(v[key])
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case int:
		return int64(v)
	}
	return value
}

func asJSON(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// comparisons are pairs of objects of fooSchema, and how they differ.
var comparisons = []struct {
	name, old, updated string
	want               merge.Changes
}{
	{
		"no difference",
		`spec: {tags: [a, b], limits: {cpu: 1}}`,
		`spec: {tags: [b, a], limits: {cpu: 1}}`,
		merge.Changes{},
	},
	{
		"a scalar",
		`spec: {when: x}`,
		`spec: {when: y}`,
		merge.Changes{Modified: []string{".spec.when"}},
	},
	{
		"an item by its keys, one of them defaulted",
		`spec: {ports: [{name: a, port: 1}, {name: b, protocol: UDP}]}`,
		`spec: {ports: [{name: b, protocol: UDP, port: 3}, {name: a, protocol: TCP, port: 2}]}`,
		merge.Changes{
			Added: []string{
				`.spec.ports[name="a",protocol="TCP"].protocol`,
				`.spec.ports[name="b",protocol="UDP"].port`,
			},
			Modified: []string{`.spec.ports[name="a",protocol="TCP"].port`},
		},
	},
	{
		"an item of a set",
		`spec: {tags: [a, b]}`,
		`spec: {tags: [b, c]}`,
		merge.Changes{
			Added:   []string{`.spec.tags[="c"]`},
			Removed: []string{`.spec.tags[="a"]`},
		},
	},
	{
		"an atomic list differs as a whole",
		`spec: {args: [a, b]}`,
		`spec: {args: [a]}`,
		merge.Changes{Modified: []string{".spec.args"}},
	},
	{
		"an atomic map differs as a whole",
		`spec: {selector: {a: b}}`,
		`spec: {selector: {a: c}}`,
		merge.Changes{Modified: []string{".spec.selector"}},
	},
	{"a granular map", `spec: {limits: {cpu: 1}}`, `spec: {limits: {cpu: "1", memory: 2}}`,
		merge.Changes{
			Added:    []string{".spec.limits.memory"},
			Modified: []string{".spec.limits.cpu"},
		}},
	{
		"unknown fields are granular maps and atomic lists",
		`spec: {any: {a: {b: 1}, l: [1]}}`,
		`spec: {any: {a: {c: 1}, l: [2]}}`,
		merge.Changes{
			Added:    []string{".spec.any.a.c"},
			Removed:  []string{".spec.any.a.b"},
			Modified: []string{".spec.any.l"},
		},
	},
	{
		"embedded metadata",
		`spec: {template: {kind: K, metadata: {finalizers: [a]}}}`,
		`spec: {template: {kind: K, metadata: {finalizers: [b, a]}}}`,
		merge.Changes{Added: []string{`.spec.template.metadata.finalizers[="b"]`}},
	},
}

func TestCompare(t *testing.T) {
	for _, c := range comparisons {
		old, updated := decode(t, c.old), decode(t, c.updated)
		got, err := fooType(t).Compare(old, updated)
		got.Before, got.After = nil, nil // see TestCompareValues
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
		if asJSON(t, old) != asJSON(t, decode(t, c.old)) ||
			asJSON(t, updated) != asJSON(t, decode(t, c.updated)) {
			t.Errorf("%s: an argument was changed", c.name)
		}
	}
}

// Every changed path has its old and its new value.
func TestCompareValues(t *testing.T) {
	old := decode(t, `spec: {when: x, ports: [{name: a, port: 1}], tags: [a], args: [a, b]}`)
	updated := decode(t, `spec: {when: y, ports: [{name: a, protocol: UDP, port: 5}, {name: a, port: 2}], tags: [b], args: [a]}`)
	got, err := fooType(t).Compare(old, updated)
	before := map[string]any{
		".spec.args":       []any{"a", "b"},
		".spec.when":       "x",
		`.spec.tags[="a"]`: "a",
		`.spec.ports[name="a",protocol="TCP"].port`: int64(1),
	}
	after := map[string]any{
		".spec.args":       []any{"a"},
		".spec.when":       "y",
		`.spec.tags[="b"]`: "b",
		`.spec.ports[name="a",protocol="TCP"].port`:     int64(2),
		`.spec.ports[name="a",protocol="UDP"]`:          map[string]any{"name": "a", "protocol": "UDP", "port": int64(5)},
		`.spec.ports[name="a",protocol="UDP"].name`:     "a",
		`.spec.ports[name="a",protocol="UDP"].port`:     int64(5),
		`.spec.ports[name="a",protocol="UDP"].protocol`: "UDP",
	}
	if diff := cmp.Diff(before, got.Before) + cmp.Diff(after, got.After); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestMerge(t *testing.T) {
	cases := []struct{ name, live, applied, want string }{
		{
			"items with keys are merged",
			`spec: {ports: [{name: a, port: 1}, {name: b}]}`,
			`spec: {ports: [{name: b, port: 2}, {name: c}]}`,
			`spec: {ports: [{name: a, port: 1}, {name: b, port: 2}, {name: c}]}`,
		},
		{
			"sets are united",
			`spec: {tags: [a, b]}`,
			`spec: {tags: [c, a]}`,
			`spec: {tags: [c, a, b]}`,
		},
		{
			"atomic values are replaced",
			`spec: {args: [a], selector: {a: b}}`,
			`spec: {args: [b], selector: {c: d}}`,
			`spec: {args: [b], selector: {c: d}}`,
		},
		{
			"granular maps are merged",
			`spec: {limits: {cpu: 1}}`,
			`spec: {limits: {memory: 2}}`,
			`spec: {limits: {cpu: 1, memory: 2}}`,
		},
		{
			"null leaves a list as it is",
			`spec: {tags: [a]}`,
			`spec: {tags: null}`,
			`spec: {tags: [a]}`,
		},
		{
			"duplicates of the live object",
			`spec: {tags: [a, a, b]}`,
			`spec: {when: x}`,
			`spec: {tags: [a, a, b], when: x}`,
		},
	}
	for _, c := range cases {
		live, applied := decode(t, c.live), decode(t, c.applied)
		got, err := fooType(t).Merge(live, applied)
		if diff := cmp.Diff(decode(t, c.want), got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
		if asJSON(t, live) != asJSON(t, decode(t, c.live)) ||
			asJSON(t, applied) != asJSON(t, decode(t, c.applied)) {
			t.Errorf("%s: an argument was changed", c.name)
		}
	}
}

// Scalars of other types are problems in the words of the server.
func TestProblemsOfScalars(t *testing.T) {
	typ := compile(t, "type: object\nproperties: {num: {type: number}, b: {type: boolean}, "+
		"s: {type: string}, any: {x-kubernetes-int-or-string: true}}")
	for text, want := range map[string]string{
		`{num: 1, b: true, s: x, any: 1}`: "", `{num: 1.5, any: x}`: "", `{num: null, b: null, s: null}`: "",
		`{num: x}`: ".num: expected numeric (int or float), got string",
		`{b: 1}`:   ".b: expected boolean, got &{1}", `{b: x}`: ".b: expected boolean, got &{x}",
		`{num: true}`: ".num: expected numeric (int or float), got bool",
		`{s: true}`:   ".s: expected string, got &value.valueUnstructured{Value:true}",
		`{s: 1.5}`:    ".s: expected string, got &value.valueUnstructured{Value:1.5}",
		`{num: x, b: 1, s: true}`: "errors:\n  .b: expected boolean, got &{1}\n" +
			"  .num: expected numeric (int or float), got string\n" +
			"  .s: expected string, got &value.valueUnstructured{Value:true}",
		`{num: [], b: {}}`: "errors:\n  .b: expected boolean, got &{map[]}\n" +
			"  .num: expected numeric (int or float), got []interface {}",
	} {
		got := ""
		if err := typ.Validate(decode(t, text)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestProblems(t *testing.T) {
	cases := []struct{ name, object, want string }{
		{"none", `spec: {ports: [{name: a}], limits: {cpu: 1}, when: null}`, ""},
		{
			"unknown fields, all of them",
			`{zz: 1, spec: {aa: 1}}`,
			"errors:\n  .spec.aa: field not declared in schema\n" +
				"  .zz: field not declared in schema",
		},
		{
			"kinds",
			`spec: {tags: x, when: [], limits: 5}`,
			"errors:\n  .spec.limits: expected map, got &{5}\n" +
				"  .spec.tags: expected list, got &{x}\n" +
				"  .spec.when: expected any scalar, got &{[]}",
		},
		{
			"by path, and not by depth",
			`{spec: {limits: 5}, spec-x: 1}`,
			"errors:\n  .spec-x: field not declared in schema\n" +
				"  .spec.limits: expected map, got &{5}",
		},
		{
			"duplicates in a set",
			`spec: {tags: [a, b, a]}`,
			`.spec.tags: duplicate entries for key [="a"]`,
		},
		{
			"duplicate keys",
			`spec: {ports: [{name: a}, {name: a, protocol: TCP}]}`,
			`.spec.ports: duplicate entries for key [name="a",protocol="TCP"]`,
		},
		{"a key is missing, the other has a default", `spec: {ports: [{port: 1}]}`, ""},
		{
			"a key is missing twice",
			`spec: {ports: [{port: 1}, {protocol: TCP}]}`,
			`.spec.ports: duplicate entries for key [protocol="TCP"]`,
		},
		{
			"null items",
			`spec: {ports: [null], tags: [null]}`,
			"errors:\n" +
				"  .spec.ports: element 0: " +
				"associative list with keys may not have a null element\n" +
				"  .spec.tags: element 0: " +
				"associative list without keys has an element that's an explicit null",
		},
		{
			"items of wrong kinds",
			`spec: {ports: [x], tags: [{}, []]}`,
			"errors:\n" +
				"  .spec.ports: element 0: " +
				"associative list with keys may not have non-map elements\n" +
				"  .spec.tags: element 0: " +
				"associative list without keys has an element that's a map type\n" +
				"  .spec.tags: element 1: not supported: associative list with lists as elements",
		},
	}
	for _, c := range cases {
		err := fooType(t).Validate(decode(t, c.object))
		got := ""
		var bad *merge.TypeError
		if errors.As(err, &bad) {
			got = bad.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q\nwant %q (%v)", c.name, got, c.want, err)
		}
	}
}

func TestUnpublishedSchema(t *testing.T) {
	got, err := merge.Compile(nil).
		Merge(object{"a": object{"b": int64(1)}, "l": []any{"x"}},
			object{"a": object{"c": "y"}, "l": []any{"z"}})
	want := object{"a": object{"b": int64(1), "c": "y"}, "l": []any{"z"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestFieldsAndExtract(t *testing.T) {
	typ := fooType(t)
	whole := decode(t,
		`{spec: {ports: [{name: a, port: 1}, {name: b, port: 2}], tags: [x, y], args: [q]}}`)
	part := decode(t, `{spec: {ports: [{name: a, port: 1}], tags: [y]}}`)
	fields, err := typ.Fields(part)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`.spec.ports[name="a",protocol="TCP"]`,
		`.spec.ports[name="a",protocol="TCP"].name`,
		`.spec.ports[name="a",protocol="TCP"].port`,
		`.spec.tags[="y"]`,
	}
	if diff := cmp.Diff(want, fields.Paths()); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	stored, err := fields.FieldsV1()
	if err != nil {
		t.Fatal(err)
	}
	if got := asJSON(t, stored); got != `{"f:spec":{"f:ports":{"k:{\"name\":\"a\",\"protocol\":\"TCP\"}":{".":{},"f:name":{},"f:port":{}}},"f:tags":{"v:\"y\"":{}}}}` {
		t.Errorf("fieldsV1 %s", got)
	}
	again, err := merge.ParseFieldsV1(stored)
	if err != nil || !again.Equal(fields) {
		t.Errorf("read back: %v, %v", again.Paths(), err)
	}
	got, err := typ.Extract(whole, fields)
	if diff := cmp.Diff(part, got); diff != "" || err != nil {
		t.Errorf("extracted: %v (-want +got):\n%s", err, diff)
	}
	for _, bad := range []any{"f:spec", func() {}} {
		set, err := merge.ParseFieldsV1(bad)
		if err == nil || !strings.HasPrefix(err.Error(), "error decoding set: ") || !set.Empty() {
			t.Errorf("a field set of an unknown form is read: %v, %v", set.Paths(), err)
		}
	}
	const atomic = `{spec: {args: [q, q], selector: {a: b}, limits: {}}}`
	if fields, err = typ.Fields(decode(t, atomic)); err != nil {
		t.Fatal(err)
	}
	got, err = typ.Extract(decode(t, atomic), fields)
	if diff := cmp.Diff(decode(t, atomic), got); diff != "" || err != nil {
		t.Errorf("extracted atomic and empty values: %v, %s", err, diff)
	}
	got, err = typ.Extract(whole, merge.FieldSet{})
	if diff := cmp.Diff(map[string]any{}, got); diff != "" || err != nil {
		t.Errorf("extracted by no fields: %v, %s", err, diff)
	}
	none, err := merge.FieldSet{}.FieldsV1()
	if diff := cmp.Diff(map[string]any{}, none); diff != "" || err != nil {
		t.Errorf("the fields of none: %v, %s", err, diff)
	}
	if again, err = merge.ParseFieldsV1(nil); err != nil || !again.Empty() {
		t.Errorf("no fields are read as %v, %v", again.Paths(), err)
	}
	if !(merge.FieldSet{}).Empty() || len((merge.FieldSet{}).Paths()) != 0 {
		t.Error("the zero field set is not empty")
	}
}

var clock = time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)

func fooResource(t testing.TB) *merge.FieldManager {
	t.Helper()
	r, err := merge.NewFieldManager(
		"Foo",
		[]merge.Version{
			{APIVersion: "g.io/v1", Type: fooType(t), HasStatus: true},
			{APIVersion: "g.io/v2", Type: fooType(t)},
		},
		merge.Hooks{
			Now: func() time.Time { return clock },
			Default: func(object map[string]any) (map[string]any, error) {
				object["spec"].(map[string]any)["when"] = "defaulted"
				return object, nil
			},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func foo(t testing.TB, spec string) object {
	t.Helper()
	return object{
		"apiVersion": "g.io/v1",
		"kind":       "Foo",
		"metadata":   object{"name": "n", "namespace": "ns"},
		"spec":       decode(t, spec),
	}
}

func request(manager string) merge.Request {
	return merge.Request{APIVersion: "g.io/v1", Manager: manager}
}

func TestApplyUpdateApply(t *testing.T) {
	r := fooResource(t)
	live, err := r.Apply(t.Context(), nil, foo(t, `{tags: [a, b], limits: {cpu: 1}}`), request("alice"))
	if err != nil {
		t.Fatal(err)
	}
	limits := object{"cpu": int64(2), "memory": int64(8)}
	live, err = r.Update(t.Context(), live, with(live, "limits", limits),
		request("bob"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Apply(t.Context(), live, foo(t, `{tags: [a], limits: {cpu: 3}}`), request("alice"))
	var conflict *merge.ConflictError
	if !errors.As(err, &conflict) ||
		err.Error() != "Apply failed with 1 conflict: "+
			`conflict with "bob" using g.io/v1: .spec.limits.cpu` {
		t.Fatalf("conflict: %v", err)
	}
	want := []merge.Conflict{
		{
			Manager:    "bob",
			Operation:  merge.OperationUpdate,
			APIVersion: "g.io/v1",
			Path:       ".spec.limits.cpu",
		},
	}
	if diff := cmp.Diff(want, conflict.Conflicts); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	forced := request("alice")
	forced.Force = true
	live, err = r.Apply(t.Context(), live, foo(t, `{tags: [a], limits: {cpu: 3}}`), forced)
	if err != nil {
		t.Fatal(err)
	}
	spec := decode(t, `{tags: [a], limits: {cpu: 3, memory: 8}, when: defaulted}`)
	if diff := cmp.Diff(spec, live["spec"]); diff != "" {
		t.Errorf("what alice no longer applies is removed, bob's memory stays (-want +got):\n%s",
			diff)
	}
	owners, err := merge.ManagedFields(live)
	if err != nil || len(owners) != 2 {
		t.Fatalf("owners %v, %v", owners, err)
	}
	paths := []string{".spec.limits.cpu", `.spec.tags[="a"]`}
	if diff := cmp.Diff(paths, owners[0].Fields.Paths()); diff != "" ||
		owners[0].Manager != "alice" ||
		!owners[0].Time.Equal(clock) {
		t.Errorf("%s (-want +got):\n%s", owners[0].Manager, diff)
	}
	if diff := cmp.Diff([]string{".spec.limits.memory"}, owners[1].Fields.Paths()); diff != "" ||
		owners[1].Manager != "bob" ||
		owners[1].Operation != merge.OperationUpdate {
		t.Errorf("%s (-want +got):\n%s", owners[1].Manager, diff)
	}
}

// All fields of an object are the object. Objects and lists of which nothing is
// left are null; empty ones stay as they are.
func TestExtractOfAllFields(t *testing.T) {
	typ, all := fooType(t), foo(t, `{tags: [a, b], limits: {cpu: 1}, args: [q], selector: {a: b}}`)
	fields, err := typ.Fields(all)
	if err != nil {
		t.Fatal(err)
	}
	for object, want := range map[*object]object{
		&all: all,
		{"spec": decode(t, `{tags: [b, c], args: [r], selector: {c: d}}`)}: {
			"spec": decode(t, `{tags: [b], args: [r], selector: {c: d}}`)},
		{"spec": decode(t, `{tags: [], limits: {}, args: [], selector: {}}`)}: {
			"spec": decode(t, `{tags: [], limits: {}, args: [], selector: {}}`)},
		{"spec": decode(t, `{tags: [c]}`)}: {"spec": object{"tags": nil}},
		{"spec": object{}}:                 {"spec": object{}}, {}: {},
	} {
		got, err := typ.Extract(*object, fields)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v: %v, %s", *object, err, diff)
		}
	}
}

// An apply of kubectl writes its annotation, if there is one.
func TestAppliesOfKubectl(t *testing.T) {
	const name = "kubectl.kubernetes.io/last-applied-configuration"
	const text = `{"apiVersion":"g.io/v1","kind":"Foo","metadata":{"name":"n","namespace":"ns"},"spec":{"limits":{"cpu":2}}}` + "\n"
	for _, c := range []struct{ manager, before, after string }{
		{"kubectl", "{}", text}, {"kubectl", "", ""}, {"m", "{}", "{}"},
	} {
		live := foo(t, `{}`)
		if c.before != "" {
			live["metadata"].(object)["annotations"] = object{name: c.before}
		}
		out, err := fooResource(t).Apply(t.Context(), live, foo(t, `{limits: {cpu: 2}}`), request(c.manager))
		if err != nil {
			t.Fatal(err)
		}
		annotations, _ := out["metadata"].(object)["annotations"].(object)
		if after, _ := annotations[name].(string); after != c.after {
			t.Errorf("%s: %s, want %s", c.manager, after, c.after)
		}
	}
}

// Who owns what after updates: entries that cannot be read count as none, an
// object without entries stays so, fields add up, and some have no owner.
func TestOwnersAfterUpdates(t *testing.T) {
	entry := func(operation, fields string) object {
		return object{"manager": "a", "operation": operation, "apiVersion": "g.io/v1",
			"fieldsType": "FieldsV1", "fieldsV1": decode(t, fields)}
	}
	of := func(spec string, meta object) object {
		o := foo(t, spec)
		for name, value := range meta {
			o["metadata"].(object)[name] = value
		}
		return o
	}
	managed := func(entries ...any) object { return object{"managedFields": entries} }
	cpu := entry("Update", `{"f:spec": {"f:limits": {".": {}, "f:cpu": {}}}}`)
	const all = ".spec.limits .spec.limits.cpu .spec.limits.memory"
	long := `{limits: {cpu: 1, memory: 2}}`
	for _, c := range []struct {
		name          string
		live, updated object
		want          []string
	}{
		{"a create", nil, of(`{limits: {cpu: 1}}`, nil), []string{"m Update .spec .spec.limits .spec.limits.cpu"}},
		{"no entries, and stored", of(`{}`, object{"uid": "u"}), of(long, nil), nil},
		{"no entries, and not stored", of(`{}`, nil), of(`{limits: {}}`, nil), []string{"m Update .spec.limits"}},
		{"another manager", of(`{limits: {cpu: 1}}`, managed(cpu)), of(long, nil),
			[]string{"a Update .spec.limits .spec.limits.cpu", "m Update .spec.limits.memory"}},
		{"an entry of the object", of(`{limits: {cpu: 1}}`, nil), of(long, managed(cpu)),
			[]string{"a Update .spec.limits .spec.limits.cpu", "m Update .spec.limits.memory"}},
		{"entries are removed", of(`{limits: {cpu: 1}}`, managed(cpu)), of(long, object{"managedFields": []any{}}),
			[]string{"m Update .spec.limits.memory"}},
		{"entries are removed by an empty one", of(`{limits: {cpu: 1}}`, managed(cpu)), of(long, managed(object{})),
			[]string{"m Update .spec.limits.memory"}},
		{"another operation", of(`{limits: {cpu: 1}}`, managed(entry("Delete", `{}`))), of(long, nil), []string{"m Update .spec.limits.memory"}},
		{"fields without an owner", of(`{}`, managed(cpu)), of(`{}`, object{"generation": int64(2), "uid": "u"}),
			[]string{"a Update .spec.limits .spec.limits.cpu"}},
	} {
		out, err := fooResource(t).Update(t.Context(), c.live, c.updated, request("m"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := ownersOf(t, out); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	r := fooResource(t)
	out, err := r.Update(t.Context(), nil, of(`{limits: {cpu: 1}}`, nil), request("m"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err = r.Update(t.Context(), out, with(out, "limits", object{"cpu": int64(1),
		"memory": int64(2)}), request("m")); err != nil {
		t.Fatal(err)
	}
	if got, want := ownersOf(t, out), []string{"m Update .spec " + all}; !slices.Equal(got, want) {
		t.Errorf("fields of two updates: %q, want %q", got, want)
	}
}

// ownersOf lists the owners of an object with their fields.
func ownersOf(t *testing.T, o object) (list []string) {
	t.Helper()
	owners, err := merge.ManagedFields(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range owners {
		list = append(list, strings.Join(append([]string{e.Manager, string(e.Operation)},
			e.Fields.Paths()...), " "))
	}
	return list
}

// Managers are listed by operation, name, version and subresource.
func TestOrderOfManagers(t *testing.T) {
	r, live := fooResource(t), object(nil)
	fields := []string{"a", "b", "c", "d"}
	writes := []merge.Request{
		{APIVersion: "g.io/v2", Manager: "n"}, {APIVersion: "g.io/v2", Manager: "m"},
		{APIVersion: "g.io/v1", Manager: "m", Subresource: "status"},
		{APIVersion: "g.io/v1", Manager: "m"},
	}
	updated := foo(t, "{limits: {}}")
	for i, write := range writes {
		updated["apiVersion"] = write.APIVersion
		if write.Subresource != "" {
			updated["status"] = object{"ready": true}
		} else {
			updated["spec"].(object)["limits"].(object)[fields[i]] = int64(1)
		}
		next, err := r.Update(t.Context(), live, updated, write)
		if err != nil {
			t.Fatal(err)
		}
		live, updated = next, jsonvalue.DeepCopyMap(next)
	}
	entries, err := merge.ManagedFields(live)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Manager+" "+e.APIVersion+" "+e.Subresource)
	}
	want := []string{"m g.io/v1 ", "m g.io/v1 status", "m g.io/v2 ", "n g.io/v2 "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// with returns a copy of the object with one field of its spec replaced.
func with(o object, name string, value any) object {
	spec := object{}
	for k, v := range o["spec"].(object) {
		spec[k] = v
	}
	spec[name] = value
	out := object{}
	for k, v := range o {
		out[k] = v
	}
	out["spec"] = spec
	return out
}

// A request for the status has no conflict about fields that it cannot set, in
// any version. About the status it has.
func TestStatusAppliesAcrossVersions(t *testing.T) {
	versions := []merge.Version{
		{APIVersion: "g.io/v1", Type: fooType(t), HasStatus: true},
		{APIVersion: "g.io/v2", Type: fooType(t), HasStatus: true},
	}
	r, err := merge.NewFieldManager("Foo", versions, merge.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	applied := foo(t, `{args: [a]}`)
	live, err := r.Apply(t.Context(), nil, applied, request("alice"))
	if err != nil {
		t.Fatal(err)
	}
	status := merge.Request{APIVersion: "g.io/v2", Manager: "controller", Subresource: "status"}
	of := func(arg string, ready bool) object {
		return object{
			"apiVersion": "g.io/v2",
			"kind":       "Foo",
			"metadata":   object{"name": "n"},
			"spec":       object{"args": []any{arg}},
			"status":     object{"ready": ready},
		}
	}
	if live, err = r.Apply(t.Context(), live, of("b", true), status); err != nil {
		t.Errorf("another spec, owned in v1: %v", err)
	}
	status.APIVersion, status.Manager = "g.io/v1", "other"
	other := of("c", false)
	other["apiVersion"] = "g.io/v1"
	var conflict *merge.ConflictError
	const want = "Apply failed with 1 conflict: " +
		`conflict with "controller" with subresource "status": .status.ready`
	if _, err = r.Apply(t.Context(), live, other, status); !errors.As(err, &conflict) ||
		err.Error() != want {
		t.Errorf("another status, owned in v2: %v", err)
	}
}

func TestStatusIsOwnedThroughItsSubresource(t *testing.T) {
	r := fooResource(t)
	applied := foo(t, `{args: [x]}`)
	applied["status"] = object{"ready": true}
	live, err := r.Apply(t.Context(), nil, applied, request("alice"))
	if err != nil {
		t.Fatal(err)
	}
	status := request("controller")
	status.Subresource = "status"
	live, err = r.Apply(t.Context(), live,
		object{
			"apiVersion": "g.io/v1",
			"kind":       "Foo",
			"metadata":   object{"name": "n"},
			"spec":       object{"args": []any{"y"}},
			"status":     object{"ready": false},
		},
		status,
	)
	if err != nil {
		t.Fatal(err)
	}
	owners, err := merge.ManagedFields(live)
	if err != nil || len(owners) != 2 {
		t.Fatalf("owners %v, %v", owners, err)
	}
	for i, want := range [][]string{{".spec.args"}, {".status.ready"}} {
		if diff := cmp.Diff(want, owners[i].Fields.Paths()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", owners[i].Manager, diff)
		}
	}
}

func TestApplyErrors(t *testing.T) {
	r := fooResource(t)
	managedBy := func(entry object) object {
		live := foo(t, `{}`)
		live["metadata"].(object)["managedFields"] = []any{entry}
		return live
	}
	unreadable := foo(t, `{}`)
	unreadable["metadata"].(object)["managedFields"] = []any{object{
		"manager": "m", "operation": "Apply", "apiVersion": "g.io/v1", "fieldsType": "FieldsV1",
		"fieldsV1": object{"k:{": object{}},
	}}
	other := foo(t, `{}`)
	other["kind"] = "Bar"
	managed := foo(t, `{}`)
	managed["metadata"].(object)["managedFields"] = []any{}
	cases := []struct {
		name          string
		live, applied object
		want          string
		isBadRequest  bool
	}{
		{
			"managed fields that cannot be read",
			managedBy(object{"operation": "Delete"}),
			foo(t, `{}`),
			"failed to decode managed fields: operation must be `Apply` or `Update`",
			false,
		},
		{"no version", managedBy(object{"operation": "Update"}), foo(t, `{}`),
			"failed to decode managed fields: apiVersion must not be empty", false},
		{"no type of fields", managedBy(object{"operation": "Apply", "apiVersion": "g.io/v1"}),
			foo(t, `{}`),
			"failed to decode managed fields: missing fieldsType in managed fields entry 0", false},
		{"another type of fields",
			managedBy(object{"operation": "Apply", "apiVersion": "g.io/v1", "fieldsType": "V2"}),
			foo(t, `{}`),
			`failed to decode managed fields: invalid fieldsType "V2" in managed fields entry 0`, false},
		{"another kind", nil, other, "invalid object type: g.io/v1, Kind=Bar", true},
		{
			"managed fields in the applied object",
			nil,
			managed,
			"metadata.managedFields must be nil",
			true,
		},
		{
			"a bad object",
			nil,
			foo(t, `{tags: [a, a]}`),
			"failed to create typed patch object (ns/n; g.io/v1, Kind=Foo): " +
				`.spec.tags: duplicate entries for key [="a"]`,
			false,
		},
		{"an object for a list", nil, foo(t, `{tags: {a: b}}`),
			"failed to create typed patch object (ns/n; g.io/v1, Kind=Foo): " +
				`.spec.tags: expected list, got &{map[a:b]}`, false},
		{"a version that is gone", object{"apiVersion": "g.io/v0", "kind": "Foo"}, foo(t, `{}`),
			"failed to create manager for existing fields: " +
				"failed to convert new object (/; g.io/v0, Kind=Foo) " +
				"to proper version (g.io/v1): " +
				"request to convert CR from an invalid group/version: g.io/v0", false},
	}
	for _, c := range cases {
		_, err := r.Apply(t.Context(), c.live, c.applied, request("m"))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
		if _, is := errors.AsType[*merge.RequestError](err); is != c.isBadRequest {
			t.Errorf("%s: %T", c.name, err)
		}
	}
	const decoding = `failed to decode managed fields: error decoding versioned set from {m Apply g.io/v1 <nil> FieldsV1 `
	_, err := r.Apply(t.Context(), unreadable, foo(t, `{}`), request("m"))
	if err == nil || !strings.HasPrefix(err.Error(), decoding) {
		t.Errorf("fields that cannot be read: %v", err)
	}
	untyped := []merge.Version{{APIVersion: "g.io/v1"}}
	if _, err := merge.NewFieldManager("Foo", untyped, merge.Hooks{}); err == nil {
		t.Error("a version without a type is taken")
	}
	twice := []merge.Version{{APIVersion: "g.io/v1", Type: fooType(t)}}
	twice = append(twice, twice...)
	if _, err := merge.NewFieldManager("Foo", twice, merge.Hooks{}); err == nil {
		t.Error("a version is taken twice")
	}
}

// If the merged object does not fit several versions, the error is about the
// first version, each time.
func TestFirstError(t *testing.T) {
	wide := compile(t,
		"type: object\nproperties: {a: {type: integer}, b: {type: integer}, c: {type: integer}}")
	r, err := merge.NewFieldManager("Foo", []merge.Version{
		{APIVersion: "g.io/v1", Type: wide},
		{
			APIVersion: "g.io/v2",
			Type: compile(t,
				"type: object\nproperties: {b: {type: integer}, c: {type: integer}}"),
		},
		{
			APIVersion: "g.io/v3",
			Type: compile(t,
				"type: object\nproperties: {a: {type: integer}, c: {type: integer}}"),
		},
	}, merge.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	entry := func(manager, apiVersion string) object {
		fields := object{"f:c": object{}}
		return object{
			"manager":    manager,
			"operation":  "Update",
			"apiVersion": apiVersion,
			"fieldsType": "FieldsV1",
			"fieldsV1":   fields,
		}
	}
	live := object{"apiVersion": "g.io/v1", "kind": "Foo", "c": int64(1), "metadata": object{
		"managedFields": []any{
			entry("x", "g.io/v3"),
			entry("y", "g.io/v2"),
			entry("z", "g.io/v1"),
		}}}
	applied := object{"apiVersion": "g.io/v1", "kind": "Foo", "a": int64(1), "b": int64(2)}
	const want = "failed to convert new object: .a: field not declared in schema"
	for range 50 {
		_, err := r.Apply(t.Context(), live, applied, request("m"))
		if err == nil || err.Error() != want {
			t.Fatalf("%v\nwant %s", err, want)
		}
		updated := object{
			"apiVersion": "g.io/v1",
			"kind":       "Foo",
			"c":          int64(1),
			"a":          int64(1),
			"b":          int64(2),
			"metadata":   live["metadata"],
		}
		if _, err := r.Update(t.Context(), live, updated, request("m")); err == nil ||
			!strings.HasSuffix(err.Error(), want) {
			t.Fatalf("update: %v\nwant %s", err, want)
		}
	}
}

// FuzzMeet compares, merges and applies any objects. Nothing panics, no
// argument is changed, and a merged object has everything that was applied.
func FuzzMeet(f *testing.F) {
	f.Add(`{"spec":{"ports":[{"name":"a","port":1}],"tags":["x"]}}`,
		`{"spec":{"ports":[{"name":"a"},{"name":"b"}],"tags":["x","y"],"args":[1]}}`)
	f.Add(
		`{"metadata":{"managedFields":[{"manager":"m","operation":"Update","apiVersion":"g.io/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:when":{}}}}]}}`,
		`{"spec":{"when":"x"}}`,
	)
	f.Add(`{"spec":null}`, `{"spec":{"any":{"a":[{}]},"template":{"kind":5}}}`)
	typ, resource := fooType(f), fooResource(f)
	f.Fuzz(func(t *testing.T, a, b string) {
		var live, applied object
		if json.Unmarshal([]byte(a), &live) != nil || json.Unmarshal([]byte(b), &applied) != nil ||
			live == nil ||
			applied == nil {
			return // only objects meet
		}
		beforeA, beforeB := asJSON(t, live), asJSON(t, applied)
		if merged, err := typ.Merge(live, applied); err == nil {
			changes, err := typ.Compare(applied, merged)
			if err != nil || len(changes.Removed) > 0 {
				t.Errorf("merging %s into %s lost %v, %v", b, a, changes.Removed, err)
			}
		}
		_ = typ.Validate(live)
		for _, o := range []object{live, applied} {
			o["apiVersion"], o["kind"] = "g.io/v1", "Foo"
		}
		_, _ = resource.Apply(t.Context(), live, applied, request("m"))
		_, _ = resource.Update(t.Context(), live, applied, request("m"))
		for _, o := range []object{live, applied} {
			delete(o, "apiVersion")
			delete(o, "kind")
		}
		var cleanA, cleanB object
		_, _ = json.Unmarshal([]byte(beforeA), &cleanA), json.Unmarshal([]byte(beforeB), &cleanB)
		for _, o := range []object{cleanA, cleanB} {
			delete(o, "apiVersion")
			delete(o, "kind")
		}
		if asJSON(t, live) != asJSON(t, cleanA) || asJSON(t, applied) != asJSON(t, cleanB) {
			t.Error("an argument was changed")
		}
	})
}

// kubectl has no conflict about fields that it applied on the client, according
// to its annotation. An annotation that cannot be read allows nothing
// (MRG-014).
func TestLastApplied(t *testing.T) {
	r := fooResource(t)
	first, err := r.Apply(t.Context(), nil, foo(t, `{args: [a]}`), request("alice"))
	if err != nil {
		t.Fatal(err)
	}
	const head = `{"apiVersion":"g.io/v1","kind":"Foo","spec":`
	for annotation, refused := range map[string]bool{
		head + `{"args":["a"]}}`: false,
		head + `{"args":["b"]}}`: true,
		head + `{"tags":["a"]}}`: true,
		head + `{"args":"a"}}`:   true,
		`{"apiVersion":"g.io/v2","kind":"Foo","spec":{"args":["a"]}}`: true,
		`{`:    true,
		`[]`:   true,
		`null`: true,
		``:     true,
	} {
		live := jsonvalue.DeepCopyMap(first)
		live["metadata"].(object)["annotations"] = object{
			"kubectl.kubernetes.io/last-applied-configuration": annotation}
		_, err := r.Apply(t.Context(), live, foo(t, `{args: [b]}`), request("kubectl"))
		_, isConflict := errors.AsType[*merge.ConflictError](err)
		if isConflict != refused || err != nil && !isConflict {
			t.Errorf("%s: %v", annotation, err)
		}
	}
}
