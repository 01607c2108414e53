// Package place is where a walk over a schema stands: a chain of steps that becomes a field.Path only when there is something to report.
package place

import "k8s.io/apimachinery/pkg/util/validation/field"

// Place is one step of the chain. The zero Place is the root with no path.
type Place struct {
	parent *Place
	path   *field.Path // of the first place; of others once it was asked for
	name   string      // keyword
	key    string      // property name
	index  int         // branch
	kind   kind
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
