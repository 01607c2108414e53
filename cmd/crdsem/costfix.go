package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/costs"
	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/upgrade"
	"github.com/crdsem/crdsem/minors"
)

// fix sets the bounds that bring rules below their limits, and says what the
// definitions refuse from then on. The exit code is 1 if a definition stays
// over a limit.
func (c *coster) fix(ctx context.Context, paths []string, std streams) (int, error) {
	texts, err := c.repairing.read(paths, nil)
	if err != nil {
		return 0, err
	}
	code, report := exitOK, &strings.Builder{}
	for i := range texts {
		isFine, err := c.fixFile(ctx, &texts[i], report)
		if err != nil {
			return 0, err
		}
		if !isFine {
			code = exitRefused
		}
	}
	out := std.out
	if c.repairing.patch {
		out = std.err
	}
	if report.Len() == 0 {
		report.WriteString("every rule is below its limit: there is nothing to fix\n")
	}
	if _, err := fmt.Fprint(out, report); err != nil {
		return 0, err
	}
	return code, c.repairing.finish(texts, std)
}

// fixFile sets the bounds in a file. It reports whether all of its definitions
// are below their limits then.
func (c *coster) fixFile(
	ctx context.Context, f *editedFile, report *strings.Builder,
) (isFine bool, err error) {
	old, err := definitionsOf(f.name, f.before)
	if err != nil {
		return false, err
	}
	isFine = true
	var bounds []edit.Bound
	for i, o := range old {
		own, fits, err := c.boundsOf(ctx, i, o)
		if err != nil {
			return false, fmt.Errorf("%v: %w", o.Start(), err)
		}
		if !fits {
			visible.Printf(report, "%v: no bounds bring the rules below their limits: "+
				"see crdsem cost\n", o.Start())
		}
		isFine, bounds = isFine && fits, append(bounds, own...)
	}
	if len(bounds) == 0 {
		return isFine, nil
	}
	w := edit.NewWorkspace(edit.UTF8)
	w.Set(f.path, f.before)
	for _, b := range w.SetBounds(f.path, bounds) {
		isFine = false
		visible.Printf(report, "%s: cannot set %s: %d at %s by an edit: write it by hand\n",
			f.name, b.Keyword, b.Value, b.Path)
	}
	f.after = w.Text(f.path)
	changed, err := definitionsOf(f.name, f.after)
	if err != nil || len(changed) != len(old) {
		return false, fmt.Errorf("%s: the edits break the text: %w", f.name, err)
	}
	for i := range old {
		if err := c.tell(ctx, i, old[i], changed[i], bounds, report); err != nil {
			return false, err
		}
		isFine = isFine && !c.isOver(ctx, changed[i])
	}
	return isFine, nil
}

// definitionsOf returns the definitions in a text.
func definitionsOf(name, text string) (all []manifest.Object, err error) {
	for o, err := range manifest.Parse(name, strings.NewReader(text)) {
		if err != nil {
			return nil, err
		}
		if manifest.IsDefinition(o.Content) {
			all = append(all, o)
		}
	}
	return all, nil
}

// boundsOf returns the bounds that bring a definition below its limits.
func (c *coster) boundsOf(
	ctx context.Context, number int, o manifest.Object,
) (all []edit.Bound, fits bool, err error) {
	crd, _, err := definition.FromMap(o.Content)
	if err != nil {
		return nil, false, err
	}
	model, err := definition.Compile(crd)
	if err != nil {
		return nil, false, err
	}
	edits, ok, err := costs.Fix(ctx, model, c.minors)
	fits = true
	for version := range edits {
		fits = fits && ok[version]
		for _, e := range edits[version] {
			at := fmt.Sprintf("spec.versions[%d].schema.", version)
			all = append(all, edit.Bound{
				Document: number, Path: at + e.Path, Keyword: e.Keyword, Value: e.Value,
			})
		}
	}
	return all, fits, err
}

// isOver reports whether a definition is over a limit of a minor, and
// isOverInAll whether it is over one of each.
func (c *coster) isOver(ctx context.Context, o manifest.Object) bool {
	return slices.ContainsFunc(c.minors, func(m minors.Minor) bool { return isOver(ctx, o, m) })
}

func (c *coster) isOverInAll(ctx context.Context, o manifest.Object) bool {
	return !slices.ContainsFunc(c.minors, func(m minors.Minor) bool { return !isOver(ctx, o, m) })
}

func isOver(ctx context.Context, o manifest.Object, minor minors.Minor) bool {
	tables, err := costsOf(ctx, o.Content, minor)
	return err != nil || slices.ContainsFunc(tables, func(t costs.Table) bool { return t.Over() })
}

// tell says which bounds are set in a definition, and what it refuses now.
func (c *coster) tell(
	ctx context.Context, number int, old, changed manifest.Object, bounds []edit.Bound,
	report *strings.Builder,
) error {
	has := false
	for _, b := range bounds {
		if b.Document == number {
			has = true
			visible.Printf(report, "%v: set `%s: %d` at %s\n", changed.Find(b.Path).Key,
				b.Keyword, b.Value, b.Path)
		}
	}
	if !has {
		return nil
	}
	if err := c.shares(ctx, changed, report); err != nil {
		return err
	}
	options := []upgrade.Option{crdsem.Kubernetes(c.minors[len(c.minors)-1])}
	found, err := compareObjects(ctx, old, changed, options)
	if err != nil {
		return err
	}
	if c.isOverInAll(ctx, old) {
		report.WriteString("no server took the definition as it was: unless an older one did, " +
			"there are no objects yet\n")
	}
	report.WriteString("from now on it refuses:\n")
	u := &upgrading{}
	for _, change := range bySeverity(found.Changes) {
		u.changeText(report, change)
	}
	return nil
}

// shares says what part of its limit the most expensive rule of each version
// takes now, and what the total takes, in the minor that estimates the most.
func (c *coster) shares(ctx context.Context, o manifest.Object, report *strings.Builder) error {
	var versions []string
	rules, totals := map[string]float64{}, map[string]float64{}
	for _, minor := range c.minors {
		tables, err := costsOf(ctx, o.Content, minor)
		if err != nil {
			return err
		}
		for i := range tables {
			t := &tables[i]
			if _, known := totals[t.Version]; !known {
				versions = append(versions, t.Version)
			}
			totals[t.Version] = max(totals[t.Version], float64(t.Total)/float64(t.Limit))
			for j := range t.Rules {
				rules[t.Version] = max(rules[t.Version], t.Rules[j].ShareOfRuleLimit)
			}
		}
	}
	for _, v := range versions {
		visible.Printf(report, "%s: a rule takes %s its limit at most, and all of them %s theirs\n",
			v, share(rules[v]), share(totals[v]))
	}
	return nil
}
