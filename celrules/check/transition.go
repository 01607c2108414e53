package check

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/internal/belowfacade/correlate"
	"github.com/crdsem/crdsem/structural"
)

// checkOldSelf rejects transition rules on values that never have an old value,
// and optionalOldSelf on rules that do not use oldSelf (CEL-075, CEL-076).
func (n *node) checkOldSelf(
	program *compilation.Rule, r structural.Rule, at *field.Path,
) field.ErrorList {
	switch {
	case program.UsesOldSelf && n.uncorrelatable != nil:
		detail := fmt.Sprintf("oldSelf cannot be used on the uncorrelatable portion "+
			"of the schema within %v", n.uncorrelatable)
		err := field.Invalid(at.Child("rule"), r.Rule, detail)
		return field.ErrorList{err.WithOrigin("CRD-214")}
	case !program.UsesOldSelf && r.OptionalOldSelf != nil:
		err := field.Invalid(at.Child("optionalOldSelf"), *r.OptionalOldSelf,
			"may not be set if oldSelf is not used in rule")
		return field.ErrorList{err.WithOrigin("CRD-215")}
	}
	return nil
}

// losesOld reports whether children that are reached this way are
// uncorrelatable (CEL-075). Transition rules cannot be used on them.
func (n *node) losesOld(how step) bool {
	switch how {
	case byItems:
		return n.schema.ListType() != structural.ListMap
	case byProperty:
		return !correlate.ByName(n.schema)
	}
	return false
}
