package environment

import (
	"errors"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
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
	profile  *profile.Profile
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
	return &relative{f.AttributeFactory.RelativeAttribute(id, operand)}
}

// NewQualifier returns a field, key or index of an attribute. Before Kubernetes
// 1.38, an optional selection did not know the type of the object.
func (f attributes) NewQualifier(
	of *types.Type, id int64, value any, optional bool,
) (interpreter.Qualifier, error) {
	if optional && !f.profile.TypeParameters {
		of = nil
	}
	q, err := f.AttributeFactory.NewQualifier(of, id, value, optional)
	if err != nil && !f.profile.NamelessContainer {
		err = formerNames(err)
	}
	return q, err
}

// relative is a selection from any value.
type relative struct{ interpreter.Attribute }

// AddQualifier adds a selection to the attribute and returns it.
func (r *relative) AddQualifier(q interpreter.Qualifier) (interpreter.Attribute, error) {
	_, err := r.Attribute.AddQualifier(selection{q})
	return r, err
}

// selection is a field, key or index of an attribute.
type selection struct{ interpreter.Qualifier }

// Qualify selects from an object.
func (s selection) Qualify(variables interpreter.Activation, object any) (any, error) {
	value, err := s.Qualifier.Qualify(variables, object)
	if err != nil {
		err = s.failure(variables, err)
	}
	return value, err
}

// failure returns the error of a selection as the minor of the evaluation words
// it.
func (selection) failure(variables interpreter.Activation, err error) error {
	if run := runningIn(variables); run != nil && run.profile.NamelessContainer {
		return err
	}
	return formerNames(err)
}

// formerNames returns an error with the names that the types of lists and maps
// had in cel-go before v0.30, e.g. baseList.
func formerNames(err error) error {
	const wrongType = "invalid qualifier type: *types."
	if !strings.HasPrefix(err.Error(), wrongType) {
		return err
	}
	switch name, _, _ := strings.Cut(err.Error()[len(wrongType):], "["); name {
	case "sliceList":
		return errors.New(wrongType + "baseList")
	case "nativeMap":
		return errors.New(wrongType + "baseMap")
	}
	return err
}

// QualifyIfPresent selects optionally. cel-go charges a selection that fails;
// before Kubernetes 1.38 it did not.
func (s selection) QualifyIfPresent(
	variables interpreter.Activation, object any, presenceOnly bool,
) (any, bool, error) {
	value, found, err := s.Qualifier.QualifyIfPresent(variables, object, presenceOnly)
	if err != nil {
		if run := runningIn(variables); run != nil && !run.profile.StopsAtErrors {
			run.refund()
		}
		err = s.failure(variables, err)
	}
	return value, found, err
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

// runningIn returns the evaluation that variables belong to, nil if there is
// none.
func runningIn(variables interpreter.Activation) *evaluation {
	found, _ := variables.ResolveName(evaluationName)
	running, _ := found.(*evaluation)
	return running
}

// attribute is a variable and what is selected from it.
type attribute struct {
	interpreter.NamespacedAttribute
	factory attributes
}

// AddQualifier adds a selection to the attribute and returns it.
func (a *attribute) AddQualifier(q interpreter.Qualifier) (interpreter.Attribute, error) {
	_, err := a.NamespacedAttribute.AddQualifier(selection{q})
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
		if run := runningIn(variables); run != nil {
			run.tracker.Qualify(q.ID())
		}
		from = value
	}
	return types.OptionalOf(a.factory.formerly.NativeToValue(from)), nil
}

// chargeSelection charges the first selection from a variable that is the
// error, where the minor of the evaluation does.
func (a *attribute) chargeSelection(variables interpreter.Activation, err error) {
	running, selections := runningIn(variables), a.Qualifiers()
	if running == nil || running.profile.FreeErrorSelections ||
		len(selections) == 0 || selections[0].IsOptional() {
		return
	}
	var failure *types.Err
	value, _ := variables.ResolveName(a.CandidateVariableNames()[0])
	if errors.As(err, &failure) && value == any(failure) {
		_, _ = selections[0].Qualify(variables, failure) // it fails with the same error
		running.tracker.Qualify(selections[0].ID())
	}
}
