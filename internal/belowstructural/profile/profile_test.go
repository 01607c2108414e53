package profile

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every switch of a profile belongs to one change, and every change is
// described.
func TestChangesDescribeSwitches(t *testing.T) {
	ids, err := os.ReadFile("../../../conformance/vectors/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(string(ids))
	seen, switched := map[string]bool{}, map[string]string{}
	for _, c := range Changes() {
		if seen[c.ID] || !strings.HasPrefix(c.ID, strings.TrimPrefix(c.Since.String(), "1.")+"-") {
			t.Errorf("%s: the id is not unique, or does not start with the minor", c.ID)
		}
		seen[c.ID] = true
		if c.Since <= Oldest || c.Since > Newest || len(c.Rules) == 0 ||
			!regexp.MustCompile(`^[^.]+.*\.$`).MatchString(c.Summary) {
			t.Errorf("%s: since %v, rules %v, summary %q", c.ID, c.Since, c.Rules, c.Summary)
		}
		for _, rule := range c.Rules {
			if !slices.Contains(known, rule) {
				t.Errorf("%s: no rule %s", c.ID, rule)
			}
		}
		if c.Kind != Verdict && c.Kind != Text {
			t.Errorf("%s: kind %q", c.ID, c.Kind)
		}
		if c.Switch == "" {
			continue
		}
		if other, ok := switched[c.Switch]; ok {
			t.Errorf("%s and %s have the same switch", c.ID, other)
		}
		switched[c.Switch] = c.ID
	}
	for name := range switches(Of(Newest)) {
		if switched[name] == "" {
			t.Errorf("%s belongs to no change", name)
		}
	}
}

// The newest profile has every switch on, the oldest none.
func TestProfilesAreCumulative(t *testing.T) {
	for _, c := range Changes() {
		if c.Switch == "" {
			continue
		}
		for m := Oldest; m <= Newest; m++ {
			if on, ok := switches(Of(m))[c.Switch]; !ok || on != (m >= c.Since) {
				t.Errorf("%s of %v is %v, a switch: %v", c.ID, m, on, ok)
			}
		}
	}
	for name, on := range switches(Of(Newest)) {
		if !on {
			t.Errorf("%s of the newest minor is off", name)
		}
	}
}

// switches returns all fields of type bool by their names.
func switches(p *Profile) map[string]bool {
	out := map[string]bool{}
	groups := reflect.ValueOf(p).Elem()
	for i := range groups.NumField() {
		group := groups.Field(i)
		if group.Kind() != reflect.Struct {
			continue
		}
		for j := range group.NumField() {
			out[group.Type().Field(j).Name] = group.Field(j).Bool()
		}
	}
	return out
}

func TestParse(t *testing.T) {
	for text, want := range map[string]Minor{"1.33": 33, "1.37": 37, "1.38": 38} {
		if p, err := Parse(text); err != nil || p.Minor != want || p.Minor.String() != text {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{
		"", "1", "1.", "1.29", "1.39", "1.033", "1.33.0", "v1.33", "1.308",
	} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%q: %v", text, p.Minor)
		} else if !strings.Contains(err.Error(), "1.30 to 1.38") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// An empty text is the newest minor; so is an unknown one for callers without
// errors.
func TestNamed(t *testing.T) {
	for text, c := range map[string]struct {
		minor Minor
		known bool
	}{
		"": {37, true}, "1.30": {30, true}, "1.31": {31, true},
		"1.29": {37, false}, "x": {37, false},
	} {
		p, err := Resolve(text)
		if (err == nil) != c.known || c.known && p.Minor != c.minor || !c.known && p != nil {
			t.Errorf("%q: %v, %v", text, p, err)
		}
		if p := Named(text); p.Minor != c.minor {
			t.Errorf("%q: named %v", text, p.Minor)
		}
	}
	if Latest().Minor != 37 || Of(29) != nil || Of(39) != nil {
		t.Errorf("the default is %v; %v and %v have profiles", Latest().Minor, Of(29), Of(39))
	}
}

// A change is read from its lines.
func TestChange(t *testing.T) {
	c := newChange("33-status-ratchet (text)", "Summary.")
	for _, line := range [][2]string{
		{"switch", "A"}, {"rules", "A-1 B-2"}, {"upstream", "#1"}, {"other", "x"},
	} {
		c.set(line[0], line[1])
	}
	want := Change{ID: "33-status-ratchet", Since: 33, Kind: Text, Summary: "Summary.",
		Switch: "A", Rules: []string{"A-1", "B-2"}, Upstream: "#1"}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v", c)
	}
}

// Reasons count bytes and speak of label keys in newer minors.
func TestNameReasons(t *testing.T) {
	newest := []string{"must be no more than 63 bytes", "a valid label key must consist of x",
		"a qualified name", "63 bytes long"}
	older := []string{"must be no more than 63 characters", "a qualified name must consist of x",
		"a qualified name", "63 bytes long"}
	given := slices.Clone(newest)
	for _, c := range []struct {
		texts      Texts
		given, out []string
	}{
		{Texts{}, given, older}, {Texts{NameBytes: true}, given, newest}, {Texts{}, nil, nil},
		{Texts{}, given[:1], older[:1]},
	} {
		got := c.texts.NameReasons(c.given)
		isChanged := !slices.Equal(given, newest)
		if isChanged || !slices.Equal(got, c.out) || (got == nil) != (c.out == nil) {
			t.Errorf("%+v: %q", c.texts, got)
		}
	}
	for minor, want := range map[Minor]string{
		32: "pkg/runtime/scheme.go:100", 33: "pkg/runtime/scheme.go:110",
		35: "pkg/runtime/scheme.go:111", 38: "pkg/runtime/scheme.go:110",
	} {
		if got := Of(minor).Registry(); got != want {
			t.Errorf("%s: %s", minor, got)
		}
	}
}

// Texts of the oldest, of 1.33 and of the newest minor.
func TestTexts(t *testing.T) {
	for _, c := range []struct {
		text func(*Texts) string
		want [3]string
	}{
		{func(t *Texts) string { return t.Full("full", "short") }, [3]string{"full", "full", "short"}},
		{func(t *Texts) string { return t.TooLong(-1) },
			[3]string{"value is too long", "value is too long", "value is too long"}},
		{func(t *Texts) string { return t.TooLong(1) },
			[3]string{"may not be longer than 1", "may not be more than 1 bytes", "may not be more than 1 byte"}},
		{func(t *Texts) string { return t.TooLong(0) },
			[3]string{"may not be longer than 0", "may not be more than 0 bytes", "may not be more than 0 bytes"}},
		{func(t *Texts) string { return t.TooMany(-1) },
			[3]string{"has too many items", "has too many items", "has too many items"}},
		{func(t *Texts) string { return t.TooMany(0) },
			[3]string{"must have at most 0 items", "must have at most 0 items", "must have at most 0 items"}},
		{func(t *Texts) string { return t.TooMany(1) },
			[3]string{"must have at most 1 items", "must have at most 1 items", "must have at most 1 item"}},
	} {
		for i, p := range []*Profile{Of(Oldest), Of(33), Latest()} {
			if got := c.text(&p.Texts); got != c.want[i] {
				t.Errorf("%v: %q, want %q", p.Minor, got, c.want[i])
			}
		}
	}
}
