package lint

import (
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/saturate"
	"github.com/crdsem/crdsem/kit/skew"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// next looks for rules that the minor after the newest released one would
// refuse because it estimates more for them.
func (w *walk) next(version *definition.Version, document map[string]any, at string) error {
	all := minors.All()
	beta := all[len(all)-1]
	if version == nil || !beta.IsBeta() {
		return nil
	}
	now, err := check.Costs(w.ctx, version.Schema())
	if err != nil {
		return err
	}
	then, err := check.Costs(w.ctx, version.Schema(), structural.Kubernetes(beta))
	if err != nil {
		return err
	}
	for i := range min(len(now), len(then)) {
		was, will := &now[i], &then[i]
		if was.ShareOfRuleLimit > 1 || will.ShareOfRuleLimit <= 1 {
			continue
		}
		path := fmt.Sprintf("%s%s.x-kubernetes-validations[%d].rule",
			at, strings.TrimPrefix(will.Path, "openAPIV3Schema"), will.Index)
		cure, err := skew.CureOf(w.ctx, document, at, will)
		if err != nil {
			return err
		}
		w.add("LINT-next", path, cureText(cure, will.Rule),
			"Kubernetes %s (beta) refuses the definition: it estimates %s for the "+
				"rule, of at most %d, and %s estimates %s", beta, saturate.Text(will.Total),
			check.RuleCostLimit, minors.Newest(), saturate.Text(was.Total))
		if cure != nil {
			w.found[len(w.found)-1].Edits = cure.Edits
		}
	}
	return nil
}

// cureText returns how to write a rule so that all minors accept it.
func cureText(cure *skew.Cure, rule string) string {
	switch {
	case cure != nil && cure.Stricter:
		return fmt.Sprintf("%v: objects beyond it are refused, and Kubernetes %s to %s accept it",
			cure, cure.Minors[0], cure.Minors[len(cure.Minors)-1])
	case cure != nil:
		return fmt.Sprintf("%v, which judges objects as before: Kubernetes %s to %s accept it",
			cure, cure.Minors[0], cure.Minors[len(cure.Minors)-1])
	case strings.Contains(rule, ".split("), strings.Contains(rule, ".findAll("),
		strings.Contains(rule, ".getQuery("):
		return "match the whole string with a regular expression instead of one of its parts"
	}
	return "read the field directly, not through a computed value"
}
