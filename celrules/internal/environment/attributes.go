package environment

import (
	"errors"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// A variable is an error if its value is of the wrong type. cel-go selects
// nothing from an error. Up to Kubernetes 1.30 it tried: that failed with the
// same error, but the first selection was charged (CEL-041, CEL-064, CEL-101).

// An optional variable has a value of the schema. Up to Kubernetes 1.36 what is
// read of it is the Go value in it: an object of fields that have no schema
// (CEL-096, CEL-100).

// attributes makes the attributes of a plan.
type attributes struct {
	interpreter.AttributeFactory
	// formerly makes values of what is read of optional values, nil from
	// Kubernetes 1.37 on.
	formerly types.Adapter
}

// AbsoluteAttribute returns the attribute of a variable.
func (f attributes) AbsoluteAttribute(id int64, names ...string) interpreter.NamespacedAttribute {
	return &attribute{f.AttributeFactory.AbsoluteAttribute(id, names...), f}
}

// RelativeAttribute returns the attribute of a selection from any value.
func (f attributes) RelativeAttribute(
	id int64, operand interpreter.Interpretable,
) interpreter.Attribute {
	if f.formerly != nil {
		operand = withoutSchema{operand, f.formerly}
	}
	return f.AttributeFactory.RelativeAttribute(id, operand)
}

// withoutSchema is an operand that loses the schema of an optional value.
type withoutSchema struct {
	interpreter.Interpretable
	adapter types.Adapter
}

// Eval returns the value of the operand.
func (o withoutSchema) Eval(variables interpreter.Activation) ref.Val {
	value := o.Interpretable.Eval(variables)
	if optional, ok := value.(*types.Optional); ok && optional.HasValue() {
		return types.OptionalOf(o.adapter.NativeToValue(optional.GetValue().Value()))
	}
	return value
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
	if a.factory.formerly != nil {
		variable, _ := variables.ResolveName(a.CandidateVariableNames()[0])
		if optional, ok := variable.(*types.Optional); ok && optional.HasValue() {
			return a.selectFormerly(variables, optional.GetValue().Value())
		}
	}
	value, err := a.NamespacedAttribute.Resolve(variables)
	if err != nil {
		a.chargeSelection(variables, err)
	}
	return value, err
}

// selectFormerly returns what is selected from the Go value of an optional
// variable.
func (a *attribute) selectFormerly(variables interpreter.Activation, from any) (any, error) {
	for _, q := range a.Qualifiers() {
		value, found, err := q.QualifyIfPresent(variables, from, false)
		if err != nil {
			return nil, err
		}
		if !found {
			return types.OptionalNone, nil
		}
		from = value
	}
	return types.OptionalOf(a.factory.formerly.NativeToValue(from)), nil
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
