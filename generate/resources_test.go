package generate

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/generate/internal/objectgen"
	"github.com/crdsem/crdsem/generate/schemagen"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// node is an object of a schema.
type node = map[string]any

// resourcesOf compiles a definition of kind K in group g.io with one version, v1.
func resourcesOf(schema node, scope string) (*Resources, error) {
	crd, err := json.Marshal(node{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": node{"name": "ks.g.io"},
		"spec": node{
			"group": "g.io", "scope": scope, "names": node{"kind": "K", "plural": "ks"},
			"versions": []any{node{
				"name": "v1", "served": true, "storage": true,
				"schema": node{"openAPIV3Schema": schema},
			}},
		},
	})
	if err != nil {
		return nil, err
	}
	return ParseResources(crd, "")
}

func TestParseResources(t *testing.T) {
	const crd = `
kind: CustomResourceDefinition
spec:
  group: g.io
  names: {kind: K}
  scope: Namespaced
  versions:
  - {name: v1alpha1, served: true}
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: string}}}}
`
	for _, c := range []struct{ name, crd, version, want string }{
		{"stored version", crd, "", ""},
		{"named version", crd, "v1", ""},
		{"no schema", crd, "v1alpha1", `version "v1alpha1" has no schema`},
		{"no such version", crd, "v2", `there is no version "v2"`},
		{"no group and kind", "spec: {}", "", "not a CustomResourceDefinition: it has no group or no kind"},
		{"another kind", "kind: Pod", "", `no kind "Pod" is registered for version "apiextensions.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"`},
		{"nothing stored", "spec: {group: g, names: {kind: K}}", "", "no version is stored"},
	} {
		resources, err := ParseResources([]byte(c.crd), c.version)
		if got := text(err); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		} else if want := (Identity{"g.io", "v1", "K", true}); err == nil && resources.Identity() != want {
			t.Errorf("%s: %+v", c.name, resources.Identity())
		}
	}
}

// specOf returns the schema of an object with a required spec.
func specOf(spec node) node {
	return node{"type": "object", "required": []any{"spec"}, "properties": node{"spec": spec}}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// What can be met only by trying and repairing is met; what cannot be met is told.
func TestResourcesOfAwkwardSchemas(t *testing.T) {
	for _, c := range []struct {
		name   string
		schema node
		made   bool
	}{
		{"one of two members", specOf(node{"type": "object", "properties": node{"a": node{"type": "string"}, "b": node{"type": "string"}},
			"oneOf": []any{node{"required": []any{"a"}}, node{"required": []any{"b"}}}}), true},
		{"not together", specOf(node{"type": "object", "properties": node{"a": node{"type": "string"}, "b": node{"type": "string"}},
			"not": node{"required": []any{"a", "b"}}}), true},
		{"pattern and length", specOf(node{"type": "string", "pattern": "^[a-z]+-[0-9]+$", "minLength": int64(12), "maxLength": int64(14)}), true},
		{"format and pattern", specOf(node{"type": "string", "format": "ipv4", "pattern": `^\d`}), true},
		{"default that a branch forbids", specOf(node{"type": "array", "items": node{"type": "object", "properties": node{"t": node{"type": "string", "default": "x"}, "v": node{"type": "string"}},
			"oneOf": []any{node{"properties": node{"t": node{"enum": []any{"x"}}, "v": node{"minLength": int64(1)}}}, node{"properties": node{"t": node{"enum": []any{"y"}}, "v": node{"maxLength": int64(0)}}}}}}), true},
		{"a name", node{"type": "object", "properties": node{"metadata": node{"type": "object", "properties": node{"name": node{"type": "string", "pattern": "^only-[0-9]$"}}}}}, true},
		{"an empty pattern of nothing", specOf(node{"type": "string", "pattern": "[^\\x00-\\x{10FFFF}]"}), false},
		{"limits that cross", specOf(node{"type": "integer", "minimum": int64(5), "maximum": int64(2)}), false},
		{"all but nothing", specOf(node{"type": "string", "not": node{"minLength": int64(0)}}), false},
	} {
		resources, err := resourcesOf(c.schema, "Cluster")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for seed := range uint64(50) {
			object, err := resources.Valid(schemagen.NewRand(seed))
			if (err == nil) != c.made {
				t.Fatalf("%s, seed %d: made %v: %v", c.name, seed, object, err)
			}
			if err == nil {
				resources.mustAdmit(t, object)
			}
		}
	}
}

// Generated schemas, flaws and all: nothing panics, what is valid is accepted, what is broken is not, the same seed makes the same.
func checkResources(t *testing.T, r *rand.Rand) {
	config := schemagen.SchemaConfig{
		Flaws: float64(r.IntN(2)) / 20, Rules: float64(r.IntN(2)) / 10,
	}
	resources, err := resourcesOf(schemagen.Schema(r, config), "Namespaced")
	if err != nil {
		return
	}
	seed := uint64(r.IntN(1 << 30))
	object, err := resources.Valid(schemagen.NewRand(seed))
	again, otherErr := resources.Valid(schemagen.NewRand(seed))
	if text(err) != text(otherErr) || !reflect.DeepEqual(object, again) {
		t.Fatalf("two runs differ: %v %v, %v %v", object, err, again, otherErr)
	}
	if err != nil {
		return
	}
	resources.mustAdmit(t, object)
	if object, err := resources.Boundary(r); err == nil {
		resources.mustAdmit(t, object)
	}
	before := jsonvalue.DeepCopyMap(object)
	if update, err := resources.Update(r, object); err == nil {
		if result := resources.version.Update(t.Context(), update, object, crdsem.Strict); !result.Admitted() {
			t.Fatalf("update %v is refused: %v %v", update, result.Err(), result.Errors)
		}
	}
	if object, broken, err := resources.Broken(r); err == nil {
		if result := resources.version.Create(t.Context(), object); !broken.Among(result.Errors) {
			t.Fatalf("%v is not broken by %+v: %v %v", object, broken, result.Err(), result.Errors)
		}
	}
	if object, broken, err := resources.BrokenUpdate(r, object); err == nil {
		if result := resources.version.Update(t.Context(), object, before); !broken.Among(result.Errors) {
			t.Fatalf("update %v is not broken by %+v: %v %v", object, broken, result.Err(), result.Errors)
		}
	}
	if !reflect.DeepEqual(object, before) {
		t.Fatal("the old object was changed")
	}
}

// mustAdmit asks that an object is admitted, and nothing of it pruned.
func (s *Resources) mustAdmit(t *testing.T, object map[string]any) {
	t.Helper()
	result := s.version.Create(t.Context(), object, crdsem.Strict)
	if !result.Admitted() || len(result.Pruned) > 0 {
		t.Fatalf("%v is refused: %v %v, pruned %q", object, result.Err(), result.Errors, result.Pruned)
	}
}

func TestResourcesOfGeneratedSchemas(t *testing.T) {
	for seed := range uint64(400) {
		checkResources(t, schemagen.NewRand(seed))
	}
}

func FuzzResources(f *testing.F) {
	for seed := range byte(4) {
		f.Add([]byte{seed})
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkResources(t, schemagen.FromBytes(data)) })
}

