package compilation

import (
	"context"

	"cel.dev/cel-go/cel"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Rule is a compiled rule with its messageExpression. A blank rule has neither
// an expression nor an error (CEL-014).
type Rule struct {
	// Expression is the compiled rule, nil if it cannot run.
	Expression *Expression
	// Err says why the rule cannot run.
	Err *Error
	// UsesOldSelf reports whether the rule refers to oldSelf, even if it cannot
	// run.
	UsesOldSelf bool

	messageScope *Scope
	messageText  string
	message      flight[message]
}

// message is a compiled messageExpression or its error. Both are nil without a
// messageExpression, and if the rule does not compile.
type message struct {
	expression *Expression
	err        *Error
}

// MessageExpression compiles the messageExpression when it is first needed.
// Both results are nil if there is no messageExpression or if the rule does not
// compile.
func (r *Rule) MessageExpression() (*Expression, *Error) {
	m, _ := r.message.get(context.Background(), r.newMessage)
	return m.expression, m.err
}

// PrepareMessage compiles the messageExpression, so that MessageExpression does
// not have to. If the context ends first, its cause is the error.
func (r *Rule) PrepareMessage(ctx context.Context) error {
	if r.messageText == "" {
		return nil
	}
	_, err := r.message.get(ctx, r.newMessage)
	return err
}

func (r *Rule) newMessage() (m message) {
	if r.Expression == nil || r.messageText == "" {
		return m
	}
	m.expression, m.err = r.messageScope.compile(r.messageText, cel.StringType, messageWording)
	if m.err != nil {
		m.expression = nil
	}
	return m
}

// alike returns the newest minor if the rule is the same in a minor. Otherwise
// it returns a minor in which it is the same as in that one.
func (r *Rule) alike(p *profile.Profile) *profile.Profile {
	if r.Expression == nil {
		if r.Err == nil {
			return profile.Latest()
		}
		return p
	}
	changes := r.Expression.minors()
	message, err := r.MessageExpression()
	if err != nil {
		return p
	}
	if message != nil {
		changes |= message.minors()
	}
	return changes.Before(p)
}

// Cost returns the estimated cost of the rule in a minor for values of a node.
// It is 0 with the error of a rule that does not compile.
func (r *Rule) Cost(p *profile.Profile, n *decl.Node) (uint64, *Error) {
	if r.Expression == nil {
		return 0, r.Err
	}
	return r.Expression.MaxCost(p, n), nil
}

// MessageCost returns the estimated cost of the messageExpression. It is 0 if
// the rule itself has an error.
func (r *Rule) MessageCost(p *profile.Profile, n *decl.Node) (uint64, *Error) {
	message, err := r.MessageExpression()
	if err != nil || message == nil {
		return 0, err
	}
	return message.MaxCost(p, n), nil
}
