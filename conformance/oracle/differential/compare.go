package differential

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/crdsem/crdsem/conformance/suite"
	"github.com/crdsem/crdsem/generate/schemagen"
	"github.com/crdsem/crdsem/internal/protocol"
)

// Pair is the two handlers that are compared.
type Pair struct {
	Real, Ours protocol.Handler
}

// verdict is the result of comparing a case.
type verdict int

const (
	agree verdict = iota
	bothFault
	realPanics
	differ
)

// tries is how often the real code is asked before a case counts as different.
const tries = 24

// compare asks both handlers. The text describes the difference.
func (p Pair) compare(ctx context.Context, c Case) (verdict, string) {
	line, err := c.Line("1")
	if err != nil {
		return bothFault, ""
	}
	ours := protocol.AnswerLine(ctx, line, p.Ours)
	got := ours.AppendJSON(nil)
	first := ""
	for range tries {
		real := protocol.AnswerLine(ctx, line, p.Real)
		switch {
		case strings.HasPrefix(ours.Fault, "panic:"):
			return differ, "ours panics: " + ours.Fault
		case strings.HasPrefix(real.Fault, "panic:"):
			return realPanics, ""
		case real.Fault != "" && ours.Fault != "":
			return bothFault, ""
		}
		difference, err := suite.Difference(real.AppendJSON(nil), got)
		if err != nil {
			difference = err.Error()
		}
		if difference == "" {
			return agree, ""
		}
		if first == "" {
			first = difference
		}
	}
	return differ, first
}

// Finding is a case on which the handlers differ.
type Finding struct {
	Case       Case
	Difference string
	// Why is the reason of a known difference, or empty.
	Why string
}

// shrink makes a differing case smaller. The case must stay allowed, and the
// difference must keep its form. Names and numbers in it may change.
func (p Pair) shrink(ctx context.Context, c Case, difference string) Finding {
	wanted := form(difference)
	interesting := func(v any) bool {
		smaller, ok := c.with(v)
		if !ok || !p.allowed(ctx, smaller) {
			return false
		}
		again, text := p.compare(ctx, smaller)
		return again == differ && form(text) == wanted
	}
	inputs := c.Inputs
	for name := range c.Inputs {
		if plain := c.unspelled(name); plain != nil && interesting(plain) {
			inputs = plain
			break
		}
	}
	small, _ := c.with(schemagen.Shrink(inputs, interesting))
	_, text := p.compare(ctx, small)
	return Finding{Case: small, Difference: text}
}

// form reduces a difference to its essence. For a fault on one side that is the
// fault. Otherwise it is the path and the direction of the first line, and the
// type of its error if it has one.
func form(difference string) string {
	for line := range strings.Lines(difference) {
		if what, ok := strings.CutPrefix(line, ".fault: "); ok {
			return "fault " + letters(what)
		}
	}
	line, _, _ := strings.Cut(difference, "\n")
	place, what, _ := strings.Cut(line, ": ")
	word, rest, _ := strings.Cut(what, " ")
	var e struct{ Type, Detail string }
	if json.Unmarshal([]byte(rest), &e) == nil && e.Type != "" {
		return place + " " + word + " " + e.Type + " " + letters(e.Detail)
	}
	top := strings.SplitN(strings.TrimPrefix(place, "."), ".", 2)[0]
	return top + " " + word
}

// letters reduces a text to its first words.
func letters(text string) string {
	words := strings.Fields(text)
	var kept []string
	for _, w := range words {
		if strings.IndexFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) < 0 {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept[:min(len(kept), 6)], " ")
}

// allowed reports whether the server could get a case. Objects are admitted and
// converted only under definitions that the server accepts.
func (p Pair) allowed(ctx context.Context, c Case) bool {
	switch c.Op {
	case protocol.OpAdmit, protocol.OpConvert:
		return accepts(ctx, p.Real, c.Inputs["crd"])
	}
	return true
}

// accepts reports whether the real code accepts a definition.
func accepts(ctx context.Context, real protocol.Handler, crd any) bool {
	line, err := Case{protocol.OpCRD, map[string]any{"crd": crd}}.Line("1")
	if err != nil {
		return false
	}
	result, ok := protocol.AnswerLine(ctx, line, real).Result.(protocol.Definition)
	return ok && len(result.Errors) == 0
}
