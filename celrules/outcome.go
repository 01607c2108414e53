package celrules

import (
	"context"
	"fmt"
	"strings"

	"cel.dev/cel-go/interpreter"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/internal/belowfacade/rulefields"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/structural"
)

// runRules runs the rules of one plan on one value. It returns false once no
// further rule may run.
func (w *walker) runRules(p *plan, f *frame) bool {
	if p.decl == nil {
		w.reject("CEL-090", f, fmt.Sprintf("rule compiler initialization error: %v", errOmitted))
		return true
	}
	compiled, err := p.compile(w.ctx, w.rules)
	if err != nil {
		return w.interrupt(err)
	}
	if w.remaining <= 0 {
		return w.stop(w.invalid("COST-002", f, outOfBudget))
	}
	vars := newVariables(f.value, compiled.node)
	defer vars.release()
	if compiled.usesOldSelf {
		vars.old = f.oldValue()
	}
	for i, program := range compiled.programs {
		if program.Err != nil {
			w.reject("CEL-090", f, fmt.Sprintf("rule compile error: %v", program.Err))
			continue
		}
		if program.Expression == nil {
			continue
		}
		rule := &p.given.Rules()[i]
		if !w.goesOn() {
			return false
		}
		run := evaluation{walker: w, frame: f, program: program, rule: rule, index: i, vars: vars}
		if !run.rulePasses() && !run.failRule() {
			return false
		}
	}
	return true
}

// invalid returns an error at a frame's path that shows the type of the value.
// origin is the id of a rule of the specification, e.g. CEL-091.
func (w *walker) invalid(origin string, f *frame, detail string) *field.Error {
	err := field.Invalid(f.path(w.options.Path), f.schema.Type(), detail)
	return err.WithOrigin(origin)
}

// reject records an error for a value whose rule did not run to its end.
func (w *walker) reject(origin string, f *frame, detail string) {
	w.keep(&w.result.Errors, w.invalid(origin, f, detail))
}

// evaluation is one run of one rule on one value.
type evaluation struct {
	*walker
	frame   *frame
	program *compilation.Rule
	rule    *structural.Rule
	index   int // of the rule at its schema node
	vars    *variables

	err     error // of the rule's evaluation
	stopped bool  // the budget did not pay for the rule
}

// rulePasses evaluates the rule and takes its cost from the budget.
func (e *evaluation) rulePasses() bool {
	e.setOptionalOldSelf()
	if e.skipsTransition() {
		return true
	}
	holds, cost, err := e.vars.evalBool(e.ctx, e.program.Expression, e.rules.limits)
	if !e.pay(cost) {
		e.stopped = true
		return e.stop(e.invalid("COST-002", e.frame, outOfBudget))
	}
	if e.options.Costs {
		e.observed().Evaluations++
	}
	e.err = err
	if e.options.Watch != nil {
		e.watch(holds && err == nil)
	}
	return holds && err == nil
}

// missedOverload begins cel-go's error for a call without a matching overload.
// The error has no type of its own, therefore the server and this package
// recognize it by its text.
const missedOverload = "no such overload"

// failRule reports a rule that did not pass. It returns false once no further
// rule may run.
func (e *evaluation) failRule() bool {
	if e.stopped {
		return false
	}
	if e.options.Explain != ruleoptions.Unexplained {
		e.explain()
	}
	if e.err == nil {
		return e.reportFalse()
	}
	text, name := e.errorText(), ruleName(e.rule)
	switch {
	case strings.HasPrefix(text, missedOverload):
		const reason = "call arguments did not match a supported operator, " +
			"function or macro signature for rule: "
		e.reject("CEL-091", e.frame, "'"+text+"': "+reason+name)
	case isOverCallLimit(e.err):
		const reason = "no further validation rules will be run " +
			"due to call cost exceeds limit for rule: "
		return e.stop(e.invalid("COST-003", e.frame, "'"+text+"': "+reason+name))
	default:
		e.reject(originOf(e.err), e.frame, text+" evaluating rule: "+name)
	}
	if isInterrupted(e.err) {
		e.noteInterrupt()
	}
	return true
}

// errorText returns the text of the evaluation's error. Older minors do not say
// why an evaluation was interrupted.
func (e *evaluation) errorText() string {
	if isInterrupted(e.err) && !e.rules.profile.InterruptionCauses {
		return interpreter.InterruptError{}.Error()
	}
	if !e.rules.profile.OptionalTypeName {
		return formerTypeNames(e.err.Error())
	}
	return e.err.Error()
}

// formerTypeNames returns the text of an error with the name that the type of
// optional values had before Kubernetes 1.31. The text may have strings of the
// object: only the places where a type stands count.
func formerTypeNames(text string) string {
	const name, former = "optional_type", "optional"
	if strings.HasPrefix(text, missedOverload) {
		return strings.ReplaceAll(text, name, former)
	}
	for _, before := range []string{"was given ", "no formatting function for "} {
		text = strings.ReplaceAll(text, before+name, before+former)
	}
	return text
}

// originOf returns the rule of the specification that an error of evaluation
// belongs to.
func originOf(err error) string {
	if isInterrupted(err) {
		return "CEL-097"
	}
	return "CEL-091"
}

// reportFalse reports a rule that is false, with its message, fieldPath and
// reason (CEL-092). It returns false once no further rule may run.
func (e *evaluation) reportFalse() bool {
	if err := e.program.PrepareMessage(e.ctx); err != nil {
		return e.interrupt(err)
	}
	path := e.failurePath()
	detail := defaultMessage(e.rule)
	if expression, _ := e.program.MessageExpression(); expression != nil {
		message, fatal := e.evalMessage(expression)
		if fatal != "" {
			err := field.Invalid(path, e.frame.schema.Type(), fatal)
			e.fail(err.WithOrigin("CEL-095"))
			e.result.OutOfBudget = true
			return false
		}
		if message != "" {
			detail = message
		}
	}
	e.fail(e.failure(path, detail).WithOrigin("CEL-092"))
	return true
}

// noteInterrupt records that the context ended one evaluation.
func (e *evaluation) noteInterrupt() {
	e.result.Err = context.Cause(e.ctx)
	e.unlooked += interruptedShare
}

// failurePath returns the path that a false rule reports. It is the path of the
// value, extended by the rule's fieldPath if there is a valid one. The server
// leaves the fieldPath out if the messageExpression does not compile.
func (e *evaluation) failurePath() *field.Path {
	path := e.frame.path(e.options.Path)
	if e.rule.FieldPath == "" {
		return path
	}
	if _, err := e.program.MessageExpression(); err != nil {
		return path
	}
	relative, _, err := rulefields.Resolve(e.rule.FieldPath, e.frame.schema)
	if err != nil {
		return path
	}
	return path.Child(relative.String())
}

// failure returns the error for the rule's reason. Objects and lists are left
// out of it.
func (e *evaluation) failure(path *field.Path, detail string) *field.Error {
	value := e.frame.value
	switch t := e.frame.schema.Type(); {
	case !e.rules.profile.RuleValues:
		value = t
	case t == "object", t == "array":
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

// ruleName returns how errors name a rule: its message or else its text.
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
