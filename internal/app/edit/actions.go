package edit

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/sample"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/parallel"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Action is an edit that fixes a finding, or that may be wanted at a place.
type Action struct {
	Title string `json:"title"`
	Edits []Edit `json:"edits"`
	// Fixes is the finding; nil for an action that fixes none.
	Fixes *Diagnostic `json:"fixes,omitempty"`
	// Preferred is set if the edit is most likely what was meant, and Certain
	// if it needs no person to decide.
	Preferred bool `json:"preferred,omitempty"`
	Certain   bool `json:"certain,omitempty"`
}

// Actions returns the edits that fix the findings between two lines: a name
// that was misspelt, a field that would be pruned or that is missing, a value
// that wants quotes, a bound that brings a rule below its limit, a keyword that
// the hint names. The last one leaves out the finding by a comment. An edit is
// offered if the finding is gone with it, and no other one comes in its place.
// Of very many findings only the first twenty are fixed.
//
// On a scalar field of a definition, a column of it is offered, too.
func (w *Workspace) Actions(
	ctx context.Context, name string, first, last int,
) ([]Action, error) {
	found, err := w.Diagnose(ctx, name)
	if err != nil {
		return nil, err
	}
	f := w.file(name)
	if f == nil {
		return nil, nil
	}
	m := &fixer{w: w, ctx: ctx, file: f, lines: strings.Split(f.text(), "\n"), before: found}
	fixed := 0
	for i := range found {
		line := found[i].Range.Start.Line
		if line >= first && line <= last && fixed < mostFixed && ctx.Err() == nil {
			fixed++
			m.of = &found[i]
			m.fix()
		}
	}
	if first == last && f.mayDefine {
		m.of = nil
		m.column(first)
	}
	helpful := []Action{}
	for a := range parallel.InOrder(slices.Values(m.all), m.helps) {
		helpful = append(helpful, a...)
	}
	return helpful, ctx.Err()
}

// mostFixed is how many findings get actions at a time: each is tried.
const mostFixed = 20

// fixer makes the actions of one file.
type fixer struct {
	w      *Workspace
	ctx    context.Context
	file   *file
	lines  []string
	before []Diagnostic
	of     *Diagnostic
	all    []Action
}

// offer adds an action that may help.
func (m *fixer) offer(title string, preferred bool, edits ...Edit) {
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Compare(a.Range.Start.Line, b.Range.Start.Line)
	})
	if len(edits) > 0 {
		m.all = append(m.all, Action{Title: title, Edits: edits, Fixes: m.of, Preferred: preferred})
	}
}

// helps returns an action if its finding is gone with it, and no other one
// comes but those that the finding hid. One that fixes nothing needs no trial.
func (m *fixer) helps(a Action) []Action {
	if a.Fixes == nil {
		return []Action{a}
	}
	if m.ctx.Err() != nil {
		return nil
	}
	text := m.edited(a)
	trial := newFile(m.file.name, text)
	if helps, isKnown := m.isLeftOut(&a, trial); isKnown {
		if helps {
			return []Action{a}
		}
		return nil
	}
	// Most of the time goes into places, which rarely matter.
	hasComments := strings.Contains(text, "crdsem:ignore")
	one := []Action{a}
	if !hasComments && m.areFixed(one, trial.withoutPlaces()) || m.areFixed(one, trial) {
		return []Action{a}
	}
	return nil
}

// isLeftOut reports whether an action leaves out its finding by a comment: the
// objects stay as they are. isKnown is false for other actions, and in
// definitions and lists.
func (m *fixer) isLeftOut(a *Action, trial *file) (helps, isKnown bool) {
	if !strings.HasPrefix(a.Title, "leave out") {
		return false, false
	}
	line := a.Fixes.Range.Start.Line + 2 // of the finding, behind the comment
	var in document
	before, after := m.file.parsed(), trial.parsed()
	for i, d := range after {
		if len(before) != len(after) || d.err != nil && before[i].err == nil ||
			!jsonvalue.EqualExactly(d.Content, before[i].Content) {
			return false, true
		}
		if d.err == nil && d.Start().Line <= line {
			in = d
		}
	}
	if in.Document == nil || in.isDefinition() || len(in.items) > 0 {
		return false, false
	}
	r := &verdict.Result{Findings: []verdict.Finding{{Rule: a.Fixes.Rule, Line: line}}}
	n, _ := judge.DropCommented(in.Document, r)
	return n == 1, true
}

