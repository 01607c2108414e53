package crdsem

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
)

// validate looks for findings (step 9).
func (r *request) validate(ctx context.Context) bool {
	r.result.Errors = r.strategy.validate(ctx, r)
	return len(r.result.Errors) == 0 && r.refuseRevision()
}

// refuseRevision refuses a new object with a resourceVersion, as the server's
// storage does in the end (PIPE-016). One that is no number passes there. It
// reports whether the request goes on.
func (r *request) refuseRevision() bool {
	isNew := r.old.Fields() == nil && r.source != fromMerge
	if !isNew || r.choices.concurrency != RequireResourceVersion {
		return true
	}
	if number, err := revision(r.object.MetaText("resourceVersion")); err != nil || number == 0 {
		return true
	}
	const text = "resourceVersion should not be set on objects to be created"
	return r.refuse(unclassified("PIPE-016", text))
}

func (creating) validate(ctx context.Context, r *request) field.ErrorList {
	errs := r.validateCreate(ctx)
	if len(errs) == 0 {
		r.warn(metadata.FinalizerWarnings(r.object.Fields(), nil, r.version.def.profile)...)
	}
	return errs
}

func (updating) validate(ctx context.Context, r *request) field.ErrorList {
	common := r.validateCommon()
	errs := withoutRepeats(common, r.validateUpdate(ctx))
	if len(errs) == 0 {
		old := r.old.Fields()
		r.warn(metadata.FinalizerWarnings(r.object.Fields(), old, r.version.def.profile)...)
	}
	r.finishUpdate()
	return errs
}

func (updatingStatus) validate(ctx context.Context, r *request) field.ErrorList {
	common := r.validateCommon()
	errs := withoutRepeats(common, r.validateStatusUpdate(ctx))
	r.finishUpdate()
	return errs
}

// finishUpdate removes a resourceVersion that the object took from the old one.
func (r *request) finishUpdate() {
	if r.filled {
		r.object.RemoveMeta("resourceVersion")
	}
}

// validateCreate does the checks of a create in the server's order (PIPE-011).
// The metadata, values and scale of an object of another type are not checked
// (META-020).
func (r *request) validateCreate(ctx context.Context) field.ErrorList {
	v, object := r.version, r.object.Fields()
	errs := r.validateType()
	if len(errs) == 0 {
		errs = r.validateMeta(metadata.Subdomain())
		errs = append(errs, v.validator.Values(ctx, nil, object)...)
		if v.model.Scale != nil {
			errs = append(errs, v.validateScale(object)...)
		}
	}
	errs = append(errs, v.validator.EmbeddedResources(ctx, nil, object)...)
	errs = append(errs, v.validator.ListTypes(ctx, object)...)
	return append(errs, r.validateRules(ctx, errs)...)
}

// validateUpdate does the checks of an update in the server's order (PIPE-018).
func (r *request) validateUpdate(ctx context.Context) field.ErrorList {
	v, object := r.version, r.object.Fields()
	errs := r.validateType()
	if len(errs) == 0 {
		errs = r.validateMetaUpdate()
		values, ratcheted := v.validator.ValuesUpdate(ctx, object, r.old.Fields())
		errs = append(errs, values...)
		r.result.Ratcheted = append(r.result.Ratcheted, ratcheted...)
		if v.model.Scale != nil {
			errs = append(errs, v.validateScale(object)...)
		}
	}
	errs = append(errs, v.validator.EmbeddedResources(ctx, nil, object)...)
	errs = append(errs, r.validateListTypes(ctx)...)
	return append(errs, r.validateRules(ctx, errs)...)
}

// validateStatusUpdate does the checks of an update of the status in the
// server's order (PIPE-030).
func (r *request) validateStatusUpdate(ctx context.Context) field.ErrorList {
	v, object := r.version, r.object.Fields()
	errs := r.validateType()
	if len(errs) == 0 {
		errs = r.validateMetaUpdate()
		values, ratcheted := v.validator.StatusValuesUpdate(ctx, object, r.old.Fields())
		errs = append(errs, values...)
		r.result.Ratcheted = append(r.result.Ratcheted, ratcheted...)
		if v.model.Scale != nil {
			errs = append(errs, v.validateScaleStatus(object)...)
		}
	}
	errs = append(errs, r.validateListTypes(ctx)...)
	if !v.def.profile.StatusRatcheting {
		r.choices.ruleDetails = append(slices.Clone(r.choices.ruleDetails),
			celrules.WithoutRatcheting())
	}
	return append(errs, r.validateRules(ctx, errs)...)
}

