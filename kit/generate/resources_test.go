package generate

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
)

// resourcesOf compiles a definition of kind K in group g.io with one version,
// v1.
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
		{"no group", "spec: {names: {kind: K}}", "", "not a CustomResourceDefinition: it has no group or no kind"},
		{"no kind", "spec: {group: g}", "", "not a CustomResourceDefinition: it has no group or no kind"},
		{"another kind", "kind: Pod", "", `no kind "Pod" is registered for version "apiextensions.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"`},
		{"nothing stored", "spec: {group: g, names: {kind: K}}", "", "no version is stored"},
	} {
		resources, err := ParseResources([]byte(c.crd), c.version)
		if got := text(err); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		} else if err == nil && resources.Identity() != (Identity{"g.io", "v1", "K", true}) {
			t.Errorf("%s: %+v", c.name, resources.Identity())
		}
	}
}

// specOf returns the schema of an object with a required spec.
func specOf(spec any) node {
	return node{"type": "object", "required": []any{"spec"}, "properties": node{"spec": spec}}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// awkward are schemas of a required spec that need search and repair, or that
// no object keeps.
var awkward = []struct {
	name, spec string
	possible   bool
}{
	{"one of two fields", `{type: object, properties: {a: {type: string}, b: {type: string}},
		oneOf: [{required: [a]}, {required: [b]}]}`, true},
	{"not together", `{type: object, properties: {a: {type: string}, b: {type: string}},
		not: {required: [a, b]}}`, true},
	{"pattern and length", `{type: string, pattern: "^[a-z]+-[0-9]+$", minLength: 12,
		maxLength: 14}`, true},
	{"format and pattern", `{type: string, format: ipv4, pattern: '^\d'}`, true},
	{"default that a branch forbids", `{type: array, items: {type: object,
		properties: {t: {type: string, default: x}, v: {type: string}}, oneOf: [
			{properties: {t: {enum: [x]}, v: {minLength: 1}}},
			{properties: {t: {enum: ["y"]}, v: {maxLength: 0}}}]}}`, true},
	{"pattern that matches nothing", `{type: string, pattern: '[^\x00-\x{10FFFF}]'}`, false},
	{"minimum above maximum", `{type: integer, minimum: 5, maximum: 2}`, false},
	{"not anything", `{type: string, not: {minLength: 0}}`, false},
}

// Valid finds an object if there is one, and reports an error otherwise.
func TestResourcesOfAwkwardSchemas(t *testing.T) {
	for _, c := range awkward {
		data, err := yaml.YAMLToJSON([]byte(strings.ReplaceAll(c.spec, "\t", " ")))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		checkValid(t, c.name, specOf(json.RawMessage(data)), c.possible)
	}
	name := node{"type": "string", "pattern": "^only-[0-9]$"}
	metadata := node{"type": "object", "properties": node{"name": name}}
	checkValid(t, "a restricted name",
		node{"type": "object", "properties": node{"metadata": metadata}}, true)
}

// checkValid makes valid objects from many seeds.
func checkValid(t *testing.T, name string, schema node, possible bool) {
	t.Helper()
	resources, err := resourcesOf(schema, "Cluster")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for seed := range uint64(50) {
		object, err := resources.Valid(NewRand(seed))
		if (err == nil) != possible {
			t.Fatalf("%s, seed %d: made %v: %v", name, seed, object, err)
		}
		if err == nil {
			resources.mustAdmit(t, object)
		}
	}
}

// checkResources checks the objects of a generated schema, which may have
// flaws. Nothing panics, valid objects are admitted and broken ones are not,
// and the same seed makes the same object.
func checkResources(t *testing.T, r *rand.Rand) {
	config := SchemaConfig{
		Flaws: float64(r.IntN(2)) / 20, Rules: float64(r.IntN(2)) / 10,
	}
	resources, err := resourcesOf(Schema(r, config), "Namespaced")
	if err != nil {
		return
	}
	seed := uint64(r.IntN(1 << 30))
	object, err := resources.Valid(NewRand(seed))
	again, otherErr := resources.Valid(NewRand(seed))
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
		result := resources.version.Update(t.Context(), update, object, strict)
		if !result.Admitted() {
			t.Fatalf("update %v is refused: %v %v", update, result.Err(), result.Errors)
		}
	}
	if object, broken, err := resources.Broken(r); err == nil {
		if result := resources.version.Create(t.Context(), object); !broken.Among(result.Errors) {
			t.Fatalf("%v is not broken by %+v: %v %v", object, broken, result.Err(), result.Errors)
		}
	}
	if object, broken, err := resources.BrokenUpdate(r, object); err == nil {
		if result := resources.version.Update(t.Context(), object, before); !broken.Among(
			result.Errors) {
			t.Fatalf("update %v is not broken by %+v: %v %v", object, broken, result.Err(),
				result.Errors)
		}
	}
	if !reflect.DeepEqual(object, before) {
		t.Fatal("the old object was changed")
	}
}

