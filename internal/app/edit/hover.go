package edit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/describe"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/structural"
)

// Hover returns what is known of the field, the keyword or the name in a rule
// at a position, as Markdown; empty if nothing is.
func (w *Workspace) Hover(ctx context.Context, name string, at Position) string {
	lines, ok := w.lines(name, at)
	if !ok {
		return ""
	}
	offset := w.encoding.offset(lines[at.Line], at.Column)
	way := wayTo(lines, at.Line, offset)
	if way.inRule() {
		return w.hoverRule(ctx, name, lines, way, Position{at.Line, offset})
	}
	steps, k := way.onLine(lines, at.Line, offset)
	if len(steps) == 0 {
		return ""
	}
	if way.value("kind") == definitionKind {
		text := keywordText(steps)
		if text == "" && k.id != 0 && inSchema(steps[:len(steps)-1]) == atSchemas {
			text = w.hoverProperty(way, k)
		}
		return text
	}
	apiVersion, kind := way.value("apiVersion"), way.value("kind")
	known := w.definitions(ctx)
	root := known.schema(apiVersion, kind)
	o, v := known.of(apiVersion, kind)
	more := ""
	if len(steps) == 1 && v != nil {
		more = w.aboutObject(ctx, name, at.Line, v, steps[0].key)
	}
	s := nodeAt(root, steps)
	if s == nil {
		return more
	}
	last := cmp.Or(steps[len(steps)-1].key, "item")
	text := fieldText(s, last, nodeAt(root, steps[:len(steps)-1]).Values().Required)
	if v == nil {
		return text // it is built into Kubernetes
	}
	for _, line := range moreOf(v, steps) {
		text += "\n- " + line
	}
	rules := ruleTexts(w.ruleCosts(ctx, o.file))
	text += rules.of(s) + rules.about(root, steps)
	if more != "" {
		text += "\n\n" + more
	}
	return text
}

// moreOf returns what an update may not change, and what happens to fields that
// are not declared.
func moreOf(v *crdsem.Version, steps []wayStep) []string {
	var names []string
	for _, step := range steps {
		if !step.item {
			names = append(names, step.key)
		}
	}
	f, ok := describe.Along(describe.Field{Schema: v.Schema()}, names)
	if !ok {
		return nil
	}
	return f.More(v.Definition().Model())
}

// onLine returns the steps to the last key on a line that begins before a byte,
// to the first one if all are behind it, or else to the position.
func (w *way) onLine(lines []string, line, offset int) ([]wayStep, wayKey) {
	var found wayKey
	for _, k := range w.keys {
		if k.line == line && (found.id == 0 || k.column <= offset) {
			found = k
		}
	}
	if found.id == 0 {
		return w.steps, found
	}
	in := wayTo(lines, line, found.column)
	return append(in.steps, wayStep{key: found.key, id: found.id}), found
}

// keywordText returns what a key of a definition does.
func keywordText(steps []wayStep) string {
	for _, k := range keywordsOf(steps[:len(steps)-1]) {
		if k.name == steps[len(steps)-1].key {
			return fmt.Sprintf("**%s**: %s\n\n%s", k.name, k.detail, k.text)
		}
	}
	return ""
}

// hoverProperty describes a field where a definition declares it.
func (w *Workspace) hoverProperty(way *way, k wayKey) string {
	schema := newSchemaText(way)
	text := fmt.Sprintf("**%s**: %s in CEL", k.key, schema.typeAt(k.id))
	if name := celsyntax.Name(k.key); name != k.key {
		text += fmt.Sprintf(", written `%s`", name)
	}
	return text
}

// fieldText returns a field's type, description and facts.
func fieldText(s *structural.Schema, name string, required []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s", name, describe.Type(s))
	if slices.Contains(required, name) {
		b.WriteString(", required")
	}
	if s.Nullable() {
		b.WriteString(", nullable")
	}
	if text := s.Description(); text != "" {
		fmt.Fprintf(&b, "\n\n%s", text)
	}
	for _, fact := range describe.Facts(s) {
		fmt.Fprintf(&b, "\n- %s", fact)
	}
	return b.String()
}

// ruleTexts are the costs of the rules of a definition.
type ruleTexts []ruleCost

// text returns a rule with its message and its cost.
func (t ruleTexts) text(r *structural.Rule) string {
	text := fmt.Sprintf("\n\n```cel\n%s\n```", r.Rule)
	if r.Message != "" {
		text += "\n" + r.Message
	}
	for i := range t {
		if t[i].Rule.Rule == r.Rule {
			return text + "\n(" + t[i].short() + ")"
		}
	}
	return text
}

