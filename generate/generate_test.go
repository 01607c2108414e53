package generate

import (
	"math"
	"reflect"
	"testing"
)

// A list that is far too short for its limit takes time in proportion to what is made of it.
func TestHugeLists(t *testing.T) {
	items, ok := Object(New(1), map[string]any{"type": "array", "minItems": int64(1) << 31, "items": map[string]any{"type": "string"}}).([]any)
	if !ok || len(items) < 1000 || len(items) > 2*tooManyValues {
		t.Errorf("%d items", len(items))
	}
}

// A text is not made as long as a limit that no text can keep.
func TestBrokenUnderHugeLimits(t *testing.T) {
	for seed := range uint64(20) {
		schema := map[string]any{"type": "string", "minLength": int64(1) << 40}
		if object, broken, ok := Broken(New(seed), schema); ok && broken.Keyword == "minLength" {
			t.Fatalf("%d bytes, %+v", len(object.(string)), broken)
		}
	}
}

func TestTheSameSeedMakesTheSame(t *testing.T) {
	config := DefinitionConfig{Schema: SchemaConfig{Rules: 0.2, Flaws: 0.1}, Flaws: 0.2}
	for seed := range uint64(300) {
		make := func() []any {
			r := New(seed)
			schema := Schema(r, config.Schema)
			object := Object(r, schema)
			broken, breakage, _ := Broken(r, schema)
			return []any{schema, object, Boundary(r, schema), Wild(r, schema), Update(r, schema, object), Mutate(r, object),
				broken, breakage, Definition(r, config)}
		}
		if first, second := make(), make(); !reflect.DeepEqual(first, second) {
			t.Fatalf("seed %d: two runs differ:\n%v\n%v", seed, first, second)
		}
	}
}

func TestSeedsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(100) {
		schema := Schema(New(seed), SchemaConfig{})
		seen[string(rune(weight(schema)))] = true
	}
	if len(seen) < 30 {
		t.Errorf("100 seeds made schemas of %d sizes only", len(seen))
	}
	if reflect.DeepEqual(Value(FromBytes([]byte("abcdefghi"))), Value(FromBytes([]byte("abcdefghj")))) &&
		reflect.DeepEqual(Schema(FromBytes([]byte("abcdefghi")), SchemaConfig{}), Schema(FromBytes([]byte("abcdefghj")), SchemaConfig{})) {
		t.Error("the last byte does not count")
	}
}

// jsonOnly reports whether a value holds JSON kinds only.
func jsonOnly(v any) bool {
	switch v := v.(type) {
	case nil, bool, string, int64:
		return true
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	case []any:
		for _, item := range v {
			if !jsonOnly(item) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, member := range v {
			if !jsonOnly(member) {
				return false
			}
		}
		return true
	}
	return false
}

func TestOnlyJSONIsMade(t *testing.T) {
	for seed := range uint64(500) {
		r := New(seed)
		crd := Definition(r, DefinitionConfig{Schema: SchemaConfig{Rules: 0.3, Flaws: 0.3}, Flaws: 0.5})
		schema := Schema(r, SchemaConfig{Flaws: 0.3})
		object := Wild(r, schema)
		for _, v := range []any{crd, schema, object, Object(r, schema), Mutate(r, crd), Update(r, schema, object)} {
			if !jsonOnly(v) {
				t.Fatalf("seed %d made %#v", seed, v)
			}
		}
	}
}

func TestArgumentsAreNotChanged(t *testing.T) {
	for seed := range uint64(300) {
		r := New(seed)
		schema := Schema(r, SchemaConfig{})
		object := Object(r, schema)
		schemaBefore, objectBefore := Clone(schema), Clone(object)
		Wild(r, schema)
		Boundary(r, schema)
		Broken(r, schema)
		Update(r, schema, object)
		Mutate(r, object)
		if !reflect.DeepEqual(schema, schemaBefore) || !reflect.DeepEqual(object, objectBefore) {
			t.Fatalf("seed %d: an argument was changed", seed)
		}
	}
}

func TestPatternsAreSampled(t *testing.T) {
	o := &objects{r: New(1)}
	for _, pattern := range []string{`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`, `^(true|false)$`, `^\d{3}-[A-F]{2,4}$`,
		`^((25[0-5]|2[0-4]\d|1\d\d)\.){3}1$`, `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`, `^.+/.+$`} {
		if _, ok := o.matching(pattern, node{"minLength": int64(1)}); !ok {
			t.Errorf("%s: no sample", pattern)
		}
	}
	if s, ok := o.matching(`(`, node{}); ok {
		t.Errorf("a bad pattern has a sample: %q", s)
	}
}

func TestShrinkKeepsWhatIsInteresting(t *testing.T) {
	found := false
	hasFive := func(v any) bool {
		for _, p := range placesOf(v) {
			if p.get() == int64(5) && p.name == "a" {
				return true
			}
		}
		return false
	}
	for seed := range uint64(2000) {
		r := New(seed)
		v := map[string]any{"x": Value(r), "y": []any{Value(r), map[string]any{"z": Value(r), "w": []any{map[string]any{"a": int64(5), "b": "long"}}}}}
		if !hasFive(v) {
			continue
		}
		found = true
		got := Shrink(v, hasFive)
		if !reflect.DeepEqual(got, map[string]any{"a": int64(5)}) && !reflect.DeepEqual(got, []any{map[string]any{"a": int64(5)}}) {
			t.Fatalf("seed %d: shrunk to %v", seed, got)
		}
	}
	if !found {
		t.Fatal("nothing to shrink")
	}
}

func TestBrokenTellsWhatItBroke(t *testing.T) {
	schema := node{"type": "object", "required": []any{"l"}, "properties": node{"l": node{"type": "array", "minItems": int64(1), "items": node{"type": "string", "maxLength": int64(2)}}}}
	keywords := map[Breakage]bool{}
	for seed := range uint64(200) {
		_, breakage, ok := Broken(New(seed), schema)
		if !ok {
			t.Fatalf("seed %d: nothing broken", seed)
		}
		breakage.Type = ""
		keywords[breakage] = true
	}
	for _, want := range []Breakage{{Path: "l", Keyword: "required"}, {Path: "l", Keyword: "minItems"}, {Path: "l[0]", Keyword: "maxLength"}, {Path: "l[0]", Keyword: "type"}} {
		if !keywords[want] {
			t.Errorf("never broken: %+v", want)
		}
	}
}
