package functions

import (
	"fmt"
	"net/netip"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
)

// ipBindings returns the bindings of ip and of methods of addresses, e.g.
// `ip(self.address).family() == 4` (LIB-050, LIB-051).
func ipBindings() map[string]cel.OverloadOpt {
	return map[string]cel.OverloadOpt{
		"string_to_ip":               unary(ipValue),
		"is_ip":                      unary(isIP),
		"ip_is_canonical":            unary(isCanonicalIP),
		"ip_to_string":               unary(ipText),
		"ip_family":                  unary(ipFamily),
		"ip_is_unspecified":          ipIs(netip.Addr.IsUnspecified),
		"ip_is_loopback":             ipIs(netip.Addr.IsLoopback),
		"ip_is_link_local_multicast": ipIs(netip.Addr.IsLinkLocalMulticast),
		"ip_is_link_local_unicast":   ipIs(netip.Addr.IsLinkLocalUnicast),
		"ip_is_global_unicast":       ipIs(netip.Addr.IsGlobalUnicast),
	}
}

// ipIs returns the binding of a test of an address.
func ipIs(what func(netip.Addr) bool) cel.OverloadOpt {
	return unary(func(a k8scel.IP) ref.Val { return types.Bool(what(a.Addr)) })
}

// parseIP parses an address. Zones and IPv4 addresses mapped into IPv6 are an
// error.
func parseIP(text string) (netip.Addr, error) {
	addr, err := netip.ParseAddr(text)
	switch {
	case err != nil:
		return netip.Addr{}, fmt.Errorf(
			"IP Address %q parse error during conversion from string: %v", text, err)
	case addr.Zone() != "":
		return netip.Addr{}, fmt.Errorf("IP address %q with zone value is not allowed", text)
	case addr.Is4In6():
		return netip.Addr{}, mapped(text)
	}
	return addr, nil
}

// mapped returns the error of an IPv4 address mapped into IPv6.
func mapped(text string) error {
	return fmt.Errorf("IPv4-mapped IPv6 address %q is not allowed", text)
}

// ipValue parses an address.
func ipValue(text types.String) ref.Val {
	addr, err := parseIP(string(text))
	if err != nil {
		return types.NewErr("%v", err)
	}
	return k8scel.IP{Addr: addr}
}

// ipText returns the address as a string.
func ipText(a k8scel.IP) ref.Val { return types.String(a.String()) }

// isIP reports whether a string is an address.
func isIP(text types.String) ref.Val {
	_, err := parseIP(string(text))
	return types.Bool(err == nil)
}

// isCanonicalIP reports whether a string is an address in its canonical form,
// e.g. "::1" but not "0::1".
func isCanonicalIP(text types.String) ref.Val {
	addr, err := parseIP(string(text))
	if err != nil {
		return types.NewErr("%v", err)
	}
	return types.Bool(addr.String() == string(text))
}

// ipFamily returns 4 or 6.
func ipFamily(a k8scel.IP) ref.Val {
	if a.Is4() {
		return types.Int(4)
	}
	return types.Int(6)
}
