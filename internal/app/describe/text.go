package describe

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/structural"
)

// Text writes a field of a version as kubectl explain does, with what else the
// definition says about it. With recursive it lists the names of all fields
// below.
func Text(b *strings.Builder, m *definition.Model, v *definition.Version, f Field, recursive bool) {
	version := v.Name
	if !v.Served {
		version += " (not served)"
	}
	visible.Printf(b, "GROUP:      %s\nKIND:       %s\nVERSION:    %s\n\n",
		m.Group(), m.Names().Kind, version)
	if f.Path != "" {
		visible.Printf(b, "FIELD: %s <%s>%s\n\n", f.Name, shortType(f.Schema), marks(f))
	}
	if v.Deprecated {
		visible.Printf(b, "DEPRECATED: %s\n\n", cmp.Or(deprecation(v), "yes"))
	}
	b.WriteString("DESCRIPTION:\n")
	indented(b, orEmpty(f.Schema.Description()))
	section(b, "VALUES", factLines(f))
	section(b, "RULES", ruleLines(f))
	updates := f.updates()
	if f.Path == "" {
		updates = append(updates, rootUpdates(v)...)
	}
	section(b, "UPDATES", updates)
	section(b, "UNKNOWN FIELDS", unknownFields(m, f))
	fieldList(b, f, recursive)
}

// marks returns what follows a type.
func marks(f Field) string {
	text := ""
	if f.Required {
		text += " -required-"
	}
	if f.Schema.Nullable() {
		text += " -nullable-"
	}
	return text
}

func orEmpty(text string) string {
	if strings.TrimSpace(text) == "" {
		return "<empty>"
	}
	return text
}

func factLines(f Field) (lines []string) {
	for _, fact := range append(Facts(f.Schema), Inner(f.Schema)...) {
		lines = append(lines, fact.plain())
	}
	return lines
}

// ruleLines returns the rules of a field, and those above that read it, each
// followed by its message.
func ruleLines(f Field) (lines []string) {
	for _, r := range f.Schema.Rules() {
		lines = append(lines, ruleText(&r, "")...)
	}
	above, rules := f.readBy()
	for i := range above {
		for _, r := range rules[i] {
			lines = append(lines, ruleText(&r, " (of "+above[i].place()+")")...)
		}
	}
	return lines
}

func ruleText(r *structural.Rule, where string) []string {
	rule := oneLine(r.Rule) + where
	switch {
	case r.Message != "":
		return []string{rule, "    " + oneLine(r.Message)}
	case r.MessageExpression != "":
		return []string{rule, "    message: " + oneLine(r.MessageExpression)}
	}
	return []string{rule}
}

// rootUpdates returns what holds for updates of every object of a version.
func rootUpdates(v *definition.Version) []string {
	lines := []string{"name, namespace and uid cannot be changed"}
	if v.HasStatus {
		lines = append(lines, "status is changed through the subresource only")
	}
	return lines
}

// unknownFields says what happens to fields that an object does not declare.
func unknownFields(m *definition.Model, f Field) []string {
	s := f.item().Schema
	switch {
	case m.PreservesUnknownFields(), s.PreservesUnknownFields():
		return []string{"kept"}
	case s.Type() != "object" || s.AdditionalProperties() != nil:
		return nil
	}
	return []string{"removed"}
}

func section(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	for _, line := range lines {
		indented(b, line)
	}
}

// mostNames is how many names a recursive list has.
const mostNames = 100_000

// fieldList writes the fields directly below a field with their descriptions,
// or the names of all fields.
func fieldList(b *strings.Builder, f Field, recursive bool) {
	start := b.Len()
	b.WriteString("\nFIELDS:\n")
	empty := b.Len()
	if recursive {
		n := mostNames
		nameTree(b, f, "  ", &n)
	} else {
		if f.Path == "" {
			typeMetaList(b, f)
		}
		for child := range f.fields() {
			shortField(b, child)
		}
	}
	if b.Len() == empty {
		text := b.String()[:start]
		b.Reset()
		b.WriteString(text)
	}
}

func typeMetaList(b *strings.Builder, f Field) {
	for _, t := range typeMeta {
		if f.Schema.Property(t.name) == nil {
			fmt.Fprintf(b, "  %s\t<%s>\n    %s\n\n", t.name, t.typ, t.text)
		}
	}
}

// shortField writes the first paragraph of a field's description and its facts.
func shortField(b *strings.Builder, f Field) {
	visible.Printf(b, "  %s\t<%s>%s\n", f.Name, shortType(f.Schema), marks(f))
	first, _, _ := strings.Cut(f.Schema.Description(), "\n\n")
	if first != "" {
		indented(b, first)
	}
	if facts := factLines(f); len(facts) > 0 {
		indented(b, strings.Join(facts, "; "))
	}
	for _, line := range f.updates() {
		indented(b, line)
	}
	b.WriteString("\n")
}

// nameTree writes the names and types of all fields below a field.
func nameTree(b *strings.Builder, f Field, before string, left *int) {
	for child := range f.fields() {
		if *left--; *left < 0 {
			return
		}
		visible.Printf(b, "%s%s\t<%s>%s\n",
			before, child.Name, shortType(child.Schema), marks(child))
		nameTree(b, child, before+"  ", left)
	}
}

// textWidth is the width of paragraphs on a terminal.
const textWidth = 80

// indent is what stands before the lines of a section.
const indent = "    "

// indented writes the paragraphs of a text, wrapped.
func indented(b *strings.Builder, text string) {
	for line := range strings.Lines(text) {
		own := indent + line[:len(line)-len(strings.TrimLeft(line, " "))]
		width := 0
		for word := range strings.FieldsSeq(line) {
			switch {
			case width == 0:
				b.WriteString(own)
				width = len(own)
			case width+1+len(word) > textWidth:
				b.WriteString("\n" + own)
				width = len(own)
			default:
				b.WriteString(" ")
				width++
			}
			b.WriteString(word)
			width += len(word)
		}
		b.WriteString("\n")
	}
}
