package upgrade

import (
	"context"
	"fmt"
	"slices"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/structural"
)

// compareAcross returns the differences between served versions that the new
// definition brings. Without conversion an object has the same fields in every
// version, so that a client of one version meets the schema of the other one.
//
// A version that is no longer served is compared as the old definition has it:
// its clients move to another one. Differences that the old definition has
// between the same versions are left out, but not fields that are lost because
// another version is stored.
//
// With a webhook nothing is known of the objects in the other version, but what
// it refuses is: the webhook has to meet that.
func (r *Report) compareAcross(ctx context.Context) []Change {
	byWebhook := r.changed.model.Conversion().Strategy != conversion.StrategyNone
	var found []Change
	for _, from := range r.servedNames() {
		for i := range r.changed.model.Versions() {
			to := &r.changed.model.Versions()[i]
			if to.Served && to.Name != from {
				found = append(found, r.compareAcrossPair(ctx, from, to)...)
			}
		}
	}
	if byWebhook {
		found = slices.DeleteFunc(found, func(c Change) bool { return c.Class != Stricter })
	}
	for i := range found {
		if found[i].Webhook = byWebhook; byWebhook && found[i].Message == "" {
			found[i].Message = "the conversion webhook decides whether objects meet it"
		}
	}
	return found
}

// servedNames returns the versions that either definition serves.
func (r *Report) servedNames() []string {
	var names []string
	for _, s := range []*side{r.old, r.changed} {
		for _, v := range s.model.Versions() {
			if v.Served && !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// writtenBy returns the definition by which objects of a version are written
// that are sent in another version afterwards.
func (r *Report) writtenBy(version string) *side {
	if r.changed.serves(version) {
		return r.changed
	}
	return r.old
}

func (s *side) serves(version string) bool {
	v := s.model.Version(version)
	return v != nil && v.Served
}

func (r *Report) compareAcrossPair(
	ctx context.Context, from string, to *definition.Version,
) []Change {
	across := func(from, to string, old, changed *definition.Version) []Change {
		return across(from, r.compareSchemas(r.judges(ctx), to, old.Schema(), changed.Schema(),
			scaledIn(old, changed)))
	}
	known := map[string]bool{}
	// If the same objects cross as before, and lost no field then, the new
	// refusals are refusals of the version's own objects, too.
	isRefusalKnown := false
	if r.old.serves(from) && r.old.serves(to.Name) {
		isRefusalKnown = structural.Equal(
			r.old.version(from).Schema(), r.writtenBy(from).version(from).Schema())
		for _, c := range across(from, to.Name, r.old.version(from), r.old.version(to.Name)) {
			known[c.String()] = true
			isRefusalKnown = isRefusalKnown && !isLoss(&c)
		}
	}
	// What the version itself refuses now is a change of its own.
	own := map[string]bool{}
	for i := range r.Changes {
		if c := &r.Changes[i]; c.Version == to.Name && c.From == "" {
			own[c.addition()] = true
		}
	}
	changes := across(from, to.Name, r.writtenBy(from).version(from), to)
	was, isStored := r.old.model.StorageVersion(), r.storesAnew(to)
	keptBefore := map[string]bool{}
	if isStored && r.old.serves(from) {
		for i := range changes {
			keptBefore[changes[i].Path] = true
		}
		for _, c := range across(from, to.Name, r.old.version(from), was) {
			delete(keptBefore, c.Path)
		}
	}
	return slices.DeleteFunc(changes, func(c Change) bool {
		isNews := isLoss(&c) && keptBefore[c.Path]
		if c.Class == Stricter && isRefusalKnown {
			return true
		}
		return known[c.String()] && !isNews || c.Class == Stricter && own[c.addition()]
	})
}

// storesAnew reports whether objects are stored in a version of the new
// definition, and were stored in another one.
func (r *Report) storesAnew(to *definition.Version) bool {
	was := r.old.model.StorageVersion()
	return to.Storage && was != nil && was.Name != to.Name
}

// addition says where a change adds what.
func (c *Change) addition() string {
	return fmt.Sprint(c.Path, " ", c.Keyword, " ", c.Class, " ", shown(c.New))
}

func (s *side) version(name string) *definition.Version { return s.model.Version(name) }

// across returns the changes that a client meets who takes an object from one
// version to another.
func across(from string, changes []Change) []Change {
	changes = slices.DeleteFunc(changes, func(c Change) bool {
		switch c.Class {
		case Stricter:
			return c.Keyword == "properties" // the other direction has it: a field is lost
		case ChangesStorage:
			return !isLoss(&c)
		}
		return true
	})
	for i := range changes {
		changes[i].From = from
	}
	return changes
}

// versions returns the versions as they are shown, e.g. "v1", or "v1 to v2".
func (c *Change) versions() string {
	if c.From == "" {
		return c.Version
	}
	return fmt.Sprintf("%s to %s", c.From, c.Version)
}
