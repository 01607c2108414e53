package server

import (
	"cmp"
	"reflect"
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
	crd, _, err := definition.FromMap(object.Content(), structural.Kubernetes(c.minor))
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
	return isSameMap(p.from.Content()["spec"], object.Content()["spec"]) &&
		reflect.DeepEqual(p.from.Content()["metadata"], object.Content()["metadata"])
}

// isSameMap reports whether two values are one map.
func isSameMap(a, b any) bool {
	one, ok := a.(map[string]any)
	other, okay := b.(map[string]any)
	return ok && okay && reflect.ValueOf(one).Pointer() == reflect.ValueOf(other).Pointer()
}

// older orders definitions by their age.
func older(a, b *storage.Object) int {
	return cmp.Or(
		strings.Compare(metaText(a.Content(), "creationTimestamp"),
			metaText(b.Content(), "creationTimestamp")),
		strings.Compare(a.Key, b.Key),
	)
}
