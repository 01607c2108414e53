package edit

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/describe"
	"github.com/crdsem/crdsem/internal/app/sample"
	"github.com/crdsem/crdsem/structural"
)

// Completion is one thing that can stand at a position.
type Completion struct {
	// Label is what is offered, and Edit puts it in place of what was typed.
	Label string         `json:"label"`
	Edit  Edit           `json:"edit"`
	Kind  CompletionKind `json:"kind"`
	// Filter is what begins with what was typed, if the label does not: it has
	// the quote.
	Filter string `json:"filter,omitempty"`
	// Detail is short, e.g. the type, and Text a description.
	Detail string `json:"detail,omitempty"`
	Text   string `json:"text,omitempty"`
	// Required fields come first.
	Required bool `json:"required,omitempty"`
}

// CompletionKind is what a completion stands for.
type CompletionKind string

// The kinds of completions.
const (
	FieldCompletion    CompletionKind = "field"
	ValueCompletion    CompletionKind = "value"
	KeywordCompletion  CompletionKind = "keyword"
	VariableCompletion CompletionKind = "variable"
	FunctionCompletion CompletionKind = "function"
)

// Complete returns what can stand at a position: fields that are not there yet,
// the required ones first, values, or what continues a rule in CEL.
func (w *Workspace) Complete(ctx context.Context, name string, at Position) []Completion {
	lines, ok := w.lines(name, at)
	if !ok {
		return nil
	}
	line := lines[at.Line]
	offset := w.encoding.offset(line, at.Column)
	way := wayTo(lines, at.Line, offset)
	c := &completer{way: way, taken: way.taken(at.Line), w: w, ctx: ctx}
	c.over = Range{Position{at.Line, w.encoding.column(line, way.start)}, at}
	if quote := way.quote(); quote != "" && strings.HasPrefix(line[offset:], quote) {
		c.over.End.Column++ // an editor has closed it
	}
	switch {
	case way.inComment:
	case way.inRule():
		c.expression(lines, at.Line, offset)
	case way.inText:
	case len(way.steps) == 0 && !way.inValue:
		c.top()
	case len(way.steps) == 1 && way.inValue && way.steps[0].key == "apiVersion":
		c.apiVersions()
	case len(way.steps) == 1 && way.inValue && way.steps[0].key == "kind":
		c.kinds()
	case way.value("kind") == definitionKind:
		c.keywords()
	default:
		if root := c.root(); root != nil {
			c.schema(nodeAt(root, way.steps))
		}
	}
	return c.found
}

// nodeAt returns the schema node at the end of some steps, nil without one.
func nodeAt(s *structural.Schema, steps []wayStep) *structural.Schema {
	for i, step := range steps {
		switch {
		case s == nil:
			return nil
		case step.item:
			s = s.Items()
		case i == 0 && step.key == "metadata": // it is every object's
			return nil
		default:
			s = s.Child(step.key)
		}
	}
	return s
}

type completer struct {
	*way
	w     *Workspace
	ctx   context.Context
	taken map[string]bool // keys of the object on other lines
	over  Range
	found []Completion
}

// root returns the schema of the document, nil if its type is not known.
func (c *completer) root() *structural.Schema {
	return c.w.definitions(c.ctx).schema(c.value("apiVersion"), c.value("kind"))
}

// add offers a text.
func (c *completer) add(label, text string, more Completion) {
	more.Label, more.Edit = label, Edit{c.over, text}
	if quote := c.quote(); quote != "" {
		more.Filter = quote + strings.Trim(label, `"`)
	}
	c.found = append(c.found, more)
}

// field offers a key, with what begins its value, unless it is there already.
func (c *completer) field(name string, s *structural.Schema, required bool) {
	if c.taken[name] {
		return
	}
	opens, first := "", ""
	switch {
	case s.EmbeddedResource():
		opens, first = "{", "apiVersion"
	case s.Type() == "object":
		opens = "{"
	case s.Type() == "array" && len(s.ListMapKeys()) > 0:
		opens, first = "[{", s.ListMapKeys()[0] // each item has it
	case s.Type() == "array":
		opens = "["
	}
	detail := describe.Type(s)
	if required {
		detail += ", required"
	}
	if text := sample.Scalar(s.Default()); s.Default() != nil && len(text) <= longestValue {
		detail += ", default " + text
	}
	c.add(name, c.opened(name, opens, first), Completion{
		Kind: FieldCompletion, Detail: detail, Text: s.Description(), Required: required,
	})
}

