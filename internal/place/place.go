// Package place is where a walk over a schema stands: a chain of steps that becomes a field.Path only when there is something to report.
package place

import "k8s.io/apimachinery/pkg/util/validation/field"

// Place is one step of the chain. The zero Place is the root with no path.
type Place struct {
	parent *Place
	root   *field.Path // of the first place
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
func Root(path *field.Path) Place { return Place{root: path} }

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

// Path returns the place as a path.
func (p *Place) Path() *field.Path {
	if p.parent == nil {
		return p.root
	}
	path := p.parent.Path().Child(p.name)
	switch p.kind {
	case isKeyed:
		return path.Key(p.key)
	case isIndexed:
		return path.Index(p.index)
	default:
		return path
	}
}
