package edit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/structural"
)

// Skeleton returns the smallest object of a kind that the server admits, as far
// as one is found, as YAML.
func (w *Workspace) Skeleton(ctx context.Context, apiVersion, kind string) (string, error) {
	o, v := w.definitions(ctx).of(apiVersion, kind)
	if v == nil {
		return "", fmt.Errorf("%s %s has no definition", apiVersion, kind)
	}
	object, _ := sample(v.Schema(), 0).(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	object["apiVersion"], object["kind"] = apiVersion, kind
	object["metadata"] = map[string]any{"name": "example"}
	if !v.Create(ctx, object).Admitted() {
		var err error
		if object, err = w.admitted(o.compiled, v.Name()); err != nil {
			return "", err
		}
		shrink(ctx, v, object, object)
	}
	return yamlText(object), ctx.Err()
}

// admitted returns an object that Settings.Admitted makes.
func (w *Workspace) admitted(
	def *crdsem.Definition, version string,
) (map[string]any, error) {
	w.mu.Lock()
	find := w.settings.Admitted
	w.mu.Unlock()
	if find == nil {
		return nil, errors.New("the plain object is not admitted")
	}
	return find(def, version)
}

// Whole returns the action that writes the smallest object of a document at a
// line that has nothing but its apiVersion and kind. ok is false elsewhere.
func (w *Workspace) Whole(ctx context.Context, name string, line int) (a Action, ok bool) {
	lines, ok := w.lines(name, Position{line, 0})
	if !ok {
		return Action{}, false
	}
	way := wayTo(lines, line, 0)
	kind := way.value("kind")
	if len(way.keys) != 2 || kind == "" || kind == definitionKind {
		return Action{}, false
	}
	text, err := w.Skeleton(ctx, way.value("apiVersion"), kind)
	if err != nil {
		return Action{}, false
	}
	first, last := bounds(lines, line)
	at := Range{Position{first, 0}, w.lineEnd(lines, last-1)}
	return Action{Title: "write the smallest " + kind, Edits: []Edit{{at, text}}}, true
}

// shrink removes fields of a part of an object that it is admitted without.
func shrink(ctx context.Context, v *crdsem.Version, object, part map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(part)) {
		value := part[key]
		delete(part, key)
		if ctx.Err() == nil && v.Create(ctx, object).Admitted() {
			continue
		}
		part[key] = value
		if below, ok := value.(map[string]any); ok {
			shrink(ctx, v, object, below)
		}
	}
}

// deepest is how deep samples go.
const deepest = 12

// sample returns a value that the schema allows, as far as its keywords are
// plain: the default, the first value of an enum, and else the least value.
func sample(s *structural.Schema, depth int) any {
	v := s.Values()
	switch {
	case s.Default() != nil:
		return s.Default()
	case len(v.Enum) > 0:
		return v.Enum[0]
	case s.IntOrString():
		return int64(1)
	}
	switch s.Type() {
	case "object":
		object := map[string]any{}
		for _, name := range v.Required {
			if p := s.Property(name); p != nil && depth < deepest {
				object[name] = sample(p, depth+1)
			}
		}
		return object
	case "array":
		list := []any{}
		for v.MinItems != nil && int64(len(list)) < min(*v.MinItems, 16) && s.Items() != nil {
			list = append(list, sample(s.Items(), depth+1))
		}
		return list
	case "integer", "number":
		return sampleNumber(v)
	case "boolean":
		return false
	}
	return sampleString(v)
}

func sampleNumber(v *structural.ValueValidation) any {
	least := 0.0
	switch {
	case v.Minimum != nil && *v.Minimum > 0:
		if least = *v.Minimum; v.ExclusiveMinimum {
			least++
		}
	case v.Maximum != nil && *v.Maximum < 0:
		least = *v.Maximum
	}
	if least == float64(int64(least)) {
		return int64(least)
	}
	return least
}

// samples are strings of formats.
var samples = map[string]string{
	"date": "2026-01-01", "date-time": "2026-01-01T00:00:00Z", "duration": "1m", "uri": "https://example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "cidr": "192.0.2.0/24", "hostname": "example.com",
	"email": "a@example.com", "uuid": "123e4567-e89b-12d3-a456-426614174000",
}

func sampleString(v *structural.ValueValidation) string {
	text := samples[v.Format]
	if v.MinLength != nil {
		text += strings.Repeat("x", int(max(0, min(*v.MinLength, 1000)-int64(len(text)))))
	}
	return text
}

// yamlText returns a value as YAML.
func yamlText(value any) string {
	var b strings.Builder
	writeYAML(&b, value, 0)
	return b.String()
}

// writeYAML writes a value in block style, each line with an indentation.
func writeYAML(b *strings.Builder, value any, column int) {
	at := strings.Repeat(" ", column)
	switch v := value.(type) {
	case map[string]any:
		for _, key := range inOrder(v) {
			name := key
			if !isPlain(key) {
				name = jsonText(key)
			}
			fmt.Fprintf(b, "%s%s:", at, name)
			writeBelow(b, v[key], column+2)
		}
	case []any:
		for _, item := range v {
			if !isBlock(item) {
				fmt.Fprintf(b, "%s- %s\n", at, valueText(item))
				continue
			}
			var below strings.Builder
			writeYAML(&below, item, column+2)
			fmt.Fprintf(b, "%s- %s", at, below.String()[column+2:])
		}
	}
}

// writeBelow writes the value of a key: on its line, or below it.
func writeBelow(b *strings.Builder, value any, column int) {
	if isBlock(value) {
		b.WriteByte('\n')
		writeYAML(b, value, column)
		return
	}
	fmt.Fprintf(b, " %s\n", valueText(value))
}

// isBlock reports whether a value is an object or a list that is not empty.
func isBlock(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

// inOrder returns the keys of an object: those that every object has first.
func inOrder(object map[string]any) []string {
	rank := func(key string) int {
		return slices.Index([]string{"status", "spec", "metadata", "kind", "apiVersion"}, key)
	}
	keys := slices.Sorted(maps.Keys(object))
	slices.SortStableFunc(keys, func(a, b string) int { return rank(b) - rank(a) })
	return keys
}
