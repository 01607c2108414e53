package kube

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apicel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// estimate answers with validation.RootCELContext, which tracks types and
// cardinalities down the schema, and with cel.Compile at each node with rules.
func estimate(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	schema, err := schemaOf(req.Schema)
	if err != nil {
		return nil, err
	}
	e := &estimator{envs: Environments()}
	e.node(schema.props, crdvalidation.RootCELContext(schema.props),
		field.NewPath("openAPIV3Schema"))
	sort.SliceStable(e.rules, func(i, j int) bool { return e.rules[i].Path < e.rules[j].Path })
	return protocol.Costs{Rules: e.rules}, nil
}

// estimator walks a schema as the validation of a definition does: along
// properties, additionalProperties and items.
type estimator struct {
	envs  *environment.EnvSet
	rules []protocol.CostRule
}

func (e *estimator) node(
	props *apiextensions.JSONSchemaProps, at *crdvalidation.CELSchemaContext, path *field.Path,
) {
	if props == nil {
		return
	}
	for name := range props.Properties {
		child := props.Properties[name]
		e.node(&child, at.ChildPropertyContext(&child, name), path.Child("properties").Key(name))
	}
	if extra := props.AdditionalProperties; extra != nil {
		e.node(extra.Schema, at.ChildAdditionalPropertiesContext(extra.Schema),
			path.Child("additionalProperties"))
	}
	if items := props.Items; items != nil {
		e.node(items.Schema, at.ChildItemsContext(items.Schema), path.Child("items"))
	}
	if len(props.XValidations) > 0 {
		e.rules = append(e.rules, e.rulesOf(props, at, path)...)
	}
}

// rulesOf estimates the rules of one node.
func (e *estimator) rulesOf(
	props *apiextensions.JSONSchemaProps, at *crdvalidation.CELSchemaContext, path *field.Path,
) []protocol.CostRule {
	rules := make([]protocol.CostRule, len(props.XValidations))
	for i, rule := range props.XValidations {
		rules[i] = protocol.CostRule{
			Path:        path.String(),
			Index:       i,
			Rule:        rule.Rule,
			Cardinality: at.MaxCardinality,
		}
	}
	compiled, err := e.compile(at)
	if err != nil {
		for i := range rules {
			rules[i].Errors = fieldErrors(
				field.ErrorList{field.InternalError(path.Child("x-kubernetes-validations"), err)},
			)
		}
		return rules
	}
	for i, result := range compiled {
		describe(&rules[i], result)
		rules[i].Errors = compileErrors(path.Child("x-kubernetes-validations").Index(i),
			props.XValidations[i], result)
	}
	return rules
}

func (e *estimator) compile(at *crdvalidation.CELSchemaContext) ([]cel.CompilationResult, error) {
	types, err := at.TypeInfo()
	switch {
	case err != nil:
		return nil, fmt.Errorf(
			"internal error: failed to construct type information for "+
				"x-kubernetes-validations rules: %s", err)
	case types == nil:
		return nil, fmt.Errorf(
			"internal error: failed to retrieve type information for x-kubernetes-validations",
		)
	}
	return cel.Compile(types.Schema, types.DeclType, celconfig.PerCallLimit, e.envs,
		cel.StoredExpressionsEnvLoader())
}

func describe(rule *protocol.CostRule, result cel.CompilationResult) {
	cardinality := result.MaxCardinality
	if rule.Cardinality != nil {
		cardinality = *rule.Cardinality
	}
	rule.MaxCost = result.MaxCost
	rule.Total = product(result.MaxCost, cardinality)
	rule.MessageCost = result.MessageExpressionMaxCost
	rule.UsesOldSelf = result.UsesOldSelf
}

// product multiplies. A result that is too large becomes the largest number.
func product(a, b uint64) uint64 {
	if a != 0 && b > math.MaxUint64/a {
		return math.MaxUint64
	}
	return a * b
}

func compileErrors(
	path *field.Path, rule apiextensions.ValidationRule, result cel.CompilationResult,
) []protocol.FieldError {
	var errs field.ErrorList
	if err := result.Error; err != nil && err.Type == apicel.ErrorTypeRequired {
		errs = append(errs, field.Required(path.Child("rule"), err.Detail))
	} else if err != nil {
		errs = append(errs, field.Invalid(path.Child("rule"), rule, err.Detail))
	}
	if err := result.MessageExpressionError; err != nil {
		errs = append(errs, field.Invalid(path.Child("messageExpression"), rule, err.Detail))
	}
	return fieldErrors(errs)
}
