package upgrade_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// A world is a small schema whose fields, keywords and rules are drawn at
// random, twice, and of which a few hundred objects are tried.

// worldField is a field of the world: its schema, the keywords that may be
// added, and values that it may have.
type worldField struct {
	name, schema string
	keywords     []string
	values       []any
}

type object = map[string]any

var worldFields = []worldField{
	{"a", `"type": "integer"`, []string{`"maximum": 2`, `"minimum": 1`, `"enum": [1, 2]`, `"default": 1`,
		`"default": 2`, `"multipleOf": 2`, `"maximum": 3, "exclusiveMaximum": true`,
		`"not": {"enum": [2]}`, `"anyOf": [{"maximum": 1}, {"minimum": 3}]`},
		[]any{int64(0), int64(1), int64(2), int64(3), int64(-1)}},
	{"b", `"type": "integer"`, []string{`"maximum": 2`, `"minimum": 0`, `"default": 0`},
		[]any{int64(0), int64(1), int64(2), int64(3)}},
	{"s", `"type": "string", "maxLength": 9`, []string{`"enum": ["a", "b"]`, `"enum": ["a"]`,
		`"minLength": 1`, `"pattern": "^a"`, `"pattern": "^[ab]*$"`, `"default": "a"`,
		`"default": "x"`,
		`"oneOf": [{"pattern": "a"}, {"pattern": "b"}]`, `"nullable": true`},
		[]any{"", "a", "b", "ab", "x", "oldSelf", "y), string(z"}},
	{"t", `"type": "string", "maxLength": 9`, []string{`"enum": ["a", "b", "x"]`, `"enum": ["x"]`,
		`"minLength": 2`, `"default": "a"`},
		[]any{"", "a", "b", "x"}},
	{"f", `"type": "boolean"`, []string{`"default": true`, `"enum": [true]`}, []any{true, false}},
	{"q", `"type": "string", "maxLength": 9`, []string{`"default": "1"`, `"enum": ["1", "2"]`,
		`"pattern": "^[0-9]+$"`}, []any{"1", "2", "1Gi", "500m", "x", "1h", "90m", ""}},
	{"p", `"x-kubernetes-int-or-string": true`, []string{`"default": 1`, `"default": "a"`,
		`"pattern": "^a"`, `"maximum": 1`, `"enum": [1, "a"]`},
		[]any{int64(1), int64(2), "a", "1", "b"}},
	{"l", `"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 4%s}`,
		[]string{`"minItems": 1`, `"x-kubernetes-list-type": "set"`, `"default": ["a"]`},
		[]any{[]any{}, []any{"a"}, []any{"b"}, []any{"a", "b"}, []any{"b", "a"}, []any{"a",
			"a"}, []any{"abc"}}},
	{"k", `"type": "array", "maxItems": 3, "items": {"type": "object", "required": ["n"], "properties": {
		"n": {"type": "string", "maxLength": 4%s}, "v": {"type": "integer"%s}}}`,
		[]string{`"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"]`,
			`"minItems": 1`},
		[]any{[]any{}, []any{object{"n": "a"}}, []any{object{"n": "a", "v": int64(1)}},
			[]any{object{"n": "a", "v": int64(1)}, object{"n": "b", "v": int64(2)}},
			[]any{object{"n": "a"}, object{"n": "a"}}, []any{object{"n": "b", "v": int64(0)}}}},
	{"m", `"type": "object", "maxProperties": 3, "additionalProperties": {"type": "string", "maxLength": 4%s}`,
		[]string{`"minProperties": 1`, `"default": {"a": "b"}`},
		[]any{object{}, object{"a": "a"}, object{"b": "b"}, object{"a": "b", "b": "x"},
			object{"x": ""},
			object{"abc": "a"}, object{"a": "abc"}}},
	{"o", `"type": "object", "properties": {"x": {"type": "integer"%s}, "y": {"type": "string", "maxLength": 4%s},
		"z": {"type": "array", "maxItems": 2, "items": {"type": "integer"}}}`,
		[]string{`"required": ["x"]`, `"default": {}`, `"minProperties": 1`,
			`"maxProperties": 1`, `"nullable": true`,
			`"anyOf": [{"required": ["x"]}, {"required": ["y"]}]`},
		[]any{object{}, object{"x": int64(1)}, object{"x": int64(2), "y": "a"}, object{"y": "b"},
			object{"z": []any{int64(1), int64(2)}}, nil}},
	{"n", `"type": "integer", "nullable": true`, []string{`"default": 1`, `"maximum": 1`},
		[]any{int64(0), int64(1), int64(2), nil}},
	{"u", `"type": "object", "required": ["w"], "properties": {"w": {"type": "object", "properties": {
		"x": {"type": "integer"%s}%[3]s}%[4]s}}`, []string{`"nullable": true`},
		[]any{object{"w": object{}}, object{"w": object{"x": int64(1)}}, object{"w": nil}, nil}},
}

