package advice

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/structural"
)

type object = map[string]any

// built returns the schema of a document.
func built(t *testing.T, document object) *structural.Schema {
	t.Helper()
	schema, err := structural.FromMap(document)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// The place of each path: the value, whether it is there, the last key, and the
// types of its schema and of the one above.
func TestLocate(t *testing.T) {
	text := object{"type": "string"}
	schema := built(t, object{"type": "object", "properties": object{"a": object{
		"type": "object", "properties": object{
			"b": object{"type": "array", "items": object{
				"type": "object", "properties": object{"c": object{"type": "integer"}}}},
			"d.e": object{"type": "object", "additionalProperties": text}, "g.h": text, "n": text,
		},
	}}})
	list := []any{object{"c": int64(1)}, "x"}
	value := object{"a": object{"b": list, "d.e": object{"f": "F"}, "n": nil}}
	for path, want := range map[string]string{
		"a.b[0].c": "1 true c integer object", ".a.b[1]": "x true  object array",
		"<nil>.a.n": "<nil> true n string object", "a.n": "<nil> true n string object",
		"a.b[2]": fmt.Sprint(list) + " false  object array", "a.b[2].c": fmt.Sprint(list) + " false c object array",
		"a.b.c": fmt.Sprint(list) + " false  object array", "a.b[-1]": fmt.Sprint(list) + " false  object array",
		"a.d.e.f": "F true f string object", "a.d.e[f]": "F true f string object",
		"a.d.x.y": "<nil> false x.y  object", "a.g.h": "<nil> false g.h string object",
		"a.g.i": "<nil> false i  object", "a.n.x": "<nil> false x  string", "a.b[0].c.z": "<nil> false z  integer",
		"a.d.e": fmt.Sprint(object{"f": "F"}) + " true d.e object object",
		"":      fmt.Sprint(value) + " true  object ", "<nil>": fmt.Sprint(value) + " true  object ",
	} {
		at := locate(value, schema, path)
		got := fmt.Sprintf("%v %t %s %s %s", at.value, at.found, at.key, at.schema.Type(),
			at.above.Type())
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if at := locate(nil, schema, "a.b"); at.found || at.key != "a.b" || at.holder != nil {
		t.Errorf("in nothing: %+v", at)
	}
	for path, want := range map[string]string{
		"[2].a": "2 .a", "[10]": "10 ", "[x].a": "-1 ", "[2": "-1 ", "": "-1 ", "[0][1]": "0 [1]",
	} {
		if index, rest := indexOf(path); fmt.Sprint(index, " ", rest) != want {
			t.Errorf("%s: %d %s, want %s", path, index, rest, want)
		}
	}
	names := []string{"a", "a.b", "a.b[c]", "x]y"}
	for path, want := range map[string]string{
		"a": "a ", "a.c": "a .c", "a.b.c": "a.b .c", "a.b[c].d": "a.b[c] .d", "a.b[d]": "a.b [d]",
		"b.c": "b .c", "b[c]": "b [c]", "[a].b": "a .b", "[x]y]": "x]y ", "[z]y]": "z y]",
	} {
		key, rest := keyOf(path, func(name string) bool { return slices.Contains(names, name) })
		if got := key + " " + rest; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// The steps to a path in a document: each key with the rest of the path. The
// node is that of the last keyword, the key the last one.
func TestFollow(t *testing.T) {
	node := object{"type": "object", "properties": object{
		"title": object{"format": "x", "additionalProperties": object{"pattern": "y"}},
		"a.b":   object{"anyOf": []any{object{"enum": []any{"z"}}}},
	}}
	beta := object{"spec": object{"validation": object{"openAPIV3Schema": node}}}
	for _, c := range []struct {
		document         object
		path, want, node string
	}{
		{node, "type", "type:", "properties,type"}, {node, ".type", "type:", "properties,type"}, {node, "", "", ""},
		{node, "none", "none:", ""}, {node, "none.x", "none:.x", ""}, {node, "type.x", "type:.x", "properties,type"},
		{node, "properties[title].format", "properties:[title].format title:.format format:",
			"additionalProperties,format"},
		{node, "properties[a.b].anyOf[0].enum[0]",
			"properties:[a.b].anyOf[0].enum[0] a.b:.anyOf[0].enum[0] anyOf:[0].enum[0] 0:.enum[0] enum:[0] 0:", "enum"},
		{node, "properties[a.b].anyOf[1].enum", "properties:[a.b].anyOf[1].enum a.b:.anyOf[1].enum anyOf:[1].enum", ""},
		{node, "properties[a.b].anyOf.enum", "properties:[a.b].anyOf.enum a.b:.anyOf.enum anyOf:.enum", ""},
		{node, "properties[a.b].anyOf[-1]", "properties:[a.b].anyOf[-1] a.b:.anyOf[-1] anyOf:[-1]", ""},
		{beta, "spec.versions[0].schema.openAPIV3Schema.type", "spec:.versions[0].schema.openAPIV3Schema.type " +
			"versions:[0].schema.openAPIV3Schema.type", ""},
		{object{"spec": object{"versions": []any{"x"}}}, "spec.validation.openAPIV3Schema.type",
			"spec:.versions[0].schema.openAPIV3Schema.type versions:[0].schema.openAPIV3Schema.type " +
				"0:.schema.openAPIV3Schema.type", ""},
		{object{"spec": object{"versions": []any{object{"schema": object{"openAPIV3Schema": node}}}}},
			"spec.validation.openAPIV3Schema.type", "spec:.versions[0].schema.openAPIV3Schema.type " +
				"versions:[0].schema.openAPIV3Schema.type 0:.schema.openAPIV3Schema.type schema:.openAPIV3Schema.type " +
				"openAPIV3Schema:.type type:", "properties,type"},
	} {
		f := &finding{err: &field.Error{Field: "field"}, trail: follow(c.document, c.path)}
		var steps, keys []string
		last := "field"
		for _, s := range f.trail {
			steps, last = append(steps, s.key+":"+s.rest), s.key
		}
		for key := range f.node() {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		if got := strings.Join(steps, " "); got != c.want || strings.Join(keys, ",") != c.node ||
			f.lastKey() != last {
			t.Errorf("%s: %s, node %s, want %s, %s", c.path, got, keys, c.want, c.node)
		}
	}
}

// asked returns a finding with a fresh effort.
func asked(ctx context.Context, o *Object, d *Definition) *finding {
	return &finding{ctx: ctx, object: o, definition: d, effort: &effort{}, err: &field.Error{}}
}

// Steps are spent up to their maximum. The context is looked at now and then.
func TestSpend(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx                  context.Context
		before, steps, after int
		want                 bool
	}{
		{t.Context(), 0, 5, 5, true}, {t.Context(), 4095, 1, 4096, true}, {t.Context(), 7, maxSteps, maxSteps, false},
		{t.Context(), maxSteps - 2, 1, maxSteps - 1, true}, {t.Context(), maxSteps - 1, 1, maxSteps, false},
		{t.Context(), maxSteps, 1, maxSteps, false}, {ended, 0, 4095, 4095, true}, {ended, 4095, 1, 4096, false},
		{ended, 4096, 4095, 8191, true},
	} {
		f := &finding{ctx: c.ctx, effort: &effort{spent: c.before}}
		if got := f.spend(c.steps); got != c.want || f.effort.spent != c.after {
			t.Errorf("%+v: %t, %d", c, got, f.effort.spent)
		}
	}
	f, lists := asked(t.Context(), nil, nil), 0
	for range 2 {
		names := f.known(cacheKey{"a", 1}, func() []string {
			lists++
			return []string{"bcd", "abc", "e"}
		})
		diff := cmp.Diff([]string{"abc", "bcd", "e"}, names.sorted)
		if diff != "" || lists != 1 || f.effort.spent != 4 ||
			!names.has("e") || names.has("d") || f.near("abd", names) != "abc" {
			t.Errorf("%d lists, %d steps: %s", lists, f.effort.spent, diff)
		}
		f.effort.spent = 4
	}
	f.effort.spent = maxSteps
	names := f.known(cacheKey{"b", 1}, func() []string { return []string{"a"} })
	if names.sorted != nil || f.near("a", names) != "" {
		t.Errorf("without steps: %v", names)
	}
}

// The steps that each part of a hint takes: one for each node, name or byte of
// a path. With fewer, the hint says less.
func TestSteps(t *testing.T) {
	text := object{"type": "string"}
	schema := built(t, object{"type": "object", "properties": object{
		"ab": object{"type": "object", "properties": object{"cd": text}},
		"e":  object{"enum": []any{int64(1), int64(2)}}}})
	items := object{"bad": 1, "type": "x"}
	node := object{"type": "object", "properties": object{"a": object{"items": items}}}
	ruled := built(t, object{"type": "string", "x-kubernetes-validations": []any{
		object{"rule": "self == 'a'", "message": "a"}, object{"rule": "self == 'b'", "message": " b "}}})
	document := object{"spec": object{"versions": []any{
		object{"schema": object{"openAPIV3Schema": node}}}}}
	const at = "spec.versions[0].schema.openAPIV3Schema"
	for _, c := range []struct {
		name  string
		do    func(f *finding) any
		steps int
		want  any
		less  any
	}{
		{"locate", func(f *finding) any {
			o := &Object{Object: object{"a": object{"b": "x"}}, effort: *f.effort}
			place := o.about(f.ctx, "a.b")
			*f.effort = o.effort
			return place.at.value
		}, 1 + 3, "x", nil},
		{"a definition", func(f *finding) any {
			d := &Definition{Document: object{"type": "x"}, effort: *f.effort}
			hint := d.Hint(f.ctx, &field.Error{Field: "type", Origin: "STR-070"})
			*f.effort = d.effort
			return strings.Contains(hint, "move `type`")
		}, 1 + 4, true, true},
		{"nodes below", func(f *finding) any {
			var paths []string
			for n := range f.nodesBelow("x", node) {
				paths = append(paths, n.path)
			}
			return paths
		}, (1 + 1 + 2) + (1 + 15 + 1) + (1 + 21 + 2),
			[]string{"x", "x.properties[a]", "x.properties[a].items"},
			[]string{"x", "x.properties[a]"}},
		{"silent", func(f *finding) any {
			d := &Definition{Document: document, effort: *f.effort}
			found := d.Silent(f.ctx)
			*f.effort = d.effort
			return len(found)
		}, (1 + len(at)) + (1 + len(at) + 14) + (1 + len(at) + 20) + (len(at) + 20 + 3), 1, 0},
		{"a rule by its message", func(f *finding) any {
			f.at.schema, f.err.Detail = ruled, "b"
			return f.broken()
		}, 2, "the rule `self == 'b'` does not hold",
			"a rule of the schema does not hold: the error has its message"},
		{"explanations", func(f *finding) any {
			f.object = &Object{Explanations: []celrules.Explanation{
				{Field: "abc", Rule: "r"}, {Field: "d", Rule: "s"}}}
			f.err.Field, f.err.Detail = "d", "failed rule: s"
			return f.explanation() != nil
		}, (1 + 3) + (1 + 1), true, false},
		{"declared", func(f *finding) any { return len(f.declared(schema)) }, 1 + (1 + 2) + (1 + 5) + (1 + 1), 3, 3},
		{"parents", func(f *finding) any {
			f.at.key = "cd"
			f.effort.declared = map[string][]declared{"cd": {{"ab", schema}, {"x", schema}}}
			return f.parentsOf(schema, "ab.y.cd")
		}, 2*(1+4) + 2*(1+2), []string{"below `ab`"}, []string(nil)},
		{"an enum", func(f *finding) any {
			f.at = place{value: "2", schema: schema.Property("e")}
			return enum(f)
		}, 1 + 2*(1+1), "the schema wants `2` of type integer, not of type string",
			"a default must be one of the values in `enum`"},
		{"an unknown field", func(f *finding) any {
			f.at = place{value: object{"e": 1, "zzz": 1}, schema: schema}
			return unknownInDefault(f)
		}, (1 + 2) + 1 + 1 + (1 + 2) + 3*3 + 1,
			"remove `zzz` from the default, or declare it in `properties`",
			"remove `zzz` from the default, or declare it in `properties`"},
	} {
		f := asked(t.Context(), nil, &Definition{})
		if diff := cmp.Diff(c.want, c.do(f)); diff != "" || f.effort.spent != c.steps {
			t.Errorf("%s: %d steps, want %d: %s", c.name, f.effort.spent, c.steps, diff)
		}
		f = asked(t.Context(), nil, &Definition{})
		f.effort.spent = maxSteps - c.steps
		if diff := cmp.Diff(c.less, c.do(f)); diff != "" {
			t.Errorf("%s with a step less: %s", c.name, diff)
		}
	}
}
