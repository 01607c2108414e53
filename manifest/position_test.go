package manifest

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// Columns of long lines are those that counting from the start of the line
// gives.
func TestColumnsOfLongLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "bc", "é", "€", "😀", strings.Repeat("x", 700)}
	for range 200 {
		var b strings.Builder
		for range random.IntN(60) {
			b.WriteString(parts[random.IntN(len(parts))])
			if random.IntN(30) == 0 {
				b.WriteString([]string{"\n", "\r\n", "\u2028"}[random.IntN(3)])
			}
		}
		text := b.String()
		for _, ends := range []func([]byte) int{lineFeed, yamlBreak} {
			s := newLineStarts([]byte(text), ends)
			for offset := 0; offset <= len(text); offset += 1 + random.IntN(400) {
				if offset < len(text) && !utf8.RuneStart(text[offset]) {
					continue
				}
				line, column := s.lineOf(offset)
				start := s.at[line-1]
				if want := utf8.RuneCountInString(text[start:offset]) + 1; column != want {
					t.Fatalf("offset %d of %q is in column %d, want %d", offset, text, column, want)
				}
				isBreak := offset > start && ends([]byte(text[offset-1:]+" ")) > 0
				if got := s.offset(line, column); got != offset && !isBreak {
					t.Fatalf("%d:%d of %q is at %d, want %d", line, column, text, got, offset)
				}
			}
			for line := range s.at {
				if got, end := s.offset(line+1, 1<<30), lineEnd(&s, line); got != end {
					t.Fatalf("line %d of %q ends at %d, want %d", line+1, text, got, end)
				}
			}
		}
	}
}

// lineEnd returns the offset of a line's end.
func lineEnd(s *lineStarts, line int) int {
	at := s.at[line]
	for at < len(s.text) && s.ends(s.text[at:]) == 0 {
		at++
	}
	return at
}
