package describe

import (
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

// Markdown writes a version of a definition: what it is, a table of its fields,
// its rules, what an update may change, and what is removed. A field other than
// the root limits it to what is below.
func Markdown(b *strings.Builder, m *definition.Model, v *definition.Version, f Field) {
	fmt.Fprintf(b, "# %s %s/%s\n\n", escape(m.Names().Kind), escape(m.Group()), escape(v.Name))
	if f.Path != "" {
		fmt.Fprintf(b, "The field %s.\n\n", code(f.Path))
	}
	for paragraph := range strings.SplitSeq(f.Schema.Description(), "\n\n") {
		if text := oneLine(paragraph); text != "" {
			fmt.Fprintf(b, "%s\n\n", escape(text))
		}
	}
	about(b, m, v)
	fieldTable(b, f)
	ruleTable(b, f)
	updateList(b, v, f)
	removed(b, m, f)
}

// about writes how objects of a version are named and served.
func about(b *strings.Builder, m *definition.Model, v *definition.Version) {
	b.WriteString(strings.Join(marksOf(m, v, code), "; ") + ".\n\n")
}

// marksOf says how objects of a version are named and served. Names are written
// by a function.
func marksOf(m *definition.Model, v *definition.Version, name func(string) string) []string {
	names := m.Names()
	marks := []string{escape(string(m.Scope())) + ", plural " + name(names.Plural)}
	for _, short := range names.ShortNames {
		marks = append(marks, "short name "+name(short))
	}
	if v.Storage {
		marks = append(marks, "stored in this version")
	}
	if !v.Served {
		marks = append(marks, "not served")
	}
	if v.Deprecated {
		marks = append(marks, strings.TrimSuffix("deprecated: "+escape(deprecation(v)), ": "))
	}
	if v.HasStatus {
		marks = append(marks, "the status is a subresource")
	}
	if v.Scale != nil {
		marks = append(marks, "can be scaled by "+name(v.Scale.SpecReplicasPath))
	}
	return marks
}

// deprecation returns the warning of a deprecated version, which may be empty.
func deprecation(v *definition.Version) string {
	if v.DeprecationWarning == nil {
		return ""
	}
	return oneLine(*v.DeprecationWarning)
}

// mostRows is how many fields a table has.
const mostRows = 20_000

func fieldTable(b *strings.Builder, f Field) {
	b.WriteString("## Fields\n\n")
	head := "| field | type | values | description |\n| --- | --- | --- | --- |\n"
	rows := 0
	for child := range f.all() {
		if rows++; rows > mostRows {
			b.WriteString("\nMore fields are left out.\n")
			break
		}
		facts := child.facts(Fact.String)
		fmt.Fprintf(b, "%s| %s | %s | %s | %s |\n", head, cell(code(child.Path)),
			cell(Type(child.Schema)), cell(strings.Join(facts, "; ")),
			cell(escape(oneLine(child.Schema.Description()))))
		head = ""
	}
	if rows == 0 {
		b.WriteString("No field is declared.\n")
	}
	b.WriteString("\n")
}

// withSelf iterates over a field and what is below it.
func withSelf(f Field, yield func(Field) bool) {
	if !yield(f) {
		return
	}
	f.walk(yield)
}

// eachRule calls a function for the first rules at and below a field.
func eachRule(f Field, rule func(at Field)) {
	nodes := 0
	withSelf(f, func(at Field) bool {
		if len(at.Schema.Rules()) > 0 {
			nodes++
			rule(at)
		}
		return nodes < mostRows
	})
}

func ruleTable(b *strings.Builder, f Field) {
	title := "## Rules\n\n| field | rule | message |\n| --- | --- | --- |\n"
	end := ""
	eachRule(f, func(at Field) {
		for _, r := range at.Schema.Rules() {
			message := escape(oneLine(r.Message))
			if message == "" && r.MessageExpression != "" {
				message = code(oneLine(r.MessageExpression))
			}
			fmt.Fprintf(b, "%s| %s | %s | %s |\n", title, cell(code(at.place())),
				cell(code(oneLine(r.Rule))), cell(message))
			title, end = "", "\n"
		}
	})
	b.WriteString(end)
}

func updateList(b *strings.Builder, v *definition.Version, f Field) {
	b.WriteString("## Updates\n\n")
	if f.Path == "" {
		for _, line := range rootUpdates(v) {
			fmt.Fprintf(b, "- %s\n", line)
		}
	}
	none := f.Path != ""
	eachRule(f, func(at Field) {
		for _, line := range at.updates() {
			none = false
			fmt.Fprintf(b, "- %s: %s\n", code(at.place()), escape(oneLine(line)))
		}
	})
	if none {
		b.WriteString("Every field may be changed.\n")
	}
	b.WriteString("\n")
}

// removed says which unknown fields stay.
func removed(b *strings.Builder, m *definition.Model, f Field) {
	b.WriteString("## Unknown fields\n\n")
	if m.PreservesUnknownFields() {
		b.WriteString("Fields that are not in the table are kept.\n")
		return
	}
	kept := keepers(f, code)
	b.WriteString("Fields that are not in the table are removed")
	if len(kept) > 0 {
		b.WriteString(", except in " + strings.Join(kept, ", "))
	}
	b.WriteString(".\n")
}

// keepers returns the fields at and below one that keep unknown fields. Paths
// are written by a function.
func keepers(f Field, path func(string) string) (kept []string) {
	withSelf(f, func(at Field) bool {
		if at.Schema.PreservesUnknownFields() {
			kept = append(kept, path(at.place()))
		}
		return len(kept) < mostRows
	})
	return kept
}

// facts returns what is said about the values of a field, with the words of
// table cells. Facts of the schema are written by a function.
func (f Field) facts(text func(Fact) string) (facts []string) {
	if f.Required {
		facts = append(facts, "required")
	}
	if f.Schema.Nullable() {
		facts = append(facts, "may be null")
	}
	for _, fact := range Facts(f.Schema) {
		facts = append(facts, text(fact))
	}
	return facts
}

// cell returns a text that does not end the cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// escape returns a text in one line without the tags and the code of Markdown.
func escape(text string) string {
	return strings.NewReplacer("<", "&lt;", "`", "'").Replace(visible.Line(text))
}

// code returns a text in code style.
func code(text string) string {
	return "`" + strings.ReplaceAll(visible.Line(text), "`", "'") + "`"
}
