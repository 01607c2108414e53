package upgrade

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/minors"
)

// compareGenerated adds what shows on objects that are generated: for each
// served version valid ones, and one that breaks each keyword, by the first and
// by the last server.
func (r *ClusterReport) compareGenerated(ctx context.Context, o options) error {
	var seen map[string]int // of groups, as an index of effects
	for _, v := range r.sides[0].model.Versions() {
		if !v.Served || o.tries == 0 {
			continue
		}
		seen = map[string]int{}
		for _, s := range []*side{r.sides[0], r.sides[len(r.sides)-1]} {
			for object := range r.generated(ctx, s, v.Name, o) {
				r.compareCreates(ctx, v.Name, object, seen)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// valids is the part of the objects that are valid.
const valids = 4

// generated yields objects of a version. If none can be made, it yields none.
func (r *ClusterReport) generated(
	ctx context.Context, s *side, version string, o options,
) func(yield func(map[string]any) bool) {
	return func(yield func(map[string]any) bool) {
		made, err := s.resources(version)
		if err != nil {
			return
		}
		made = made.Within(ctx)
		random := rand.New(rand.NewPCG(o.seed, 2))
		left := o.tries
		next := func(object map[string]any, err error) bool {
			left--
			return (err != nil || yield(object)) && ctx.Err() == nil && left > 0
		}
		for range (o.tries + valids - 1) / valids {
			if !next(made.Valid(random)) {
				return
			}
		}
		for left > 0 && len(made.Keywords()) > 0 {
			for _, keyword := range made.Keywords() {
				object, _, err := made.Broken(random, keyword)
				if !next(object, err) {
					return
				}
			}
		}
	}
}

// compareCreates asks all servers to create an object, and adds what differs to
// the effects. seen has the effects by their causes.
func (r *ClusterReport) compareCreates(
	ctx context.Context, version string, object map[string]any, seen map[string]int,
) {
	var results []*crdsem.Result
	for _, s := range r.sides {
		v, err := s.def.Version(version)
		if err != nil {
			return
		}
		results = append(results, v.Create(ctx, jsonvalue.DeepCopyMap(object)))
	}
	if ctx.Err() != nil {
		return
	}
	for i := 1; i < len(results); i++ {
		for _, e := range differences(results[i-1], results[i]) {
			e.Before, e.After, e.Version = r.Kubernetes[i-1], r.Kubernetes[i], version
			e.Causes = causesOf(e.Before, e.After, e.Err)
			if len(e.Causes) == 0 {
				e.Causes = causesOf(e.Before, e.After, e.was)
			}
			if e.Kind == ChargedOtherwise {
				e.Causes = causesOf(e.Before, e.After, &field.Error{Origin: "COST-023"})
			}
			if e.Kind != WordedOtherwise {
				e.Witness = object
			}
			r.addGrouped(e, seen)
		}
	}
}

// addGrouped adds an effect, or its place to an effect of the same cause.
func (r *ClusterReport) addGrouped(e ClusterEffect, seen map[string]int) {
	key := fmt.Sprint(e.Kind, e.After, e.Rule, e.Severity)
	at, known := seen[key]
	if !known {
		seen[key] = len(r.Effects)
		r.Effects = append(r.Effects, e)
		return
	}
	first := &r.Effects[at]
	if len(first.Places) == 0 {
		first.Places = []string{first.Path}
	}
	if !slices.Contains(first.Places, e.Path) {
		first.Places = append(first.Places, e.Path)
	}
	if len(first.Places) == 1 {
		first.Places = nil
	}
}

// differences returns what two servers say otherwise about a create.
func differences(before, after *crdsem.Result) []ClusterEffect {
	was, is := errorsOf(before), errorsOf(after)
	switch {
	case before.Admitted() && after.Admitted():
		if before.Cost == after.Cost {
			return nil
		}
		return []ClusterEffect{{
			Kind: ChargedOtherwise, Severity: Fine, Old: fmt.Sprint(before.Cost),
			New: fmt.Sprint(after.Cost),
		}}
	case before.Admitted():
		return []ClusterEffect{newDifference(JudgedOtherwise, Breaking, nil, is[0])}
	case after.Admitted():
		return []ClusterEffect{newDifference(JudgedOtherwise, Notable, was[0], nil)}
	}
	return rewordings(was, is)
}

// rewordedCure is what to do about errors with other texts.
const rewordedCure = "compare the field of an error, not its type or its text"

// newDifference returns an effect of an error that only one server has, or that
// the two word otherwise.
func newDifference(kind ClusterKind, s Severity, was, is *field.Error) ClusterEffect {
	e := ClusterEffect{Kind: kind, Severity: s}
	if was != nil {
		e.Old, e.Err = was.Error(), was
	}
	if is != nil {
		e.New, e.Err = is.Error(), is
	}
	e.Path, e.Rule, e.was = e.Err.Field, e.Err.Origin, was
	if kind == WordedOtherwise {
		e.Cure = rewordedCure
	}
	return e
}

// rewordings returns the errors that two servers word otherwise: the one at the
// same place and of the same rule, as many times. An error that only one of
// them has is one of those, too, because another refuses the object.
func rewordings(was, is field.ErrorList) []ClusterEffect {
	type place struct{ field, rule string }
	var order []place
	old, changed := map[place]field.ErrorList{}, map[place]field.ErrorList{}
	for _, side := range []struct {
		errs field.ErrorList
		in   map[place]field.ErrorList
	}{{was, old}, {is, changed}} {
		for _, err := range side.errs {
			at := place{err.Field, err.Origin}
			if len(old[at])+len(changed[at]) == 0 {
				order = append(order, at)
			}
			side.in[at] = append(side.in[at], err)
		}
	}
	var list []ClusterEffect
	gone, came := map[string]field.ErrorList{}, map[string]field.ErrorList{} // by field
	for _, at := range order {
		a, b := old[at], changed[at]
		both := min(len(a), len(b))
		for i := range both {
			if a[i].Error() != b[i].Error() {
				list = append(list, newDifference(WordedOtherwise, Notable, a[i], b[i]))
			}
		}
		gone[at.field] = append(gone[at.field], a[both:]...)
		came[at.field] = append(came[at.field], b[both:]...)
	}
	return append(list, unpaired(gone, came)...)
}

// unpaired returns the errors that only one of two servers has: another one at
// the same field may stand for it.
func unpaired(gone, came map[string]field.ErrorList) (list []ClusterEffect) {
	fields := slices.Concat(slices.Collect(maps.Keys(gone)), slices.Collect(maps.Keys(came)))
	slices.Sort(fields)
	for _, at := range slices.Compact(fields) {
		a, b := gone[at], came[at]
		for i := range max(len(a), len(b)) {
			var x, y *field.Error
			if i < len(a) {
				x = a[i]
			}
			if i < len(b) {
				y = b[i]
			}
			list = append(list, newDifference(WordedOtherwise, Notable, x, y))
		}
	}
	return list
}

// ClusterJudgement is what an upgrade of a cluster does to one stored object.
type ClusterJudgement struct {
	// Fates are what happens to the object in each minor.
	Fates []ClusterFate `json:"fates"`
	// Severity is that of the worst fate that a minor brings.
	Severity Severity `json:"severity"`
	// Effects are what a minor says otherwise than the one before it.
	Effects []ClusterEffect `json:"effects,omitempty"`
}

// ClusterFate is the fate of an object in one minor.
type ClusterFate struct {
	Kubernetes minors.Minor `json:"kubernetes"`
	Fate       Fate         `json:"fate"`
}

// Judge says what happens to a stored object in the upgrade of a cluster: how
// each server reads it, and what it says to writes; see [Report.Judge]. The
// error is the context's. It may be called from several goroutines.
func (r *ClusterReport) Judge(
	ctx context.Context, stored map[string]any,
) (*ClusterJudgement, error) {
	out := &ClusterJudgement{Severity: Fine}
	var before *Judgement
	own, _ := stored["apiVersion"].(string)
	for i, s := range r.sides {
		j := &Judgement{Fate: Unreadable}
		if served := s.writable(own); len(served) > 0 {
			j = s.judge(ctx, served[0], stored)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out.Fates = append(out.Fates, ClusterFate{r.Kubernetes[i], j.Fate})
		if before != nil {
			out.add(r.Kubernetes[i-1], r.Kubernetes[i], before, j)
		}
		before = j
	}
	return out, nil
}

// add adds what differs between the judgements of two minors. A place with more
// findings than before is no other verdict, e.g. an error that is reported
// twice.
func (j *ClusterJudgement) add(before, after minors.Minor, was, is *Judgement) {
	old, now := bySpot(was.Findings()), bySpot(is.Findings())
	gone, fresh := lackedBy(now, was.Findings()), lackedBy(old, is.Findings())
	effect := func(f *Finding, others map[spot][]Finding) ClusterEffect {
		e := ClusterEffect{
			Kind: JudgedOtherwise, Before: before, After: after, Severity: Fine,
			Path: f.Path, Rule: f.Rule, Causes: causesOf(before, after, f.Err), Err: f.Err,
		}
		if len(others[spotOf(f)]) > 0 {
			e.Kind, e.Cure = WordedOtherwise, rewordedCure
		}
		return e
	}
	goneAt, replaced := bySpot(gone), map[spot]int{}
	for i := range fresh {
		e := effect(&fresh[i], old)
		e.New = fresh[i].String()
		if e.Kind == JudgedOtherwise {
			e.Severity = is.Fate.Severity()
		}
		at := spotOf(&fresh[i])
		if n := replaced[at]; n < len(goneAt[at]) {
			e.Old = goneAt[at][n].String()
			replaced[at]++
		}
		j.append(e)
	}
	for i := range gone {
		if at := spotOf(&gone[i]); replaced[at] > 0 {
			replaced[at]--
			continue
		}
		e := effect(&gone[i], now)
		e.Old = gone[i].String()
		j.append(e)
	}
}

// spot is where a finding is, and by which rule.
type spot struct {
	effect     Effect
	path, rule string
}

func spotOf(f *Finding) spot { return spot{f.Effect, f.Path, f.Rule} }

func bySpot(findings []Finding) map[spot][]Finding {
	out := map[spot][]Finding{}
	for i := range findings {
		at := spotOf(&findings[i])
		out[at] = append(out[at], findings[i])
	}
	return out
}

// lackedBy returns the findings that others lack.
func lackedBy(others map[spot][]Finding, findings []Finding) (lacked []Finding) {
	for i := range findings {
		f := &findings[i]
		isSame := func(other Finding) bool { return other.Text == f.Text }
		if !slices.ContainsFunc(others[spotOf(f)], isSame) {
			lacked = append(lacked, *f)
		}
	}
	return lacked
}

func (j *ClusterJudgement) append(e ClusterEffect) {
	if !isAsSevere(j.Severity, e.Severity) {
		j.Severity = e.Severity
	}
	j.Effects = append(j.Effects, e)
}
