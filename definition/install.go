package definition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/belowfacade/conversionreview"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// Installation is a set of definitions in one cluster, with the status that the
// server's controllers give them. It is immutable and safe for concurrent use.
type Installation struct {
	crds   []*installed
	byName map[string]*installed
}

// installed is a definition and the part of its status that others depend on.
type installed struct {
	crd         *CRD
	accepted    crd.CustomResourceDefinitionNames
	names       Condition
	established Condition
}

// Install returns the state that a cluster settles in if the definitions are
// created in this order: of two definitions of a group that ask for one name,
// the first gets it. The definitions must have different names, and should be
// valid. Their own status is ignored.
func Install(crds ...*CRD) *Installation {
	in, used := &Installation{
		byName: make(map[string]*installed, len(crds)),
	}, map[string]usedNames{}
	for _, crd := range crds {
		c := &installed{crd: crd}
		in.crds, in.byName[crd.Name()] = append(in.crds, c), c
		of := c.group()
		if used[of].resources == nil {
			used[of] = usedNames{
				make(map[string]bool, 2*len(crds)), make(map[string]bool, 2*len(crds)),
			}
		}
		used[of].add(c)
		for c.settle(used[of]) {
			used[of].add(c)
		}
	}
	// No name is given back. One that came later can still be named in the
	// condition of a definition that lacks names.
	for _, c := range in.crds {
		c.settle(used[c.group()])
	}
	return in
}

func (c *installed) group() string { return c.crd.definition().Spec.Group }

// settle decides about the names of a definition that lacks some. It reports
// whether that changed anything.
func (c *installed) settle(used usedNames) bool {
	before, was := c.accepted, c.names
	if !equalNames(c.crd.definition().Spec.Names, c.accepted) {
		c.accept(used)
	}
	return !equalNames(before, c.accepted) || was != c.names
}

// usedNames are the names that definitions of a group have been given: those of
// resources (plural, singular, short names) and those of kinds.
type usedNames struct{ resources, kinds map[string]bool }

// add adds the names that a definition was given.
func (u usedNames) add(c *installed) {
	for _, name := range c.accepted.ShortNames {
		u.resources[name] = true
	}
	u.resources[c.accepted.Plural] = true
	u.resources[c.accepted.Singular] = true
	u.kinds[c.accepted.Kind] = true
	u.kinds[c.accepted.ListKind] = true
}

// accept gives a definition the names that it asks for and that are free. Of
// several conflicts the condition names the last one.
func (c *installed) accept(used usedNames) {
	asked := &c.crd.definition().Spec.Names
	c.names = Condition{
		Type: "NamesAccepted", Status: "True",
		Reason: "NoConflicts", Message: "no conflicts found",
	}
	conflict := func(reason, message string) {
		c.names.Status, c.names.Reason, c.names.Message = "False", reason, message
	}
	claim := func(reason, name string, accepted *string, used map[string]bool) {
		if name == *accepted || !used[name] {
			*accepted = name
		} else {
			conflict(reason, inUse(name))
		}
	}
	claim("PluralConflict", asked.Plural, &c.accepted.Plural, used.resources)
	claim("SingularConflict", asked.Singular, &c.accepted.Singular, used.resources)
	if taken := c.takenShortNames(used.resources); len(taken) > 0 {
		conflict("ShortNamesConflict", aggregated(taken))
	} else {
		c.accepted.ShortNames = asked.ShortNames
	}
	claim("KindConflict", asked.Kind, &c.accepted.Kind, used.kinds)
	claim("ListKindConflict", asked.ListKind, &c.accepted.ListKind, used.kinds)
	c.accepted.Categories = asked.Categories
	c.establish()
}

// takenShortNames returns a message for each short name of a definition that
// others have been given.
func (c *installed) takenShortNames(used map[string]bool) []string {
	var taken []string
	for _, name := range c.crd.definition().Spec.Names.ShortNames {
		if used[name] && !slices.Contains(c.accepted.ShortNames, name) {
			taken = append(taken, inUse(name))
		}
	}
	return taken
}

func inUse(name string) string { return fmt.Sprintf("%q is already in use", name) }

// aggregated returns messages as the API machinery prints several errors.
func aggregated(messages []string) string {
	var distinct []string
	for _, m := range messages {
		if !slices.Contains(distinct, m) {
			distinct = append(distinct, m)
		}
	}
	if len(distinct) == 1 {
		return distinct[0]
	}
	return "[" + strings.Join(distinct, ", ") + "]"
}

