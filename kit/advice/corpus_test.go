package advice_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/structural"
)

// property is a property of a real schema.
type property struct {
	parents []string // steps to the node that declares it; [] is an item, [*] a value
	schema  *structural.Schema
}

// propertiesOf returns the properties of each name, and the objects that have
// properties, by their steps. The metadata and the status are left out.
func propertiesOf(root *structural.Schema) (byName map[string][]property, objects [][]string) {
	byName = map[string][]property{}
	var visit func(node *structural.Schema, at []string)
	visit = func(node *structural.Schema, at []string) {
		if node.HasProperties() && len(at) > 1 && !slices.Contains(at, "[*]") {
			objects = append(objects, slices.Clone(at))
		}
		for name, child := range node.Properties() {
			if len(at) == 0 && (name == "status" || name == "metadata") {
				continue
			}
			byName[name] = append(byName[name], property{slices.Clone(at), child})
			visit(child, append(slices.Clone(at), name))
		}
		if items := node.Items(); items != nil {
			visit(items, append(slices.Clone(at), "[]"))
		}
		if values := node.AdditionalSchema(); values != nil {
			visit(values, append(slices.Clone(at), "[*]"))
		}
	}
	visit(root, nil)
	return byName, objects
}

// object returns one that has a value at the end of steps.
func object(steps []string, value any) any {
	for _, step := range slices.Backward(steps) {
		if step == "[]" {
			value = []any{value}
		} else {
			value = map[string]any{step: value}
		}
	}
	return value
}

// pathOf returns the path of steps, with an index for each item or as a hint
// writes it.
func pathOf(steps []string, index string) string {
	path := ""
	for _, step := range steps {
		switch step {
		case "[]":
			path += index
		case "[*]":
			path += step
		default:
			path += "." + step
		}
	}
	return strings.TrimPrefix(path, ".")
}

// A real field that stands deep below a wrong parent is placed by its hint. If
// only one node declares the name, that is always so.
func TestRightParentOfRealFields(t *testing.T) {
	const tries = 20 // of each schema
	r := rand.New(rand.NewPCG(1, 2))
	unique, several, named := 0, 0, 0
	for _, s := range corpus.Schemas(t) {
		schema, err := structural.Parse(s.Text)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		byName, wrong := propertiesOf(schema)
		names := slices.Sorted(maps.Keys(byName))
		for range min(tries, len(names)*len(wrong)) {
			name, at := names[r.IntN(len(names))], wrong[r.IntN(len(wrong))]
			right := byName[name]
			hint := wrongParent(t, schema, at, name, right[0].schema.Type())
			if strings.HasPrefix(hint, "did you mean") || slices.ContainsFunc(right,
				func(p property) bool { return slices.Equal(p.parents, at) }) {
				continue
			}
			rest, ok := strings.CutPrefix(hint, "`"+name+"` belongs ")
			if len(right) == 1 {
				unique++
			} else if several++; !ok { // too many are as near
				continue
			}
			named++
			for place := range strings.SplitSeq(rest, " or ") {
				if !slices.ContainsFunc(right, func(p property) bool {
					return p.place() == place
				}) {
					t.Errorf("%s: %s in %s: %s", s, name, pathOf(at, "[]"), hint)
				}
			}
		}
	}
	t.Logf("%d fields that one node declares, %d others; %d are placed", unique, several, named)
	if unique == 0 || named == unique {
		t.Error("nothing was tried")
	}
}

// place returns the parent of a property as hints name it.
func (p property) place() string {
	if len(p.parents) == 0 {
		return "at the top"
	}
	return "below `" + pathOf(p.parents, "[]") + "`"
}

// wrongParent returns the hint on a field that stands below a wrong parent.
func wrongParent(t *testing.T, schema *structural.Schema, at []string, name, kind string) string {
	t.Helper()
	value := map[string]any{"string": "a", "integer": int64(1), "number": 1.5, "boolean": true,
		"array": []any{}, "object": map[string]any{}}[kind]
	whole, _ := object(append(slices.Clone(at), name), value).(map[string]any)
	path := pathOf(at, "[0]") + "." + name
	o := &advice.Object{Schema: schema, Object: whole}
	return o.Warning(t.Context(), fmt.Sprintf("unknown field %q", path))
}

// The hint on a real pattern has an example that matches.
func TestExamplesOfRealPatterns(t *testing.T) {
	patterns, with := 0, 0
	seen := map[string]bool{}
	for _, s := range corpus.Schemas(t) {
		schema, err := structural.Parse(s.Text)
		if err != nil {
			continue
		}
		for _, node := range patternsOf(schema) {
			values := node.Values()
			key := fmt.Sprint(values.Pattern, values.MinLength, values.MaxLength)
			if seen[key] {
				continue
			}
			seen[key] = true
			patterns++
			o := advice.Object{Schema: node, Object: nil}
			hint := o.Hint(t.Context(), &field.Error{Field: "", Origin: "VAL-042"})
			_, example, ok := strings.Cut(hint, "`, e.g. `")
			if !ok {
				t.Logf("%s: no example of %s", s, values.Pattern)
				continue
			}
			with++
			example = strings.TrimSuffix(example, "`")
			n := int64(utf8.RuneCountInString(example))
			matches, err := regexp.MatchString(values.Pattern, example)
			if err != nil || !matches || values.MinLength != nil && n < *values.MinLength ||
				values.MaxLength != nil && n > *values.MaxLength {
				t.Errorf("%s: %q does not match %s (%v)", s, example, values.Pattern, err)
			}
		}
	}
	if patterns == 0 || with < patterns {
		t.Errorf("%d of %d patterns have an example", with, patterns)
	}
}

// patternsOf returns the nodes that have a pattern.
func patternsOf(root *structural.Schema) (found []*structural.Schema) {
	var visit func(node *structural.Schema)
	visit = func(node *structural.Schema) {
		if node == nil {
			return
		}
		if node.Values().Pattern != "" {
			found = append(found, node)
		}
		for _, child := range node.Properties() {
			visit(child)
		}
		visit(node.Items())
		visit(node.AdditionalSchema())
	}
	visit(root)
	return found
}
