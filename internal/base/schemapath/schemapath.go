// Package schemapath defines the path of a schema node while a walk is at it,
// e.g. spec.versions[0].schema.openAPIV3Schema.properties[spec].allOf[1].
//
// A path is a chain of steps that the walk keeps on its stack. It becomes a
// string or a *field.Path only when there is something to report, and each step
// then keeps the string of the path so far: reporting many errors in a deep
// schema takes time linear in the size of the errors.
package schemapath

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Path is the last step of a path and leads to the steps above it. The zero
// Path is a root without a path. It is not safe for concurrent use.
type Path struct {
	parent *Path
	path   *field.Path // of the root; of other steps after FieldPath
	name   string      // keyword, e.g. properties
	key    string      // name of a property
	index  int         // index of a branch
	kind   kind
	text   string // the path so far, after String or At
}

type kind uint8

const (
	isKeyword kind = iota
	isKeyed
	isIndexed
)

// Root returns the path of a schema, which may be nil.
func Root(path *field.Path) Path { return Path{path: path} }

// Child returns the path of a keyword's schema, e.g. items.
func (p *Path) Child(name string) Path { return Path{parent: p, name: name} }

// Keyed returns the path of one of a keyword's named schemas, e.g.
// properties[a].
func (p *Path) Keyed(name, key string) Path {
	return Path{parent: p, name: name, key: key, kind: isKeyed}
}

// Indexed returns the path of one of a keyword's listed schemas, e.g. allOf[0].
func (p *Path) Indexed(name string, index int) Path {
	return Path{parent: p, name: name, index: index, kind: isIndexed}
}

// FieldPath returns the path as a *field.Path. Paths share the part that they
// have in common.
func (p *Path) FieldPath() *field.Path {
	if p.parent == nil || p.path != nil {
		return p.path
	}
	p.path = p.parent.FieldPath().Child(p.name)
	switch p.kind {
	case isKeyword:
	case isKeyed:
		p.path = p.path.Key(p.key)
	case isIndexed:
		p.path = p.path.Index(p.index)
	}
	return p.path
}

// String returns the path as errors print it.
func (p *Path) String() string {
	if p.parent == nil {
		return p.path.String()
	}
	return p.render("")
}

// At returns the path of a keyword as errors print it, e.g. properties[a].type
// for the keyword type.
func (p *Path) At(keyword string) string { return p.render(keyword) }

// render writes the steps below the nearest one whose text is known, and then
// the keyword, which may be empty. Each step on the way keeps its text: it is a
// prefix of the one string that is written, and steps below start from it.
func (p *Path) render(keyword string) string {
	const room = len(".properties[]") + 20 // for a step, as a rule
	var few [16]*Path                      // on the stack: most schemas are not deeper
	steps := few[:0]
	from := p
	for from.text == "" && from.parent != nil {
		steps = append(steps, from)
		from = from.parent
	}
	if from.text == "" && from.path != nil {
		from.text = from.path.String()
	}
	var out strings.Builder
	out.Grow(len(from.text) + room*len(steps) + len(".") + len(keyword))
	out.WriteString(from.text)
	for i := len(steps) - 1; i >= 0; i-- {
		steps[i].writeStep(&out)
		steps[i].text = out.String()
	}
	writeName(&out, keyword)
	return out.String()
}

// writeName writes a name, with a dot before it unless it comes first.
func writeName(out *strings.Builder, name string) {
	if out.Len() > 0 && name != "" {
		out.WriteByte('.')
	}
	out.WriteString(name)
}

func (p *Path) writeStep(out *strings.Builder) {
	writeName(out, p.name)
	switch p.kind {
	case isKeyword:
	case isKeyed:
		out.WriteByte('[')
		out.WriteString(p.key)
		out.WriteByte(']')
	case isIndexed:
		out.WriteByte('[')
		out.WriteString(strconv.Itoa(p.index))
		out.WriteByte(']')
	}
}