// opened returns a key with the start of its value: the objects and lists that
// begin there, as in flow style, and the first key in them.
func (c *completer) opened(name, opens, first string) string {
	text := c.written(name) + ":"
	switch {
	case c.flow != 0:
		if text += " " + opens; c.flow == '[' {
			text = "{" + text
		}
	case opens == "":
		text += " "
	default:
		text += "\n" + strings.Repeat(" ", c.over.Start.Column+2)
		if opens[0] == '[' {
			text += "- "
		}
	}
	if first != "" {
		text += c.written(first) + ": "
	}
	return text
}

// written returns a string as it is written where the position is.
func (c *completer) written(text string) string {
	if c.inJSON || !sample.IsPlain(text) {
		return sample.JSON(text)
	}
	return text
}

// top offers the fields of an object as a whole.
func (c *completer) top() {
	for _, name := range []string{"apiVersion", "kind"} {
		if !c.taken[name] {
			c.add(name, c.opened(name, "", ""), Completion{
				Kind: FieldCompletion, Detail: "string", Required: true,
			})
		}
	}
	if !c.taken["metadata"] {
		c.add("metadata", c.opened("metadata", "{", "name"),
			Completion{Kind: FieldCompletion, Detail: "object", Required: true})
	}
	if c.value("kind") == definitionKind {
		c.keywords()
	} else if root := c.root(); root != nil {
		c.properties(root)
		c.skeleton()
	}
}

// skeleton offers what completes the smallest object, if there is nothing but
// its apiVersion and kind.
func (c *completer) skeleton() {
	kind, apiVersion := c.value("kind"), c.value("apiVersion")
	if len(c.keys) != 2 || c.flow != 0 {
		return
	}
	text, _ := c.w.Skeleton(c.ctx, apiVersion, kind) // empty if none is found
	if _, rest, isWhole := strings.Cut(text, "\nmetadata:"); isWhole {
		c.add("the smallest "+kind, "metadata:"+rest, Completion{
			Kind: ValueCompletion, Text: text,
		})
	}
}

// apiVersions offers those of the kinds that are known. Of a kind that is there
// already, only its own.
func (c *completer) apiVersions() {
	kind := c.value("kind")
	all := []string{"apiextensions.k8s.io/v1"}
	if kind != "" && kind != definitionKind {
		all = nil
	}
	for _, o := range c.w.definitions(c.ctx).kinds.All() {
		for _, v := range o.compiled.Model().Versions() {
			if v.Served && (kind == "" || kind == o.compiled.Model().Names().Kind) {
				all = append(all, o.compiled.Model().Group()+"/"+v.Name)
			}
		}
	}
	for _, b := range c.w.definitions(c.ctx).builtInKinds() {
		if kind == "" || kind == b.Kind {
			all = append(all, b.APIVersion())
		}
	}
	c.each(all)
}

// kinds offers the kinds of the apiVersion, or all.
func (c *completer) kinds() {
	var all []string
	apiVersion := c.value("apiVersion")
	for _, b := range c.w.definitions(c.ctx).builtInKinds() {
		if apiVersion == "" || apiVersion == b.APIVersion() {
			all = append(all, b.Kind)
		}
	}
	if apiVersion == "" || apiVersion == "apiextensions.k8s.io/v1" {
		all = append(all, definitionKind)
	}
	for _, o := range c.w.definitions(c.ctx).kinds.All() {
		kind := o.compiled.Model().Names().Kind
		if apiVersion == "" {
			all = append(all, kind)
		} else if of, _ := c.w.definitions(c.ctx).of(apiVersion, kind); of != nil {
			all = append(all, kind)
		}
	}
	c.each(all)
}

// each offers texts in their order, each once.
func (c *completer) each(all []string) {
	slices.Sort(all)
	for _, text := range slices.Compact(all) {
		c.add(text, c.written(text), Completion{Kind: ValueCompletion})
	}
}

