package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ofParsers are texts that rules and formats parse.
func ofParsers() []place {
	ruled := func(rule string) text {
		return fixed(`{"type":"object","properties":{"a":{"type":"string"},"l":{"type":"array",` +
			`"items":{"type":"string"}}},` + fmt.Sprintf(`"x-kubernetes-validations":[{"rule":%q}]}`, rule))
	}
	formatted := func(format string) text {
		return fixed(`{"type":"object","properties":{"a":{"type":"string","format":"` + format +
			`"}},"x-kubernetes-validations":[{"rule":"self.a == self.a"}]}`)
	}
	fields := func(value text) text {
		return func(n int) string {
			return fmt.Sprintf(`"a":%q,"l":["2000-01-01T00:00:00Z"]`, value(n))
		}
	}
	var out []place
	parses := hostileParses()
	for _, rule := range slices.Sorted(maps.Keys(parses)) {
		name := strings.ReplaceAll("value of "+strings.TrimSuffix(rule, " || true"), "|", `\|`)
		out = append(out, created(name, ruled(rule), fields(parses[rule])))
	}
	for _, format := range slices.Sorted(maps.Keys(hostileFormats)) {
		name := "value of format " + format
		out = append(out, created(name, formatted(format), fields(hostileFormats[format])))
	}
	return out
}

// texts returns a function that makes texts of about a length: a beginning, a
// unit as often as it fits, and an end.
func texts(start, unit, end string) text {
	return func(length int) string {
		return start + strings.Repeat(unit, length/len(unit)) + end
	}
}

// hostileParses has a rule for each kind of text that rules parse.
func hostileParses() map[string]text {
	return map[string]text{
		"sign(quantity(self.a)) >= 0 || true":                                          texts("", "9", ""),
		"isQuantity(self.a) || true":                                                   texts("0.", "0", "1"),
		"quantity(self.a).add(quantity(self.a)).compareTo(quantity('1')) >= 0 || true": texts("1", "0", "e9"),
		"quantity(self.a).asApproximateFloat() > 0.0 || true":                          texts("0.", "9", "Ki"),
		"isQuantity('1e' + self.a) || true":                                            texts("", "0", "1"),
		"isSemver(self.a) || true":                                                     texts("1.2.3-", "a.", "b"),
		"isSemver(self.a + '') || true":                                                texts("1.2.3-", "9", ""),
		"isSemver(self.a, true) || true":                                               texts("v", "0", ".1"),
		"semver(self.a).isLessThan(semver(self.a)) || true":                            texts("1.2.3-", "1.", "1"),
		"isIP(self.a) || true":                                                         texts("1.2.3.4", ":1", ""),
		"ip(self.a).family() == 4 || true":                                             texts("::1%", "a", ""),
		"isCIDR(self.a) || true":                                                       texts("::1/", "0", "1"),
		"isURL(self.a) || true":                                                        texts("https://a/", "%41", ""),
		"url(self.a).getQuery().size() > 0 || true":                                    texts("https://a/?", "a=1&", ""),
		"url(self.a).getEscapedPath().size() > 0 || true":                              texts("https://a/", "%2f ", ""),
		"duration(self.a) > duration('1s') || true":                                    texts("", "1h", "1s"),
		"duration(self.a + '') > duration('1s') || true":                               texts("1.", "1", "s"),
		"timestamp(self.a) > timestamp('2000-01-01T00:00:00Z') || true":                texts("2000-01-01T00:00:00.", "1", "Z"),
		"timestamp(self.l[0]).getDate(self.a) > 1 || true":                             texts("", "A/", "B"),
		"int(self.a) > 1 || true":                                                      texts("", "0", "1"),
		"uint(self.a) > uint(1) || true":                                               texts("", "0", "1"),
		"double(self.a) > 1.0 || true":                                                 texts("0.", "1", "e5"),
		"double(self.a + '') > 1.0 || true":                                            texts("1e", "9", ""),
		"bool(self.a) || true":                                                         texts("", "t", ""),
		"bytes(self.a).size() > 1 || true":                                             texts("", "t", ""),
		"self.a.matches('^(a?){50}(b|c)*$') || true":                                   texts("", "a", ""),
		"'aaaa'.matches(self.a) || true":                                               texts("", "(a|b)", ""),
		"'aaaa'.find(self.a) == '' || true":                                            texts("", "a?", ""),
		"'aaaa'.findAll(self.a) == [] || true":                                         texts("", "(a*)", ""),
		"'aaab'.matches(self.a) || true":                                               texts("", "(a*)", ""),
		"self.a.findAll('a*?b').size() > 1 || true":                                    texts("", "a", ""),
		"format.dns1123Label().validate(self.a).hasValue() || true":                    texts("", "a-", ""),
		"format.dns1123Subdomain().validate(self.a).hasValue() || true":                texts("", "a.", ""),
		"format.dns1035LabelPrefix().validate(self.a).hasValue() || true":              texts("", "a", ""),
		"format.qualifiedName().validate(self.a).hasValue() || true":                   texts("", "a/", ""),
		"format.labelValue().validate(self.a).hasValue() || true":                      texts("", "a.", ""),
		"format.uri().validate(self.a).hasValue() || true":                             texts("https://", "[", ""),
		"format.uuid().validate(self.a).hasValue() || true":                            texts("", "a-", ""),
		"format.byte().validate(self.a).hasValue() || true":                            texts("", "AAAA", "=="),
		"format.date().validate(self.a).hasValue() || true":                            texts("2000-", "0", ""),
		"format.datetime().validate(self.a).hasValue() || true":                        texts("2000-01-01T00:00:00.", "0", "Z"),
	}
}

// hostileFormats has a text for formats whose checks read all of it. Others
// look at the length first.
var hostileFormats = map[string]text{
	"date":       texts("2000-01-01", "0", ""),
	"date-time":  texts("2000-01-01T00:00:00.", "0", "Z"),
	"duration":   texts("", "1h", "1 x"),
	"byte":       texts("", "AAAA", "A==="),
	"email":      texts("a@", "a.", ""),
	"hostname":   texts("", "a-", "."),
	"uri":        texts("https://a/", "%41", "%"),
	"ipv4":       texts("1.2.3", ".4", ""),
	"ipv6":       texts("::1%", "a", ""),
	"cidr":       texts("10.0.0.0/", "0", "8"),
	"mac":        texts("", "01:", "01"),
	"isbn":       texts("978", "-0", ""),
	"creditcard": texts("4", "-1", ""),
	"ssn":        texts("1", "1", "-1"),
	"hexcolor":   texts("#", "a", ""),
	"rgbcolor":   texts("rgb(1", "1", ",1,1)"),
	"uuid":       texts("", "a-", ""),
}
