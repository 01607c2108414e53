package judge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/verdict"
)

// Rules about the costs of rules in CEL: of one, and of all of a schema.
// boundCheck is the check about lists that make a rule expensive.
const (
	ruleCost   = "COST-020"
	schemaCost = "COST-022"
	boundCheck = "LINT-bound"
)

// rulesKeyword is the keyword of the rules in CEL of a node.
const rulesKeyword = ".x-kubernetes-validations"

// FoldCosts leaves one finding on each rule that costs too much by itself: the
// findings that it also makes a schema too expensive, and that lists below it
// have no bound, are parts of that one.
func FoldCosts(r *verdict.Result) {
	over := map[string]bool{} // the paths of expensive rules
	var nodes []string        // the schema nodes that have them
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule == ruleCost {
			over[f.Field] = true
			node, _, _ := strings.Cut(cmp.Or(f.Path, f.Field), rulesKeyword)
			nodes = append(nodes, node)
		}
	}
	if len(nodes) == 0 {
		return
	}
	others := slices.ContainsFunc(r.Findings, func(f verdict.Finding) bool {
		return f.Rule == schemaCost && strings.Contains(f.Field, rulesKeyword) && !over[f.Field]
	})
	r.Findings = slices.DeleteFunc(r.Findings, func(f verdict.Finding) bool {
		switch f.Rule {
		case schemaCost: // the sum is the last one
			return over[f.Field] || !others && !strings.Contains(f.Field, rulesKeyword)
		case boundCheck:
			return slices.ContainsFunc(nodes, func(node string) bool {
				return f.Field == node || strings.HasPrefix(f.Field, node+".")
			})
		}
		return false
	})
}
