package limits_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem"
)

// texts returns a function that makes texts of about a length: a beginning, a
// unit as often as it fits, and an end.
func texts(start, unit, end string) func(int) string {
	return func(length int) string {
		return start + strings.Repeat(unit, length/len(unit)) + end
	}
}

// hostileParses has a rule for each kind of text that rules parse.
func hostileParses() map[string]func(int) string {
	return map[string]func(int) string{
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
var hostileFormats = map[string]func(int) string{
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

// isLinearInTime fails if four times the length takes over ten times as long:
// sixteen times if the work is quadratic. Times under 20 ms are not compared.
func isLinearInTime(t *testing.T, name string, v *crdsem.Version, text func(int) string) {
	t.Helper()
	run := func(length int) time.Duration {
		object := ruleObject(0, 1)
		object["a"], object["l"] = text(length), []any{"2000-01-01T00:00:00Z"}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		start := time.Now()
		v.Create(ctx, object)
		return time.Since(start)
	}
	var short, long time.Duration
	for range 5 {
		if short, long = run(100_000), run(400_000); long < max(10*short, 20*time.Millisecond) {
			return
		}
	}
	t.Errorf("%s: %v, and %v for four times the length", name, short, long)
}

// TestParsersAreLinear parses long texts of each kind.
func TestParsersAreLinear(t *testing.T) {
	for rule, text := range hostileParses() {
		isLinearInTime(t, rule, ruleVersion(t, rule), text)
	}
	for format, text := range hostileFormats {
		isLinearInTime(t, format, formatVersion(t, format), text)
	}
}

// formatVersion returns a version whose field a has a format, and a rule that
// reads it.
func formatVersion(t *testing.T, format string) *crdsem.Version {
	t.Helper()
	def, err := crdsem.Parse(fmt.Appendf(nil, `{"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},"spec":{"group":"g.io",
"scope":"Namespaced","names":{"plural":"ks","kind":"K","singular":"k","listKind":"KList"},
"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",
"properties":{"a":{"type":"string","format":%q},"l":{"type":"array","items":{"type":"string"}}},
"x-kubernetes-validations":[{"rule":"self.a == self.a"}]}}}]}}`, format))
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestQuantitiesFarApart runs rules on quantities of two billion digits, as
// values and as constants.
func TestQuantitiesFarApart(t *testing.T) {
	const tiny, huge = "1e-2147483647", "1e2147483640"
	for _, c := range []struct{ rule, value, finds string }{
		{"isQuantity(self.a)", tiny, ""},
		{"quantity(self.a).compareTo(quantity('1n')) == 0", tiny, ""},
		{"quantity(self.a) == quantity('0.0000000001')", tiny, ""},
		{"quantity(self.a).isLessThan(quantity('1Gi'))", tiny, ""},
		{"quantity(self.a).isGreaterThan(quantity('1Gi'))", huge, ""},
		{"quantity(self.a).isLessThan(quantity('1Gi'))", huge, "failed rule"},
		{"quantity(self.a).add(quantity('1')).isGreaterThan(quantity(self.a))", huge, ""},
		{"quantity(self.a).sub(quantity('1')).isLessThan(quantity(self.a))", huge, ""},
		{"quantity(self.a).sub(quantity(self.a)).add(7).compareTo(quantity('7')) == 0", huge, ""},
		{"!quantity(self.a).isInteger() && sign(quantity(self.a)) == 1", huge, ""},
		{"quantity(self.a).asInteger() == 1", huge, "cannot convert value to integer"},
		{"quantity(self.a).asApproximateFloat() > 1e300", huge, ""},
		{"quantity('" + tiny + "').isLessThan(quantity('1e2147483000'))", "", ""},
		// The difference of the scales overflows: the huge one counts as 0.
		{"quantity('" + tiny + "').isGreaterThan(quantity('" + huge + "'))", "", ""},
		{"[1][dyn(quantity(self.a).add(1))] == 1", huge, "invalid qualifier type: *cel.Quantity"},
		{"quantity('0e2147483647').isInteger() && quantity('0e2147483647').asInteger() == 0", "", ""},
		// The real code panics here.
		{"quantity(self.a).isLessThan(quantity('1n')) || true", huge, "integer divide by zero"},
		{"isQuantity('12345678901234567890' + self.a) || true", "e2147483639", "index out of range"},
	} {
		start := time.Now()
		v := ruleVersion(t, c.rule)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		object := ruleObject(0, 0)
		object["a"] = c.value
		err := v.Create(ctx, object).Err()
		cancel()
		if refused := err != nil; refused != (c.finds != "") ||
			refused && !strings.Contains(err.Error(), c.finds) {
			t.Errorf("%s of %q: %v, want %q", c.rule, c.value, err, c.finds)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s of %q took %v", c.rule, c.value, took)
		}
	}
}
