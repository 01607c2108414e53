package environment

import (
	"errors"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/interpreter"
)

// A variable is an error if its value is of the wrong type. cel-go selects
// nothing from an error. Up to Kubernetes 1.30 it tried: that failed with the
// same error, but the first selection was charged (CEL-041, CEL-064, CEL-101).

// attributes makes the attributes of a plan.
type attributes struct {
	interpreter.AttributeFactory
}

// AbsoluteAttribute returns the attribute of a variable.
func (f attributes) AbsoluteAttribute(id int64, names ...string) interpreter.NamespacedAttribute {
	return &attribute{f.AttributeFactory.AbsoluteAttribute(id, names...), f}
}

// attribute is a variable and what is selected from it.
type attribute struct {
	interpreter.NamespacedAttribute
	factory attributes
}

// AddQualifier adds a selection to the attribute and returns it.
func (a *attribute) AddQualifier(q interpreter.Qualifier) (interpreter.Attribute, error) {
	_, err := a.NamespacedAttribute.AddQualifier(q)
	return a, err
}

// Qualify selects from an object by the value of the attribute.
func (a *attribute) Qualify(variables interpreter.Activation, object any) (any, error) {
	q, err := a.qualifier(variables)
	if err != nil {
		return nil, err
	}
	return q.Qualify(variables, object)
}

// QualifyIfPresent is like Qualify but reports false if the object does not
// have the value.
func (a *attribute) QualifyIfPresent(
	variables interpreter.Activation, object any, presenceOnly bool,
) (any, bool, error) {
	q, err := a.qualifier(variables)
	if err != nil {
		return nil, false, err
	}
	return q.QualifyIfPresent(variables, object, presenceOnly)
}

// qualifier returns the selection by the value of the attribute.
func (a *attribute) qualifier(variables interpreter.Activation) (interpreter.Qualifier, error) {
	value, err := a.Resolve(variables)
	if err != nil {
		return nil, err
	}
	return a.factory.NewQualifier(nil, a.ID(), value, a.IsOptional())
}

// Resolve returns the value of the attribute.
func (a *attribute) Resolve(variables interpreter.Activation) (any, error) {
	value, err := a.NamespacedAttribute.Resolve(variables)
	if err != nil {
		a.chargeSelection(variables, err)
	}
	return value, err
}

// chargeSelection charges the first selection from a variable that is the
// error, where the minor of the evaluation does.
func (a *attribute) chargeSelection(variables interpreter.Activation, err error) {
	found, _ := variables.ResolveName(evaluationName)
	running, _ := found.(*evaluation)
	selections := a.Qualifiers()
	if running == nil || !running.selectsFromErrors ||
		len(selections) == 0 || selections[0].IsOptional() {
		return
	}
	var failure *types.Err
	value, _ := variables.ResolveName(a.CandidateVariableNames()[0])
	if errors.As(err, &failure) && value == any(failure) {
		_, _ = selections[0].Qualify(variables, failure) // it fails with the same error
	}
}
