package admission

import (
	"strings"

	"k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/policy"
	"github.com/crdsem/crdsem/minors"
)

// Check returns what a server refuses in a policy or a binding: expressions
// that do not compile, and a few fields that are needed. The old object is nil
// on a create. Objects of other resources are right.
func Check(
	of schema.GroupResource, object, old map[string]any, kubernetes minors.Minor,
) (field.ErrorList, error) {
	switch of {
	case validatingPolicies, mutatingPolicies:
		return checkPolicy(of, object, old, kubernetes)
	case validatingBindings, mutatingBindings:
		return checkBinding(of, object)
	}
	return nil, nil
}

// checker compiles the expressions of a policy. Those that the old policy has,
// too, may call what the minor before does not know.
type checker struct {
	added, stored *policy.Compiler
	before        map[string]bool
	errs          field.ErrorList
}

func newChecker(
	spec policySpec, before map[string]bool, kubernetes minors.Minor,
) (c *checker, err error) {
	var options []policy.Option
	if spec.ParamKind != nil {
		options = append(options, policy.Params())
	}
	if len(spec.Variables) > 0 {
		options = append(options, policy.Composed())
	}
	c = &checker{before: before}
	if c.stored, err = policy.NewCompiler(kubernetes, options...); err != nil {
		return nil, err
	}
	c.added, err = policy.NewCompiler(kubernetes, append(options, policy.Unstored())...)
	return c, err
}

// check compiles an expression.
func (c *checker) check(at *field.Path, text string, role policy.Role) {
	c.judge(at, text, func(compiler *policy.Compiler) *policy.Expression {
		return compiler.Compile(text, role)
	})
}

// judge records why an expression does not compile, or that it is missing.
func (c *checker) judge(
	at *field.Path, text string, compile func(*policy.Compiler) *policy.Expression,
) {
	if strings.TrimSpace(text) == "" {
		c.errs = append(c.errs, field.Required(at, at.String()[strings.LastIndexByte(
			at.String(), '.')+1:]+" is not specified"))
		return
	}
	stored, added := compile(c.stored), compile(c.added)
	if c.before[text] {
		added = stored
	}
	if err := added.Err(); err != nil {
		c.errs = append(c.errs, field.Invalid(at, text, err.Error()))
	}
}

// checkPolicy is Check for a policy.
func checkPolicy(
	resource schema.GroupResource, object, old map[string]any, kubernetes minors.Minor,
) (field.ErrorList, error) {
	var of, was named[policySpec]
	if err := decode(object, &of); err != nil {
		return nil, err
	}
	if err := decode(old, &was); err != nil {
		return nil, err
	}
	spec, at := of.Spec, field.NewPath("spec")
	before := expressionsOf(was.Spec)
	uncomposed := spec // match conditions are compiled without variables
	uncomposed.Variables = nil
	conditions, err := newChecker(uncomposed, before, kubernetes)
	if err != nil {
		return nil, err
	}
	for i, condition := range spec.MatchConditions {
		at := at.Child("matchConditions").Index(i).Child("expression")
		text := strings.TrimSpace(condition.Expression)
		if text == "" {
			conditions.errs = append(conditions.errs, field.Required(at, ""))
			continue
		}
		conditions.check(at, text, policy.Condition)
	}
	c, err := newChecker(spec, before, kubernetes)
	if err != nil {
		return nil, err
	}
	if spec.MatchConstraints != nil && len(spec.MatchConstraints.ResourceRules) == 0 {
		c.errs = append(c.errs, field.Required(at.Child("matchConstraints", "resourceRules"), ""))
	}
	c.errs = append(c.errs, conditions.errs...)
	for i, variable := range spec.Variables {
		c.judge(at.Child("variables").Index(i).Child("expression"), variable.Expression,
			func(compiler *policy.Compiler) *policy.Expression {
				return compiler.Define(variable.Name, variable.Expression)
			})
	}
	if resource == mutatingPolicies {
		c.checkMutations(at.Child("mutations"), spec)
	} else {
		c.checkValidations(at, spec)
	}
	return c.errs, nil
}

