package celrules

import (
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
)

// maxMessageBytes is the maximum length of a usable message. It is the server's
// MaxEvaluatedMessageExpressionSizeBytes in
// k8s.io/apiserver/pkg/apis/cel/config.go.
const maxMessageBytes = 5 << 10

// evalMessage evaluates a messageExpression, e.g. `'min is ' +
// string(self.min)`. The message is empty if it cannot be used (CEL-094). If
// fatal is not empty, it says why no further rule may run (CEL-095).
//
// A messageExpression sees oldSelf as a rule without optionalOldSelf does, even
// if it was compiled for an optional oldSelf (CEL-096).
func (e *evaluation) evalMessage(expression *compilation.Expression) (message, fatal string) {
	e.vars.optional = false
	text, cost, err := e.vars.evalString(e.ctx, expression, e.rules.limits)
	switch {
	case !e.pay(cost):
		return "", "messageExpression evaluation failed due to running out of cost budget, " +
			"no further validation rules will be run"
	case isOverCallLimit(err):
		return "", fmt.Sprintf("no further validation rules will be run due to "+
			"call cost exceeds limit for messageExpression: %q", expression.Text)
	case isInterrupted(err):
		e.noteInterrupt()
		return "", ""
	case err != nil:
		return "", ""
	}
	return usableMessage(text), ""
}

// usableMessage returns the message without the space around it, or an empty
// string if it is too long or has more than one line.
func usableMessage(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > maxMessageBytes || strings.Contains(text, "\n") {
		return ""
	}
	return text
}
