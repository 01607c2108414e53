package celrules

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

const (
	spentBudget    = "validation failed due to running out of cost budget, no further validation rules will be run"
	overCallLimit  = "operation cancelled: actual cost limit exceeded"
	missedOverload = "no such overload"
)

// runRules runs the rules of one place on one value. It returns false once no further rule may run.
func (w *walker) runRules(p *plan, f *frame) bool {
	typ := f.schema.Type()
	programs, err := p.compile(w.rules.cache)
	if err != nil {
		w.result.Errors = append(w.result.Errors,
			field.Invalid(f.path(w.options.path), typ, fmt.Sprintf("rule compiler initialization error: %v", err)))
		return true
	}
	if w.remaining <= 0 {
		return w.stop(field.Invalid(f.path(w.options.path), typ, spentBudget))
	}
	vars := newVariables(f.value, p.node)
	defer vars.release()
	if p.usesOldSelf {
		vars.setOld(f.oldValue())
	}
	for i, program := range programs {
		rule := &p.given.Rules()[i]
		if program.err != nil {
			w.result.Errors = append(w.result.Errors,
				field.Invalid(f.path(w.options.path), typ, fmt.Sprintf("rule compile error: %v", program.err)))
			continue
		}
		if program.rule == nil {
			continue
		}
		run := evaluation{walker: w, frame: f, program: program, rule: rule, index: i, vars: vars}
		if !run.rulePasses() && !run.failRule() {
			return false
		}
	}
	return true
}

// evaluation is one rule at one value.
type evaluation struct {
	*walker
	frame   *frame
	program *ruleProgram
	rule    *structural.Rule
	index   int
	vars    *variables

	err     error // of the rule's evaluation
	stopped bool
}

// rulePasses evaluates the rule and pays for it. A transition rule without an old value passes unseen (CEL-100).
func (e *evaluation) rulePasses() bool {
	optional := seesOptional(e.rule)
	if e.program.usesOldSelf && !optional && e.frame.oldValue() == nil {
		return true
	}
	e.vars.optional = optional
	holds, cost, err := e.program.rule.truth(e.ctx, e.vars, e.rules.limit)
	if !e.pay(cost) {
		e.stopped = true
		return e.stop(e.invalid(spentBudget))
	}
	if e.options.observe {
		e.observed().Evaluations++
	}
	e.err = err
	return holds && err == nil
}

// pay takes a cost from the budget, if it is there.
func (e *evaluation) pay(cost uint64) bool {
	if int64(cost) < 0 || int64(cost) > e.remaining {
		return false
	}
	e.remaining -= int64(cost)
	if e.options.observe {
		e.observed().Cost += cost
	}
	return true
}

func (e *evaluation) invalid(detail string) *field.Error {
	return field.Invalid(e.frame.path(e.options.path), e.frame.schema.Type(), detail)
}

// failRule reports a rule that did not pass. It returns false once no further rule may run.
func (e *evaluation) failRule() bool {
	if e.stopped {
		return false
	}
	if e.options.explain {
		e.explain()
	}
	if e.err == nil {
		return e.reportFalse()
	}
	text, name := e.err.Error(), ruleName(e.rule)
	switch {
	case strings.HasPrefix(text, missedOverload):
		e.result.Errors = append(e.result.Errors, e.invalid("'"+text+
			"': call arguments did not match a supported operator, function or macro signature for rule: "+name))
	case strings.HasPrefix(text, overCallLimit):
		return e.stop(e.invalid("'" + text + "': no further validation rules will be run due to call cost exceeds limit for rule: " + name))
	default:
		e.result.Errors = append(e.result.Errors, e.invalid(text+" evaluating rule: "+name))
	}
	return true
}

// reportFalse reports a rule that is false: with its message, at its fieldPath, for its reason (CEL-092).
func (e *evaluation) reportFalse() bool {
	path := e.frame.path(e.options.path)
	message, messageErr := e.program.messageExpression()
	if messageErr == nil && e.rule.FieldPath != "" {
		if relative, _, err := ValidFieldPath(e.rule.FieldPath, e.frame.schema); err == nil {
			path = path.Child(relative.String())
		}
	}
	detail := defaultMessage(e.rule)
	if message != nil {
		text, fatal := e.evalMessage(message)
		if fatal != "" {
			e.fail(field.Invalid(path, e.frame.schema.Type(), fatal))
			e.result.OutOfBudget = true
			return false
		}
		if text != "" {
			detail = text
		}
	}
	e.fail(e.failure(path, detail))
	return true
}

// fail reports a failure of the object, unless it is ratcheted.
func (e *evaluation) fail(err *field.Error) {
	if !e.program.usesOldSelf && e.frame.unchanged() {
		e.result.Ratcheted = append(e.result.Ratcheted, err)
		return
	}
	e.result.Errors = append(e.result.Errors, err)
}

func (e *evaluation) failure(path *field.Path, detail string) *field.Error {
	value := e.frame.value
	if t := e.frame.schema.Type(); t == "object" || t == "array" {
		value = field.OmitValueType{}
	}
	switch e.rule.Reason {
	case "FieldValueForbidden":
		return field.Forbidden(path, detail)
	case "FieldValueRequired":
		return field.Required(path, detail)
	case "FieldValueDuplicate":
		return field.Duplicate(path, value)
	}
	return field.Invalid(path, value, detail)
}

// ruleName is how errors call a rule: by its message, else by its text.
func ruleName(r *structural.Rule) string {
	if r.Message != "" {
		return strings.TrimSpace(r.Message)
	}
	return strings.TrimSpace(r.Rule)
}

func defaultMessage(r *structural.Rule) string {
	if r.Message != "" {
		return strings.TrimSpace(r.Message)
	}
	return "failed rule: " + strings.TrimSpace(r.Rule)
}

// maxMessageBytes is the length up to which the result of a messageExpression is used.
const maxMessageBytes = 5 << 10

// evalMessage evaluates a messageExpression. The message is empty if it cannot be used (CEL-094); fatal is why no further
// rule may run (CEL-095). It sees oldSelf as a rule without optionalOldSelf does, though it is compiled for an optional one (CEL-096).
func (e *evaluation) evalMessage(message *expression) (text, fatal string) {
	e.vars.optional = false
	result, ok, cost, err := message.message(e.ctx, e.vars, e.rules.limit)
	if !e.pay(cost) {
		return "", "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run"
	}
	if err != nil {
		if strings.HasPrefix(err.Error(), overCallLimit) {
			return "", fmt.Sprintf("no further validation rules will be run due to call cost exceeds limit for messageExpression: %q", message.text)
		}
		return "", ""
	}
	if !ok {
		return "", ""
	}
	result = strings.TrimSpace(result)
	if len(result) > maxMessageBytes || strings.Contains(result, "\n") {
		return "", ""
	}
	return result, ""
}
