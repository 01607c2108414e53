package edit

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/schemapath"
)

var (
	renamed = regexp.MustCompile("^name the definition `([^`]+)`")
	// written are the keywords that a hint says to write, e.g. `type: array`.
	written  = regexp.MustCompile("(?:\\b(?:set|add|or) |e\\.g\\. )`([\\w-]+): ([^`…]+)`")
	versionN = regexp.MustCompile(`^spec\.versions\[(\d+)\]\.name$`)
)

// onDefinition offers what the hint on a definition says to write: a name, or a
// keyword with a value. Each value of several is an action of its own.
func (m *fixer) onDefinition() {
	d, ok := m.documentOf()
	if !ok || !d.isDefinition() || m.of.Severity != string(verdict.Error) {
		return
	}
	field := schemapath.V1(m.of.Field)
	if found := renamed.FindStringSubmatch(m.of.Hint); found != nil {
		m.assign(d, "metadata", "name", found[1], true)
		return
	}
	if m.of.Field == "spec.versions" && strings.HasPrefix(m.of.Hint, "set `storage: true`") {
		isOne := len(versionsOf(d)) == 1
		for i := range versionsOf(d) {
			m.assign(d, fmt.Sprintf("spec.versions[%d]", i), "storage", "true", isOne)
		}
		return
	}
	if versionN.MatchString(field) && d.Find(field).Missing != "" {
		m.assign(d, strings.TrimSuffix(field, ".name"), "name", unusedVersion(d), false)
		return
	}
	values := written.FindAllStringSubmatch(m.of.Hint, -1)
	for _, v := range values {
		node := strings.TrimSuffix(field, "."+v[1])
		m.assign(d, node, v[1], v[2], len(values) == 1)
	}
}

// documentOf returns the document of the finding.
func (m *fixer) documentOf() (in document, ok bool) {
	each(m.file.parsed(), func(d document) {
		if d.err == nil && d.Start().Line <= m.of.Range.Start.Line+1 {
			in, ok = d, true
		}
	})
	return in, ok
}

// versionsOf returns the versions of a definition.
func versionsOf(d document) []any {
	spec, _ := d.Content["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	return versions
}

// unusedVersion returns the first name of v1, v2, … that no version has.
func unusedVersion(d document) string {
	names := map[any]bool{}
	for _, v := range versionsOf(d) {
		version, _ := v.(map[string]any)
		names[version["name"]] = true
	}
	n := 1
	for names[fmt.Sprintf("v%d", n)] {
		n++
	}
	return fmt.Sprintf("v%d", n)
}

// assign offers to give a field of a node a value: in place of the one that it
// has, or as a new field.
func (m *fixer) assign(d document, node, key, value string, preferred bool) {
	text := key + ": " + value
	place := d.Find(node + "." + key)
	if place.Missing != "" {
		m.offer("set "+text, preferred, m.keyword(d.Find(node), text)...)
		return
	}
	line := place.Value.Line - 1
	if line < 0 || line >= len(m.lines) {
		return
	}
	start := UTF32.offset(m.lines[line], place.Value.Column-1)
	end := start + len(plainValue.FindString(m.lines[line][start:]))
	m.offer("set "+text, preferred, Edit{m.w.span(m.lines[line], line, start, end), value})
}

// plainValue matches a scalar without quotes.
var plainValue = regexp.MustCompile(`^[^\s"'#{}\[\],|>&*][^\s,}\]]*`)
