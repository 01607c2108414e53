package edit

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/internal/app/costs"
	"github.com/crdsem/crdsem/internal/app/sample"
	"github.com/crdsem/crdsem/internal/base/fieldpath"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Inlay is a text that an editor shows between those of the file.
type Inlay struct {
	Position Position // behind it
	Text     string
	// More is shown on demand.
	More string
}

// Inlays returns what the server does to the objects of a file: what it fills
// in and removes; and what rules of definitions can cost. The error is that of
// the context.
func (w *Workspace) Inlays(ctx context.Context, name string) (all []Inlay, err error) {
	f := w.file(name)
	if f == nil {
		return nil, ctx.Err()
	}
	lines := strings.Split(f.text(), "\n")
	k := w.definitions(ctx)
	for _, j := range w.judged(ctx, k, f) {
		for i := range j.result.Changes {
			all = append(all, w.changeInlay(lines, j, &j.result.Changes[i]))
		}
	}
	for _, c := range w.ruleCosts(ctx, f) {
		all = append(all, Inlay{w.lineEnd(lines, c.line), c.short(), c.long()})
	}
	slices.SortStableFunc(all, func(a, b Inlay) int { return a.Position.Line - b.Position.Line })
	return all, ctx.Err()
}

func (w *Workspace) lineEnd(lines []string, line int) Position {
	line = min(max(line, 0), len(lines)-1)
	text := strings.TrimRight(lines[line], " \r")
	return Position{line, w.encoding.column(text, len(text))}
}

// changeInlay says what was done to a field: what is filled in stands behind
// the object that gets it.
func (w *Workspace) changeInlay(lines []string, j judgedDocument, c *crdsem.Change) Inlay {
	place := j.Find(c.Path)
	text := "removed"
	switch c.Action {
	case crdsem.Defaulted:
		text = "filled in"
		if place.Missing != "" {
			text = "+ " + place.Missing
			value, ok := fieldpath.Value(j.result.Object, c.Path)
			if written := sample.Scalar(value); ok && len(written) <= longestValue {
				text += ": " + written
			}
		}
	case crdsem.MetadataCoerced:
		text = "written in its normal form"
	case crdsem.NullDropped:
		text = "null, removed"
	}
	return Inlay{w.lineEnd(lines, place.Key.Line-1), text,
		fmt.Sprintf("%s: %s, because of %s", c.Path, c.Action, c.Schema)}
}

// longestValue is how long a value is that an inlay shows.
const longestValue = 40

// ruleCost is the cost of a rule that is at a line.
type ruleCost struct {
	line int
	costs.Rule
	doc *manifest.Document
	// schema is the path of the schema of the version.
	schema string
}

// ruleCosts returns the costs of the rules of a file, by the newest minor.
func (w *Workspace) ruleCosts(ctx context.Context, f *file) []ruleCost {
	f.mu.Lock()
	known, definitions := f.costs, f.definitions
	f.mu.Unlock()
	if known != nil || !f.mayDefine {
		return known
	}
	found := []ruleCost{}
	for _, d := range definitions {
		compiled := d.checked[len(d.checked)-1].Compiled()
		if compiled == nil || ctx.Err() != nil {
			continue
		}
		tables, err := costs.Of(ctx, compiled.Model(), compiled.Kubernetes())
		if err != nil {
			continue // the diagnostics say why
		}
		object := d.object()
		for i := range tables {
			if object.Document == nil {
				break
			}
			found = append(found, costsIn(object, &tables[i])...)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if ctx.Err() == nil {
		f.costs = found
	}
	return found
}

// costsIn returns the costs of the rules of a version, with their lines.
func costsIn(o manifest.Object, t *costs.Table) (all []ruleCost) {
	schema := schemaOf(o.Content, t.Version)
	for i := range t.Rules {
		c := ruleCost{Rule: t.Rules[i], doc: o.Document, schema: schema}
		c.line = o.Document.Find(c.path()+".rule").Key.Line - 1
		all = append(all, c)
	}
	return all
}

// path returns the path of the rule in the definition.
func (c *ruleCost) path() string {
	return fmt.Sprintf("%s%s.x-kubernetes-validations[%d]", c.schema,
		strings.TrimPrefix(c.Path, "openAPIV3Schema"), c.Index)
}

// schemaOf returns the path of the schema of a version.
func schemaOf(definition map[string]any, version string) string {
	spec, _ := definition["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for i, v := range versions {
		if v, ok := v.(map[string]any); ok && v["name"] == version {
			return "spec.versions[" + strconv.Itoa(i) + "].schema.openAPIV3Schema"
		}
	}
	return schemapath.V1("spec.validation.openAPIV3Schema")
}

// short returns the cost with the limit.
func (c *ruleCost) short() string {
	switch {
	case len(c.Errors) > 0:
		return "does not compile"
	case c.Total > check.RuleCostLimit:
		return fmt.Sprintf("cost %s: %s times the limit", number(c.Total),
			number(c.Total/check.RuleCostLimit))
	}
	return fmt.Sprintf("cost %s of %s", number(c.Total), number(check.RuleCostLimit))
}

// long returns what the cost is made of, and what would reduce it.
func (c *ruleCost) long() string {
	text := ""
	if len(c.Errors) > 0 {
		return text
	}
	if c.Cardinality == nil {
		text = fmt.Sprintf("Once %s, for any number of values. ", number(c.MaxCost))
	} else if *c.Cardinality > 1 {
		text = fmt.Sprintf("Once %s, for at most %s values. ", number(c.MaxCost),
			number(*c.Cardinality))
	}
	share := fmt.Sprintf("%.2f %% of what", 100*c.ShareOfSchemaLimit)
	switch {
	case c.ShareOfSchemaLimit > 1:
		share = "more than"
	case c.ShareOfSchemaLimit < 0.0001:
		share = "less than 0.01 % of what"
	}
	text += "It is " + share + " all rules of the version may cost."
	for _, e := range c.Suggestion {
		text += fmt.Sprintf("\nSet `%s: %d` at %s.", e.Keyword, e.Value, e.Path)
	}
	return text
}

// number returns a number with its thousands apart; large ones are rounded.
func number(n uint64) string {
	if bits.Len64(n) > 50 {
		return fmt.Sprintf("%.1e", float64(n))
	}
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// costAt returns the cost of the rule at a line of a definition, in words.
func (w *Workspace) costAt(ctx context.Context, name string, line int) string {
	f := w.file(name)
	w.definitions(ctx)
	for _, c := range w.ruleCosts(ctx, f) {
		if c.line == line {
			return strings.TrimSpace(c.short() + ". " + c.long())
		}
	}
	return ""
}
