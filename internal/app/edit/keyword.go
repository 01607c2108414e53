package edit

import (
	"regexp"
	"strings"

	"github.com/crdsem/crdsem/internal/app/sample"
	"github.com/crdsem/crdsem/kit/manifest"
)

// opens matches the end of a line whose value is below it.
var opens = regexp.MustCompile(`:\s*(#.*)?$`)

// keyword returns the edit that adds a keyword to the schema node at a place:
// where the order of its keywords wants it, or else as the first one. The lines
// of the text are indented as the keyword is.
func (m *fixer) keyword(place manifest.Place, text string) []Edit {
	line := place.Key.Line - 1
	if line < 0 || line >= len(m.lines) || place.Missing != "" {
		return nil
	}
	rest := strings.TrimRight(m.lines[line], " \r")
	if opens.MatchString(rest) {
		column := m.below(line)
		pad := strings.Repeat(" ", column)
		name, _, _ := strings.Cut(text, ":")
		at := Position{m.sorted(line, column, name), 0}
		text = pad + strings.ReplaceAll(text, "\n", "\n"+pad) + "\n"
		if at.Line >= len(m.lines) {
			at.Line = line + 1 // the last line has no end
		}
		return []Edit{{Range{at, at}, text}}
	}
	if strings.HasSuffix(rest, "}") && strings.Count(rest, "{") == 1 && isYAML(m.file) {
		end := len(rest) - 1
		return []Edit{{m.w.span(rest, line, end, end), ", " + text}}
	}
	if dash := itemStart.FindString(rest); dash != "" && rest[len(dash)] != '{' {
		at := Position{line, m.w.encoding.column(rest, len(dash))}
		return []Edit{{Range{at, at}, text + "\n" + strings.Repeat(" ", len(dash))}}
	}
	return m.flowKeyword(place, text)
}

// itemStart matches the dash of an item in block style.
var itemStart = regexp.MustCompile(`^ *- +`)

func isYAML(f *file) bool { return f == nil || !strings.HasSuffix(f.name, ".json") }

// flowKeyword returns the edit that adds a keyword of one line to a node in
// flow style.
func (m *fixer) flowKeyword(place manifest.Place, text string) []Edit {
	line := place.Value.Line - 1
	if line < 0 || line >= len(m.lines) || strings.Contains(text, "\n") {
		return nil
	}
	before := m.lines[line]
	at := UTF32.offset(before, place.Value.Column-1)
	if !strings.HasPrefix(before[at:], "{") {
		return nil
	}
	if !isYAML(m.file) {
		name, value, _ := strings.Cut(text, ":")
		text = sample.JSON(name) + ":" + value
	}
	if rest := strings.TrimSpace(before[at+1:]); !strings.HasPrefix(rest, "}") {
		text += ", "
	}
	return []Edit{{m.w.span(before, line, at+1, at+1), text}}
}

// sorted returns the line before which a key goes, below the key at a line: its
// place in the order of the keys in a column. Comments above a key stay with
// it. It is the line below if the keys have no order.
func (m *fixer) sorted(line, column int, name string) int {
	last, comments, end := "", -1, line+1
	for n := line + 1; n < len(m.lines); n++ {
		text := strings.TrimSpace(m.lines[n])
		own := indent(m.lines[n])
		switch {
		case text == "":
			continue
		case text[0] == '#' && own == column:
			if comments < 0 {
				comments = n
			}
			continue
		case own < column && text[0] == '#':
			continue
		case own < column:
			return end
		case own == column && !strings.HasPrefix(text, "- "):
			key, _, _ := strings.Cut(text, ":")
			key = strings.Trim(key, `"'`)
			if key < last {
				return line + 1
			}
			if key > name {
				if comments >= 0 {
					return comments
				}
				return n
			}
			last = key
		}
		comments, end = -1, n+1
	}
	return end
}
