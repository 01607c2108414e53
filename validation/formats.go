package validation

import (
	"net/netip"
	"strings"
	"time"

	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

// format is the check of one format, e.g. date-time.
//
// A format may have two checks. The quick one accepts most valid strings
// without an allocation. The exact one decides on the others.
type format struct {
	name string // as the table names it
	// quick never accepts an invalid string. It may be nil.
	quick func(string) bool
	// exact is the server's own check. Nil accepts every string.
	exact func(string) bool
}

func (f *format) valid(s string) bool {
	return f.quick != nil && f.quick(s) || f.exact == nil || f.exact(s)
}

// newFormat returns the check of a format of strings by its name without
// dashes. It returns nil for an unknown name.
func newFormat(name string) *format {
	f := &format{name: name}
	switch name {
	case "datetime":
		f.quick, f.exact = isPlainDateTime, strfmt.IsDateTime
	case "date":
		f.exact = strfmt.IsDate
	case "duration":
		f.quick, f.exact = isGoDuration, strfmt.IsDuration
	case "byte":
		f.exact = isBase64
	case "uuid":
		f.quick, f.exact = isPlainUUID, strfmt.IsUUID
	case "uuid3":
		f.exact = strfmt.IsUUID3
	case "uuid4":
		f.exact = strfmt.IsUUID4
	case "uuid5":
		f.exact = strfmt.IsUUID5
	case "email":
		f.quick, f.exact = isPlainEmail, strfmt.IsEmail
	case "hostname":
		f.quick, f.exact = isPlainHostname, strfmt.IsHostname
	case "k8sshortname":
		f.exact = strfmt.IsShortName
	case "k8slongname":
		f.exact = strfmt.IsLongName
	case "bsonobjectid":
		f.exact = strfmt.IsBSONObjectID
	case "password":
	default:
		return newAddressFormat(f)
	}
	return f
}

// newAddressFormat completes the formats whose checks are only in the registry
// of kube-openapi.
func newAddressFormat(f *format) *format {
	switch f.name {
	case "ipv4":
		f.quick = isPlainIPv4
	case "ipv6":
		f.quick = isPlainIPv6
	case "cidr":
		f.quick = isPlainCIDR
	case "uri":
		f.quick = isPlainURI
	case "mac", "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor":
	default:
		return nil
	}
	f.exact = registered(f.name)
	return f
}

// registered returns the check that kube-openapi has registered under a name.
// It uses a new registry, so that formats added to the global one do not
// matter.
func registered(name string) func(string) bool {
	registry := strfmt.NewFormats()
	return func(s string) bool { return registry.Validates(name, s) }
}

func isGoDuration(s string) bool {
	if s == "" || s[len(s)-1] < 'a' { // no unit; an error would allocate
		return false
	}
	_, err := time.ParseDuration(s)
	return err == nil
}

// isPlainDateTime accepts 2006-01-02T15:04:05Z, also with a fraction or a
// numeric offset.
func isPlainDateTime(s string) bool {
	if len(s) < len("2006-01-02T15:04:05Z") || s[10] != 'T' || s[13] != ':' || s[16] != ':' ||
		!strfmt.IsDate(s[:10]) {
		return false
	}
	for _, i := range [...]int{11, 12, 14, 15, 17, 18} {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s[11:13] <= "23" && s[14:16] <= "59" && s[17:19] <= "59" &&
		isPlainZone(skipFraction(s[19:]))
}

func skipFraction(s string) string {
	if s == "" || s[0] != '.' {
		return s
	}
	digits := strings.TrimLeft(s[1:], "0123456789")
	if len(digits) == len(s)-1 {
		return s // a point without digits
	}
	return digits
}

// isPlainZone accepts Z, +07:00 and -07:00.
func isPlainZone(s string) bool {
	if s == "Z" {
		return true
	}
	return len(s) == 6 && (s[0] == '+' || s[0] == '-') && s[3] == ':' &&
		isDigit(s[1]) && isDigit(s[2]) && isDigit(s[4]) && isDigit(s[5])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// isBase64 accepts padded standard base64 of at least four characters.
func isBase64(s string) bool {
	if s == "" || len(s)%4 != 0 {
		return false
	}
	body := strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	for i := range len(body) {
		if c := body[i]; !isDigit(c) && !isLetter(c) && c != '+' && c != '/' {
			return false
		}
	}
	return true
}

// isPlainUUID accepts a UUID with all its dashes.
func isPlainUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return false
			}
		} else if !isHex(s[i]) {
			return false
		}
	}
	return true
}

func isPlainIPv4(s string) bool {
	address, err := netip.ParseAddr(s)
	return err == nil && address.Is4()
}

func isPlainIPv6(s string) bool {
	address, err := netip.ParseAddr(s)
	return err == nil && address.Is6() && address.Zone() == ""
}

func isPlainCIDR(s string) bool {
	_, err := netip.ParsePrefix(s)
	return err == nil
}

// isPlainURI accepts scheme://host/path of unreserved characters.
func isPlainURI(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || scheme == "" || rest == "" || !isLetter(scheme[0]) {
		return false
	}
	for i := range len(scheme) {
		if !isLetter(scheme[i]) && !isDigit(scheme[i]) {
			return false
		}
	}
	for i := range len(rest) {
		if c := rest[i]; !isLetter(c) && !isDigit(c) && c != '.' && c != '-' && c != '_' &&
			c != '/' && c != '~' {
			return false
		}
	}
	return true
}

// isPlainHostname accepts labels of ASCII letters, digits and inner dashes,
// joined by dots. The last label has letters only.
func isPlainHostname(s string) bool {
	if len(s) > 255 {
		return false
	}
	dot := strings.LastIndexByte(s, '.')
	last := s[dot+1:]
	if dot < 0 || len(last) < 2 || len(last) > 63 {
		return false
	}
	for i := range len(last) {
		if !isLetter(last[i]) {
			return false
		}
	}
	for label := range strings.SplitSeq(s[:dot], ".") {
		if !isPlainLabel(label) {
			return false
		}
	}
	return true
}

func isPlainLabel(s string) bool {
	if s == "" || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && !isDigit(c) && c != '-' {
			return false
		}
	}
	return true
}

// isPlainEmail accepts name@host of ASCII letters and digits, with dots and
// dashes between them.
func isPlainEmail(s string) bool {
	name, host, ok := strings.Cut(s, "@")
	return ok && isPlainAtoms(name) && isPlainAtoms(host)
}

func isPlainAtoms(s string) bool {
	for atom := range strings.SplitSeq(s, ".") {
		if atom == "" {
			return false
		}
		for i := range len(atom) {
			if c := atom[i]; !isLetter(c) && !isDigit(c) && c != '-' && c != '_' {
				return false
			}
		}
	}
	return true
}
