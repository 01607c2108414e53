package server

import (
	"maps"
	"slices"

	"github.com/crdsem/crdsem/definition"
)

// claims are the names that definitions ask for, which decide about each other.
type claims struct {
	asked map[string][]string        // by the name of the definition
	by    map[string]map[string]bool // by what is asked for, who asks
}

func newClaims() claims {
	return claims{map[string][]string{}, map[string]map[string]bool{}}
}

// put says what a definition asks for now.
func (c claims) put(definition string, asked []string) {
	for _, name := range c.asked[definition] {
		if delete(c.by[name], definition); len(c.by[name]) == 0 {
			delete(c.by, name)
		}
	}
	if c.asked[definition] = asked; len(asked) == 0 {
		delete(c.asked, definition)
	}
	for _, name := range asked {
		if c.by[name] == nil {
			c.by[name] = map[string]bool{}
		}
		c.by[name][definition] = true
	}
}

// related adds a definition to a set, with those that ask for the same names,
// and with those that ask for theirs.
func (c claims) related(definition string, to map[string]bool) {
	next := []string{definition}
	for to[definition] = true; len(next) > 0; next = next[1:] {
		for _, name := range c.asked[next[0]] {
			for other := range c.by[name] {
				if !to[other] {
					to[other] = true
					next = append(next, other)
				}
			}
		}
	}
}

// related returns a definition and those on whose names its own depend, before
// and after it was written.
func (c *cluster) related(name string) []string {
	all := map[string]bool{}
	c.claims.related(name, all)
	c.claims.put(name, c.askedNames(name))
	c.claims.related(name, all)
	return slices.Sorted(maps.Keys(all))
}

// askedNames returns the names that a stored definition asks for, of resources
// and of kinds in their group.
func (c *cluster) askedNames(name string) []string {
	object := c.objectsOf(definitions).Get(definitionPrefix + name)
	if object == nil {
		return nil
	}
	crd := c.parsed(object)
	if crd == nil {
		return nil
	}
	names := definition.Install(crd).AcceptedNames(crd.Name()) // all of them: it is alone
	group := groupOf(name)
	asked := map[string]bool{
		group + " kind " + names.Kind: true, group + " kind " + names.ListKind: true,
	}
	for _, resource := range append([]string{names.Plural, names.Singular}, names.ShortNames...) {
		asked[group+" resource "+resource] = true
	}
	return slices.Collect(maps.Keys(asked))
}
