package env

import (
	"fmt"
	"net/netip"
	"reflect"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// CIDR is a CEL value of type net.CIDR. It is immutable.
type CIDR struct{ netip.Prefix }

// ConvertToNative returns the prefix itself or its text.
func (n CIDR) ConvertToNative(target reflect.Type) (any, error) {
	return native("CIDR", n.Prefix, n.Prefix.String, target)
}

// ConvertToType returns the value, its type or its text.
func (n CIDR) ConvertToType(target ref.Type) ref.Val {
	if target == types.StringType {
		return types.String(n.String())
	}
	return conversion(n, cidrType, target)
}

// Equal compares prefixes, host bits included.
func (n CIDR) Equal(other ref.Val) ref.Val {
	o, ok := other.(CIDR)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Bool(n.Prefix == o.Prefix)
}

// Type returns net.CIDR.
func (n CIDR) Type() ref.Type { return cidrType }

// Value returns the prefix.
func (n CIDR) Value() any { return n.Prefix }

// Size is the number of bytes that hold the prefix, which costs go by (COST-112).
func (n CIDR) Size() ref.Val { return types.Int(bytesOf(n.Bits())) }

// cidrBindings implements LIB-052 … LIB-054.
func cidrBindings() map[string]cel.OverloadOpt {
	return map[string]cel.OverloadOpt{
		"string_to_cidr":            unary(cidrValue),
		"is_cidr":                   unary(isCIDR),
		"cidr_to_string":            unary(func(n CIDR) ref.Val { return types.String(n.String()) }),
		"cidr_contains_ip_ip":       binary(func(n CIDR, a IP) ref.Val { return types.Bool(n.Contains(a.Addr)) }),
		"cidr_contains_ip_string":   binary(containsIPText),
		"cidr_contains_cidr":        binary(containsCIDR),
		"cidr_contains_cidr_string": binary(containsCIDRText),
		"cidr_ip":                   unary(func(n CIDR) ref.Val { return IP{n.Addr()} }),
		"cidr_prefix_length":        unary(func(n CIDR) ref.Val { return types.Int(n.Bits()) }),
		"cidr_masked":               unary(func(n CIDR) ref.Val { return CIDR{n.Masked()} }),
	}
}

// parseCIDR reads a network that is not of IPv4 mapped into IPv6; netip refuses zones itself.
func parseCIDR(text string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(text)
	switch {
	case err != nil:
		return netip.Prefix{}, fmt.Errorf("network address parse error during conversion from string: %v", err)
	case prefix.Addr().Is4In6():
		return netip.Prefix{}, mapped(text)
	}
	return prefix, nil
}

// cidrValue says twice what went wrong, as the server does (LIB-052).
func cidrValue(text types.String) ref.Val {
	prefix, err := parseCIDR(string(text))
	if err != nil {
		return types.NewErr("network address parse error during conversion from string: %v", err)
	}
	return CIDR{prefix}
}

func isCIDR(text types.String) ref.Val {
	_, err := parseCIDR(string(text))
	return types.Bool(err == nil)
}

// containsIPText does not say why a string is no address (LIB-054).
func containsIPText(n CIDR, text types.String) ref.Val {
	addr, err := parseIP(string(text))
	if err != nil {
		return types.NoSuchOverloadErr()
	}
	return types.Bool(n.Contains(addr))
}

func containsCIDR(n, other CIDR) ref.Val {
	return types.Bool(n.Overlaps(other.Prefix) && n.Bits() <= other.Bits())
}

func containsCIDRText(n CIDR, text types.String) ref.Val {
	other := cidrValue(text)
	if o, ok := other.(CIDR); ok {
		return containsCIDR(n, o)
	}
	return other
}
