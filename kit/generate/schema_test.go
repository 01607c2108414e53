package generate

import (
	"encoding/json"
	"fmt"
	"hash"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
	"github.com/crdsem/crdsem/structural"
)

// convert returns the model of a generated schema, nil if it does not convert.
func convert(schema map[string]any) *structural.Schema {
	model, err := structural.FromMap(schema)
	if err != nil {
		return nil
	}
	return model
}

// A list with a huge minimum stays small.
func TestHugeLists(t *testing.T) {
	items, ok := Object(NewRand(1), convert(node{
		"type": "array", "minItems": int64(1) << 31, "items": node{"type": "string"},
	})).([]any)
	if !ok || len(items) < 1000 || len(items) > 2*objectgen.TooManyValues {
		t.Errorf("%d items", len(items))
	}
}

// A string with a huge minimum stays small.
func TestBrokenUnderHugeLimits(t *testing.T) {
	schema := convert(node{"type": "string", "minLength": int64(1) << 40})
	for seed := range uint64(20) {
		if object, broken, ok := Broken(NewRand(seed), schema); ok &&
			broken.Keyword == "minLength" {
			t.Fatalf("%d bytes, %+v", len(object.(string)), broken)
		}
	}
}

func TestSeedsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(100) {
		schema := Schema(NewRand(seed), SchemaConfig{})
		seen[string(rune(size(schema)))] = true
	}
	if len(seen) < 30 {
		t.Errorf("100 seeds made schemas of %d sizes only", len(seen))
	}
	sameValue := reflect.DeepEqual(
		objectgen.Any(FromBytes([]byte("abcdefghi"))),
		objectgen.Any(FromBytes([]byte("abcdefghj"))))
	sameSchema := reflect.DeepEqual(
		Schema(FromBytes([]byte("abcdefghi")), SchemaConfig{}),
		Schema(FromBytes([]byte("abcdefghj")), SchemaConfig{}))
	if sameValue && sameSchema {
		t.Error("the last byte does not count")
	}
}

// jsonOnly reports whether a value holds JSON types only.
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

func TestValuesAreJSON(t *testing.T) {
	for seed := range uint64(500) {
		r := NewRand(seed)
		flawed := SchemaConfig{Rules: 0.3, Flaws: 0.3}
		crd := Definition(r, DefinitionConfig{Schema: flawed, Flaws: 0.5})
		document := Schema(r, SchemaConfig{Flaws: 0.3})
		schema := convert(document)
		object := Wild(r, schema)
		for _, v := range []any{
			crd, document, object, Object(r, schema), Mutate(r, crd), Update(r, schema, object),
		} {
			if !jsonOnly(v) {
				t.Fatalf("seed %d made %#v", seed, v)
			}
		}
	}
}

func TestArgumentsAreNotChanged(t *testing.T) {
	for seed := range uint64(300) {
		r := NewRand(seed)
		schema := convert(Schema(r, SchemaConfig{}))
		object := Object(r, schema)
		before := jsonvalue.DeepCopy(object)
		Wild(r, schema)
		Boundary(r, schema)
		Broken(r, schema)
		Update(r, schema, object)
		Mutate(r, object)
		if !reflect.DeepEqual(object, before) {
			t.Fatalf("seed %d: the object was changed", seed)
		}
	}
}

func TestShrinkStaysInteresting(t *testing.T) {
	found := false
	hasFive := func(v any) bool {
		for _, p := range slotsOf(v) {
			if p.get() == int64(5) && p.name == "a" {
				return true
			}
		}
		return false
	}
	for seed := range uint64(2000) {
		r := NewRand(seed)
		v := map[string]any{"x": objectgen.Any(r), "y": []any{objectgen.Any(r), map[string]any{
			"z": objectgen.Any(r), "w": []any{map[string]any{"a": int64(5), "b": "long"}},
		}}}
		if !hasFive(v) {
			continue
		}
		found = true
		got := Shrink(v, hasFive)
		smallest := map[string]any{"a": int64(5)}
		if !reflect.DeepEqual(got, smallest) && !reflect.DeepEqual(got, []any{smallest}) {
			t.Fatalf("seed %d: shrunk to %v", seed, got)
		}
	}
	if !found {
		t.Fatal("nothing to shrink")
	}
}