// establish decides whether a definition is served. That needs all its names,
// and a CA bundle of the webhook that can be read.
func (c *installed) establish() {
	c.established = Condition{
		Type: "Established", Status: "True",
		Reason: "InitialNamesAccepted", Message: "the initial names have been accepted",
	}
	switch {
	case c.names.Status != "True":
		c.established.Status, c.established.Reason = "False", "NotAccepted"
		c.established.Message = "not all names are accepted"
	case c.crd.minor().CABundleOnUpdate &&
		!conversionreview.HasValidCABundle(c.crd.definition().Spec.Conversion):
		c.established.Status, c.established.Reason = "False", "InvalidCABundle"
		c.established.Message = "The conversion webhook CABundle is invalid"
	}
}

func equalNames(a, b crd.CustomResourceDefinitionNames) bool {
	return a.Plural == b.Plural && a.Singular == b.Singular &&
		a.Kind == b.Kind && a.ListKind == b.ListKind &&
		slices.Equal(a.ShortNames, b.ShortNames) && slices.Equal(a.Categories, b.Categories)
}

// Conditions returns the conditions of a definition, nil if it is not
// installed: NamesAccepted, Established (CRD-602, CRD-603), then Terminating
// (CRD-604), NonStructuralSchema and KubernetesAPIApprovalPolicyConformant
// where the controllers write them.
func (in *Installation) Conditions(name string) []Condition {
	c := in.byName[name]
	if c == nil {
		return nil
	}
	conditions := []Condition{c.names, c.established}
	for _, other := range []*Condition{
		c.deletion(), NonStructuralSchema(c.crd), APIApproval(c.crd),
	} {
		if other != nil {
			conditions = append(conditions, *other)
		}
	}
	return conditions
}

// deletion returns the condition Terminating of a definition that is being
// deleted. A definition with the finalizer of the cleanup has objects that are
// still there.
func (c *installed) deletion() *Condition {
	switch d := c.crd.definition(); {
	case d.Metadata["deletionTimestamp"] == nil:
		return nil
	case storesBuiltIn[d.Spec.Names.Plural+"."+d.Spec.Group]:
		return &Condition{
			Type: "Terminating", Status: "False", Reason: "OverlappingBuiltInResource",
			Message: "instances overlap with built-in resources in storage",
		}
	case c.established.Status != "True":
		return &Condition{
			Type: "Terminating", Status: "False", Reason: "NeverEstablished",
			Message: "resource was never established",
		}
	case hasCleanup(d.Metadata):
		return &Condition{
			Type: "Terminating", Status: "True", Reason: "InstanceDeletionInProgress",
			Message: "CustomResource deletion is in progress",
		}
	}
	return &Condition{
		Type: "Terminating", Status: "False", Reason: "InstanceDeletionCompleted",
		Message: "removed all instances",
	}
}

// storesBuiltIn are the definitions whose objects would be built-in ones.
var storesBuiltIn = map[string]bool{
	"apiservices.apiregistration.k8s.io":             true,
	"customresourcedefinitions.apiextensions.k8s.io": true,
}

// hasCleanup reports whether the server has to remove objects before the
// definition goes.
func hasCleanup(metadata map[string]any) bool {
	finalizers, _ := metadata["finalizers"].([]any)
	return slices.Contains(finalizers, any("customresourcecleanup.apiextensions.k8s.io"))
}

// AcceptedNames returns the names that a definition has been given. They are
// empty where it asked for a name of another definition.
func (in *Installation) AcceptedNames(name string) Names {
	c := in.byName[name]
	if c == nil {
		return Names{}
	}
	return Names{
		Plural: c.accepted.Plural, Singular: c.accepted.Singular,
		Kind: c.accepted.Kind, ListKind: c.accepted.ListKind,
		ShortNames: c.accepted.ShortNames, Categories: c.accepted.Categories,
	}
}

// HasAs reports whether a definition is the same [CRD] in the same state as in
// another installation. A nil one has none.
func (in *Installation) HasAs(other *Installation, name string) bool {
	if other == nil {
		return false
	}
	a, b := in.byName[name], other.byName[name]
	return a != nil && b != nil && a.crd == b.crd && equalNames(a.accepted, b.accepted) &&
		a.names == b.names && a.established == b.established
}
