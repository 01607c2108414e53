package generate

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
	"github.com/crdsem/crdsem/structural"
)

// Names of fields may contain dots and brackets, and may be keys of maps.
func TestFindByErrorPath(t *testing.T) {
	schema, err := structural.Parse([]byte(`
type: object
properties:
  a.b:
    type: array
    items: {type: object, properties: {c: {type: string, title: found}}}
  m:
    type: object
    additionalProperties: {type: object, properties: {x: {type: string, title: found}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	f := repair{
		m:      &objectgen.Maker{Rand: NewRand(1)},
		schema: objectgen.NodeOf(schema),
		object: map[string]any{
			"a.b": []any{map[string]any{}, map[string]any{"c": "v"}},
			"m": map[string]any{
				"k.l":  map[string]any{"x": "v"},
				"n[0]": map[string]any{"x": "v"},
			},
		},
	}
	for path, exists := range map[string]bool{
		"a.b[1].c": true, "m.k.l.x": true, "m[k.l].x": true, "m[n[0]].x": true, "a.b[0].c": false,
	} {
		found, ok := f.find(path)
		if !ok || found.exists != exists || found.node.Schema().Title() != "found" ||
			exists && found.value != "v" {
			t.Errorf("%s: %v %+v", path, ok, found)
		}
	}
	if found, ok := f.find("nope.x"); ok {
		t.Errorf("found %+v", found)
	}
}

// stringFields returns a maker of repairs for an object with n strings.
func stringFields(t *testing.T, n int, seed uint64) *repair {
	t.Helper()
	properties := map[string]any{"deep": map[string]any{"type": "object",
		"properties": map[string]any{"x": map[string]any{"type": "object",
			"properties": map[string]any{"y": map[string]any{"type": "string"}}}}}}
	for i := range n {
		properties[fmt.Sprintf("p%03d", i)] = map[string]any{"type": "string"}
	}
	schema, err := structural.FromMap(map[string]any{"type": "object", "properties": properties})
	if err != nil {
		t.Fatal(err)
	}
	return &repair{m: &objectgen.Maker{Rand: NewRand(seed)},
		schema: objectgen.NodeOf(schema), object: map[string]any{}}
}

// required returns an error for each of the first n strings.
func required(n int) (errs field.ErrorList) {
	for i := range n {
		errs = append(errs, field.Required(field.NewPath(fmt.Sprintf("p%03d", i)), ""))
	}
	return errs
}

// Some errors are repaired at once. An object that does not decode, or has too
// many errors, is given up.
func TestRepairs(t *testing.T) {
	late := field.InternalError(nil, errors.New(unevaluated))
	late.Detail = unevaluated
	for _, c := range []struct {
		name    string
		result  *crdsem.Result
		changed bool
		fields  int
	}{
		{"nothing to repair", &crdsem.Result{}, false, 0},
		{"two fields", &crdsem.Result{Errors: required(2)}, true, 2},
		{"many fields", &crdsem.Result{Errors: required(repairsAtOnce + 1)}, true, repairsAtOnce},
		{"as many as are repaired", &crdsem.Result{Errors: required(maxErrors)}, true, repairsAtOnce},
		{"too many", &crdsem.Result{Errors: required(maxErrors + 1)}, false, 0},
		{"not decoded", &crdsem.Result{Errors: required(2), Stage: crdsem.StageDecode}, false, 0},
		{"rules not evaluated", &crdsem.Result{Errors: field.ErrorList{late}}, false, 0},
		{"also rules not evaluated",
			&crdsem.Result{Errors: append(field.ErrorList{late}, required(1)...)}, true, 1},
		{"no such field", &crdsem.Result{Errors: field.ErrorList{
			field.Required(field.NewPath("a", "b"), "")}}, false, 0},
		{"a rule of nothing", &crdsem.Result{Errors: required(2),
			Explanations: []celrules.Explanation{{Field: "a.b", Rule: "self == 'x'"}}}, false, 0},
		{"a rule of an absent field", &crdsem.Result{Errors: required(2),
			Explanations: []celrules.Explanation{{Field: "p000", Rule: "self == 'x'"}}}, false, 0},
		{"a rule of the root", &crdsem.Result{Explanations: []celrules.Explanation{
			{Field: "<nil>", Rule: "self.p000 == 'x'"}}}, true, 1},
	} {
		for seed := range uint64(5) {
			f := stringFields(t, maxErrors+1, seed)
			if changed := f.all(c.result); changed != c.changed {
				t.Errorf("%s: changed: %t", c.name, changed)
			}
			if len(f.object) < c.fields || c.name != "a rule of the root" &&
				len(f.object) != c.fields {
				t.Errorf("%s: %d fields: %v", c.name, len(f.object), f.object)
			}
		}
	}
}

// A value that leads to the wanted node stays, and keeps that node. Others are
// made again or removed.
func TestReplaceKeepsWanted(t *testing.T) {
	for path, wants := range map[string]objectgen.NodePath{
		"deep": {".deep", ".x", ".y"}, "deep.x": {".deep", ".x", ".y"}, "deep.x.y": {".deep", ".x"},
	} {
		removed := 0
		for seed := range uint64(60) {
			f := stringFields(t, 0, seed)
			f.wanted = wants
			f.object["deep"] = map[string]any{"x": map[string]any{"y": "a"}}
			if !f.errors(field.ErrorList{{Type: field.ErrorTypeInvalid, Field: path}}) {
				t.Errorf("%s: nothing is repaired", path)
			}
			if path == "deep.x.y" && jsonvalue.At(f.object, "deep", "x", "y") == nil {
				removed++
			}
			if !wants.In(f.object) {
				t.Errorf("%s, seed %d: %v", path, seed, f.object)
			}
		}
		if path == "deep.x.y" && (removed < 10 || removed > 40) {
			t.Errorf("%s: removed %d times", path, removed)
		}
	}
}

// An object that became worse is sometimes put back as it was.
func TestSettlePutsBack(t *testing.T) {
	late := &field.Error{Detail: unevaluated}
	back, kept := 0, 0
	for seed := range uint64(40) {
		f := stringFields(t, 3, seed)
		best, worse := &crdsem.Result{Errors: required(1)},
			&crdsem.Result{Errors: field.ErrorList{late, late}}
		sent := 0
		q := &request{schema: f.schema, restore: func(map[string]any) {},
			send: func(context.Context, map[string]any) *crdsem.Result {
				if sent++; sent == 1 {
					return best
				}
				best.Errors = field.ErrorList{late}
				return worse
			}}
		object := map[string]any{"p001": "a"}
		result := settle(f.m, object, q, nil)
		_, hasNew := object["p000"]
		switch {
		case sent != 2 || object["p001"] != "a":
			t.Errorf("seed %d: %d requests, %v", seed, sent, object)
		case result == best && !hasNew:
			back++
		case result == worse && hasNew:
			kept++
		default:
			t.Errorf("seed %d: %v: %v", seed, object, result.Errors)
		}
	}
	if back < 20 || kept < 5 {
		t.Errorf("put back %d times, kept %d times", back, kept)
	}
}