func TestBreakageOfBroken(t *testing.T) {
	schema := convert(node{"type": "object", "required": []any{"l"}, "properties": node{"l": node{
		"type": "array", "minItems": int64(1),
		"items": node{"type": "string", "maxLength": int64(2)},
	}}})
	keywords := map[Breakage]bool{}
	for seed := range uint64(200) {
		_, breakage, ok := Broken(NewRand(seed), schema)
		if !ok {
			t.Fatalf("seed %d: nothing broken", seed)
		}
		breakage.Type = ""
		keywords[breakage] = true
	}
	for _, want := range []Breakage{
		{Path: "l", Keyword: "required"}, {Path: "l", Keyword: "minItems"},
		{Path: "l[0]", Keyword: "maxLength"}, {Path: "l[0]", Keyword: "type"},
	} {
		if !keywords[want] {
			t.Errorf("never broken: %+v", want)
		}
	}
}

// A byte after the first eight changes one choice, and no other.
func TestBytesDecideChoices(t *testing.T) {
	data := make([]byte, 40)
	for i := range data {
		data[i] = byte(i * 7)
	}
	draw := func(data []byte) (drawn []int) {
		r := FromBytes(data)
		for range 60 {
			drawn = append(drawn, r.IntN(1000))
		}
		return drawn
	}
	first := draw(data)
	for at := 8; at < len(data); at++ {
		changed := slices.Clone(data)
		changed[at]++
		for i, got := range draw(changed) {
			if (got != first[i]) != (i == at-8) {
				t.Fatalf("byte %d changed: choice %d is %d, was %d", at, i, got, first[i])
			}
		}
	}
	changed := slices.Clone(data)
	changed[3]++
	if got := draw(changed); !slices.Equal(got[:32], first[:32]) ||
		slices.Equal(got[32:], first[32:]) {
		t.Error("a byte of the seed must change the choices after the bytes, and no other")
	}
}

// Bytes reach every choice of a small range.
func TestBytesReachEveryChoice(t *testing.T) {
	for _, n := range []int{2, 3, 8, 14} {
		seen := map[int]bool{}
		for b := range 256 {
			seen[FromBytes(append(make([]byte, 8), byte(b))).IntN(n)] = true
		}
		if len(seen) != n {
			t.Errorf("%d of %d choices are reached", len(seen), n)
		}
	}
	var _ rand.Source = (*choices)(nil)
}

// A seed makes the same values on each machine, so that a seed in a report can
// be run again. A change of the values changes the sums, too.
func TestSeedsOfSchemas(t *testing.T) {
	config := DefinitionConfig{Schema: SchemaConfig{Rules: 0.2, Flaws: 0.1}, Flaws: 0.2}
	sums := map[string]hash.Hash32{}
	for seed := range uint64(400) {
		document := Schema(NewRand(seed), config.Schema)
		schema := convert(document)
		object := Object(NewRand(seed), schema)
		broken, breakage, ok := Broken(NewRand(seed), schema)
		for name, value := range map[string]any{
			"Schema": document, "Object": object, "Boundary": Boundary(NewRand(seed), schema),
			"Wild": Wild(NewRand(seed), schema), "Update": Update(NewRand(seed), schema, object),
			"Mutate": Mutate(NewRand(seed), object), "Broken": []any{broken, breakage, ok},
			"Definition": Definition(NewRand(seed), config),
		} {
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatalf("%s of seed %d: %v", name, seed, err)
			}
			if sums[name] == nil {
				sums[name] = crc32.NewIEEE()
			}
			sums[name].Write(text) // never fails
		}
	}
	want := map[string]uint32{
		"Schema": 0x65695472, "Object": 0xb583cce4, "Boundary": 0xca50f233, "Wild": 0x986d5121,
		"Update": 0xa50877c9, "Mutate": 0x3c172e4b, "Broken": 0x71da6f1e, "Definition": 0x273beb4d,
	}
	for name, sum := range sums {
		if got := sum.Sum32(); got != want[name] {
			t.Errorf("%s: the sum is %#x, want %#x", name, got, want[name])
		}
	}
}

