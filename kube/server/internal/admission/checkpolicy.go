package admission

import (
	"slices"
	"strings"

	"k8s.io/api/admissionregistration/v1"
	"k8s.io/api/admissionregistration/v1beta1"
	"k8s.io/apimachinery/pkg/api/equality"
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
	errs          field.ErrorList
}

func newChecker(kubernetes minors.Minor, options ...policy.Option) (c *checker, err error) {
	c = &checker{}
	if c.stored, err = policy.NewCompiler(kubernetes, options...); err != nil {
		return nil, err
	}
	c.added, err = policy.NewCompiler(kubernetes, append(options, policy.Unstored())...)
	return c, err
}

// required records that an expression is missing, and reports it.
func (c *checker) required(at *field.Path, text, detail string) bool {
	missing := strings.TrimSpace(text) == ""
	if missing {
		c.errs = append(c.errs, field.Required(at, detail))
	}
	return missing
}

// check compiles an expression.
func (c *checker) check(at *field.Path, text string, role policy.Role, before []string) {
	c.judge(at, text, before, func(compiler *policy.Compiler) *policy.Expression {
		return compiler.Compile(text, role)
	})
}

// judge records why an expression does not compile.
func (c *checker) judge(
	at *field.Path, text string, before []string,
	compile func(*policy.Compiler) *policy.Expression,
) {
	stored, added := compile(c.stored), compile(c.added)
	if slices.Contains(before, text) {
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
	var params, composed []policy.Option
	if spec.ParamKind != nil {
		params = append(params, policy.Params())
	}
	if len(spec.Variables) > 0 || resource == mutatingPolicies {
		composed = append(composed, policy.Composed())
	}
	conditions, err := newChecker(kubernetes, params...) // without variables
	if err != nil {
		return nil, err
	}
	c, err := newChecker(kubernetes, append(composed, params...)...)
	if err != nil {
		return nil, err
	}
	if spec.MatchConstraints != nil && len(spec.MatchConstraints.ResourceRules) == 0 {
		c.errs = append(c.errs, field.Required(at.Child("matchConstraints", "resourceRules"), ""))
	}
	conditions.checkConditions(at.Child("matchConditions"), spec, was.Spec)
	c.errs = append(c.errs, conditions.errs...)
	before := expressionsOf(was.Spec)
	for i, v := range spec.Variables {
		at := at.Child("variables").Index(i).Child("expression")
		if !c.required(at, v.Expression, "expression is not specified") {
			c.judge(at, v.Expression, before[validationOf],
				func(compiler *policy.Compiler) *policy.Expression {
					return compiler.Define(v.Name, v.Expression)
				})
		}
	}
	if resource == mutatingPolicies {
		c.checkMutations(at.Child("mutations"), spec, before)
	} else {
		c.checkValidations(at, spec, before)
	}
	return c.errs, nil
}

// checkConditions checks match conditions, unless they are those of the old
// policy.
func (c *checker) checkConditions(at *field.Path, spec, old policySpec) {
	if equality.Semantic.DeepEqual(spec.ParamKind, old.ParamKind) &&
		equality.Semantic.DeepEqual(spec.MatchConditions, old.MatchConditions) {
		return
	}
	before := expressionsOf(old)[conditionOf]
	for i, condition := range spec.MatchConditions {
		at := at.Index(i).Child("expression")
		if text := condition.Expression; !c.required(at, text, "") {
			c.check(at, strings.TrimSpace(text), policy.Condition, before)
		}
	}
}

// checkMutations checks mutations, of which there has to be one.
func (c *checker) checkMutations(at *field.Path, spec policySpec, before map[place][]string) {
	if len(spec.Mutations) == 0 {
		c.errs = append(c.errs, field.Required(at, "mutations must contain at least one item"))
	}
	for i, m := range spec.Mutations {
		at := at.Index(i)
		configuration, patch := at.Child("applyConfiguration"), at.Child("jsonPatch")
		switch m.PatchType {
		case "":
			c.errs = append(c.errs, field.Required(at.Child("patchType"), ""))
		case v1beta1.PatchTypeJSONPatch:
			if m.JSONPatch == nil {
				c.errs = append(c.errs, field.Required(patch,
					"must be specified when patchType is JSONPatch"))
			} else {
				c.checkMutation(patch, m.JSONPatch.Expression, policy.Patch, before)
			}
			if m.ApplyConfiguration != nil {
				c.errs = append(c.errs, field.Invalid(configuration, "{applyConfiguration}",
					"must not be specified when patchType is JSONPatch"))
			}
		case v1beta1.PatchTypeApplyConfiguration:
			if m.ApplyConfiguration == nil {
				c.errs = append(c.errs, field.Required(configuration,
					"must be specified when patchType is ApplyConfiguration"))
			} else {
				c.checkMutation(configuration, m.ApplyConfiguration.Expression,
					policy.Configuration, before)
			}
			if m.JSONPatch != nil {
				c.errs = append(c.errs, field.Invalid(patch, "{jsonPatch}",
					"must not be specified when patchType is ApplyConfiguration"))
			}
		default:
			c.errs = append(c.errs, field.NotSupported(at.Child("patchType"), m.PatchType,
				[]v1beta1.PatchType{
					v1beta1.PatchTypeApplyConfiguration, v1beta1.PatchTypeJSONPatch,
				}))
		}
	}
}

// checkMutation checks the expression of a mutation. A server looks even for
// that of a JSON patch among the old configurations.
func (c *checker) checkMutation(
	at *field.Path, text string, role policy.Role, before map[place][]string,
) {
	if at = at.Child("expression"); !c.required(at, text, "") {
		c.check(at, strings.TrimSpace(text), role, before[configurationOf])
	}
}

// checkValidations checks validations and audit annotations, of which there
// has to be one.
func (c *checker) checkValidations(
	at *field.Path, spec policySpec, before map[place][]string,
) {
	if len(spec.Validations) == 0 && len(spec.AuditAnnotations) == 0 {
		const text = "validations or auditAnnotations must contain at least one item"
		c.errs = append(c.errs, field.Required(at.Child("validations"), text),
			field.Required(at.Child("auditAnnotations"), text))
	}
	for i, v := range spec.Validations {
		at := at.Child("validations").Index(i)
		expression, message := at.Child("expression"), at.Child("messageExpression")
		if !c.required(expression, v.Expression, "expression is not specified") {
			c.check(expression, v.Expression, policy.Condition, before[validationOf])
		}
		switch text := v.MessageExpression; {
		case text == "":
		case strings.TrimSpace(text) == "":
			c.errs = append(c.errs, field.Invalid(message, text, "must be non-empty if specified"))
		default:
			c.check(message, text, policy.Message, before[messageOf])
		}
	}
	for i, annotation := range spec.AuditAnnotations {
		at, text := at.Child("auditAnnotations").Index(i).Child("valueExpression"),
			annotation.ValueExpression
		if !c.required(at, text, "valueExpression is not specified") {
			c.judge(at, text, before[annotationOf],
				func(compiler *policy.Compiler) *policy.Expression {
					return compiler.Compile(strings.TrimSpace(text), policy.Annotation)
				})
		}
	}
}

// place is where a policy has an expression.
type place int

const (
	conditionOf place = iota
	validationOf
	messageOf
	annotationOf
	configurationOf
)

// expressionsOf returns the expressions of a policy that may stay as they are.
func expressionsOf(spec policySpec) map[place][]string {
	all := map[place][]string{}
	for _, condition := range spec.MatchConditions {
		all[conditionOf] = append(all[conditionOf], condition.Expression)
	}
	for _, v := range spec.Validations {
		all[validationOf] = append(all[validationOf], v.Expression)
		all[messageOf] = append(all[messageOf], v.MessageExpression)
	}
	for _, m := range spec.Mutations {
		if m.ApplyConfiguration != nil {
			all[configurationOf] = append(all[configurationOf], m.ApplyConfiguration.Expression)
		}
	}
	for _, annotation := range spec.AuditAnnotations {
		all[annotationOf] = append(all[annotationOf], annotation.ValueExpression)
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
			"name and selector are mutually exclusive"),
			field.Forbidden(at.Child("paramRef", "selector"),
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