// world draws schemas and rules.
type world struct{ *rand.Rand }

func (w world) of(list ...string) string { return list[w.IntN(len(list))] }

func (w world) maybe(one int, text string) string {
	if w.IntN(one) == 0 {
		return text
	}
	return ""
}

// worldSchema has the schemas of the fields, the required ones, other keywords
// of the object around them, and rules.
type worldSchema struct {
	fields   map[string]string
	required []string
	rest     string
	rules    []string // of spec
	below    map[string][]string
}

// field draws the schema of a field.
func (w world) field(f worldField) string {
	text := f.schema
	if strings.Contains(text, "%") {
		inner := []any{w.maybe(4, w.of(`, "pattern": "^a"`, `, "enum": ["a", "b"]`,
			`, "maxLength": 1`, `, "minLength": 1`)),
			w.maybe(4, w.of(`, "default": 1`, `, "maximum": 1`))}
		switch f.name {
		case "o":
			inner = []any{w.maybe(4, w.of(`, "default": 1`, `, "maximum": 1`)), w.maybe(4,
				w.of(`, "default": "a"`, `, "enum": ["a"]`))}
		case "l", "m":
			inner = inner[:1]
		case "u":
			inner = []any{w.maybe(4, w.of(`, "default": 1`, `, "maximum": 1`)), "",
				w.maybe(2, `, "new": {"type": "string"}`), w.maybe(3, `, "nullable": true`)}
		}
		text = fmt.Sprintf(text, inner...)
		if i := strings.Index(text, "%!(EXTRA"); i >= 0 {
			text = text[:i]
		}
	}
	if w.IntN(3) == 0 {
		text += ", " + f.keywords[w.IntN(len(f.keywords))]
	}
	return text
}

// schema draws a schema without rules.
func (w world) schema() worldSchema {
	s := worldSchema{fields: map[string]string{}, below: map[string][]string{}}
	for _, f := range worldFields {
		if w.IntN(12) > 0 {
			s.fields[f.name] = w.field(f)
			if w.IntN(5) == 0 {
				s.required = append(s.required, f.name)
			}
		}
	}
	s.rest = w.maybe(6, w.of(`"minProperties": 2`, `"maxProperties": 5`,
		`"oneOf": [{"required": ["a"]}, {"required": ["b"]}]`,
		`"anyOf": [{"required": ["s"]}, {"required": ["t"]}]`, `"not": {"required": ["a", "b"]}`,
		`"anyOf": [{"properties": {"s": {"enum": ["a"]}}}, {"required": ["b"]}]`,
		`"oneOf": [{"properties": {"a": {"maximum": 1}}}, {"properties": {"a": {"minimum": 2}}}]`))
	return s
}

// changed draws a schema like another one, with some changes.
func (w world) changed(old worldSchema) worldSchema {
	s := worldSchema{fields: maps.Clone(old.fields), required: slices.Clone(old.required),
		rest:  old.rest,
		rules: slices.Clone(old.rules), below: maps.Clone(old.below)}
	for range w.IntN(3) {
		f := worldFields[w.IntN(len(worldFields))]
		switch w.IntN(8) {
		case 0:
			delete(s.fields, f.name)
		case 1:
			s.required = append(s.required, f.name)
		case 2:
			s.required = slices.DeleteFunc(s.required,
				func(name string) bool { return name == f.name })
		case 3:
			s.rest = w.schema().rest
		default:
			s.fields[f.name] = w.field(f)
		}
	}
	return s
}

func (s worldSchema) text() []byte {
	var properties []string
	for _, name := range slices.Sorted(maps.Keys(s.fields)) {
		text := s.fields[name]
		if len(s.below[name]) > 0 {
			text += rulesText(s.below[name])
		}
		properties = append(properties, fmt.Sprintf("%q: {%s}", name, text))
	}
	rest := ""
	required := slices.Compact(slices.Sorted(slices.Values(s.required)))
	required = slices.DeleteFunc(required, func(name string) bool { return s.fields[name] == "" })
	if len(required) > 0 {
		rest += `, "required": ["` + strings.Join(required, `", "`) + `"]`
	}
	if s.rest != "" {
		rest += ", " + s.rest
	}
	return crd("{"+strings.Join(properties, ", ")+"}", rest, rulesText(s.rules))
}

func rulesText(rules []string) string {
	if len(rules) == 0 {
		return ""
	}
	var list []string
	for _, rule := range slices.Compact(slices.Sorted(slices.Values(rules))) {
		list = append(list, fmt.Sprintf(`{"rule": %q}`, rule))
	}
	return `, "x-kubernetes-validations": [` + strings.Join(list, ", ") + `]`
}

