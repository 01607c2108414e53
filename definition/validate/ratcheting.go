package validate

import (
	"slices"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/belowfacade/conversionreview"
	"github.com/crdsem/crdsem/internal/belowfacade/decoded"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// maxSelectableFields is the number of selectable fields that a version may
// have.
const maxSelectableFields = 8

// enforced tells which of the rules that an update can lift hold. Every rule
// holds on create, except that a CA bundle need not parse. On update, a rule is
// lifted if the old definition breaks it (CRD-410 to CRD-421): what an older
// server accepted may be kept.
type enforced struct {
	schemaRequired     bool // every version has a schema (CRD-034)
	validTypes         bool // type is one of schemaTypes
	structural         bool // schemas are structural (CRD-143)
	prunedDefaults     bool // defaults have no unknown fields (CRD-302)
	atomicSets         bool // items of sets are atomic (CRD-159)
	listMapKeys        bool // list-map keys are required, and list items not nullable (CRD-162)
	knownReviewVersion bool // the webhook understands a version that the server sends (CONV-056)
	caBundle           bool // the webhook's CA bundle has a certificate (CONV-055)
	immutableNames     bool // names.kind and scope stay as they are (CRD-401)

	// unchangedSchemas has the names of versions whose schema is that of the
	// old definition. Their rules may cost more than the limit (CRD-416).
	unchangedSchemas map[string]bool
	// sameFields has the names of versions that may keep more selectable fields
	// than allowed (CRD-418). "" stands for the top of the spec.
	sameFields map[string]bool
	// stored has the CEL expressions of the old definition (CRD-421).
	stored expressions
}

// expressions are sets of CEL expressions: rules, messageExpressions, and the
// rules that have a messageExpression.
type expressions struct {
	rules, messages, explained map[string]bool
}

// enforcedOnCreate returns the rules for a new definition.
func enforcedOnCreate() enforced {
	return enforced{
		schemaRequired: true, validTypes: true, structural: true, prunedDefaults: true,
		atomicSets: true, listMapKeys: true, knownReviewVersion: true,
	}
}

// enforcedOnUpdate returns the rules for a definition that replaces old.
func enforcedOnUpdate(crd, old *crd.CustomResourceDefinition, p *profile.Profile) enforced {
	spec := &old.Spec
	out := enforced{
		schemaRequired:     allHaveSchemas(spec),
		validTypes:         !spec.AnyNode(hasUnknownType),
		structural:         !spec.AnySchema(isNonStructural(p)),
		prunedDefaults:     !spec.AnySchema(hasUnprunedDefaults),
		atomicSets:         !spec.AnyNode(hasNonAtomicSetItems),
		listMapKeys:        !spec.AnyNode(hasInvalidKeys),
		knownReviewVersion: hasKnownReviewVersion(spec.Conversion),
		caBundle: p.CABundleOnUpdate && old.IsEstablished() &&
			conversionreview.HasValidCABundle(spec.Conversion),
		immutableNames:   old.IsEstablished(),
		unchangedSchemas: unchangedSchemas(&crd.Spec, spec),
		stored:           storedExpressions(spec),
	}
	if p.SelectableFieldsRatchet {
		out.sameFields = sameFields(&crd.Spec, spec)
	}
	if !p.MessageExpressionsRatchet {
		// The server keeps the rule of each message there, not the message.
		out.stored.messages = out.stored.explained
	}
	return out
}

func allHaveSchemas(spec *crd.CustomResourceDefinitionSpec) bool {
	if spec.Validation != nil && spec.Validation.OpenAPIV3Schema != nil {
		return true
	}
	for _, v := range spec.Versions {
		if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			return false
		}
	}
	return true
}

func hasUnknownType(s *crd.JSONSchemaProps) bool {
	return s.Type != "" && !slices.Contains(schemaTypes(), s.Type)
}

// isNonStructural returns a function that reports whether a schema is not
// structural in a minor.
func isNonStructural(p *profile.Profile) func(*crd.JSONSchemaProps) bool {
	minor := structural.Kubernetes(minors.Minor(p.Minor.String()))
	return func(root *crd.JSONSchemaProps) bool {
		s, err := decoded.Model(root)
		return err != nil || len(structural.Validate(s, nil, minor)) > 0
	}
}

// hasUnprunedDefaults reports whether pruning changes a default. It is false
// for a schema that is not structural.
func hasUnprunedDefaults(root *crd.JSONSchemaProps) bool {
	s, err := decoded.Model(root)
	if err != nil || s.Default() == nil && !s.HasDefaults() ||
		len(structural.Validate(s, nil)) > 0 {
		return false
	}
	pruned, err := defaulting.PruneDefaults(s)
	return err == nil && !structural.Equal(s, pruned)
}

func hasInvalidKeys(s *crd.JSONSchemaProps) bool {
	var c checker
	nowhere := schemapath.Root(nil)
	c.keys(s, &nowhere)
	return len(c.errs.List) > 0
}

func hasKnownReviewVersion(conversion *crd.CustomResourceConversion) bool {
	return conversion == nil || len(conversion.ConversionReviewVersions) == 0 ||
		slices.ContainsFunc(conversion.ConversionReviewVersions, conversionreview.Supports)
}

// unchangedSchemas returns the versions whose schema is equal in both specs, at
// the top or in the version (CRD-416).
func unchangedSchemas(spec, old *crd.CustomResourceDefinitionSpec) map[string]bool {
	out := map[string]bool{}
	for i := range spec.Versions {
		name := spec.Versions[i].Name
		schema, ok := schemaNamed(spec, name)
		oldSchema, oldOK := schemaNamed(old, name)
		if ok && oldOK && crd.SemanticEqual(schema, oldSchema) {
			out[name] = true
		}
	}
	return out
}

// schemaNamed returns the schema of the first version with a name. A schema at
// the top is that of any name.
func schemaNamed(
	spec *crd.CustomResourceDefinitionSpec, name string,
) (_ *crd.CustomResourceValidation, ok bool) {
	if inVersions(spec.Versions, schemaValue) == 0 {
		return spec.Validation, true
	}
	if spec.Validation != nil {
		return nil, false
	}
	for i := range spec.Versions {
		if spec.Versions[i].Name == name {
			return spec.Versions[i].Schema, true
		}
	}
	return nil, false
}

// sameFields returns the versions whose selectable fields are those of the old
// spec, which may be too many (CRD-418).
func sameFields(spec, old *crd.CustomResourceDefinitionSpec) map[string]bool {
	out := map[string]bool{}
	same := func(name string, fields, oldFields []crd.SelectableField) {
		if crd.SemanticEqual(fields, oldFields) {
			out[name] = true
		}
	}
	same("", spec.SelectableFields, old.SelectableFields)
	last := map[string][]crd.SelectableField{}
	for _, v := range old.Versions {
		last[v.Name] = v.SelectableFields
	}
	for _, v := range spec.Versions {
		same(v.Name, v.SelectableFields, last[v.Name])
	}
	return out
}

// storedExpressions returns the CEL expressions of all schemas of a spec
// (CRD-421).
func storedExpressions(spec *crd.CustomResourceDefinitionSpec) expressions {
	out := expressions{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	spec.AnyNode(func(s *crd.JSONSchemaProps) bool {
		for _, rule := range s.XValidations {
			out.rules[rule.Rule] = true
			if rule.MessageExpression != "" {
				out.messages[rule.MessageExpression] = true
				out.explained[rule.Rule] = true
			}
		}
		return false
	})
	return out
}
