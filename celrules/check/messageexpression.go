package check

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/structural"
)

// checkMessageExpression checks that the messageExpression of a rule compiles,
// and adds its cost to the total of the schema. A message is evaluated for one
// value at a time, therefore its limit does not count the cardinality.
func (n *node) checkMessageExpression(
	program *compilation.Rule, r structural.Rule, at *field.Path,
) field.ErrorList {
	cost, err := program.MessageCost(n.checker.settings.Profile, n.declaration())
	if err != nil {
		return field.ErrorList{uncompiled(at, r, err)}
	}
	if m, _ := program.MessageExpression(); m == nil {
		return nil
	}
	n.checker.total.add(at, cost)
	if cost > RuleCostLimit && !n.checker.settings.NoRuleLimit {
		detail := overLimit("estimated messageExpression cost", cost, RuleCostLimit)
		return field.ErrorList{field.Forbidden(at, detail).WithOrigin("COST-020")}
	}
	return nil
}
