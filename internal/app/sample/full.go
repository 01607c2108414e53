package sample

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/describe"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// mostLines is how many fields Full writes.
const mostLines = 20_000

// Full returns an object of a version that has every declared field once, as
// YAML. A comment above a field has its type, what it must be, and the first
// line of its description. Lists have one item, and maps one key. The status is
// left out where it is a subresource. Values are plain ones, or those of the
// object like where it has them, e.g. of one that rules admit; it may be nil.
// The object need not be admitted, e.g. where fields exclude each other.
func Full(v *crdsem.Version, like map[string]any) string {
	object := map[string]any{}
	named(v, object)
	w := &fullWriter{}
	WriteYAML(&w.out, object, 0)
	for name, s := range v.Schema().Properties() {
		switch {
		case slices.Contains([]string{"apiVersion", "kind", "metadata"}, name):
		case name == "status" && v.Definition().Model().Version(v.Name()).HasStatus:
		default:
			w.field(name, s, isRequired(v.Schema(), name), "", like[name])
		}
	}
	if w.lines > mostLines {
		w.out.WriteString("# more fields are left out\n")
	}
	return w.out.String()
}

// fullWriter writes the fields of an object with comments.
type fullWriter struct {
	out   strings.Builder
	lines int
}

func isRequired(s *structural.Schema, name string) bool {
	return slices.Contains(s.Values().Required, name)
}

// field writes a field and what is below it. like is a value that the field may
// have, or nil.
func (w *fullWriter) field(
	name string, s *structural.Schema, required bool, indent string, like any,
) {
	if w.lines++; w.lines > mostLines {
		return
	}
	w.comment(s, required, indent)
	if !IsPlain(name) {
		name = JSON(name)
	}
	w.out.WriteString(indent + name + ":")
	if isBranch(s) {
		w.out.WriteString("\n")
		w.below(s, indent, like)
		return
	}
	fmt.Fprintf(&w.out, " %s\n", Scalar(leaf(s, like)))
}

// comment writes what a field must be.
func (w *fullWriter) comment(s *structural.Schema, required bool, indent string) {
	if text := strings.TrimSpace(s.Description()); text != "" {
		first, _, _ := strings.Cut(text, "\n")
		w.out.WriteString(indent + "# " + oneLine(first) + "\n")
	}
	parts := []string{describe.Type(s)}
	if required {
		parts = append(parts, "required")
	}
	if s.Nullable() {
		parts = append(parts, "may be null")
	}
	for _, fact := range append(describe.Facts(s), describe.Inner(s)...) {
		parts = append(parts, strings.TrimSuffix(fact.Name+": "+fact.Value, ": "))
	}
	w.out.WriteString(indent + "# " + oneLine(strings.Join(parts, "; ")) + "\n")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// isBranch reports whether a value of a node is written below its key.
func isBranch(s *structural.Schema) bool {
	return s.Type() == "array" && s.Items() != nil || len(s.PropertyNames()) > 0 ||
		s.AdditionalSchema() != nil || s.EmbeddedResource()
}

// below writes the fields, the item or the value of a node with an indentation.
func (w *fullWriter) below(s *structural.Schema, indent string, like any) {
	fields, _ := like.(map[string]any)
	switch {
	case s.Type() == "array" && s.Items() != nil:
		items, _ := like.([]any)
		w.item(s.Items(), indent, append(items, nil)[0])
	case len(s.PropertyNames()) > 0 || s.EmbeddedResource():
		if s.EmbeddedResource() {
			w.typeMeta(s, indent+"  ")
		}
		for name, p := range s.Properties() {
			w.field(name, p, isRequired(s, name), indent+"  ", fields[name])
		}
	default:
		key := "key"
		for _, name := range jsonvalue.SortedKeys(fields) {
			key = name
			break
		}
		w.field(key, s.AdditionalSchema(), false, indent+"  ", fields[key])
	}
}

// typeMeta writes what every resource has, unless the node declares it.
func (w *fullWriter) typeMeta(s *structural.Schema, indent string) {
	object, _ := Value(s).(map[string]any)
	for _, name := range []string{"apiVersion", "kind"} {
		if s.Property(name) == nil {
			fmt.Fprintf(&w.out, "%s%s: %s\n", indent, name, Scalar(object[name]))
		}
	}
}

// item writes the one item of a list.
func (w *fullWriter) item(s *structural.Schema, indent string, like any) {
	if !isBranch(s) {
		fmt.Fprintf(&w.out, "%s- %s\n", indent, Scalar(leaf(s, like)))
		return
	}
	w.out.WriteString(indent + "-\n")
	if s.Type() == "array" {
		indent += "  "
	}
	w.below(s, indent, like)
}

// leaf returns a value of a node without fields: like if there is one, or the
// example if there is one and no default.
func leaf(s *structural.Schema, like any) any {
	if like != nil {
		return like
	}
	if e := s.Example(); e != nil && s.Default() == nil {
		return e
	}
	return Value(s)
}
