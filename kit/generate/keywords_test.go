package generate_test

import (
	"context"
	"fmt"
	"hash"
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/generate"
)

// notBroken are the keywords that no object breaks. They describe, they go with
// other keywords, or the values that they forbid are pruned.
var notBroken = []string{
	"description", "example", "default", "properties", "items", "additionalProperties",
	"x-kubernetes-list-map-keys", "x-kubernetes-map-type", "x-kubernetes-preserve-unknown-fields",
}

// Every keyword of a real definition can be broken in a new object, in at least
// one version that has it.
func TestCorpusKeywords(t *testing.T) {
	has, broken, missed := map[string]int{}, map[string]int{}, map[string]bool{}
	versions := definitions(t)
	for i := range versions {
		d := &versions[i]
		for keyword := range keywordsIn(d.schema) {
			has[keyword]++
		}
		resources := d.resources(t)
		for _, keyword := range resources.Keywords() {
			object, breakage, err := resources.Broken(generate.NewRand(1), keyword)
			if err != nil {
				missed[d.name+" "+keyword] = true
				continue
			}
			broken[keyword]++
			if breakage.Keyword != keyword {
				t.Errorf("%s: %s is broken instead of %s", d.name, breakage.Keyword, keyword)
			}
			refused(t, d.name, d.version.Create(context.Background(), object), breakage, object)
		}
	}
	t.Logf("keywords broken, by versions: %v", broken)
	same(t, "keywords that cannot be broken", missed, unbreakableKeywords)
	for _, keyword := range slices.Sorted(maps.Keys(has)) {
		if broken[keyword] == 0 && !slices.Contains(notBroken, keyword) {
			t.Errorf("%s occurs in %d versions and is never broken", keyword, has[keyword])
		}
	}
	for _, keyword := range notBroken {
		if has[keyword] == 0 {
			t.Errorf("%s is listed and does not occur", keyword)
		}
	}
}

// unbreakableRules are the versions whose transition rules cannot be broken.
var unbreakableRules = []string{}

// If a real definition has transition rules, an update breaks one.
func TestCorpusTransitionRules(t *testing.T) {
	total, missed := 0, map[string]bool{}
	versions := definitions(t)
	for i := range versions {
		d := &versions[i]
		if !comparesInSpec(d) {
			continue
		}
		total++
		missed[d.name] = true
		resources := d.resources(t)
		for seed := uint64(0); seed < 100 && missed[d.name]; seed++ {
			r := generate.NewRand(seed)
			old, err := resources.Valid(r)
			if !made(t, d.name, err) {
				break
			}
			update, breakage, err := resources.BrokenUpdate(r, old, "x-kubernetes-validations")
			if err == nil && strings.Contains(breakage.Rule, "oldSelf") {
				refused(t, d.name, d.version.Update(context.Background(), update, old), breakage,
					update)
				delete(missed, d.name)
			}
		}
	}
	t.Logf("%d versions have rules that compare with the old object", total)
	same(t, "rules of updates that cannot be broken", missed, unbreakableRules)
}

// comparesInSpec reports whether there is a transition rule outside of a status
// that is a subresource.
func comparesInSpec(d *definitionFile) bool {
	properties, _ := d.schema["properties"].(map[string]any)
	for name, property := range properties {
		if (name != "status" || !d.status) &&
			strings.Contains(text(map[string]any{"": property}), "oldSelf") {
			return true
		}
	}
	return false
}

// keywordsIn lists the keywords of the nodes of a schema, including branches of
// junctors.
func keywordsIn(schema map[string]any) map[string]bool {
	found := map[string]bool{}
	var visit func(v any)
	visit = func(v any) {
		n, ok := v.(map[string]any)
		if !ok {
			return
		}
		for keyword, value := range n {
			found[keyword] = true
			switch keyword {
			case "properties":
				properties, _ := value.(map[string]any)
				for _, property := range properties {
					visit(property)
				}
			case "items", "additionalProperties", "not":
				visit(value)
			case "allOf", "anyOf", "oneOf":
				branches, _ := value.([]any)
				for _, branch := range branches {
					visit(branch)
				}
			}
		}
	}
	visit(schema)
	return found
}