// schema offers what a schema node allows: values behind a key, and else
// fields.
func (c *completer) schema(s *structural.Schema) {
	switch {
	case s == nil && !c.inValue && c.steps[0].key == "metadata":
		switch {
		case len(c.steps) == 1:
			c.typed(metadataFields)
		case c.steps[1].key == "ownerReferences" && len(c.steps) == 3:
			c.typed(ownerFields)
		case len(c.steps) == 2: // labels and annotations
			c.mapKeys()
		}
	case s == nil:
	case c.inValue:
		c.values(s)
	case s.AdditionalSchema() != nil:
		c.mapKeys()
	default:
		c.properties(s)
		c.values(s) // of an item
	}
}

// mostForKeys is how many bytes of other files are read for the keys of a map.
const mostForKeys = 64 << 10

// mapKeys offers the keys that the map has in other objects of the kind: any
// may stand there.
func (c *completer) mapKeys() {
	seen := map[string]bool{}
	kind, apiVersion := c.value("kind"), c.value("apiVersion")
	for f := range c.w.mentioning(kind, mostForKeys) {
		each(f.parsed(), func(d document) {
			if d.Content["kind"] == kind && d.Content["apiVersion"] == apiVersion {
				keysAt(d.Content, c.steps, seen)
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		if !c.taken[name] {
			c.add(name, c.opened(name, "", ""), Completion{
				Kind: FieldCompletion, Detail: "in other objects",
			})
		}
	}
}

// keysAt adds the keys of the objects that some steps lead to from a value.
func keysAt(value any, steps []wayStep, to map[string]bool) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			if len(steps) > 0 && steps[0].item {
				keysAt(item, steps[1:], to)
			}
		}
	case map[string]any:
		if len(steps) > 0 {
			keysAt(v[steps[0].key], steps[1:], to)
			return
		}
		for key := range v {
			to[key] = true
		}
	}
}

// The fields of metadata and of an owner, with their types. The server sets
// those at the end.
var (
	metadataFields = [][2]string{
		{"name", "string"}, {"generateName", "string"}, {"namespace", "string"},
		{"labels", "map of string"}, {"annotations", "map of string"},
		{"finalizers", "list of string"}, {"ownerReferences", "list of object"},
		{"creationTimestamp", "string"}, {"deletionGracePeriodSeconds", "integer"},
		{"deletionTimestamp", "string"}, {"generation", "integer"},
		{"managedFields", "list of object"}, {"resourceVersion", "string"}, {"selfLink", "string"},
		{"uid", "string"},
	}
	ownerFields = [][2]string{
		{"apiVersion", "string"}, {"kind", "string"}, {"name", "string"}, {"uid", "string"},
		{"controller", "boolean"}, {"blockOwnerDeletion", "boolean"},
	}
)

// typed offers fields with their types.
func (c *completer) typed(fields [][2]string) {
	for _, f := range fields {
		if c.taken[f[0]] {
			continue
		}
		opens := map[string]string{"map": "{", "lis": "["}[f[1][:3]]
		c.add(f[0], c.opened(f[0], opens, ""), Completion{Kind: FieldCompletion, Detail: f[1]})
	}
}

// properties offers the fields of an object, the required ones first.
func (c *completer) properties(s *structural.Schema) {
	required := s.Values().Required
	isTop := len(c.steps) == 0 || s.EmbeddedResource()
	if s.EmbeddedResource() {
		for _, name := range []string{"apiVersion", "kind", "metadata"} {
			if !c.taken[name] {
				c.add(name, c.opened(name, "", ""), Completion{
					Kind: FieldCompletion, Required: name != "metadata",
				})
			}
		}
	}
	for _, wanted := range []bool{true, false} {
		for name, property := range s.Properties() {
			if slices.Contains(required, name) == wanted &&
				!(isTop && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name)) {
				c.field(name, property, wanted)
			}
		}
	}
}

// values offers the values that a schema names.
func (c *completer) values(s *structural.Schema) {
	offered := map[string]bool{}
	offer := func(value any, detail string) {
		text := sample.Scalar(value)
		if c.inJSON {
			text = sample.JSON(value)
		}
		if !offered[text] {
			offered[text] = true
			c.add(text, text, Completion{Kind: ValueCompletion, Detail: detail})
		}
	}
	if d := s.Default(); d != nil && s.IsLeaf() {
		offer(d, "default")
	}
	for _, value := range s.Values().Enum {
		offer(value, "")
	}
	if s.Type() == "boolean" && len(s.Values().Enum) == 0 {
		offer(true, "")
		offer(false, "")
	}
}
