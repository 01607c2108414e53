package celfunctions

import "strings"

var (
	plain = []string{
		"", "a", "abc", "Grüße", "a-b-", "-", "a.b.c", "pear", "apple", "日本語テキスト", "hello world, hello", "\n\t\"'", "10", "-7", "1.5", "true",
		"0123456789012345678901234567890123456789012345678901234567890123", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-",
		"Ab_9/x.y", "a/b/c", "2024-01-02", "2024-01-02T03:04:05Z", "YWJj", "YWJj=", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", " pad ",
	}
	addresses = []string{
		"127.0.0.1", "::1", "10.1.2.3", "0.0.0.0", "::", "fe80::1", "ff02::1", "224.0.0.1", "2001:db8::abcd", "2001:DB8::ABCD", "::ffff:1.2.3.4",
		"fe80::1%eth0", "169.254.1.1", "256.0.0.1", "1.2.3", "", "01.2.3.4", "2001:db8:0:0:0:0:0:1", "8.8.8.8",
	}
	networks = []string{
		"10.0.0.0/8", "192.168.0.1/16", "0.0.0.0/0", "::/0", "2001:db8::/32", "2001:db8::1/128", "10.1.0.0/16", "10.0.0.0/33", "10.0.0.0",
		"::ffff:1.2.3.0/24", "fe80::1%eth0/64", "", "10.0.0.1/32", "10.0.0.0/7", "10.0.0.0/-1", "1.2.3.4/08", "fe80::/10",
	}
	quantities = []string{
		"1", "0", "-1", "1500m", "2Gi", "1E", "1e3", ".5", "5.", "+1", "1n", "200K", "", " 1", "1.5Gi", "9223372036854775807", "9223372036854775808",
		"-9223372036854775808", "1000k", "1M", "10u", "0.1", "1Ki", "12E9", "123456789012345678901234567890", "1ee", "1.1.1",
		"1e-20", "-1e-100", "1e100", "1e1000", "12345678901234567890e-50", "12345678901234567890e50", "0e-50", "1e4294967301", "9Ei", "0.1Ki",
	}
	versions = []string{
		"1.2.3", "v1.2.3", "1.0", "1", "v1", "01.2.3", "1.02", "1.2.3-alpha.1", "1.2.3-alpha.01", "1.2.3+build", "1.2-alpha", "1.2.3.4", "", "v",
		"vv1.0.0", "18446744073709551615.0.0", "18446744073709551616.0.0", "1.2.3-", "00.0.0", "1..2", "a.b.c", "1.2.3-rc.1+b1", "0.0.0", "1.2.03-x", "007.1.0",
	}
	locations = []string{
		"https://user@example.com:8080/a/b?x=1&y=2&x=3#frag", "/path?q=1", "https://[::1]:80/", "http://[::1]", "ftp://a/b", "", "relative",
		"https://a:b:c/", "https://example.com/%2F%zz", "/a b", "mailto:x@y", "https://h/?a=%zz&b=1;c=2", "//host/x", "https://example.com/ü?ü=ü", "http://a b/",
	}
	patterns = []string{
		"a", "^[a-z]+$", "", "[0-9]+", "(", "l+", ".", "(a)(b)?", "[", "\\d{1,3}(\\.\\d{1,3})*", "(?i)GRÜ", "x*", "a|b", "^$", "\\", "p{2}",
	}
	names = []string{
		"dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "labelValue", "uri", "uuid", "byte", "date", "datetime",
		"dns1123LabelPrefix", "DNS1123Label", "", "email",
	}
	formats = []string{
		"%s",
		"%d",
		"%s and %d",
		"%x",
		"%f",
		"%.2f",
		"%e",
		"%b",
		"%o",
		"%X",
		"%%",
		"",
		"%z",
		"%s %s",
		"plain",
	}
	moments = []string{
		"2024-01-02T03:04:05Z",
		"2023-12-31T23:59:59.999+02:00",
		"1970-01-01T00:00:00Z",
		"0001-01-01T00:00:00Z",
		"x",
		"",
	}
	spans   = []string{"1s", "-1h30m", "1.5h", "0s", "x", "", "100ms", "9223372036s"}
	zones   = []string{"UTC", "Europe/Berlin", "+02:00", "-05:30", "Nowhere/At", "02:00", ""}
	numbers = []string{
		"0",
		"1",
		"-1",
		"2",
		"3",
		"7",
		"10",
		"100",
		"9223372036854775807",
		"-9223372036854775808",
		"-3",
		"64",
		"1000001",
		"1000",
	}
)

// StringsFor returns strings that are meaningful to an argument of an overload.
// It returns nil if any string will do.
func StringsFor(overload string, arg int) []string {
	switch {
	case strings.HasPrefix(overload, "format-validate"), strings.HasPrefix(overload, "format."):
		return append(plain, locations...)
	case overload == "format-named":
		return names
	case strings.Contains(overload, "quantity"):
		return quantities
	case strings.Contains(overload, "semver"):
		return versions
	case strings.Contains(overload, "url"):
		return locations
	case strings.Contains(overload, "to_cidr"),
		overload == "is_cidr",
		overload == "cidr_contains_cidr_string":
		return networks
	case strings.Contains(overload, "ip_string"),
		overload == "string_to_ip",
		overload == "is_ip",
		overload == "ip_is_canonical":
		return addresses
	case arg == 1 && (strings.Contains(overload, "find") || strings.HasPrefix(overload, "matches")):
		return patterns
	case arg == 0 && overload == "string_format":
		return formats
	case strings.HasPrefix(overload, "timestamp_to"), strings.Contains(overload, "_with_tz"):
		return zones
	case overload == "string_to_timestamp":
		return moments
	case overload == "string_to_duration":
		return spans
	case strings.HasPrefix(overload, "string_to_"):
		return append(numbers, plain...)
	}
	return nil
}

// Quote writes a string literal.
func Quote(s string) string {
	return "'" + strings.NewReplacer("\\", "\\\\", "'", "\\'", "\n", "\\n", "\t", "\\t").
		Replace(s) +
		"'"
}