// everyKeyword is a definition with each keyword that an object can break, at a
// node of its own.
const everyKeyword = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ks.g.io}
spec:
  group: g.io
  scope: Cluster
  names: {plural: ks, kind: K}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          status:
            type: object
            properties: {phase: {type: string, enum: [Old, New]}}
            x-kubernetes-validations: [{rule: "!has(oldSelf.phase) || self.phase == oldSelf.phase || self.phase == 'New'", message: only forward}]
          spec:
            type: object
            required: [required]
            properties:
              required: {type: string}
              type: {type: boolean}
              nullable: {type: array, items: {type: string}}
              enum: {type: integer, enum: [1, 2]}
              pattern: {type: string, pattern: "^[a-c]+$"}
              format: {type: string, format: ipv4}
              int32: {type: integer, format: int32}
              minLength: {type: string, minLength: 3}
              maxLength: {type: string, maxLength: 70000}
              minimum: {type: integer, minimum: 5}
              maximum: {type: number, maximum: 0.5}
              exclusive: {type: integer, minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: true}
              multipleOf: {type: integer, multipleOf: 7}
              minItems: {type: array, minItems: 2, items: {type: integer}}
              maxItems: {type: array, maxItems: 900, items: {type: integer}}
              minProperties: {type: object, minProperties: 1, additionalProperties: {type: string}}
              maxProperties: {type: object, maxProperties: 2, additionalProperties: {type: string}}
              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              map:
                type: object
                additionalProperties:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items: {type: object, required: [name], properties: {name: {type: string}}}
              intOrString: {x-kubernetes-int-or-string: true}
              embedded: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              allOf: {type: string, allOf: [{pattern: "^a"}, {maxLength: 3}]}
              anyOf: {type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [a]}, {required: [b]}]}
              oneOf: {type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a]}, {required: [b]}]}
              not: {type: object, properties: {a: {type: string}, b: {type: string}}, not: {required: [a, b]}}
              rule:
                type: object
                properties: {from: {type: integer}, to: {type: integer}}
                x-kubernetes-validations:
                - {rule: "!has(self.from) || !has(self.to) || self.from <= self.to", reason: FieldValueForbidden, fieldPath: .to}
              fixed: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}