// of returns the rules of a node.
func (t ruleTexts) of(s *structural.Schema) (text string) {
	for _, r := range s.Rules() {
		text += t.text(&r)
	}
	return text
}

// about returns the rules above a field that select it.
func (t ruleTexts) about(root *structural.Schema, steps []wayStep) string {
	var b strings.Builder
	for n := len(steps) - 1; n >= 0; n-- {
		s := nodeAt(root, steps[:n])
		for _, r := range s.Rules() {
			if selects(r.Rule, s, steps[n:]) {
				b.WriteString(t.text(&r))
			}
		}
	}
	return b.String()
}

// hoverRule describes the name at a line and a byte, and what the rule does to
// the objects of the workspace.
func (w *Workspace) hoverRule(
	ctx context.Context, name string, lines []string, way *way, at Position,
) string {
	schema := newSchemaText(way)
	key := schema.keys[way.steps[len(way.steps)-1].id]
	e := newExpression(lines, schema, key, len(lines), 0)
	var parts []string
	for i, t := range e.tokens {
		if t.line != at.Line || t.start > at.Column || t.end < at.Column || t.kind != 'i' {
			continue
		}
		if e.is(i+1, "(") {
			parts = append(parts, e.hoverCall(w, i))
			break
		}
		of := e.typeOf(e.operand(i+1), i+1)
		text := fmt.Sprintf("**%s**: %s", t.text, of)
		if about := schema.word(of.node, "description"); of.node > 0 && about != "" {
			text += "\n\n" + about
		}
		parts = append(parts, text)
		break
	}
	if key.key == "rule" {
		parts = append(parts, w.costAt(ctx, name, key.line), w.warned(ctx, name, key.line),
			w.valuesIn(ctx, e))
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, "\n\n")
}

// nextCheck is the check of lint for what the next minor refuses.
const nextCheck = "LINT-next"

// warned returns what the next minor of Kubernetes does to the rule at a line,
// and what to write instead.
func (w *Workspace) warned(ctx context.Context, name string, line int) string {
	found, err := w.Diagnose(ctx, name)
	if err != nil {
		return ""
	}
	for _, d := range found {
		if d.Rule == nextCheck && d.Range.Start.Line == line {
			_, text, _ := strings.Cut(d.Message, ": ")
			return text + ".\n\n" + d.Hint + "."
		}
	}
	return ""
}

// hoverCall describes a function that is called.
func (e *expression) hoverCall(w *Workspace, i int) string {
	receiver := celType{name: globalReceiver}
	if e.is(i-1, ".") {
		receiver = e.typeOf(e.operand(i-1), i-1)
	}
	for _, f := range functionsOf(w.oldest()) {
		if f.name == e.tokens[i].text && f.takes(receiver) {
			return fmt.Sprintf("`%s`\n\n%s", f.signature, f.text)
		}
	}
	return ""
}

// mostForRules is how many bytes of other files are read for the objects that a
// rule is evaluated on.
const mostForRules = 1 << 20

// valuesIn returns the objects of the workspace that a rule refuses, with the
// values that it saw.
func (w *Workspace) valuesIn(ctx context.Context, e *expression) string {
	rule := strings.Join(strings.Fields(e.text()), "")
	spec, _ := e.schema.child(0, "spec")
	names, _ := e.schema.child(spec.id, "names")
	kind := e.schema.word(names.id, "kind")
	if kind == "" {
		return ""
	}
	var lines []string
	k := w.definitions(ctx)
	for f := range w.mentioning(kind, mostForRules) {
		for _, j := range w.judged(ctx, k, f) {
			for _, x := range j.result.Explanations {
				if strings.Join(strings.Fields(x.Rule), "") == rule {
					lines = append(lines, refusalText(j.result, &x))
				}
			}
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "It refuses:\n" + strings.Join(lines, "\n")
}

// refusalText says which object a rule refuses, and what it saw.
func refusalText(r *verdict.Result, x *verdict.Explanation) string {
	text := fmt.Sprintf("- %s (%s:%d)", r.Subject(), r.File, r.Line)
	for i, term := range x.Terms {
		if i == 6 {
			break
		}
		text += fmt.Sprintf(", `%s` is `%s`", term.Text, term.Value)
	}
	return text
}

// text returns the tokens of an expression.
func (e *expression) text() string {
	var b strings.Builder
	for _, t := range e.tokens {
		b.WriteString(t.text)
	}
	return b.String()
}
