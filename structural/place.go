package structural

import "k8s.io/apimachinery/pkg/util/validation/field"

// place is where a walk stands. It becomes a field.Path only when there is something to report.
type place struct {
	parent *place
	root   *field.Path // of the first place
	name   string      // keyword
	key    string      // property name, where hasKey
	index  int         // branch, where >= 0
	hasKey bool
}

func placeOf(root *field.Path) place { return place{root: root, index: -1} }

func (p *place) child(name string) place { return place{parent: p, name: name, index: -1} }

func (p *place) property(key string) place {
	return place{parent: p, name: "properties", key: key, hasKey: true, index: -1}
}

func (p *place) branch(name string, index int) place {
	return place{parent: p, name: name, index: index}
}

func (p *place) path() *field.Path {
	if p.parent == nil {
		return p.root
	}
	path := p.parent.path().Child(p.name)
	switch {
	case p.hasKey:
		return path.Key(p.key)
	case p.index >= 0:
		return path.Index(p.index)
	default:
		return path
	}
}