// areFixed reports whether the findings of actions are gone in a file, and no
// other one is there.
func (m *fixer) areFixed(all []Action, trial *file) bool {
	k := m.w.definitions(m.ctx)
	known := map[string]int{}
	for _, d := range m.before {
		known[d.Rule+d.Message]++
	}
	lines := &lineColumns{encoding: m.w.encoding, lines: strings.Split(trial.text(), "\n")}
	for _, j := range m.w.judged(m.ctx, k, trial) {
		for i := range j.result.Findings {
			d := lines.diagnostic(&j.result.Findings[i])
			known[d.Rule+d.Message]--
			isHidden := func(a Action) bool { return m.wasHidden(&a, d) }
			if known[d.Rule+d.Message] < 0 && !slices.ContainsFunc(all, isHidden) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(all, func(a Action) bool {
		known[a.Fixes.Rule+a.Fixes.Message]--
		return known[a.Fixes.Rule+a.Fixes.Message] < 0
	})
}

// wasHidden reports whether a finding that comes with an action was there
// before: that of a rule that was not evaluated, of what is below a field that
// was unknown by its name, or a warning about a definition that had errors.
func (m *fixer) wasHidden(a *Action, d Diagnostic) bool {
	if strings.HasPrefix(d.Rule, "CEL-") || strings.HasPrefix(d.Rule, "VAL-09") {
		return slices.ContainsFunc(m.before, func(b Diagnostic) bool {
			return b.RulesUnchecked
		})
	}
	if m.file.mayDefine && a.Fixes.Severity == string(verdict.Error) &&
		d.Severity != string(verdict.Error) {
		return true // a definition is linted when it has no errors
	}
	return strings.HasPrefix(a.Title, "change it") &&
		d.Range.Start.Line > a.Fixes.Range.Start.Line
}

var (
	meant    = regexp.MustCompile("did you mean `([^`]+)`")
	inQuotes = regexp.MustCompile("write it in quotes: `([^`]+)`")
	wanted   = regexp.MustCompile("`([\\w-]+): ([^`…]+)`")
)

// The rules of findings that fields can fix.
const (
	unknownField  = "PIPE-006"
	requiredField = "VAL-081"
)

// fix offers what fixes the finding.
func (m *fixer) fix() {
	d := m.of
	line := d.Range.Start.Line
	if found := meant.FindStringSubmatch(d.Hint); found != nil {
		m.offer("change it to "+found[1], true, Edit{d.Range, found[1]})
	}
	if found := inQuotes.FindStringSubmatch(d.Hint); found != nil && d.Rule != "LINT-enum" {
		m.offer("write it in quotes", true, Edit{d.Range, found[1]})
		m.all[len(m.all)-1].Certain = d.Rule == "LINT-boolean"
	}
	if d.Rule == unknownField && strings.Contains(d.Message, "unknown field") {
		edits, title := m.removal(line, d.Range.Start.Column), "remove it"
		if len(edits) > 0 && edits[0].Range.End.Line > line+1 {
			title += " with all that is below it"
		}
		m.offer(title, false, edits...)
	}
	if d.Rule == requiredField {
		if edit, ok := m.insertion(line, d.Field); ok {
			m.offer("add "+d.Field, true, edit)
		}
	}
	m.bounds()
	before := len(m.all)
	if m.onDefinition(); len(m.all) == before {
		m.hinted()
	}
	m.repairs()
	if d.Rule != "" && !strings.HasSuffix(m.file.name, ".json") {
		column := indent(m.lines[line])
		comment := strings.Repeat(" ", column) + "# crdsem:ignore " + d.Rule + " because …\n"
		at := Position{line, 0}
		m.offer(fmt.Sprintf("leave out %s here, with a reason", d.Rule), false,
			Edit{Range{at, at}, comment})
	}
}

// removal returns the edit that removes the field at a line, whose key is in a
// column. The first field of an item leaves the dash to the next one. A field
// in flow style stays.
func (m *fixer) removal(line, key int) []Edit {
	text := m.lines[line]
	isItem := strings.HasPrefix(strings.TrimLeft(text, " "), "- ")
	column := len(text) - len(strings.TrimLeft(text, " -"))
	isFirst := key == m.w.encoding.column(text, column)
	if !isFirst || !keyText.MatchString(text[column:]) {
		return nil
	}
	end := line + 1
	for n := end; n < len(m.lines); n++ {
		rest := strings.TrimSpace(m.lines[n])
		own := indent(m.lines[n])
		if rest == "" || rest[0] == '#' && own <= column {
			continue // what follows decides
		}
		if own < column || own == column && !strings.HasPrefix(rest, "- ") {
			break
		}
		end = n + 1
	}
	whole := Range{Position{line, 0}, Position{end, 0}}
	if !isItem {
		return []Edit{{whole, ""}}
	}
	if end < len(m.lines) && indent(m.lines[end]) == column {
		return []Edit{{Range{Position{line, 0}, Position{end, column}}, text[:column]}}
	}
	return nil
}

// insertion returns the edit that adds a field to the object at a line: before
// its first field, with a value of its type.
func (m *fixer) insertion(line int, field string) (Edit, bool) {
	name := field[strings.LastIndexByte(field, '.')+1:]
	text := strings.TrimRight(m.lines[line], " \r")
	isItem := strings.HasPrefix(strings.TrimLeft(text, " "), "- ")
	column := len(text) - len(strings.TrimLeft(text, " -"))
	at := Position{line, m.w.encoding.column(text, column)}
	way := wayTo(m.lines, line, column)
	if !isItem {
		if !strings.HasSuffix(text, ":") {
			return Edit{}, false // the object is on one line
		}
		way = wayTo(m.lines, line, len(text))
		at = Position{line + 1, 0}
		column = m.below(line)
	}
	value := any("")
	root := m.w.definitions(m.ctx).schema(way.value("apiVersion"), way.value("kind"))
	if s := nodeAt(root, append(way.steps, wayStep{key: name})); s != nil {
		value = sample.Value(s)
	}
	var b strings.Builder
	sample.WriteYAML(&b, map[string]any{name: value}, column)
	if isItem { // it takes the place behind the dash
		return Edit{Range{at, at}, b.String()[column:] + strings.Repeat(" ", column)}, true
	}
	return Edit{Range{at, at}, b.String()}, true
}

// below returns the column of what is below a key.
func (m *fixer) below(line int) int {
	column := len(m.lines[line]) - len(strings.TrimLeft(m.lines[line], " -"))
	for next := line + 1; next < len(m.lines); next++ {
		if text := strings.TrimSpace(m.lines[next]); text != "" && text[0] != '#' {
			if own := indent(m.lines[next]); own > column {
				return own
			}
			break
		}
	}
	return column + 2
}

// bounds offers the bounds that bring the rule of the finding below its limit.
func (m *fixer) bounds() {
	if !strings.HasPrefix(m.of.Rule, "COST-") && m.of.Rule != "LINT-bound" {
		return
	}
	for _, c := range m.w.ruleCosts(m.ctx, m.file) {
		if c.line > m.of.Range.Start.Line || c.line < m.of.Range.Start.Line-1 ||
			len(c.Suggestion) == 0 {
			continue
		}
		var edits []Edit
		for _, e := range c.Suggestion {
			path := c.schema + strings.TrimPrefix(e.Path, "openAPIV3Schema")
			edits = append(edits, m.setBound(c.doc, path, e.Keyword, e.Value)...)
		}
		text := make([]string, len(c.Suggestion))
		for i, e := range c.Suggestion {
			text[i] = fmt.Sprintf("%s: %d", e.Keyword, e.Value)
		}
		m.offer("set "+strings.Join(text, ", "), true, edits...)
		return
	}
}

// hinted offers the keywords that a hint says to set.
func (m *fixer) hinted() {
	hint, _, _ := strings.Cut(m.of.Hint, ", or ")
	if !strings.HasPrefix(hint, "set `") {
		return
	}
	var place manifest.Place
	each(m.file.parsed(), func(d document) {
		if d.err == nil && d.Start().Line <= m.of.Range.Start.Line+1 {
			place = d.Find(m.of.Field)
		}
	})
	var edits []Edit
	var texts []string
	for _, found := range wanted.FindAllStringSubmatch(hint, -1) {
		texts = append(texts, found[1]+": "+found[2])
		edits = append(edits, m.keyword(place, found[1]+": "+found[2])...)
	}
	if len(edits) == len(texts) && len(texts) > 0 {
		m.offer("set "+strings.Join(texts, ", "), true, edits...)
	}
}

// column offers a column of kubectl get for the scalar field of a definition at
// a line.
func (m *fixer) column(line int) {
	if line < 0 || line >= len(m.lines) {
		return
	}
	way := wayTo(m.lines, line, len(m.lines[line]))
	steps, k := way.onLine(m.lines, line, 0)
	if way.value("kind") != definitionKind || k.key == "" ||
		inSchema(steps[:len(steps)-1]) != atSchemas {
		return
	}
	path, schema := "", newSchemaText(way)
	typ := schema.word(k.id, "type")
	for i, step := range steps {
		switch inSchema(steps[:i]) {
		case atSchemas:
			path += pathStep(step.key)
		case atSchema:
			if step.key != "properties" {
				return
			}
		}
	}
	if schema.word(k.id, "format") == "date-time" {
		typ = "date"
	}
	if typ == "object" || typ == "array" || typ == "" {
		return
	}
	name := []rune(k.key)
	name[0] = unicode.ToUpper(name[0])
	written := path
	if strings.Contains(path, `"`) {
		written = sample.JSON(path)
	}
	text := fmt.Sprintf("- name: %s\n  type: %s\n  jsonPath: %s\n",
		sample.Scalar(string(name)), typ, written)
	if at, column, ok := m.columns(schema, steps[2].id); ok {
		pad := strings.Repeat(" ", column)
		if _, has := schema.child(steps[2].id, "additionalPrinterColumns"); !has {
			text = "additionalPrinterColumns:\n" + text
		}
		text = pad + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+pad) + "\n"
		m.offer("add a column for "+path, false, Edit{Range{at, at}, text})
	}
}

// columns returns where a column of a version goes.
func (m *fixer) columns(s *schemaText, version int) (at Position, column int, ok bool) {
	if k, has := s.child(version, "additionalPrinterColumns"); has {
		for n := k.line + 1; n < len(m.lines); n++ {
			text := strings.TrimLeft(m.lines[n], " ")
			column := indent(m.lines[n])
			if text != "" && text[0] != '#' {
				isItem := column >= k.column && strings.HasPrefix(text, "- ")
				return Position{n, 0}, column, isItem
			}
		}
		return at, 0, false
	}
	k, has := s.child(version, "schema")
	return Position{k.line, 0}, k.column, has && indent(m.lines[k.line]) == k.column
}
