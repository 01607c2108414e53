package crdsem

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/metadata"
)

// validateCreate runs the checks of a create in the server's order (PIPE-011). An object of another type is spared the checks of its own
// metadata, values and scale (META-020).
func (a *admission) validateCreate(ctx context.Context) field.ErrorList {
	errs := metadata.ValidateType(a.object, a.def.kind, a.apiVersion)
	if len(errs) == 0 {
		errs = a.validateMeta(metadata.Subdomain())
		errs = append(errs, a.validator.Values(nil, a.object)...)
		errs = append(errs, a.validateScaleSpec()...)
		errs = append(errs, a.validateScaleStatus()...)
	}
	errs = append(errs, a.validator.EmbeddedResources(nil, a.object)...)
	errs = append(errs, a.validator.ListTypes(a.object)...)
	return append(errs, a.validateRules(ctx, errs)...)
}

// validateUpdate runs the checks of an update in the server's order (PIPE-018).
func (a *admission) validateUpdate(ctx context.Context) field.ErrorList {
	errs := metadata.ValidateType(a.object, a.def.kind, a.apiVersion)
	if len(errs) == 0 {
		errs = a.validateMetaUpdate()
		values, ratcheted := a.validator.ValuesUpdate(a.object, a.old.object)
		errs = append(errs, values...)
		a.result.Ratcheted = append(a.result.Ratcheted, ratcheted...)
		errs = append(errs, a.validateScaleSpec()...)
		errs = append(errs, a.validateScaleStatus()...)
	}
	errs = append(errs, a.validator.EmbeddedResources(nil, a.object)...)
	errs = append(errs, a.validateListTypes()...)
	return append(errs, a.validateRules(ctx, errs)...)
}

// validateStatusUpdate runs the checks of an update of the status in the server's order (PIPE-030).
func (a *admission) validateStatusUpdate(ctx context.Context) field.ErrorList {
	errs := metadata.ValidateType(a.object, a.def.kind, a.apiVersion)
	if len(errs) == 0 {
		errs = a.validateMetaUpdate()
		values, ratcheted := a.validator.StatusValuesUpdate(a.object, a.old.object)
		errs = append(errs, values...)
		a.result.Ratcheted = append(a.result.Ratcheted, ratcheted...)
		errs = append(errs, a.validateScaleStatus()...)
	}
	errs = append(errs, a.validateListTypes()...)
	return append(errs, a.validateRules(ctx, errs)...)
}

// validateCommon runs the checks that the server makes of the metadata of any updated resource, before those above. The checks of an
// update are among them, so that the server reports their errors twice; here they come once, with those above.
func (a *admission) validateCommon() field.ErrorList {
	errs := a.validateMeta(metadata.PathSegment())
	a.validMeta = len(errs) == 0
	if len(metadata.ValidateType(a.object, a.def.kind, a.apiVersion)) > 0 {
		errs = append(errs, a.validateMetaUpdate()...)
	}
	return errs
}

func (a *admission) validateMeta(names metadata.NameRule) field.ErrorList {
	meta, errs := a.readMeta()
	if errs != nil {
		return errs
	}
	return meta.ValidateCreate(a.def.scope, names)
}

func (a *admission) validateMetaUpdate() field.ErrorList {
	meta, errs := a.readMeta()
	if errs != nil {
		return errs
	}
	old, errs := a.old.readMeta()
	switch {
	case errs != nil:
		return errs
	case a.validMeta:
		return meta.ValidateTransition(old)
	default:
		return meta.ValidateUpdate(old)
	}
}

func (a *admission) validateListTypes() field.ErrorList {
	errs, ratcheted := a.validator.ListTypesUpdate(a.object, a.old.object)
	a.result.Ratcheted = append(a.result.Ratcheted, ratcheted...)
	return errs
}

// validateRules runs the validation rules, unless what was found before makes the object unfit for them (PIPE-012).
func (a *admission) validateRules(ctx context.Context, found field.ErrorList) field.ErrorList {
	if a.rules.Empty() {
		return nil
	}
	if blocksRules(found) {
		a.result.Rules = RulesBlocked
		return field.ErrorList{field.Invalid(nil, nil,
			"some validation rules were not checked because the object was invalid; correct the existing errors to complete validation")}
	}
	var old any
	if a.old.object != nil {
		old = a.old.object
	}
	outcome := a.rules.Validate(ctx, a.object, old, a.ruleDetails...)
	a.result.Rules, a.result.Cost = RulesEvaluated, outcome.Cost
	a.result.RuleCosts, a.result.Explanations = outcome.Costs, outcome.Explanations
	for _, err := range outcome.Ratcheted {
		a.warn(err.Error())
	}
	a.result.Ratcheted = append(a.result.Ratcheted, outcome.Ratcheted...)
	return outcome.Errors
}

func blocksRules(errs field.ErrorList) bool {
	for _, err := range errs {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return true
		}
	}
	return false
}
