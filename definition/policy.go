package definition

import (
	"slices"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/crd"
	"github.com/crdsem/crdsem/structural"
)

// maxSelectableFields is how many selectable fields a version may have.
const maxSelectableFields = 8

// policy says which rules hold. On create all do; on update the old definition may lift some (CRD-410 to CRD-421).
type policy struct {
	schemaRequired     bool // every version has a schema
	validTypes         bool // only the types that exist
	structural         bool // schemas are structural
	prunedDefaults     bool // defaults have no unknown fields
	atomicSets         bool // items of sets are atomic
	keysSet            bool // keys of list-maps are there and not null, items of list-maps and sets are not null
	knownReviewVersion bool // a webhook understands a version that the server speaks
	anyCABundle        bool // a CA bundle need not be one
	namesImmutable     bool // kind and scope stay as they are

	unchangedSchemas map[string]bool // versions whose schema is as it was
	manyFields       map[string]bool // versions that may have more selectable fields than allowed; "" is the top
	stored           expressions     // of the old definition
}

// expressions are CEL expressions that were accepted before.
type expressions struct {
	rules, messages map[string]bool
}

func createPolicy() policy {
	return policy{
		schemaRequired: true, validTypes: true, structural: true, prunedDefaults: true, atomicSets: true, keysSet: true,
		knownReviewVersion: true, anyCABundle: true,
	}
}

func updatePolicy(crd, old *crd.CustomResourceDefinition) policy {
	spec := &old.Spec
	return policy{
		schemaRequired:     allHaveSchemas(spec),
		validTypes:         !anySchemaHas(spec, hasUnknownType),
		structural:         !anySchema(spec, isNonStructural),
		prunedDefaults:     !anySchema(spec, hasUnprunedDefaults),
		atomicSets:         !anySchemaHas(spec, hasNonAtomicSetItems),
		keysSet:            !anySchemaHas(spec, hasUnsetKeys),
		knownReviewVersion: knewReviewVersion(spec.Conversion),
		anyCABundle:        hadAnyCABundle(old),
		namesImmutable:     isEstablished(old),
		unchangedSchemas:   unchangedSchemas(&crd.Spec, spec),
		manyFields:         manyFields(&crd.Spec, spec),
		stored:             storedExpressions(spec),
	}
}

func isEstablished(def *crd.CustomResourceDefinition) bool {
	for _, condition := range def.Status.Conditions {
		if condition.Type == crd.Established {
			return condition.Status == crd.ConditionTrue
		}
	}
	return false
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

// anySchema tells whether some schema of a definition, at the top or in a version, has a property.
func anySchema(spec *crd.CustomResourceDefinitionSpec, has func(*crd.JSONSchemaProps) bool) bool {
	if spec.Validation != nil && spec.Validation.OpenAPIV3Schema != nil && has(spec.Validation.OpenAPIV3Schema) {
		return true
	}
	return slices.ContainsFunc(spec.Versions, func(v crd.CustomResourceDefinitionVersion) bool {
		return v.Schema != nil && v.Schema.OpenAPIV3Schema != nil && has(v.Schema.OpenAPIV3Schema)
	})
}

// anySchemaHas tells whether some node of some schema of a definition has a property.
func anySchemaHas(spec *crd.CustomResourceDefinitionSpec, has func(*crd.JSONSchemaProps) bool) bool {
	return anySchema(spec, func(root *crd.JSONSchemaProps) bool {
		for s := range root.Distinct() {
			if has(s) {
				return true
			}
		}
		return false
	})
}

func hasUnknownType(s *crd.JSONSchemaProps) bool {
	return s.Type != "" && !slices.Contains(schemaTypes(), s.Type)
}

func isNonStructural(root *crd.JSONSchemaProps) bool {
	s, err := schemas.New(root)
	return err != nil || len(structural.Validate(s, nil)) > 0
}

// hasUnprunedDefaults tells whether pruning changes a default; a schema that is not structural does not count.
func hasUnprunedDefaults(root *crd.JSONSchemaProps) bool {
	s, err := schemas.New(root)
	if err != nil || s.Default() == nil && !s.HasDefaults() || len(structural.Validate(s, nil)) > 0 {
		return false
	}
	pruned, err := defaulting.PruneDefaults(s)
	return err == nil && !structural.Equal(s, pruned)
}

func hasUnsetKeys(s *crd.JSONSchemaProps) bool {
	var c checker
	nowhere := schemapath.Root(nil)
	c.keys(s, &nowhere)
	return len(c.errs) > 0
}

func knewReviewVersion(conversion *crd.CustomResourceConversion) bool {
	return conversion == nil || len(conversion.ConversionReviewVersions) == 0 ||
		slices.ContainsFunc(conversion.ConversionReviewVersions, isKnownReviewVersion)
}

func hadAnyCABundle(old *crd.CustomResourceDefinition) bool {
	if !isEstablished(old) {
		return true
	}
	conversion := old.Spec.Conversion
	if conversion == nil || conversion.WebhookClientConfig == nil || len(conversion.WebhookClientConfig.CABundle) == 0 {
		return false
	}
	return caBundleError(conversion.WebhookClientConfig.CABundle) != nil
}

// unchangedSchemas returns the versions whose schema, wherever it stands, is the same in both specs (CRD-416).
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

// schemaNamed returns the schema of the first version of a name. Where it stands at the top it answers for any name.
func schemaNamed(spec *crd.CustomResourceDefinitionSpec, name string) (_ *crd.CustomResourceValidation, ok bool) {
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

// manyFields returns where the old spec had too many selectable fields and the new one has the same (CRD-418).
func manyFields(spec, old *crd.CustomResourceDefinitionSpec) map[string]bool {
	out := map[string]bool{}
	same := func(name string, fields, oldFields []crd.SelectableField) {
		if len(oldFields) > maxSelectableFields && crd.SemanticEqual(fields, oldFields) {
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

// storedExpressions returns the expressions of all schemas of a definition (CRD-421).
func storedExpressions(spec *crd.CustomResourceDefinitionSpec) expressions {
	out := expressions{rules: map[string]bool{}, messages: map[string]bool{}}
	anySchemaHas(spec, func(s *crd.JSONSchemaProps) bool {
		for _, rule := range s.XValidations {
			out.rules[rule.Rule] = true
			if rule.MessageExpression != "" {
				out.messages[rule.MessageExpression] = true
			}
		}
		return false
	})
	return out
}
