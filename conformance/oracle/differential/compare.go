package differential

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
	"github.com/crdsem/crdsem/kit/generate"
)

// Respondent answers the line of a request with the line of its answer, both
// without line breaks. It may be called from several goroutines at a time.
type Respondent func(ctx context.Context, line []byte) []byte

// Handled returns the respondent that calls a handler.
func Handled(handler protocol.Handler) Respondent {
	return func(ctx context.Context, line []byte) []byte {
		return protocol.AnswerLine(ctx, line, handler).AppendJSON(nil)
	}
}

// Pair is the two respondents that are compared.
type Pair struct {
	Real, Ours Respondent
	// Level is the shallowest level at which answers count as different. If it
	// is empty, every difference counts.
	Level suite.Level
}

// verdict is the result of comparing a case.
type verdict int

const (
	agree verdict = iota
	bothFault
	realPanics
	otherTexts // the answers differ in texts only, and these do not count
	otherCosts // the answers differ in costs, and these do not count
	differ
)

// tries is how often the real code is asked before a case counts as different.
const tries = 24

// compare asks both. The text describes the difference.
func (p Pair) compare(ctx context.Context, c Case) (verdict, string) {
	line, err := c.Line("1")
	if err != nil {
		return bothFault, ""
	}
	ours := p.Ours(ctx, line)
	first, costs := "", false
	for range tries {
		real := p.Real(ctx, line)
		oursFault, realFault := faultOf(ours), faultOf(real)
		switch {
		case strings.HasPrefix(oursFault, "panic:"):
			return differ, "ours panics: " + oursFault
		case strings.HasPrefix(realFault, "panic:"):
			return realPanics, ""
		case realFault != "" && oursFault != "":
			return bothFault, ""
		case realFault != "":
			return differ, "the real code: " + realFault
		}
		level, err := suite.Depth(real, ours)
		switch {
		case err != nil:
			return differ, err.Error()
		case level == suite.Same:
			return agree, ""
		case p.Level.Deeper(level) && level != suite.Cost:
			return otherTexts, ""
		}
		costs = costs || p.Level.Deeper(level)
		if first == "" {
			first, _ = suite.Difference(real, ours) // Depth has read both
		}
	}
	if costs {
		return otherCosts, ""
	}
	return differ, first
}

// faultOf returns the fault of an answer, or "".
func faultOf(answer []byte) string {
	if !bytes.HasPrefix(answer, []byte(`{"id":"1","fault":`)) {
		return ""
	}
	var head struct{ Fault string }
	if err := json.Unmarshal(answer, &head); err != nil {
		return err.Error()
	}
	return head.Fault
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
	small, _ := c.with(generate.Shrink(inputs, interesting))
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

// allowed reports whether the server could get a case. Objects are admitted,
// converted, stored and read only under definitions that the server accepts.
func (p Pair) allowed(ctx context.Context, c Case) bool {
	switch c.Op {
	case protocol.OpAdmit, protocol.OpConvert, protocol.OpStore, protocol.OpRead:
		return accepts(ctx, p.Real, c.Inputs["crd"])
	}
	return true
}

// accepts reports whether the real code accepts a definition.
func accepts(ctx context.Context, real Respondent, crd any) bool {
	line, err := Case{Op: protocol.OpCRD, Inputs: map[string]any{"crd": crd}}.Line("1")
	if err != nil {
		return false
	}
	var answer struct{ Errors *[]json.RawMessage }
	err = json.Unmarshal(real(ctx, line), &answer)
	return err == nil && answer.Errors != nil && len(*answer.Errors) == 0
}
