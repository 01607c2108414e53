package sample

import (
	"context"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/kit/relang"
	"github.com/crdsem/crdsem/structural"
)

// Smallest returns the smallest object of a version that the server admits, as
// far as one is found: the plain values of the required fields, or else what
// the function search returns, without the fields that it is admitted without.
func Smallest(
	ctx context.Context, v *crdsem.Version, search func() (map[string]any, error),
) (map[string]any, error) {
	object, _ := Value(v.Schema()).(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	named(v, object)
	if !v.Create(ctx, object).Admitted() {
		found, err := search()
		if err != nil {
			return nil, err
		}
		object = found
		shrink(ctx, v, object, object)
		if renamed := maps.Clone(object); ctx.Err() == nil {
			named(v, renamed)
			if v.Create(ctx, renamed).Admitted() {
				object = renamed
			}
		}
	}
	return object, ctx.Err()
}

// named gives an object its type and a name.
func named(v *crdsem.Version, object map[string]any) {
	object["apiVersion"], object["kind"] = v.APIVersion(), v.Definition().Model().Names().Kind
	object["metadata"] = map[string]any{"name": "example"}
}

// mostSearches is how many objects WithSpec looks at for a spec.
const mostSearches = 16

// WithSpec adds a spec to an object that has none and is admitted with it: the
// plain values of its required fields, or else the spec of an object that the
// function search returns, without the fields that it is admitted without.
func WithSpec(
	ctx context.Context, v *crdsem.Version, object map[string]any,
	search func() (map[string]any, error),
) {
	spec := v.Schema().Property("spec")
	if _, has := object["spec"]; has || spec == nil {
		return
	}
	object["spec"] = Value(spec)
	for range mostSearches {
		if _, has := object["spec"]; has && v.Create(ctx, object).Admitted() {
			return
		}
		delete(object, "spec")
		found, err := search()
		if err != nil || ctx.Err() != nil {
			return
		}
		if below, ok := found["spec"].(map[string]any); ok {
			object["spec"] = below
			shrink(ctx, v, object, below)
		}
	}
	if !v.Create(ctx, object).Admitted() {
		delete(object, "spec")
	}
}

// shrink removes fields and items of a part of an object that it is admitted
// without.
func shrink(ctx context.Context, v *crdsem.Version, object, part map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(part)) {
		value := part[key]
		delete(part, key)
		if ctx.Err() == nil && v.Create(ctx, object).Admitted() {
			continue
		}
		part[key] = value
		switch below := value.(type) {
		case map[string]any:
			shrink(ctx, v, object, below)
		case []any:
			part[key] = shrinkList(ctx, v, object, below, func(l []any) { part[key] = l })
		}
	}
}

// shrinkList returns a list of an object without the items, and the fields of
// items, that the object is admitted without. set puts a list into the object.
func shrinkList(
	ctx context.Context, v *crdsem.Version, object map[string]any, list []any, set func([]any),
) []any {
	for i := len(list) - 1; i >= 0; i-- {
		fewer := slices.Delete(slices.Clone(list), i, i+1)
		set(fewer)
		if ctx.Err() == nil && v.Create(ctx, object).Admitted() {
			list = fewer
			continue
		}
		set(list)
		if below, ok := list[i].(map[string]any); ok {
			shrink(ctx, v, object, below)
		}
	}
	return list
}

// deepest is how deep samples go.
const deepest = 12

// Value returns a value that the schema allows, as far as its keywords are
// plain: the default, the first value of an enum, and else the least value.
func Value(s *structural.Schema) any { return value(s, 0) }

func value(s *structural.Schema, depth int) any {
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
		if s.EmbeddedResource() {
			object["apiVersion"], object["kind"] = "example.com/v1", "Example"
		}
		for _, name := range v.Required {
			if p := s.Property(name); p != nil && depth < deepest {
				object[name] = value(p, depth+1)
			}
		}
		return object
	case "array":
		list := []any{}
		for v.MinItems != nil && int64(len(list)) < min(*v.MinItems, 16) && s.Items() != nil {
			list = append(list, value(s.Items(), depth+1))
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
	if v.MultipleOf != nil && *v.MultipleOf > 0 {
		least = math.Ceil(least / *v.MultipleOf) * *v.MultipleOf
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
	"k8s-short-name": "example", "k8s-long-name": "example.com", "byte": "aGVsbG8=", "hexcolor": "#ff8800",
	"mac": "00:00:5e:00:53:01", "email": "a@example.com", "uuid": "123e4567-e89b-12d3-a456-426614174000",
}

func sampleString(v *structural.ValueValidation) string {
	text := samples[v.Format]
	if word := matching(v, text); word != "" {
		return word
	}
	if v.MinLength != nil {
		text += strings.Repeat("x", int(max(0, min(*v.MinLength, 1000)-int64(len(text)))))
	}
	return text
}

// matching returns a short string that the pattern and the length of a node
// allow. It is empty if the given one matches, or none is found soon.
func matching(v *structural.ValueValidation, given string) string {
	const longest, largest = 64, 600 // characters, instructions
	if v.Pattern == "" || relang.Size(v.Pattern) > largest ||
		v.MinLength != nil && *v.MinLength > longest {
		return ""
	}
	if p, err := regexp.Compile(v.Pattern); err != nil || given != "" && p.MatchString(given) {
		return ""
	}
	return relang.Shortest(context.Background(), relang.Language{
		Patterns: []string{v.Pattern}, MinLength: v.MinLength, MaxLength: v.MaxLength,
	}).Word
}
