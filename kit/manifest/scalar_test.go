package manifest_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// piece is a part of the source of a string, and what it is read as.
type piece struct{ source, value string }

// scalars are ways to write a string: what is before and after it, and its
// characters and what may be between them.
var scalars = map[string]struct {
	before, after       string
	characters, between []piece
}{
	"plain": {"a: ", "\n", []piece{{"x", "x"}, {"x''y", "x''y"}, {"é", "é"}, {`\`, `\`}, {"😀", "😀"}},
		[]piece{{"", ""}, {" \n  ", " "}, {"\n\n ", "\n"}, {" \r\n\r\n \n  ", "\n\n"}}},
	"single quotes": {"a: !!str '", "'", []piece{{"x", "x"}, {"''", "'"}, {`\`, `\`}, {"é", "é"}},
		[]piece{{"", ""}, {" \n  ", " "}, {"\n\n ", "\n"}, {" ", " "}}},
	"double quotes": {"a: &a\n  \"", "\"", []piece{{"x", "x"}, {"''", "''"}, {`\"`, `"`},
		{`\x41`, "A"}, {`\u00e4`, "ä"}, {`\ud7ff`, "\ud7ff"}, {`\U0001F600`, "😀"}, {`\t`, "\t"}},
		[]piece{{"", ""}, {" \n  ", " "}, {"\n\n ", "\n"}, {" \\\n  ", " "}, {"\\\r\n", ""}}},
	"JSON": {`{"a": "`, `"}`, []piece{{"x", "x"}, {`\u00E4`, "ä"}, {`\ud83d\ude00`, "😀"},
		{`\uDBFF\udfff`, "\U0010ffff"}, {`\uABCD`, "\uabcd"}, {`\ud83d`, "\ufffd"}, {"\xff", "\ufffd"}, {`\/`, "/"}}, []piece{{"", ""}}},
	"literal": {"a: |\n  ", "\n", []piece{{"x", "x"}, {`\`, `\`}, {"é", "é"}, {"''", "''"}},
		[]piece{{"", ""}, {"\n  ", "\n"}, {" \n\n   ", " \n\n "}, {"\r\n  ", "\n"}}},
	"literal with an indent": {"a: !!str |1-\n\n ", "", []piece{{"x", "x"}, {"é", "é"}},
		[]piece{{"", ""}, {"\n ", "\n"}, {"\n\n    ", "\n\n   "}}},
	"folded": {"a: &a >-\n\n ", "\n", []piece{{"x", "x"}, {"é", "é"}, {`"`, `"`}},
		[]piece{{"", ""}, {"\n ", " "}, {"\n\n\n ", "\n\n"}, {" \r\n ", "  "}}},
}

// Every character of a string is found where its source has it.
func TestWithinSource(t *testing.T) {
	for name, s := range scalars {
		for _, a := range s.characters {
			for _, b := range s.characters {
				for _, ab := range s.between {
					for _, bz := range s.between {
						checkPieces(t, name, s.before, s.after, []piece{a, ab, b, bz, {"z", "z"}})
					}
				}
			}
		}
	}
}

func checkPieces(t *testing.T, name, before, after string, pieces []piece) {
	t.Helper()
	text := before
	var sources, values []string // what precedes each character
	value := ""
	for i, p := range pieces {
		if i%2 == 0 {
			sources, values = append(sources, text), append(values, value)
		}
		text, value = text+p.source, value+p.value
	}
	doc := only(t, text+after)
	object, _, err := doc.Object()
	got, _ := object["a"].(string)
	if err != nil || strings.Trim(got, "\n") != value {
		t.Fatalf("%s: %q is read as %q, %v, want %q", name, text+after, got, err, value)
	}
	lead := got[:len(got)-len(strings.TrimLeft(got, "\n"))]
	place := doc.Find("a")
	for i := range sources {
		wantLine, wantColumn := lastOf(sources[i])
		line, column := lastOf(lead + values[i])
		want := fmt.Sprintf("f:%d:%d", wantLine, wantColumn)
		if at := place.Within(line, column); at.String() != want {
			t.Errorf("%s: %q: %d:%d is at %v, want %s", name, text+after, line, column, at, want)
		}
	}
}

// lastOf returns the line and the column behind a text.
func lastOf(text string) (line, column int) {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return strings.Count(text, "\n") + 1, utf8.RuneCountInString(last) + 1
}

// What is not in the source as it is read is located at the value.
func TestWithinElsewhere(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		want         string
	}{
		{"a: |\n  x\u0085  y", 2, 1, "1:4"}, // YAML 1.1 reads a line feed
		{"a: \"x\u2028y\"", 1, 3, "1:7"},
		{"a: |+\n  x\n\n", 3, 1, "4:1"},
		{"a: |", 1, 1, "1:5"},
		{"b: 1", 1, 1, "1:1"},
		{"a: xy", 1, -1, "1:4"},
		{"a: xy", -1, 1, "1:4"},
		{"b: &b [1]\na: *b", 1, 1, "2:4"},
	} {
		if got := only(t, c.text).Find("a").Within(c.line, c.column).String(); got != "f:"+c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}
