package yamlfast_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/base/yamlfast"
	"github.com/crdsem/crdsem/internal/base/yamljson"
)

// All short documents of some families are read as by the library. The numbers
// are how many are read directly, and how many scalars of those are left to the
// library.
func TestFamilies(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		pieces              []string
		most                int
		direct, snippets    int
	}{
		{"scalars", "a: ", "\n", strings.Split(
			`x|yes| |:|#|'|"|-|~|1|0|{}|[|]|,|}|>|.|&|`+"\t|\n  |\n", "|"), 3, 3863, 2149},
		{"words", "- ", "\n", strings.Split("y|n|yes|no|on|off|true|false|null|~|No|Null|.|.inf|.nan|"+
			`-|+|1|0|9|a|z|A|Z|[|]|`+"`"+`|/|(|^|$|=|é|?|@|\`, "|"), 2, 1144, 411},
		{"keys", "", " 1\n", strings.Split(
			`x|yes| |:|: |#|'|"|-|~|1|[|?|.|\|...|---|%|!|`+"\t|\n", "|"), 3, 140, 12},
		{"double quotes", `a: "`, "\"\n", strings.Split(
			`x| |'|"|\|n|u|: |#|`+"\t|\n|\n  ", "|"), 3, 1281, 364},
		{"single quotes", `a: '`, "'\n", strings.Split(
			`x| |'|"|\|: |#|`+"\t|\n|\n  |\n---|\n...", "|"), 3, 841, 237},
		{"quotes in a list", "- ", "\n", strings.Split(
			`"x"|'x'| |  |# y|: z|:|x|`+"\n  ", "|"), 3, 384, 0},
		{"list", "a: [", "\n", strings.Split(`[|]|{|}|x|, |: |"|'|\| |#| #|`+"\n  ", "|"), 3, 37, 28},
		{"closed list", "a: [", "]\n", strings.Split(`[|]|{}|x|, |"|'|'x'|\`+"|\t", "|"), 3, 86, 85},
		{"mapping", "a: {", "}\n", strings.Split(`[]|{|}|x: |, |"|'y'| #`, "|"), 3, 26, 25},
		{"literal", "a: |", "\n", strings.Split(
			"-|+|1| | #|\n|\n |\n  x|\n   y|\n    |\n\t|\n  \t|\nb: 1|\n# z|\n   \n", "|"), 3, 712, 4},
		{"literal text", "a: |\n  x", "", strings.Split("\n|\n  |\n   |\n  y|\n z|\n    ", "|"), 4, 156, 0},
		{"literal in a list", "- - |", "\n", strings.Split(
			"-|\n|\n   |\n  x|\n   y|\n    z|\n- v", "|"), 3, 137, 0},
		{"plain text", "a:\n  b: x", "\n", strings.Split(
			"\n|\n  |\n   y|\n    z: |\n  # k| # k|\n   1 # l|\n   -\t| ", "|"), 3, 214, 0},
		{"lines", "", "\n", strings.Split(
			"a:|- |-|b: 1|  - x|  c: y| d|---|# k|'q':|\n|\n  | ", "|"), 3, 1026, 221},
		{"nested lines", "a:\n", "\n", strings.Split(
			"- b:\n|  c: 1\n|    d: 2\n|  - e\n|    - f\n|-\n|# k\n|\n|    g\n", "|"), 4, 2100, 0},
	} {
		direct, snippets := 0, 0
		for _, text := range combinations(c.pieces, c.most) {
			if ok, n := read(t, c.name, c.before+text+c.after); ok {
				direct, snippets = direct+1, snippets+n
			}
		}
		if direct != c.direct || snippets != c.snippets {
			t.Errorf("%s: %d read directly with %d scalars by the library, want %d with %d",
				c.name, direct, snippets, c.direct, c.snippets)
		}
	}
}

// read reports whether a document is read directly, and how many pieces of it
// the library decodes.
func read(t *testing.T, name, text string) (ok bool, snippets int) {
	t.Helper()
	_, ok = yamlfast.Decode([]byte(text), func(data []byte) (any, []error, error) {
		snippets++
		return yamljson.Decode(data)
	})
	agree(t, name, []byte(text))
	return ok, snippets
}

// combinations returns all texts of so many pieces at most.
func combinations(pieces []string, most int) []string {
	all := []string{""}
	for range most {
		for _, text := range all[:len(all):len(all)] {
			for _, piece := range pieces {
				all = append(all, text+piece)
			}
		}
		slices.Sort(all)
		all = slices.Compact(all)
	}
	return all
}

// Every byte at every place of eight, and characters at the ends of the ranges
// that YAML does not allow.
func TestCharacters(t *testing.T) {
	for at := range 9 {
		for c := range 256 {
			text := []byte("k: abcdefghijkl\n")
			text[3+at] = byte(c)
			want := c >= ' ' && c < 0x7f || c == '\n'
			if ok, _ := read(t, "bytes", string(text)); ok && !want {
				t.Errorf("%q is read directly", text)
			} else if want && !ok && at > 0 && c != '\n' && c != ':' && c != '#' {
				t.Errorf("%q is not read directly", text)
			}
		}
	}
	for r, want := range map[rune]bool{
		0x80: false, 0x85: false, 0x9f: false, 0xa0: true, 'é': true, 0x2027: true, 0x2028: false, 0x2029: false,
		0x202a: true, 0xd7ff: true, 0xe000: true, 0xfefe: true, 0xfeff: false, 0xff00: true, 0xfffc: true,
		0xfffd: false, 0xfffe: false, 0xffff: false, 0x10000: true, 0x1f600: true, 0x1fffd: true,
		0x1fffe: false, 0x1ffff: false, 0x10fffd: true, 0x10ffff: false,
	} {
		for _, before := range []string{"", "1234567", "12345678"} {
			if ok, _ := read(t, "runes", "k: a"+before+string(r)+"\n"); ok != want {
				t.Errorf("%U: read directly %v, want %v", r, ok, want)
			}
		}
	}
	for _, text := range []string{"", "a: b", "a: \xc3\n", "a: b\xe2\x80\n"} {
		if ok, _ := read(t, "ends", text); ok {
			t.Errorf("%q is read directly", text)
		}
	}
}

// What is read directly is bounded: the nesting, the length of keys, and how
// dense the scalars are that the library decodes.
func TestBounds(t *testing.T) {
	key := strings.Repeat("k", 512)
	odd := strings.Repeat("- 0x1\n", 101)
	filled := func(size int) string {
		return "#" + strings.Repeat("x", size-len("#\n")-len(odd)) + "\n" + odd
	}
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"1001 lists":              {strings.Repeat("- ", 1001) + "x\n", true},
		"1002 lists":              {strings.Repeat("- ", 1002) + "x\n", false},
		"1000 maps and a list":    {strings.Repeat("- ", 999) + "a:\n" + strings.Repeat(" ", 1998) + "- x\n", true},
		"list below a deep key":   {strings.Repeat("- ", 1000) + "a:\n" + strings.Repeat(" ", 2000) + "- x\n", true},
		"map below a deep key":    {strings.Repeat("- ", 1000) + "a:\n" + strings.Repeat(" ", 2001) + "b: x\n", false},
		"lists below a deep key":  {strings.Repeat("- ", 998) + "a:\n" + strings.Repeat(" ", 1996) + "- - x\n", true},
		"lists below another":     {strings.Repeat("- ", 999) + "a:\n" + strings.Repeat(" ", 1998) + "- - x\n", false},
		"key of 512":              {key + ": 1\n", true},
		"key of 513":              {key + "k: 1\n", false},
		"quoted key of 512":       {"'" + key + "': 1\n", true},
		"quoted key of 513":       {"\"" + key + "k\": 1\n", false},
		"100 odd scalars":         {odd[len("- 0x1\n"):], true},
		"101 odd scalars":         {odd, false},
		"101 of 10,099 bytes":     {filled(10099), false},
		"101 of 10,100 bytes":     {filled(10100), true},
		"integer of 18 digits":    {"a: 999999999999999999\n", true},
		"integer of 19 digits":    {"a: -9223372036854775808\n", true},
		"integer beyond an int64": {"a: 9223372036854775808\n", true},
	} {
		if ok, _ := read(t, name, c.text); ok != c.want {
			t.Errorf("%s: read directly %v, want %v", name, ok, c.want)
		}
	}
}