// What a schema asks for is not made at any price: the objects that are tried stay small, and they are not tried for long. Without the limits,
// these schemas take hours, or all memory.
func TestEffortIsBounded(t *testing.T) {
	lists := node{"type": "string", "pattern": "^$", "minLength": int64(1)}
	maps := lists
	for range 9 {
		lists = node{"type": "array", "minItems": int64(30), "items": lists}
		maps = node{"type": "object", "minProperties": int64(30), "additionalProperties": maps}
	}
	wide := node{}
	for i := range 700 {
		wide["m"+strconv.Itoa(i)] = node{"type": "object", "required": []any{"x"}, "properties": node{"x": node{"type": "integer", "minimum": int64(2), "maximum": int64(1)}}}
	}
	all := []any{}
	for _, name := range jsonvalue.SortedKeys(wide) {
		all = append(all, name)
	}
	long := node{"type": "array", "maxItems": int64(310), "minItems": int64(300), "items": node{"type": "integer"}, "x-kubernetes-validations": []any{
		node{"rule": "self.all(a, self.filter(b, a == b).size() >= 0) && self.size() < 5"}}}
	for _, c := range []struct {
		name   string
		schema node
	}{
		{"lists of lists", specOf(lists)},
		{"maps of maps", specOf(maps)},
		{"errors everywhere", specOf(node{"type": "object", "required": all, "properties": wide})},
		{"a rule that costs", specOf(long)},
		{"a set of few", specOf(node{"type": "array", "x-kubernetes-list-type": "set", "minItems": int64(1 << 20), "items": node{"type": "string", "enum": []any{"a", "b"}}})},
		{"a long text", specOf(node{"type": "string", "minLength": int64(1 << 40)})},
	} {
		s, err := resourcesOf(c.schema, "Cluster")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		tried, most, spent := 0, 0, int64(0)
		for _, kind := range []objectgen.Kind{objectgen.Valid, objectgen.Boundary} {
			m := &objectgen.Maker{Rand: schemagen.NewRand(1), Kind: kind}
			q := s.creation(m)
			send := q.send
			q.send = func(object map[string]any) *crdsem.Result {
				tried++
				most = max(most, objectgen.CountValues(object))
				return send(object)
			}
			if object, err := s.create(m, q, nil); err == nil {
				t.Errorf("%s: made %v", c.name, object)
			}
			spent += q.spent
		}
		t.Logf("%s: %d tries, the largest of %d values; the rules cost %d", c.name, tried, most, spent)
		if tried > 1000 || most > 20_000 || spent > 80_000_000 {
			t.Errorf("%s: too much", c.name)
		}
	}
}

// An error tells what the nearest object was refused for, and the rule.
func TestWhatCannotBeMadeIsTold(t *testing.T) {
	rule := node{"rule": "self > 5 && self < 5", "message": "no way"}
	s, err := resourcesOf(specOf(node{
		"type": "integer", "x-kubernetes-validations": []any{rule},
	}), "Namespaced")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Valid(schemagen.NewRand(1))
	var unmade *UnmadeError
	if !errors.As(err, &unmade) || len(unmade.Errors) != 1 || unmade.Errors[0].Field != "spec" || !slices.Equal(unmade.Rules, []string{"self > 5 && self < 5"}) {
		t.Fatalf("got %#v", err)
	}
	if got := err.Error(); !strings.HasPrefix(got, "found no valid object: the nearest is refused: spec: Invalid value: ") || !strings.HasSuffix(got, ": no way; rule: self > 5 && self < 5") {
		t.Errorf("got %s", got)
	}
	if _, err := s.UpdateStatus(schemagen.NewRand(1), map[string]any{}); text(err) != "found no status: it is no subresource" {
		t.Errorf("got %v", err)
	}
	if _, _, err := s.Broken(schemagen.NewRand(1), "pattern"); text(err) != "found no object that breaks pattern" {
		t.Errorf("got %v", err)
	}
}
