// Package place is where a walk over a schema stands: a chain of steps that becomes a path only when there is something to report.
package schemapath

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Place is one step of the chain. The zero Place is the root with no path.
type Place struct {
	parent *Place
	path   *field.Path // of the first place; of others once it was asked for
	name   string      // keyword
	key    string      // property name
	index  int         // branch
	kind   kind
	text   string // once it was asked for
}

type kind uint8

const (
	isKeyword kind = iota
	isKeyed
	isIndexed
)

// Root returns the place of a schema whose path is given; nil stands for no path.
func Root(path *field.Path) Place { return Place{path: path} }

// Child returns the place of a keyword's schema.
func (p *Place) Child(name string) Place { return Place{parent: p, name: name} }

// Keyed returns the place of a keyword's schema of one name, such as properties[a].
func (p *Place) Keyed(name, key string) Place {
	return Place{parent: p, name: name, key: key, kind: isKeyed}
}

// Indexed returns the place of a keyword's schema of one index, such as allOf[0].
func (p *Place) Indexed(name string, index int) Place {
	return Place{parent: p, name: name, index: index, kind: isIndexed}
}

// Path returns the place as a path. Places below one another share what they have in common of it.
func (p *Place) Path() *field.Path {
	if p.parent == nil || p.path != nil {
		return p.path
	}
	p.path = p.parent.Path().Child(p.name)
	switch p.kind {
	case isKeyword:
	case isKeyed:
		p.path = p.path.Key(p.key)
	case isIndexed:
		p.path = p.path.Index(p.index)
	}
	return p.path
}

// Text returns the place as the text of its path.
func (p *Place) Text() string {
	if p.parent == nil {
		return p.path.String()
	}
	return p.render("")
}

// At returns the text of a keyword's path, such as spec.type for the keyword type.
func (p *Place) At(keyword string) string { return p.render(keyword) }

// render writes the steps from the nearest place above whose text is known, and then the keyword, which may be empty. All places on the
// way keep their part of what was written, so that others, which may be many and deep, only add to it.
func (p *Place) render(keyword string) string {
	var few [16]*Place
	steps, size := few[:0], 1+len(keyword)
	from := p
	for from.text == "" && from.parent != nil {
		steps, size = append(steps, from), size+from.stepSize()
		from = from.parent
	}
	if from.text == "" && from.path != nil {
		from.text = from.path.String()
	}
	var out strings.Builder
	out.Grow(len(from.text) + size)
	out.WriteString(from.text)
	for i := len(steps) - 1; i >= 0; i-- {
		steps[i].writeStep(&out)
		steps[i].text = out.String()
	}
	writeName(&out, keyword)
	return out.String()
}

// writeName writes a name, apart from what stands before.
func writeName(out *strings.Builder, name string) {
	if out.Len() > 0 && name != "" {
		out.WriteByte('.')
	}
	out.WriteString(name)
}

func (p *Place) writeStep(out *strings.Builder) {
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

// stepSize is what writeStep writes at most.
func (p *Place) stepSize() int {
	const brackets = 2
	switch size := 1 + len(p.name); p.kind {
	case isKeyed:
		return size + brackets + len(p.key)
	case isIndexed:
		return size + brackets + len(strconv.Itoa(p.index))
	default:
		return size
	}
}
