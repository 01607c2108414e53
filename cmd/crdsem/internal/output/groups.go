package output

import (
	"strings"

	"github.com/crdsem/crdsem/internal/app/verdict"
)

// groups counts equal findings on many objects, e.g. of one mistake in a base.
// The zero value is empty.
type groups struct {
	counts map[group]int
	order  []group // those of which findings are not shown
}

// group is what equal findings share.
type group struct {
	severity                        verdict.Severity
	apiVersion, kind, rule, message string
}

// shown is how many findings of a group are printed each.
const shown = 5

// shows counts a finding of an object, and reports whether it is printed.
func (g *groups) shows(r *verdict.Result, f *verdict.Finding) bool {
	if r.Definition || r.Verdict == verdict.Unreadable {
		return true
	}
	key := group{f.Severity, r.APIVersion, r.Kind, f.Rule, ShortText(f)}
	if g.counts == nil {
		g.counts = map[group]int{}
	}
	g.counts[key]++
	if g.counts[key] == shown+1 {
		g.order = append(g.order, key)
	}
	return g.counts[key] <= shown
}

// text returns a line for each group with findings that were not printed.
func (g *groups) text() string {
	var w strings.Builder
	for _, key := range g.order {
		printf(&w, "%d more like this, which --verbose lists: %s: %s: %s %s\n",
			g.counts[key]-shown, key.severity, key.kind, key.message, bracketed(key.rule))
	}
	return w.String()
}
