package edit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/catalog/kinds"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/structural"
)

// Completion is one thing that can stand at a position.
type Completion struct {
	// Label is what is offered, and Edit puts it in place of what was typed.
	Label string
	Edit  Edit
	// Detail is short, e.g. the type, and Text a description.
	Detail, Text string
	// Required fields come first.
	Required bool
}

// Complete returns what can stand at a position: fields that are not there yet,
// the required ones first, or values.
func (w *Workspace) Complete(name string, at Position) []Completion {
	lines := strings.Split(w.Text(name), "\n")
	if at.Line < 0 || at.Line >= len(lines) {
		return nil
	}
	line := strings.TrimRight(lines[at.Line], "\r")
	offset := w.encoding.offset(line, at.Column)
	way := wayTo(lines, at.Line, offset)
	k := w.definitions()
	c := &completer{way: way, taken: way.taken(at.Line)}
	c.over = Range{Position{at.Line, w.encoding.column(line, way.start)}, at}
	isRule := way.inText || way.inValue
	switch {
	case isRule && selection.MatchString(line[:offset]):
		c.fieldsOf(line[:offset], at)
	case way.inText:
	case len(way.steps) == 0 && !way.inValue:
		c.top(k.version(way))
	case len(way.steps) == 1 && way.inValue && way.steps[0].key == "apiVersion":
		c.apiVersions(k)
	case len(way.steps) == 1 && way.inValue && way.steps[0].key == "kind":
		c.kinds(k)
	case way.value("kind") == "CustomResourceDefinition":
		c.keywords()
	default:
		if v := k.version(way); v != nil {
			c.schema(nodeAt(v.Schema(), way.steps))
		}
	}
	return c.found
}

// version returns the version that a document is of, nil if it is not known.
func (k *known) version(w *way) *crdsem.Version {
	group, version := typemeta.Split(w.value("apiVersion"))
	def, err := k.kinds.OfType(kinds.Type{
		GroupKind: kinds.GroupKind{Group: group, Kind: w.value("kind")}, Version: version,
	})
	if err != nil || def == nil {
		return nil
	}
	v, err := def.Version(version)
	if err != nil {
		return nil
	}
	return v
}

// nodeAt returns the schema node at the end of some steps, nil without one.
func nodeAt(s *structural.Schema, steps []wayStep) *structural.Schema {
	for i, step := range steps {
		switch {
		case s == nil:
			return nil
		case step.item:
			s = s.Items()
		case i == 0 && step.key == "metadata" && s.Property("metadata") == nil:
			return nil
		default:
			s = s.Child(step.key)
		}
	}
	return s
}

type completer struct {
	*way
	taken map[string]bool // keys of the object on other lines
	over  Range
	found []Completion
}

// add offers a text, unless it is there already.
func (c *completer) add(label, text string, more Completion) {
	more.Label, more.Edit = label, Edit{c.over, text}
	c.found = append(c.found, more)
}

// field offers a key, with what begins its value.
func (c *completer) field(name string, s *structural.Schema, required bool) {
	if c.taken[name] {
		return
	}
	c.add(name, name+opening(s, indentOf(c.over)), Completion{
		Detail: typeOf(s), Text: s.Description(), Required: required,
	})
}

func indentOf(r Range) int { return r.Start.Column }

// opening returns what follows a key: the start of an object or a list on the
// next line, or a space.
func opening(s *structural.Schema, indent int) string {
	below := ":\n" + strings.Repeat(" ", indent+2)
	switch {
	case s.Type() == "object":
		return below
	case s.Type() == "array":
		return below + "- "
	}
	return ": "
}

// top offers the fields of an object as a whole.
func (c *completer) top(v *crdsem.Version) {
	for _, name := range []string{"apiVersion", "kind"} {
		if !c.taken[name] {
			c.add(name, name+": ", Completion{Detail: "string", Required: true})
		}
	}
	if !c.taken["metadata"] {
		c.add("metadata", "metadata:\n  name: ", Completion{Detail: "object", Required: true})
	}
	if v != nil {
		c.properties(v.Schema())
	}
}

func (c *completer) apiVersions(k *known) {
	var all []string
	for _, def := range k.kinds.All() {
		for _, v := range def.Model().Versions() {
			kind := c.value("kind")
			if v.Served && (kind == "" || kind == def.Model().Names().Kind) {
				all = append(all, def.Model().Group()+"/"+v.Name)
			}
		}
	}
	slices.Sort(all)
	for _, text := range slices.Compact(all) {
		c.add(text, text, Completion{})
	}
}

func (c *completer) kinds(k *known) {
	var all []string
	group, _ := typemeta.Split(c.value("apiVersion"))
	for _, def := range k.kinds.All() {
		if group == "" || group == def.Model().Group() {
			all = append(all, def.Model().Names().Kind)
		}
	}
	slices.Sort(all)
	for _, text := range slices.Compact(all) {
		c.add(text, text, Completion{})
	}
}

// schema offers what a schema node allows: values behind a key, and else
// fields.
func (c *completer) schema(s *structural.Schema) {
	if s == nil {
		return
	}
	if !c.inValue {
		c.properties(s)
		c.values(s) // of an item
		return
	}
	c.values(s)
}

// properties offers the fields of an object.
func (c *completer) properties(s *structural.Schema) {
	required := map[string]bool{}
	for _, name := range s.Values().Required {
		required[name] = true
	}
	for _, wanted := range []bool{true, false} {
		for name, property := range s.Properties() {
			if required[name] == wanted &&
				!slices.Contains([]string{"apiVersion", "kind", "metadata"}, name) {
				c.field(name, property, wanted)
			}
		}
	}
}

// values offers the values that a schema names.
func (c *completer) values(s *structural.Schema) {
	offered := map[string]bool{}
	offer := func(value any, detail string) {
		text, err := json.Marshal(value)
		if label, isText := value.(string); isText && isPlain(label) {
			text = []byte(label)
		}
		if err == nil && !offered[string(text)] {
			offered[string(text)] = true
			c.add(string(text), string(text), Completion{Detail: detail})
		}
	}
	if d := s.Default(); d != nil && s.IsLeaf() {
		offer(d, "default")
	}
	for _, value := range s.Values().Enum {
		offer(value, "")
	}
	if s.Type() == "boolean" {
		offer(true, "")
		offer(false, "")
	}
}

// isPlain reports whether a text is the same string without quotes in YAML.
func isPlain(text string) bool {
	for i, r := range text {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !strings.ContainsRune("-_./0123456789", r)) {
			return false
		}
	}
	switch strings.ToLower(text) {
	case "", "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return true
}

// typeOf returns the type of a node as people say it.
func typeOf(s *structural.Schema) string {
	switch {
	case s == nil:
		return ""
	case s.IntOrString():
		return "integer or string"
	case s.Type() == "array":
		return fmt.Sprintf("list of %s", typeOf(s.Items()))
	case s.AdditionalSchema() != nil:
		return fmt.Sprintf("map of %s", typeOf(s.AdditionalSchema()))
	}
	return s.Type()
}
