package functions

import (
	"fmt"
	"net/netip"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
)

// cidrBindings implements LIB-052 … LIB-054.
func cidrBindings() map[string]cel.OverloadOpt {
	return map[string]cel.OverloadOpt{
		"string_to_cidr":            unary(cidrValue),
		"is_cidr":                   unary(isCIDR),
		"cidr_to_string":            unary(func(n k8scel.CIDR) ref.Val { return types.String(n.String()) }),
		"cidr_contains_ip_ip":       binary(func(n k8scel.CIDR, a k8scel.IP) ref.Val { return types.Bool(n.Contains(a.Addr)) }),
		"cidr_contains_ip_string":   binary(containsIPText),
		"cidr_contains_cidr":        binary(containsCIDR),
		"cidr_contains_cidr_string": binary(containsCIDRText),
		"cidr_ip":                   unary(func(n k8scel.CIDR) ref.Val { return k8scel.IP{Addr: n.Addr()} }),
		"cidr_prefix_length":        unary(func(n k8scel.CIDR) ref.Val { return types.Int(n.Bits()) }),
		"cidr_masked":               unary(func(n k8scel.CIDR) ref.Val { return k8scel.CIDR{Prefix: n.Masked()} }),
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
	return k8scel.CIDR{Prefix: prefix}
}

func isCIDR(text types.String) ref.Val {
	_, err := parseCIDR(string(text))
	return types.Bool(err == nil)
}

// containsIPText does not say why a string is no address (LIB-054).
func containsIPText(n k8scel.CIDR, text types.String) ref.Val {
	addr, err := parseIP(string(text))
	if err != nil {
		return types.NoSuchOverloadErr()
	}
	return types.Bool(n.Contains(addr))
}

func containsCIDR(n, other k8scel.CIDR) ref.Val {
	return types.Bool(n.Overlaps(other.Prefix) && n.Bits() <= other.Bits())
}

func containsCIDRText(n k8scel.CIDR, text types.String) ref.Val {
	other := cidrValue(text)
	if o, ok := other.(k8scel.CIDR); ok {
		return containsCIDR(n, o)
	}
	return other
}
