package functions

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// What functions did in minors before the newest.

// formerBindings returns the implementations that differ from those of the
// newest minor.
func formerBindings(p *profile.Profile) map[string]cel.OverloadOpt {
	if p.MaskedCIDRs {
		return nil
	}
	return map[string]cel.OverloadOpt{
		"cidr_contains_cidr":        binary(containsCIDRUnmasked),
		"cidr_contains_cidr_string": binary(containsCIDRTextUnmasked),
	}
}

// containsCIDRUnmasked is containsCIDR before Kubernetes 1.32: the other
// network must begin with the first address of this one.
func containsCIDRUnmasked(n, other k8scel.CIDR) ref.Val {
	return types.Bool(n.Masked().Addr() == other.Addr() && n.Bits() <= other.Bits())
}

// containsCIDRTextUnmasked is like containsCIDRUnmasked for a string.
func containsCIDRTextUnmasked(n k8scel.CIDR, text types.String) ref.Val {
	other := cidrValue(text)
	if o, ok := other.(k8scel.CIDR); ok {
		return containsCIDRUnmasked(n, o)
	}
	return other
}

// IntegerDurations declares duration of an integer, which always fails. Up to
// Kubernetes 1.36 rules with it compiled.
func IntegerDurations() cel.EnvOption {
	return cel.Function(overloads.TypeConvertDuration, cel.Overload("int64_to_duration",
		[]*cel.Type{cel.IntType}, cel.DurationType, cel.UnaryBinding(func(v ref.Val) ref.Val {
			return v.ConvertToType(types.DurationType)
		})))
}