// withoutRepeats returns the errors of an update: those of validateCommon, and
// those of the checks above that are not among them.
func withoutRepeats(common, errs field.ErrorList) field.ErrorList {
	if len(common) == 0 {
		return errs
	}
	type key struct { // without the value: a field has one, which can be long
		kind          field.ErrorType
		field, detail string
	}
	keyOf := func(err *field.Error) key { return key{err.Type, err.Field, err.Detail} }
	known := make(map[key]bool, len(common))
	for _, err := range common {
		known[keyOf(err)] = true
	}
	return append(common, slices.DeleteFunc(errs, func(err *field.Error) bool {
		return known[keyOf(err)]
	})...)
}

// validateCommon does the checks that the server makes for the metadata of any
// updated resource, before those above. The server makes checks of a create,
// then those of an update, and then those above, which contain the latter. It
// reports a label three times, and a field that is immutable twice. Here each
// error of the metadata is reported once. Those of the checks above decide
// whether rules are evaluated, reported or not.
func (r *request) validateCommon() field.ErrorList {
	names := metadata.PathSegment()
	names.Rule = "META-032"
	errs := r.validateMeta(names)
	r.validMeta = len(errs) == 0
	if len(r.validateType()) > 0 {
		errs = append(errs, r.validateMetaUpdate()...)
	}
	return errs
}

func (r *request) validateType() field.ErrorList {
	return metadata.ValidateType(r.object.Fields(), r.version.def.kind, r.version.apiVersion)
}

func (r *request) validateMeta(names metadata.NameRule) field.ErrorList {
	meta, errs := r.object.ReadMeta()
	if errs != nil {
		return errs
	}
	scope, profile := r.version.def.scope, r.version.def.profile
	if r.old.Fields() != nil {
		if old, errs := r.old.ReadMeta(); errs == nil {
			return meta.ValidateReplacement(old, scope, names, profile)
		}
	}
	return meta.ValidateCreate(scope, names, profile)
}

func (r *request) validateMetaUpdate() field.ErrorList {
	meta, errs := r.object.ReadMeta()
	if errs != nil {
		return errs
	}
	old, errs := r.old.ReadMeta()
	switch {
	case errs != nil:
		return errs
	case r.validMeta:
		return meta.ValidateTransition(old, r.version.def.profile)
	default:
		return meta.ValidateUpdate(old, r.version.def.profile)
	}
}

func (r *request) validateListTypes(ctx context.Context) field.ErrorList {
	errs, ratcheted := r.version.validator.ListTypesUpdate(ctx, r.object.Fields(), r.old.Fields())
	r.result.Ratcheted = append(r.result.Ratcheted, ratcheted...)
	return errs
}

// validateRules evaluates the validation rules, unless earlier findings make
// the object unfit for them (PIPE-012).
func (r *request) validateRules(ctx context.Context, found field.ErrorList) field.ErrorList {
	rules, result := r.version.rules, &r.result
	if rules.Empty() {
		return nil
	}
	if blocksRules(found) {
		result.Rules = RulesBlocked
		const text = "some validation rules were not checked because " +
			"the object was invalid; correct the existing errors to complete validation"
		return field.ErrorList{field.Invalid(nil, nil, text).WithOrigin("PIPE-012")}
	}
	var old any
	if r.old.Fields() != nil {
		old = r.old.Fields()
	}
	outcome := rules.Validate(ctx, r.object.Fields(), old, r.choices.ruleDetails...)
	result.Rules, result.Cost = RulesEvaluated, outcome.Cost
	result.RuleCosts, result.Explanations = outcome.Costs, outcome.Explanations
	for _, err := range outcome.Ratcheted {
		r.warn(err.Error())
	}
	result.Ratcheted = append(result.Ratcheted, outcome.Ratcheted...)
	return outcome.Errors
}

// blocksRules reports whether findings are such that rules cannot be evaluated.
func blocksRules(errs field.ErrorList) bool {
	for _, err := range errs {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong,
			field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return true
		}
	}
	return false
}
