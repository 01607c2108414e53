package metadata

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/crdsem/crdsem/internal/base/names"
)

// The checks below accept most valid values without an allocation. Otherwise
// they ask the library, which has the texts of errors. A fast check may reject
// a valid value, and then the library finds no error. It never accepts an
// invalid one.

const (
	maxLabel     = 63
	maxSubdomain = 253
)

func qualifiedNameErrors(name string) []string {
	if isQualifiedName(name) {
		return nil
	}
	return names.QualifiedName(name)
}

// annotationKeyErrors checks a qualified name whose case is ignored.
func annotationKeyErrors(key string) []string {
	prefix, name, ok := strings.Cut(key, "/")
	if !ok && isNamePart(key) || ok && isSubdomain(prefix, isAlnum) && isNamePart(name) {
		return nil
	}
	return names.QualifiedName(strings.ToLower(key))
}

func labelValueErrors(value string) []string {
	if value == "" || isNamePart(value) {
		return nil
	}
	return names.LabelValue(value)
}

func dnsLabelErrors(name string) []string {
	if len(name) <= maxLabel && isDNSLabel(name, isLowerAlnum) {
		return nil
	}
	return validation.IsDNS1123Label(name)
}

func subdomainErrors(name string) []string {
	if isSubdomain(name, isLowerAlnum) {
		return nil
	}
	return validation.IsDNS1123Subdomain(name)
}

// kindErrors checks a kind as a DNS-1035 label whose case is ignored.
func kindErrors(kind string) []string {
	if isKind(kind) {
		return nil
	}
	return validation.IsDNS1035Label(strings.ToLower(kind))
}

// isQualifiedName reports whether name is a qualified name: an optional
// subdomain and a slash, then a name part, e.g. example.com/name.
func isQualifiedName(name string) bool {
	if prefix, rest, ok := strings.Cut(name, "/"); ok {
		return isSubdomain(prefix, isLowerAlnum) && isNamePart(rest)
	}
	return isNamePart(name)
}

// isNamePart reports whether s has 1 to 63 letters, digits, '-', '_' and '.',
// with a letter or digit at both ends.
func isNamePart(s string) bool {
	if s == "" || len(s) > maxLabel || !isAlnum(s[0]) || !isAlnum(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// isSubdomain reports whether s is a list of labels, joined with dots, of at
// most 253 bytes.
func isSubdomain(s string, isAllowed func(byte) bool) bool {
	if len(s) > maxSubdomain {
		return false
	}
	for {
		label, rest, more := strings.Cut(s, ".")
		if !isDNSLabel(label, isAllowed) {
			return false
		}
		if !more {
			return true
		}
		s = rest
	}
}

// isDNSLabel reports whether s has only allowed bytes and '-', with an allowed
// byte at both ends.
func isDNSLabel(s string, isAllowed func(byte) bool) bool {
	if s == "" || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isAllowed(c) && c != '-' {
			return false
		}
	}
	return true
}

func isKind(s string) bool {
	if s == "" || len(s) > maxLabel || isDigit(s[0]) || !isAlnum(s[0]) || !isAlnum(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && c != '-' {
			return false
		}
	}
	return true
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLowerAlnum(c byte) bool { return isLower(c) || isDigit(c) }
func isAlnum(c byte) bool      { return isLowerAlnum(c) || 'A' <= c && c <= 'Z' }

// NameRule decides which names a kind of resource may have. Whole checks a full
// name, Prefix a generateName that will get a suffix. Both return the reasons
// why a name is not allowed. Rule is the id of the rule that wrong names and
// namespaces break, e.g. META-021.
type NameRule struct {
	Whole, Prefix func(name string) []string
	Rule          string
}

// Subdomain returns the rule for custom resources: an RFC 1123 subdomain. A
// prefix may end with a dash.
func Subdomain() NameRule {
	return NameRule{Whole: subdomainErrors, Prefix: subdomainPrefixErrors, Rule: "META-021"}
}

func subdomainPrefixErrors(name string) []string {
	n := len(name)
	if n < 2 || name[n-1] != '-' {
		return subdomainErrors(name)
	}
	if isSubdomain(name[:n-1], isLowerAlnum) {
		return nil
	}
	// The server replaces the last two bytes, not only the dash.
	return subdomainErrors(name[:n-2] + "a")
}

// PathSegment returns the rule for embedded resources of any kind: a name that
// can be part of a URL path.
func PathSegment() NameRule {
	return NameRule{Whole: pathSegmentErrors, Prefix: pathPrefixErrors, Rule: "META-009"}
}

func pathSegmentErrors(name string) []string {
	if name == "." || name == ".." {
		return []string{"may not be '" + name + "'"}
	}
	return pathPrefixErrors(name)
}

func pathPrefixErrors(name string) []string {
	var reasons []string
	for _, part := range [...]string{"/", "%"} {
		if strings.Contains(name, part) {
			reasons = append(reasons, "may not contain '"+part+"'")
		}
	}
	return reasons
}
