package library

// ipFunctions returns the functions of LIB-050 and LIB-051.
func ipFunctions() []Function {
	is := func(name, id, summary string) Function {
		return Function{
			Name: name, Cost: CostNominal, Summary: summary,
			Overloads: []Overload{method(id, "net.IP", "bool")},
		}
	}
	return []Function{
		{
			Name: "ip", Cost: CostScan,
			Summary: "the address that a string represents; " +
				"fails on zones and on IPv4 mapped into IPv6",
			Overloads: []Overload{global("string_to_ip", "net.IP", "string")},
		},
		{
			Name: "family", Cost: CostNominal, Summary: "4 or 6",
			Overloads: []Overload{method("ip_family", "net.IP", "int")},
		},
		{
			Name: "ip.isCanonical", Cost: CostScanTwice,
			Summary: "whether the string is the canonical form of an address; " +
				"fails where ip fails",
			Overloads: []Overload{global("ip_is_canonical", "bool", "string")},
		},
		is("isUnspecified", "ip_is_unspecified", "whether the address is 0.0.0.0 or ::"),
		is("isLoopback", "ip_is_loopback", "whether the address is a loopback address"),
		is("isLinkLocalMulticast", "ip_is_link_local_multicast",
			"whether the address is a link-local multicast address"),
		is("isLinkLocalUnicast", "ip_is_link_local_unicast",
			"whether the address is a link-local unicast address"),
		is("isGlobalUnicast", "ip_is_global_unicast",
			"whether the address is a global unicast address"),
		{
			Name: "isIP", Cost: CostScan, Summary: "whether ip accepts the string",
			Overloads: []Overload{global("is_ip", "bool", "string")},
		},
		{
			Name: "string", Summary: "the canonical text of the address",
			Overloads: []Overload{global("ip_to_string", "string", "net.IP")},
		},
	}
}

// cidrFunctions returns the functions of LIB-052 to LIB-054.
func cidrFunctions() []Function {
	return []Function{
		{
			Name: "cidr", Cost: CostScan,
			Summary: "the network that a string represents, host bits allowed; " +
				"fails on zones and on IPv4 mapped into IPv6",
			Overloads: []Overload{global("string_to_cidr", "net.CIDR", "string")},
		},
		{
			Name: "containsIP", Cost: CostContainsIP,
			Summary: "whether the address is in the network; " +
				"a string that is not an address fails with `no such overload`",
			Overloads: []Overload{
				method("cidr_contains_ip_string", "net.CIDR", "bool", "string").
					costing(CostContainsIPText),
				method("cidr_contains_ip_ip", "net.CIDR", "bool", "net.IP"),
			},
		},
		{
			Name: "containsCIDR", Cost: CostContainsCIDR,
			Summary: "whether all of the argument is in the network; " +
				"fails on a string that is not a network",
			Overloads: []Overload{
				method("cidr_contains_cidr_string", "net.CIDR", "bool", "string").
					costing(CostContainsCIDRText),
				method("cidr_contains_cidr", "net.CIDR", "bool", "net.CIDR"),
			},
		},
		{
			Name: "ip", Cost: CostScan, Summary: "the address before the slash, host bits kept",
			Overloads: []Overload{method("cidr_ip", "net.CIDR", "net.IP").costing(CostNominal)},
		},
		{
			Name: "prefixLength", Cost: CostNominal, Summary: "the number after the slash",
			Overloads: []Overload{method("cidr_prefix_length", "net.CIDR", "int")},
		},
		{
			Name: "masked", Cost: CostNominal, Summary: "the network with its host bits cleared",
			Overloads: []Overload{method("cidr_masked", "net.CIDR", "net.CIDR")},
		},
		{
			Name: "isCIDR", Cost: CostScan, Summary: "whether cidr accepts the string",
			Overloads: []Overload{global("is_cidr", "bool", "string")},
		},
		{
			Name: "string", Summary: "the text of the network",
			Overloads: []Overload{global("cidr_to_string", "string", "net.CIDR")},
		},
	}
}