// object draws an object of spec.
func (w world) object() object {
	spec := object{}
	for _, f := range worldFields {
		if w.IntN(2) == 0 {
			spec[f.name] = f.values[w.IntN(len(f.values))]
		}
	}
	return object{"apiVersion": "example.com/v1", "kind": "Foo",
		"metadata": object{"name": "n", "namespace": "d"}, "spec": spec}
}

// In all pairs of a random world, what is fine is fine: no object that the old
// definition accepts is refused by the new one. CRDSEM_CHANGES is the number of
// pairs, CRDSEM_OBJECTS that of objects for each, CRDSEM_SEED the seed.
func TestWorlds(t *testing.T) {
	number := func(name string, value int) int {
		if text := os.Getenv(name); text != "" {
			var err error
			if value, err = strconv.Atoi(text); err != nil {
				t.Fatal(err)
			}
		}
		return value
	}
	w := world{rand.New(rand.NewPCG(uint64(number("CRDSEM_SEED", 1)), 57))}
	pairs, objects := number("CRDSEM_CHANGES", 40), number("CRDSEM_OBJECTS", 100)
	counts := map[string]int{}
	for counts["pairs"] < pairs {
		old := w.schema()
		old.rules, old.below = w.rules(), w.rulesBelow()
		changed := w.changed(old)
		switch w.IntN(3) {
		case 0:
			changed.rules = w.rules()
		default:
			for i := range changed.rules {
				if w.IntN(3) > 0 {
					changed.rules[i] = w.variant(changed.rules[i])
				}
			}
			if w.IntN(2) == 0 {
				changed.rules = append(changed.rules, w.condition(w.IntN(3)))
			}
		}
		if w.IntN(2) == 0 {
			changed.below = w.rulesBelow()
		}
		w.pair(t, old.text(), changed.text(), objects, counts)
	}
	t.Log(counts)
}

// pair compares two definitions, and tries objects.
func (w world) pair(t *testing.T, old, changed []byte, objects int, counts map[string]int) {
	t.Helper()
	was, is := versionOf(old), versionOf(changed)
	if was == nil || is == nil {
		counts["undecodable"]++
		return
	}
	report, err := upgrade.Compare(t.Context(), old, changed, upgrade.Tries(0))
	if err != nil {
		t.Fatal(err)
	}
	fine, storedFine := true, true
	for i := range report.Changes {
		c := &report.Changes[i]
		if c.Class == upgrade.DefinitionRefused {
			counts["refused"]++
			return
		}
		if c.Class == upgrade.Stricter && c.Severities.Writers != upgrade.Fine {
			fine = false
			counts["stricter"]++
			if !c.Decided {
				counts["undecided"]++
			}
		}
		if c.Severities.Stored != upgrade.Fine && c.Severities.Stored != upgrade.Notable {
			storedFine = false
		}
		if c.Class == upgrade.NoEffect {
			counts["no effect"]++
		}
	}
	counts["pairs"]++
	if !fine && !storedFine {
		return
	}
	if fine {
		counts["fine"]++
	}
	var accepted []object
	for range objects {
		o := w.object()
		before := was.Create(t.Context(), copied(o))
		if !before.Admitted() || len(before.Pruned) > 0 {
			continue
		}
		counts["accepted"]++
		after := is.Create(t.Context(), copied(o))
		if !after.Admitted() {
			if fine {
				t.Errorf("%s\n%s\n%v: fine, and %v is refused: %v", old, changed, lines(report),
					o["spec"], after.Err())
				return
			}
			if !was.Update(t.Context(), copied(before.Object), copied(before.Object)).Admitted() {
				continue
			}
			read := is.Read(t.Context(), before.Object).Object
			if unchanged := is.Update(t.Context(), copied(read),
				copied(read)); storedFine && !unchanged.Admitted() {
				t.Errorf("%s\n%s\n%v: %v is refused unchanged: %v", old, changed, lines(report),
					o["spec"], unchanged.Err())
				return
			}
			continue
		}
		accepted = append(accepted, before.Object)
	}
	if !fine {
		return
	}
	const most = 14
	accepted = accepted[:min(len(accepted), most)]
	for _, from := range accepted {
		for _, to := range accepted {
			if before := was.Update(t.Context(), copied(to), copied(from)); !before.Admitted() {
				continue
			}
			counts["updates"]++
			if after := is.Update(t.Context(), copied(to), copied(from)); !after.Admitted() {
				t.Errorf("%s\n%s\n%v: fine, and %v to %v is refused: %v", old, changed,
					lines(report), from["spec"], to["spec"], after.Err())
				return
			}
		}
	}
}

func versionOf(text []byte) *crdsem.Version {
	def, err := crdsem.Parse(text)
	if err != nil {
		return nil
	}
	v, err := def.Version("v1")
	if err != nil {
		return nil
	}
	return v
}
