package upgrade

import (
	"regexp"
	"testing"

	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// The pattern of a format matches all strings that the server takes for it,
// also the shortest ones and the odd ones.
func TestPatternsOfFormats(t *testing.T) {
	for format, texts := range map[string][]string{
		"mac": {
			"00:00:5e:00:53:01", "00-00-5E-00-53-01", "0000.5e00.5301", "02:00:5e:10:00:00:00:01",
			"00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01",
		},
		"cidr":       {"::/0", "10.0.0.0/8", "010.1.1.1/08", "2001:db8::1/64", "::ffff:1.2.3.4/128"},
		"ssn":        {"111-11-1111", "111 11 1111"},
		"hexcolor":   {"#fff", "fff", "#FFFFFF", "a0B1c2"},
		"creditcard": {"4111111111111111", "4111-1111-1111-1111", "x4222222222222y", "4222222222222"},
		"isbn":       {"0-306-40615-2", "080442957X", "978-0-306-40615-7", "9780306406157"},
		"isbn10":     {"0306406152", "0 306 40615 2", "0-8044-2957-X"},
		"isbn13":     {"978-0-306-40615-7", "978 0 306 40615 7"},
	} {
		schema, err := structural.FromMap(map[string]any{"type": "string", "format": format})
		if err != nil {
			t.Fatal(err)
		}
		n := (&judges{ctx: t.Context(), minor: minors.Minor("1.37")}).node(schema)
		pattern := regexp.MustCompile(n.patternOfFormat())
		if pattern.MatchString("") {
			t.Errorf("%s: the pattern %s says nothing", format, pattern)
		}
		accepted := 0
		for _, text := range texts {
			if n.accepts(text) {
				accepted++
			}
			if n.accepts(text) && !pattern.MatchString(text) {
				t.Errorf("%s takes %q, which %s does not match", format, text, pattern)
			}
		}
		if accepted < 2 {
			t.Errorf("%s takes %d of %q", format, accepted, texts)
		}
	}
}
