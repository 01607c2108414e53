package celrules

import (
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/celrules/internal/common"
	"github.com/crdsem/crdsem/celrules/internal/compilation"
)

// A rule with `optionalOldSelf: true` runs without an old value too. It sees
// oldSelf as an optional: optional.none() on a create, optional.of(old) on an
// update, e.g. `!oldSelf.hasValue() || self.size >= oldSelf.value().size`.

// setOptionalOldSelf selects how the current rule sees oldSelf.
func (e *evaluation) setOptionalOldSelf() {
	e.vars.optional = compilation.OptionalOldSelf(e.rule)
}

// resolveOld returns the value of oldSelf, and whether the rule has one
// (CEL-096, CEL-100).
func (v *variables) resolveOld() (ref.Val, bool) {
	if v.old == nil {
		return types.OptionalNone, v.optional
	}
	if v.oldSelf == nil {
		v.oldSelf = common.Of(v.old, v.node)
	}
	if v.optional {
		return types.OptionalOf(v.oldSelf), true
	}
	return v.oldSelf, true
}
