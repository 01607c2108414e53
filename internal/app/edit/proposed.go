package edit

import (
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/kit/manifest"
)

// proposed offers the edits that the finding has. A rule in other words judges
// every object as before, so that is certain.
func (m *fixer) proposed(doc *manifest.Document) {
	var edits []Edit
	var texts []string
	isCertain := true
	for _, e := range m.of.Edits {
		text := fmt.Sprint(e.Value)
		if s, isText := e.Value.(string); isText {
			text = m.quoted(s)
		}
		made := m.set(doc, e.Path, e.Keyword, text)
		if len(made) == 0 {
			return
		}
		isCertain = isCertain && e.Keyword == "rule"
		edits = append(edits, made...)
		texts = append(texts, fmt.Sprintf("%s: %v", e.Keyword, e.Value))
	}
	title := "set " + strings.Join(texts, ", ")
	if isCertain {
		m.certain(title, edits...)
	} else {
		m.offer(title, true, edits...)
	}
}

// set returns the edit that sets a keyword of an object of a definition.
func (m *fixer) set(doc *manifest.Document, path, keyword, text string) []Edit {
	place := doc.Find(path + "." + keyword)
	if place.Missing != "" {
		return m.keyword(doc.Find(path), keyword+": "+text)
	}
	if edits := m.block(place, text); edits != nil {
		return edits
	}
	return m.value(place, text)
}

// block returns the edit that replaces the scalar at a place, which is a block
// of lines. It is nil for any other value.
func (m *fixer) block(place manifest.Place, with string) []Edit {
	line := place.Value.Line - 1
	if line < 0 || line >= len(m.lines) {
		return nil
	}
	text := strings.TrimRight(m.lines[line], " \r")
	start := UTF32.offset(text, place.Value.Column-1)
	if !blockText.MatchString(text[start:]) {
		return nil
	}
	last, column := line, len(text)-len(strings.TrimLeft(text, " -"))
	for n := line + 1; n < len(m.lines); n++ {
		if strings.TrimSpace(m.lines[n]) == "" {
			continue
		}
		if indent(m.lines[n]) <= column {
			break
		}
		last = n
	}
	end := m.w.encoding.column(m.lines[last], len(strings.TrimRight(m.lines[last], "\r")))
	return []Edit{{
		Range{Position{line, m.w.encoding.column(text, start)}, Position{last, end}}, with,
	}}
}
