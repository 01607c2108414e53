package describe

import (
	"regexp"
	"testing"
)

// A rule mentions a selection that goes on with no further letter.
func TestMentions(t *testing.T) {
	for rule, want := range map[string]bool{
		"self.a": true, "self.a.b": true, "self.ab": false, "self.a_": false, "self.a1": false, "self.aZ": false,
		"self.ab || self.a": true, "self.a[0]": true, "b": false, "": false, "self.a{": true, "self.ab == self.az": false,
	} {
		if got := Mentions(rule, "self.a"); got != want {
			t.Errorf("%s: %t", rule, got)
		}
	}
	word := regexp.MustCompile(`^\w$`)
	for c := range byte(0x80) {
		if got := isWord(c); got != word.MatchString(string(rune(c))) {
			t.Errorf("%q: %t", c, got)
		}
	}
}