// Values become simpler as long as they stay interesting.
func TestShrinkScalars(t *testing.T) {
	for _, c := range []struct {
		value       any
		interesting func(v any) bool
		want        any
	}{
		{7.25, func(v any) bool { f, ok := v.(float64); return ok && f > 0.7 }, 1.5},
		{7.25, func(v any) bool { _, ok := v.(float64); return ok }, 0.5},
		{7.25, func(any) bool { return true }, int64(0)},
		{7.25, func(v any) bool { return v != int64(0) }, int64(1)},
		{7.25, func(v any) bool { return v == 7.25 }, 7.25},
		{false, func(any) bool { return true }, true},
		{int64(-9), func(v any) bool { n, _ := v.(int64); return n < 0 }, int64(-1)},
		{int64(100), func(v any) bool { n, _ := v.(int64); return n > 20 }, int64(25)},
		{"äöüßx", func(v any) bool { s, _ := v.(string); return s != "" }, "a"},
		{"äöüßx", func(v any) bool { s, _ := v.(string); return strings.HasPrefix(s, "ä") }, "ä"},
		{map[string]any{"a": "b"}, func(v any) bool { _, ok := v.(map[string]any); return ok },
			map[string]any{}},
		{[]any{true, false}, func(v any) bool { _, ok := v.([]any); return ok }, []any{}},
		{[]any{"x"}, func(v any) bool { l, _ := v.([]any); return len(l) == 1 }, []any{""}},
		{map[string]any{"a": []any{int64(5)}}, func(v any) bool { return v != nil }, int64(0)},
	} {
		if got := Shrink(c.value, c.interesting); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: shrunk to %v, want %v", c.value, got, c.want)
		}
	}
}

// An error is about a breakage if its path, its type and its text are.
func TestAmong(t *testing.T) {
	path := field.NewPath("spec", "s")
	of := Breakage{Path: "spec.s", Keyword: "minLength", Type: field.ErrorTypeInvalid}
	const short = "spec.s in body should be at least 1 chars long"
	for name, c := range map[string]struct {
		errs field.ErrorList
		want bool
	}{
		"no error": {nil, false}, "it": {field.ErrorList{field.Invalid(path, "", short)}, true},
		"the second one": {
			field.ErrorList{field.Required(path, ""), field.Invalid(path, "", short)}, true},
		"another path": {field.ErrorList{field.Invalid(path.Child("x"), "", short)}, false},
		"another type": {field.ErrorList{field.Forbidden(path, short)}, false},
		"another text": {field.ErrorList{field.Invalid(path, "", "should match")}, false},
	} {
		if got := of.Among(c.errs); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Members of an object that has many are removed in parts, so that a number of
// calls suffices that is far below that of the members.
func TestShrinkWithin(t *testing.T) {
	v := map[string]any{}
	for i := range 4096 {
		v[fmt.Sprint("f", i)] = int64(0)
	}
	calls := 0
	got := ShrinkWithin(100, v, func(v any) bool {
		calls++
		object, _ := v.(map[string]any)
		return object["f7"] != nil && object["f4000"] != nil
	})
	want := map[string]any{"f7": int64(0), "f4000": int64(0)}
	if !reflect.DeepEqual(got, want) || calls > 100 {
		t.Errorf("%d calls: %v", calls, got)
	}
}
