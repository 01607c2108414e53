package edit

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/crdsem/crdsem/internal/app/sample"
	"github.com/crdsem/crdsem/kit/manifest"
)

// repairs offers the edits for the finding of a check of lint. One that keeps
// what the server accepts, or the one thing that the text can have meant, is
// certain.
func (m *fixer) repairs() {
	doc := m.document()
	if doc == nil {
		return
	}
	path := m.of.Field
	switch m.of.Rule {
	case "LINT-type", "LINT-nullable":
		keyword := path[strings.LastIndexByte(path, '.')+1:]
		m.certain("remove "+keyword, m.removalOf(doc.Find(path))...)
	case "LINT-requireddefault":
		m.optional(doc, strings.TrimSuffix(path, ".default"))
	case "LINT-enum":
		place := doc.Find(path)
		if text, ok := place.Plain(); ok && strings.HasPrefix(m.of.Hint, "write it in quotes") {
			m.certain("write it in quotes", m.value(place, sample.JSON(text))...)
		}
	case "LINT-column":
		m.columnType(doc, strings.TrimSuffix(path, ".jsonPath"))
	case "LINT-next":
		m.proposed(doc)
	case "LINT-has":
		if guard := hinted(m.of.Hint, "write"); strings.HasPrefix(guard, "!has(") {
			m.guard(doc, path, strings.TrimSuffix(guard, " || …"))
		}
	case "LINT-parentdefault":
		m.offer("add default: {}", false, m.keyword(doc.Find(path), "default: {}")...)
	case "LINT-immutable":
		m.keep(doc, path)
	case "LINT-create":
		node, _, isRule := strings.Cut(path, ".x-kubernetes-validations[")
		if isRule && strings.HasSuffix(m.of.Hint, "as a rule of its own") {
			m.addRule(doc, node, hinted(m.of.Hint, "write"))
		}
	}
}

// document returns the document of the finding, nil for an item of a list.
func (m *fixer) document() (found *manifest.Document) {
	for _, d := range m.file.parsed() {
		if d.err == nil && d.Start().Line <= m.of.Range.Start.Line+1 {
			found = d.Document
			if len(d.items) > 0 {
				found = nil
			}
		}
	}
	return found
}

// hinted returns what a hint shows in backquotes behind a verb, e.g. `a || b`.
func hinted(hint, verb string) string {
	_, rest, _ := strings.Cut(hint, verb+" `")
	text, _, _ := strings.Cut(rest, "`")
	return text
}

// certain offers an edit that is certain.
func (m *fixer) certain(title string, edits ...Edit) {
	before := len(m.all)
	m.offer(title, true, edits...)
	for i := before; i < len(m.all); i++ {
		m.all[i].Certain = true
	}
}

// removalOf returns the edit that removes the field at a place. One in flow
// style is removed if it is a scalar.
func (m *fixer) removalOf(place manifest.Place) []Edit {
	line := place.Key.Line - 1
	if line < 0 || line >= len(m.lines) || place.Missing != "" {
		return nil
	}
	text := m.lines[line]
	start := UTF32.offset(text, place.Key.Column-1)
	if edits := m.removal(line, m.w.encoding.column(text, start)); edits != nil {
		return edits
	}
	found := flowField.FindStringIndex(text[start:])
	if found == nil {
		return nil
	}
	end := start + found[1]
	switch before := strings.TrimRight(text[:start], " "); {
	case strings.HasPrefix(text[end:], ","):
		end++
		end += len(text[end:]) - len(strings.TrimLeft(text[end:], " "))
	case strings.HasSuffix(before, ","):
		start = len(before) - 1
	}
	return []Edit{{m.w.span(text, line, start, end), ""}}
}

// flowField matches a scalar field in flow style, up to what follows it.
var flowField = regexp.MustCompile(
	`^("[^"]*"|'[^']*'|[\w-]+):\s+("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,{}\[\]"']+)`)

// optional offers to take a field out of the required ones.
func (m *fixer) optional(doc *manifest.Document, path string) {
	cut := strings.LastIndex(path, ".properties[")
	if cut < 0 {
		return
	}
	parent := path[:cut]
	name := strings.TrimSuffix(path[cut+len(".properties["):], "]")
	list := doc.Find(parent + ".required")
	count, at := 0, -1
	var item manifest.Place
	for ; ; count++ {
		place := doc.Find(fmt.Sprintf("%s.required[%d]", parent, count))
		if place.Missing != "" {
			break
		}
		if text, ok := place.Text(); ok && text == name {
			at, item = count, place
		}
	}
	line := item.Key.Line - 1
	switch title := "take " + name + " out of required"; {
	case at < 0 || list.Missing != "":
	case count == 1 && strings.TrimSpace(m.lines[list.Key.Line-1]) == "required:":
		m.certain(title, m.removal(list.Key.Line-1, indent(m.lines[list.Key.Line-1]))...)
	case count == 1:
		m.certain(title, m.flowList(list)...)
	case strings.HasPrefix(strings.TrimSpace(m.lines[line]), "- "):
		m.certain(title, Edit{Range{Position{line, 0}, Position{line + 1, 0}}, ""})
	default:
		m.certain(title, m.flowItem(item, at == count-1)...)
	}
}