`

// keywords are those of everyKeyword.
var keywords = []string{
	"allOf", "anyOf", "enum", "exclusiveMaximum", "exclusiveMinimum", "format", "maxItems",
	"maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum",
	"multipleOf", "not", "nullable", "oneOf", "pattern", "required", "type",
	"x-kubernetes-embedded-resource", "x-kubernetes-int-or-string", "x-kubernetes-list-type",
	"x-kubernetes-validations",
}

// load parses everyKeyword.
func load(t *testing.T) (*crdsem.Version, *generate.Resources) {
	t.Helper()
	def, err := crdsem.Parse([]byte(everyKeyword))
	if err != nil {
		t.Fatal(err)
	}
	version, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	resources, err := generate.ParseResources([]byte(everyKeyword), "")
	if err != nil {
		t.Fatal(err)
	}
	return version, resources
}

// Each keyword is broken in a new object and in an update.
func TestEveryKeywordIsBroken(t *testing.T) {
	version, resources := load(t)
	if got := resources.Keywords(); !slices.Equal(got, keywords) {
		t.Errorf("keywords %q, want %q", got, keywords)
	}
	old, err := resources.Valid(generate.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]map[string]bool{}
	for _, keyword := range keywords {
		paths[keyword] = map[string]bool{}
		for seed := range uint64(30) {
			object, breakage, err := resources.Broken(generate.NewRand(seed), keyword)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			refused(t, "create", version.Create(t.Context(), object, strict), breakage,
				object)
			paths[keyword][breakage.Path] = true
			update, breakage, err := resources.BrokenUpdate(generate.NewRand(seed), old, keyword)
			if err != nil {
				t.Fatalf("seed %d, update: %v", seed, err)
			}
			refused(t, "update", version.Update(t.Context(), update, old, strict), breakage,
				update)
		}
	}
	for keyword, want := range map[string][]string{
		"format": {"spec.format", "spec.int32"}, "x-kubernetes-validations": {"spec.rule.to"}, "exclusiveMaximum": {"spec.exclusive"},
		"x-kubernetes-list-type": {"spec.set[1]", "spec.map[k][1]"}, "x-kubernetes-embedded-resource": {"spec.embedded.kind", "spec.embedded.apiVersion"},
	} {
		for _, path := range want {
			if !paths[keyword][path] {
				t.Errorf("%s is never broken at %s: %v", keyword, path, paths[keyword])
			}
		}
	}
}

// Valid updates keep transition rules, and broken ones break them.
func TestTransitionRules(t *testing.T) {
	version, resources := load(t)
	old := map[string]any{
		"apiVersion": "g.io/v1",
		"kind":       "K",
		"metadata":   map[string]any{"name": "a"},
		"spec": map[string]any{
			"required": "",
			"fixed":    "a",
		},
		"status": map[string]any{"phase": "New"},
	}
	fixed := 0
	for seed := range uint64(40) {
		update, err := resources.Update(generate.NewRand(seed), old)
		if err != nil {
			t.Fatal(err)
		}
		if spec := update["spec"].(map[string]any); spec["fixed"] != "a" && spec["fixed"] != nil {
			t.Errorf("the update changes what is fixed: %v", update)
		}
		admitted(t, "update", version.Update(t.Context(), update, old, strict), update)
		broken, breakage, err := resources.BrokenUpdate(generate.NewRand(seed), old,
			"x-kubernetes-validations")
		if err != nil {
			t.Fatal(err)
		}
		if breakage.Rule == "self == oldSelf" {
			fixed++
			if breakage.Path != "spec.fixed" || broken["spec"].(map[string]any)["fixed"] == "a" {
				t.Errorf("%+v: %v", breakage, broken)
			}
		}
		status, breakage, err := resources.BrokenStatus(generate.NewRand(seed), old,
			"x-kubernetes-validations")
		if err != nil {
			t.Fatal(err)
		}
		refused(t, "status", version.UpdateStatus(t.Context(), status, old), breakage, status)
		if breakage.Path != "status" || !reflect.DeepEqual(status["spec"], old["spec"]) {
			t.Errorf("%+v: %v", breakage, status)
		}
	}
	if fixed == 0 {
		t.Error("what is fixed is never changed")
	}
}

// strict makes unknown fields an error.
var strict = crdsem.FieldValidation(crdsem.Strict)

// A seed makes the same objects on each machine, so that a seed in a report can
// be run again. A change of the objects changes the sums, too.
func TestSeedsOfReports(t *testing.T) {
	_, resources := load(t)
	want := map[string]uint32{
		"valid": 0x9b0a2baa, "boundary": 0x7082efb7, "update": 0x459adf04, "status": 0x61432269,
		"broken": 0x742229fb, "broken update": 0xa5e80b51,
	}
	sums := map[string]hash.Hash32{}
	for seed := range uint64(60) {
		valid, err := resources.Valid(generate.NewRand(seed))
		if err != nil {
			t.Fatal(err)
		}
		keyword := keywords[seed%uint64(len(keywords))]
		for name, do := range map[string]func(r *rand.Rand) (map[string]any, error){
			"valid": resources.Valid, "boundary": resources.Boundary,
			"update": func(r *rand.Rand) (map[string]any, error) { return resources.Update(r, valid) },
			"status": func(r *rand.Rand) (map[string]any, error) {
				return resources.UpdateStatus(r, valid)
			},
			"broken": func(r *rand.Rand) (map[string]any, error) {
				object, _, err := resources.Broken(r, keyword)
				return object, err
			},
			"broken update": func(r *rand.Rand) (map[string]any, error) {
				object, _, err := resources.BrokenUpdate(r, valid, keyword)
				return object, err
			},
		} {
			object, err := do(generate.NewRand(seed))
			if sums[name] == nil {
				sums[name] = crc32.NewIEEE()
			}
			fmt.Fprint(sums[name], text(object), err)
		}
	}
	for name, sum := range sums {
		if got := sum.Sum32(); got != want[name] {
			t.Errorf("%s: the sum is %#x, want %#x", name, got, want[name])
		}
	}
}
