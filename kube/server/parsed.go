package server

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
	"github.com/crdsem/crdsem/structural"
)

// parsedDefinition is a stored definition that was parsed.
type parsedDefinition struct {
	from *storage.Object
	crd  *definition.CRD
}

// parsed parses a stored definition, nil if that fails. A definition is parsed
// once while nothing but its status changes, which decides nothing.
func (c *cluster) parsed(object *storage.Object) *definition.CRD {
	if known, ok := c.crds.Load(object.Key); ok {
		p, ok := known.(parsedDefinition)
		if ok && p.from == object {
			return p.crd
		}
		if ok && p.isOf(object) {
			c.crds.Store(object.Key, parsedDefinition{object, p.crd})
			return p.crd
		}
	}
	crd, _, err := definition.FromMap(object.Content, structural.Kubernetes(c.minor))
	if err != nil {
		return nil
	}
	c.crds.Store(object.Key, parsedDefinition{object, crd})
	return crd
}

// isOf reports whether a definition was parsed from what differs from an object
// in the status only. An object that was made from another one has its maps,
// which are never changed.
func (p parsedDefinition) isOf(object *storage.Object) bool {
	return isSameMap(p.from.Content["spec"], object.Content["spec"]) &&
		reflect.DeepEqual(p.from.Content["metadata"], object.Content["metadata"])
}

// isSameMap reports whether two values are one map.
func isSameMap(a, b any) bool {
	one, ok := a.(map[string]any)
	other, okay := b.(map[string]any)
	return ok && okay && reflect.ValueOf(one).Pointer() == reflect.ValueOf(other).Pointer()
}

// ofGroup returns the definitions of a group, the oldest first.
func (c *cluster) ofGroup(group string) []*storage.Object {
	all, _ := c.objectsOf(definitions).List(definitionPrefix)
	var list []aged
	for _, object := range all {
		if groupOf(strings.TrimPrefix(object.Key, definitionPrefix)) == group {
			list = append(list, aged{metaText(object.Content, "creationTimestamp"), object})
		}
	}
	slices.SortFunc(list, aged.compare)
	out := make([]*storage.Object, len(list))
	for i, a := range list {
		out[i] = a.Object
	}
	return out
}

// aged is a definition and when it was created.
type aged struct {
	at string
	*storage.Object
}

// compare orders definitions by their age.
func (a aged) compare(b aged) int {
	return cmp.Or(strings.Compare(a.at, b.at), strings.Compare(a.Key, b.Key))
}