// checkMutations checks mutations.
func (c *checker) checkMutations(at *field.Path, spec policySpec) {
	for i, m := range spec.Mutations {
		at := at.Index(i)
		switch {
		case m.ApplyConfiguration != nil:
			c.check(at.Child("applyConfiguration", "expression"), m.ApplyConfiguration.Expression,
				policy.Configuration)
		case m.JSONPatch != nil:
			c.check(at.Child("jsonPatch", "expression"), m.JSONPatch.Expression, policy.Patch)
		}
	}
}

// checkValidations checks validations and audit annotations, of which there
// has to be one.
func (c *checker) checkValidations(at *field.Path, spec policySpec) {
	if len(spec.Validations) == 0 && len(spec.AuditAnnotations) == 0 {
		const text = "validations or auditAnnotations must contain at least one item"
		c.errs = append(c.errs, field.Required(at.Child("validations"), text),
			field.Required(at.Child("auditAnnotations"), text))
	}
	for i, v := range spec.Validations {
		at := at.Child("validations").Index(i)
		c.check(at.Child("expression"), v.Expression, policy.Condition)
		if v.MessageExpression != "" {
			c.check(at.Child("messageExpression"), v.MessageExpression, policy.Message)
		}
	}
	for i, annotation := range spec.AuditAnnotations {
		c.check(at.Child("auditAnnotations").Index(i).Child("valueExpression"),
			annotation.ValueExpression, policy.Annotation)
	}
}

// expressionsOf returns the expressions of a policy.
func expressionsOf(spec policySpec) map[string]bool {
	all := map[string]bool{}
	for _, condition := range spec.MatchConditions {
		all[strings.TrimSpace(condition.Expression)] = true
	}
	for _, variable := range spec.Variables {
		all[variable.Expression] = true
	}
	for _, v := range spec.Validations {
		all[v.Expression], all[v.MessageExpression] = true, true
	}
	for _, m := range spec.Mutations {
		if m.ApplyConfiguration != nil {
			all[m.ApplyConfiguration.Expression] = true
		}
		if m.JSONPatch != nil {
			all[m.JSONPatch.Expression] = true
		}
	}
	for _, annotation := range spec.AuditAnnotations {
		all[annotation.ValueExpression] = true
	}
	return all
}

// checkBinding is Check for a binding.
func checkBinding(
	resource schema.GroupResource, object map[string]any,
) (errs field.ErrorList, err error) {
	var of named[bindingSpec]
	if err := decode(object, &of); err != nil {
		return nil, err
	}
	spec, at := of.Spec, field.NewPath("spec")
	if spec.PolicyName == "" {
		errs = append(errs, field.Required(at.Child("policyName"), ""))
	}
	if ref := spec.ParamRef; ref != nil && ref.Name != "" && ref.Selector != nil {
		errs = append(errs, field.Forbidden(at.Child("paramRef", "name"),
			"name and selector are mutually exclusive"))
	}
	if ref := spec.ParamRef; ref != nil && ref.Name == "" && ref.Selector == nil {
		errs = append(errs, field.Required(at.Child("paramRef"),
			"one of name or selector must be specified"))
	}
	if resource == validatingBindings {
		errs = append(errs, checkActions(at.Child("validationActions"), spec)...)
	}
	return errs, nil
}

// checkActions checks the actions of a binding.
func checkActions(actions *field.Path, spec bindingSpec) (errs field.ErrorList) {
	seen := map[v1.ValidationAction]bool{}
	for i, action := range spec.ValidationActions {
		if action != v1.Deny && action != v1.Warn && action != v1.Audit {
			errs = append(errs, field.NotSupported(actions.Index(i), action,
				[]v1.ValidationAction{v1.Audit, v1.Deny, v1.Warn}))
		}
		if seen[action] {
			errs = append(errs, field.Duplicate(actions.Index(i), action))
		}
		seen[action] = true
	}
	if seen[v1.Deny] && seen[v1.Warn] {
		errs = append(errs, field.Invalid(actions, spec.ValidationActions, "must not contain "+
			"both Deny and Warn (repeating the same validation failure information in the API "+
			"response and headers serves no purpose)"))
	}
	if len(spec.ValidationActions) == 0 {
		errs = append(errs, field.Required(actions, "at least one validation action is required"))
	}
	return errs
}