// mustAdmit checks that an object is admitted, and that nothing is pruned.
func (s *Resources) mustAdmit(t *testing.T, object map[string]any) {
	t.Helper()
	result := s.version.Create(t.Context(), object, crdsem.FieldValidation(crdsem.Strict))
	if !result.Admitted() || len(result.Pruned) > 0 {
		t.Fatalf("%v is refused: %v %v, pruned %q", object, result.Err(), result.Errors,
			result.Pruned)
	}
}

func TestResourcesOfGeneratedSchemas(t *testing.T) {
	for seed := range uint64(400) {
		checkResources(t, NewRand(seed))
	}
}

// The lines of resources.txt are Go strings that reach paths of their own.
func FuzzResources(f *testing.F) {
	for seed := range byte(4) {
		f.Add([]byte{seed})
	}
	text, err := os.ReadFile("testdata/resources.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		seed, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkResources(t, FromBytes(data)) })
}

// Objects that are tried stay small, and the search ends soon. Without the
// limits, these schemas take hours, or all memory.
func TestEffortIsBounded(t *testing.T) {
	lists := node{"type": "string", "pattern": "^$", "minLength": int64(1)}
	maps := lists
	for range 9 {
		lists = node{"type": "array", "minItems": int64(30), "items": lists}
		maps = node{"type": "object", "minProperties": int64(30), "additionalProperties": maps}
	}
	wide := node{}
	for i := range 700 {
		wide["m"+strconv.Itoa(i)] = node{
			"type":     "object",
			"required": []any{"x"},
			"properties": node{
				"x": node{"type": "integer", "minimum": int64(2), "maximum": int64(1)},
			},
		}
	}
	all := []any{}
	for _, name := range jsonvalue.SortedKeys(wide) {
		all = append(all, name)
	}
	long := node{
		"type":     "array",
		"maxItems": int64(310),
		"minItems": int64(300),
		"items":    node{"type": "integer"},
		"x-kubernetes-validations": []any{
			node{"rule": "self.all(a, self.filter(b, a == b).size() >= 0) && self.size() < 5"}},
	}
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
			m := &objectgen.Maker{Rand: NewRand(1), Kind: kind}
			q := s.creation(m)
			send := q.send
			q.send = func(ctx context.Context, object map[string]any) *crdsem.Result {
				tried++
				most = max(most, objectgen.CountValues(object))
				return send(ctx, object)
			}
			if object, err := s.create(m, q, nil); err == nil {
				t.Errorf("%s: made %v", c.name, object)
			}
			spent += q.spent
		}
		t.Logf("%s: %d tries, the largest of %d values; the rules cost %d", c.name, tried, most,
			spent)
		if tried > 1000 || most > 20_000 || spent > 80_000_000 {
			t.Errorf("%s: too much", c.name)
		}
	}
}

// An UnmadeError has the errors of the nearest object, and the failed rule.
func TestUnmadeError(t *testing.T) {
	rule := node{"rule": "self > 5 && self < 5", "message": "no way"}
	s, err := resourcesOf(specOf(node{
		"type": "integer", "x-kubernetes-validations": []any{rule},
	}), "Namespaced")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Valid(NewRand(1))
	var unmade *UnmadeError
	if !errors.As(err, &unmade) || len(unmade.Errors) != 1 || unmade.Errors[0].Field != "spec" ||
		!slices.Equal(unmade.Rules, []string{"self > 5 && self < 5"}) {
		t.Fatalf("got %#v", err)
	}
	if got := err.Error(); !strings.HasPrefix(got,
		"found no valid object: the nearest is refused: spec: Invalid value: ") ||
		!strings.HasSuffix(got, ": no way; rule: self > 5 && self < 5") {
		t.Errorf("got %s", got)
	}
	unmade.Errors = append(unmade.Errors, unmade.Errors[0], unmade.Errors[0])
	if got := err.Error(); !strings.HasSuffix(got,
		": no way (and 2 more); rule: self > 5 && self < 5") {
		t.Errorf("got %s", got)
	}
	if _, err := s.UpdateStatus(NewRand(1), map[string]any{}); text(
		err) != "found no status: it is no subresource" {
		t.Errorf("got %v", err)
	}
	if _, _, err := s.Broken(NewRand(1), "pattern"); text(
		err) != "found no object that breaks pattern" {
		t.Errorf("got %v", err)
	}
}

// strict makes unknown fields an error.
var strict = crdsem.FieldValidation(crdsem.Strict)
