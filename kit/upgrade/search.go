package upgrade

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/structural"
)

// searchWitnesses looks for a witness of every change that an object can show.
// Versions with equal schemas are searched once. Each search has its own random
// numbers, so that searches at the same time find the same witnesses.
func (r *Report) searchWitnesses(ctx context.Context, o options) error {
	shown := o.tries
	if o.shown != nil {
		shown = *o.shown
	}
	twins := r.twins()
	type search struct {
		of    *Change
		tries int
	}
	todo := make(chan search)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for s := range todo {
				if with := o; ctx.Err() == nil && s.tries > 0 {
					with.tries = s.tries
					r.searchWitness(ctx, s.of, with)
				}
			}
		})
	}
	decided := map[string]int{}
	for i := range r.Changes {
		c := &r.Changes[i]
		if !c.canBeShown() || !isAsSevere(c.Severity, o.witnesses) ||
			twins[c.Version] != "" && c.From == "" {
			continue
		}
		if c.Decided && o.witnesses == Undecided {
			if decided[c.versions()]++; decided[c.versions()] > mostShown {
				continue // enough for a reader
			}
		}
		tries := o.tries
		switch {
		case c.Severity != Undecided && !c.Decided, c.Decided && o.witnesses != Undecided:
			tries = shown
		case c.Decided:
			tries = (shown + 3) / 4 // it is worth less effort
		}
		if tries == 0 {
			continue
		}
		todo <- search{c, o.budget.take(tries)}
	}
	close(todo)
	workers.Wait()
	r.copyWitnesses(twins)
	return ctx.Err()
}

// mostShown is how many changes that logic decides are shown by objects, for
// each version, unless [Witnesses] asks for more.
const mostShown = 5

// isAsSevere reports whether a severity is another one or a higher one.
func isAsSevere(s, least Severity) bool {
	order := []Severity{Breaking, Undecided, Notable, Fine}
	return slices.Index(order, s) <= slices.Index(order, least)
}

// searchWitness looks for a witness of one change. If no object can be
// generated, there is no witness.
func (r *Report) searchWitness(ctx context.Context, c *Change, o options) {
	if w, err := r.newSearch(ctx, c, o); err == nil {
		c.Witness = w.run()
		c.Tries = w.judged + w.judgedBuilt + w.before.Judged() + w.after.Judged()
	}
}

// twins returns the versions that are like an earlier one in both definitions,
// with that one.
func (r *Report) twins() map[string]string {
	twins := map[string]string{}
	var leaders []string
	for _, v := range r.old.model.Versions() {
		if !r.old.serves(v.Name) || !r.changed.serves(v.Name) {
			continue
		}
		i := slices.IndexFunc(leaders, func(leader string) bool {
			return r.old.areAlike(leader, v.Name) && r.changed.areAlike(leader, v.Name)
		})
		if i >= 0 {
			twins[v.Name] = leaders[i]
		} else {
			leaders = append(leaders, v.Name)
		}
	}
	return twins
}

// areAlike reports whether two versions of a definition admit the same.
func (s *side) areAlike(a, b string) bool {
	va, vb := s.model.Version(a), s.model.Version(b)
	return va.HasStatus == vb.HasStatus && isSameScale(va, vb) &&
		structural.Equal(va.Schema(), vb.Schema())
}

// hasStatus reports whether a version has the status subresource.
func (s *side) hasStatus(version string) bool {
	v := s.model.Version(version)
	return v != nil && v.HasStatus
}

func isSameScale(a, b *definition.Version) bool { return scaleOf(a) == scaleOf(b) }

// copyWitnesses gives the changes of twins the witnesses of the others. A
// change between versions has no twin.
func (r *Report) copyWitnesses(twins map[string]string) {
	found := map[string]*Change{}
	for i := range r.Changes {
		c := &r.Changes[i]
		if leader := twins[c.Version]; leader == "" || c.From != "" {
			found[c.String()] = c
			continue
		}
		twin := *c
		twin.Version = twins[c.Version]
		if other := found[twin.String()]; other != nil && c.canBeShown() {
			c.Tries = other.Tries
			c.Witness = other.Witness.inVersion(r.changed.model.Group(), c.Version)
		}
	}
}

// inVersion returns a witness in another version.
func (w *Witness) inVersion(group, version string) *Witness {
	if w == nil {
		return nil
	}
	copied := *w
	copied.Object = withVersion(w.Object, group, version)
	copied.Replaces = withVersion(w.Replaces, group, version)
	return &copied
}
