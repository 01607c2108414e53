package functions

import (
	"fmt"
	"net/netip"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
)

// cidrBindings returns the bindings of cidr and of methods of networks, e.g.
// `cidr('10.0.0.0/8').containsIP('10.1.2.3')` (LIB-052 to LIB-054).
func cidrBindings() map[string]cel.OverloadOpt {
	return map[string]cel.OverloadOpt{
		"string_to_cidr":            unary(cidrValue),
		"is_cidr":                   unary(isCIDR),
		"cidr_to_string":            unary(cidrText),
		"cidr_contains_ip_ip":       binary(containsIP),
		"cidr_contains_ip_string":   binary(containsIPText),
		"cidr_contains_cidr":        binary(containsCIDR),
		"cidr_contains_cidr_string": binary(containsCIDRText),
		"cidr_ip":                   unary(firstIP),
		"cidr_prefix_length":        unary(prefixLength),
		"cidr_masked":               unary(masked),
		"cidr_is_mask":              unary(isMask),
	}
}

// parseCIDR parses a network. IPv4 networks mapped into IPv6 are an error;
// netip rejects zones itself.
func parseCIDR(text string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(text)
	switch {
	case err != nil:
		return netip.Prefix{}, fmt.Errorf(
			"network address parse error during conversion from string: %v", err)
	case prefix.Addr().Is4In6():
		return netip.Prefix{}, mapped(text)
	}
	return prefix, nil
}

// cidrValue parses a network. Its error has the prefix twice, as on a server
// (LIB-052).
func cidrValue(text types.String) ref.Val {
	prefix, err := parseCIDR(string(text))
	if err != nil {
		return types.NewErr("network address parse error during conversion from string: %v", err)
	}
	return k8scel.CIDR{Prefix: prefix}
}

// cidrText returns the network as a string.
func cidrText(n k8scel.CIDR) ref.Val { return types.String(n.String()) }

// isCIDR reports whether a string is a network.
func isCIDR(text types.String) ref.Val {
	_, err := parseCIDR(string(text))
	return types.Bool(err == nil)
}

// containsIPText reports whether a network contains the address of a string.
// Its error does not say why a string is not an address (LIB-054).
func containsIPText(n k8scel.CIDR, text types.String) ref.Val {
	addr, err := parseIP(string(text))
	if err != nil {
		return types.NoSuchOverloadErr()
	}
	return types.Bool(n.Contains(addr))
}

// containsIP reports whether a network contains an address.
func containsIP(n k8scel.CIDR, a k8scel.IP) ref.Val { return types.Bool(n.Contains(a.Addr)) }

// firstIP returns the address of a network as it was written.
func firstIP(n k8scel.CIDR) ref.Val { return k8scel.IP{Addr: n.Addr()} }

// prefixLength returns the number of bits of a network.
func prefixLength(n k8scel.CIDR) ref.Val { return types.Int(n.Bits()) }

// masked returns a network without host bits.
func masked(n k8scel.CIDR) ref.Val { return k8scel.CIDR{Prefix: n.Masked()} }

// isMask reports whether a network has no host bits.
func isMask(n k8scel.CIDR) ref.Val { return types.Bool(n.Prefix == n.Masked()) }

// containsCIDR reports whether a network contains all of another.
func containsCIDR(n, other k8scel.CIDR) ref.Val {
	return types.Bool(n.Overlaps(other.Prefix) && n.Bits() <= other.Bits())
}

// containsCIDRText is like containsCIDR for a string.
func containsCIDRText(n k8scel.CIDR, text types.String) ref.Val {
	other := cidrValue(text)
	if o, ok := other.(k8scel.CIDR); ok {
		return containsCIDR(n, o)
	}
	return other
}