// flowItem returns the edit that removes a scalar of a list in flow style.
func (m *fixer) flowItem(item manifest.Place, isLast bool) []Edit {
	line := item.Value.Line - 1
	text := m.lines[line]
	start := UTF32.offset(text, item.Value.Column-1)
	end := start + len(listedName.FindString(text[start:]))
	if quote := text[start]; quote == '"' || quote == '\'' {
		end = start + 2 + strings.IndexByte(text[start+1:], quote)
	}
	rest := strings.TrimLeft(text[end:], " ")
	switch before := strings.TrimRight(text[:start], " "); {
	case !isLast && strings.HasPrefix(rest, ","):
		rest = strings.TrimLeft(rest[1:], " ")
		end = len(text) - len(rest)
	case isLast && strings.HasSuffix(before, ","):
		start = len(before) - 1
	default:
		return nil
	}
	return []Edit{{m.w.span(text, line, start, end), ""}}
}

// flowList returns the edit that removes a list in flow style of one scalar,
// with its key.
func (m *fixer) flowList(list manifest.Place) []Edit {
	line := list.Key.Line - 1
	text := m.lines[line]
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "required:") && strings.HasSuffix(trimmed, "]") {
		return []Edit{{Range{Position{line, 0}, Position{line + 1, 0}}, ""}}
	}
	start := UTF32.offset(text, list.Key.Column-1)
	length := strings.IndexByte(text[start:], ']') + 1
	if length == 0 {
		return nil
	}
	end := start + length
	switch before := strings.TrimRight(text[:start], " "); {
	case strings.HasPrefix(text[end:], ","):
		end++
		end += len(text[end:]) - len(strings.TrimLeft(text[end:], " "))
	case strings.HasSuffix(before, ","):
		start = len(before) - 1
	}
	return []Edit{{m.w.span(text, line, start, end), ""}}
}

// columnType offers the type that the field of a printer column has.
func (m *fixer) columnType(doc *manifest.Document, column string) {
	_, rest, ok := strings.Cut(m.of.Hint, "make the column's type ")
	if !ok {
		return
	}
	typ, _, _ := strings.Cut(rest, ",")
	m.certain("make the column's type "+typ, m.value(doc.Find(column+".type"), typ)...)
}

// value returns the edit that replaces the scalar at a place, which stands on
// one line.
func (m *fixer) value(place manifest.Place, with string) []Edit {
	line := place.Value.Line - 1
	if _, ok := place.Text(); !ok || line < 0 || line >= len(m.lines) {
		return nil
	}
	text := m.lines[line]
	start := UTF32.offset(text, place.Value.Column-1)
	found := scalarText.FindString(text[start:])
	plain, isPlain := place.Plain()
	switch {
	case isPlain && strings.HasPrefix(text[start:], plain):
		found = plain
	case isPlain || found == "":
		return nil // it goes on below
	}
	return []Edit{{m.w.span(text, line, start, start+len(found)), with}}
}

// scalarText matches a scalar in quotes.
var scalarText = regexp.MustCompile(`^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')`)

// rewrite returns the edit that replaces a rule.
func (m *fixer) rewrite(doc *manifest.Document, path string, by func(rule string) string) []Edit {
	place := doc.Find(path)
	before, ok := place.Text()
	if !ok || by(before) == before {
		return nil
	}
	return m.value(place, m.quoted(by(before)))
}

// quoted returns a text as a scalar in quotes.
func (m *fixer) quoted(text string) string {
	if strings.HasSuffix(m.file.name, ".json") || strings.Contains(text, "\n") {
		return sample.JSON(text)
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// guard offers to let a rule hold without a field.
func (m *fixer) guard(doc *manifest.Document, path, guard string) {
	if !strings.HasPrefix(guard, "!has(self.") {
		return // it belongs into the rule
	}
	m.offer("let the rule hold without the field", false,
		m.rewrite(doc, path, func(rule string) string { return guard + " || (" + rule + ")" })...)
}

// keep offers the rule that keeps an immutable field from being removed.
func (m *fixer) keep(doc *manifest.Document, path string) {
	node, _, _ := strings.Cut(path, ".x-kubernetes-validations")
	if strings.HasSuffix(path, ".x-kubernetes-validations") { // of the field itself
		cut := strings.LastIndex(node, ".properties[")
		if cut < 0 {
			return
		}
		node = node[:cut]
	}
	m.addRule(doc, node, hinted(m.of.Hint, "add the rule"))
}

// addRule offers to add a rule to a node.
func (m *fixer) addRule(doc *manifest.Document, node, rule string) {
	if rule == "" {
		return
	}
	title, item := "add the rule "+rule, "- rule: "+m.quoted(rule)
	first := doc.Find(node + ".x-kubernetes-validations[0]")
	if first.Missing == "" {
		line := first.Key.Line - 1
		if text := m.lines[line]; strings.HasPrefix(strings.TrimLeft(text, " "), "- ") {
			at := Position{line, 0}
			pad := strings.Repeat(" ", indent(text))
			m.offer(title, false, Edit{Range{at, at}, pad + item + "\n"})
		}
		return
	}
	m.offer(title, false, m.keyword(doc.Find(node), "x-kubernetes-validations:\n"+item)...)
}
