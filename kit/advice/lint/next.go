package lint

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// next looks for rules that the minor after the newest released one would
// refuse because it estimates more for them.
func (w *walk) next(version *definition.Version, at string) error {
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
		w.add("LINT-next", path, cure(will.Rule),
			"Kubernetes %s (beta) refuses the definition: it estimates %d for the rule, "+
				"and %s estimates %d", beta, will.MaxCost, minors.Newest(), was.MaxCost)
	}
	return nil
}

// comparedTests matches a comparison of two presence tests.
var comparedTests = regexp.MustCompile(`has\([^()]*\)\s*[!=]=\s*has\(`)

// cure returns how to write a rule so that all minors accept it.
func cure(rule string) string {
	switch {
	case comparedTests.MatchString(rule):
		return "compare presence with `? :`, e.g. `has(self.a) ? !has(self.b) : has(self.b)`, " +
			"or set maxLength and maxItems"
	case strings.Contains(rule, ".split("), strings.Contains(rule, ".findAll("):
		return "match the whole string with a regular expression instead of one of its parts"
	}
	return "read the field directly, not through a computed value"
}
