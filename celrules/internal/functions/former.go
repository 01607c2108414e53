package functions

import (
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/celrules/internal/meter"
	"github.com/crdsem/crdsem/internal/chapter/profile"
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

// searchInString is indexOf or lastIndexOf of strings.
type searchInString = func(m *meter.Meter, args []ref.Val) ref.Val

// withinString returns a search that fails from an offset past the end, where
// the minor does so.
func withinString(p *profile.Profile, of searchInString) searchInString {
	if p.IndexOfPastEnd {
		return of
	}
	return func(m *meter.Meter, args []ref.Val) ref.Val {
		s, searched, offset, ok := searchArguments(args)
		if ok && len(args) == 3 && searched != "" && offset >= utf8.RuneCountInString(s) {
			return types.NewErr("index out of range: %d", offset)
		}
		return of(m, args)
	}
}

// rangeOf returns lists.range without limits, nil if the minor has limits. The
// list counts against the memory of the evaluation.
func rangeOf(p *profile.Profile) func(m *meter.Meter, args []ref.Val) ref.Val {
	if p.BoundedRanges {
		return nil
	}
	return func(m *meter.Meter, args []ref.Val) ref.Val {
		n, ok := args[0].(types.Int)
		switch {
		case !ok || n >= 0 && n <= maxRange:
			return nil
		case n > maxRange:
			m.MakeItems(uint64(n))
		}
		numbers := make([]ref.Val, max(n, 0))
		for i := range numbers {
			numbers[i] = types.Int(i)
		}
		return types.DefaultTypeAdapter.NativeToValue(numbers)
	}
}
