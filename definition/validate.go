package definition

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/crd"
	"github.com/crdsem/crdsem/internal/metadata"
	"github.com/crdsem/crdsem/validation"
)

// Result is what the server finds in a definition.
type Result struct {
	// Errors are the reasons for which the server refuses it. Their paths are those of the server, see the package's terms.
	Errors field.ErrorList
	// Warnings are what the server tells besides. It tells them only of a definition without errors.
	Warnings []string
}

// Validate validates a definition as on create (CRD-003). The server validates what [CRD.ForCreate] returns.
func Validate(crd *CRD) Result {
	c := newChecker(crd.definition(), enforcedOnCreate())
	resource := map[string]any{"metadata": crd.definition().Metadata}
	c.add(metadata.ValidateCreate(resource, metadata.ClusterScoped, nameRule(&crd.definition().Spec))...)
	c.spec()
	c.rest(nil)
	return Result{Errors: c.errs, Warnings: warnings(&crd.definition().Spec, nil)}
}

// ValidateUpdate validates a definition that replaces old (CRD-400), with all ratcheting. The server validates what [CRD.ForUpdate] returns.
// Neither is changed.
func ValidateUpdate(crd, old *CRD) Result {
	after, before := crd.definition(), old.definition()
	c := newChecker(after, enforcedOnUpdate(after, before))
	c.add(metadata.ValidateUpdate(map[string]any{"metadata": after.Metadata}, map[string]any{"metadata": before.Metadata})...)
	c.spec()
	c.immutable(&before.Spec)
	c.rest(before)
	return Result{Errors: c.errs, Warnings: warnings(&after.Spec, &before.Spec)}
}

// ValidateStatusUpdate validates an update of the status subresource (CRD-112): metadata and accepted names.
func ValidateStatusUpdate(crd, old *CRD) field.ErrorList {
	c := newChecker(crd.definition(), enforcedOnCreate())
	c.add(metadata.ValidateUpdate(map[string]any{"metadata": crd.definition().Metadata}, map[string]any{"metadata": old.definition().Metadata})...)
	c.names(&crd.definition().Status.AcceptedNames, field.NewPath("status", "acceptedNames"))
	return c.errs
}

// checker collects the findings of one definition.
type checker struct {
	enforced
	crd  *crd.CustomResourceDefinition
	errs field.ErrorList
	// coerced has the schemas whose defaults were changed by checking them, as they are then.
	coerced map[*crd.JSONSchemaProps]*crd.JSONSchemaProps
	// clean has nodes at which, and below which, nothing is wrong but perhaps what validation rules do.
	clean map[visit]bool

	// What all versions and their defaults share.
	convert converter
	values  validation.Cache
	cache   celrules.Cache
}

func newChecker(crd *crd.CustomResourceDefinition, rules enforced) *checker {
	return &checker{
		enforced: rules, crd: crd, clean: map[visit]bool{}, convert: schemas.Converter(nil),
	}
}

func (c *checker) add(errs ...*field.Error) { c.errs = append(c.errs, errs...) }

// at takes a finding whose place is known as text.
func (c *checker) at(place string, err *field.Error) {
	err.Field = place
	c.add(err)
}

func (c *checker) required(path *field.Path, detail string) { c.add(field.Required(path, detail)) }

func (c *checker) forbidden(path *field.Path, detail string) { c.add(field.Forbidden(path, detail)) }

func (c *checker) invalid(path *field.Path, value any, detail string) {
	c.add(field.Invalid(path, value, detail))
}

// invalidAll reports each reason by itself.
func (c *checker) invalidAll(path *field.Path, value any, reasons []string) {
	for _, reason := range reasons {
		c.invalid(path, value, reason)
	}
}

// oneOf reports a required value that is missing or not among those that are known.
func (c *checker) oneOf(path *field.Path, value string, known []string) {
	if value == "" {
		c.required(path, "")
		return
	}
	for _, k := range known {
		if k == value {
			return
		}
	}
	c.add(field.NotSupported(path, value, known))
}

// nameRule says which names a definition may have: the one that its spec makes (CRD-020).
func nameRule(spec *crd.CustomResourceDefinitionSpec) metadata.NameRule {
	subdomain := metadata.Subdomain()
	want := spec.Names.Plural + "." + spec.Group
	must := func(check func(string) []string) func(string) []string {
		return func(name string) []string {
			reasons := check(name)
			if name != want {
				reasons = append(reasons, `must be spec.names.plural+"."+spec.group`)
			}
			return reasons
		}
	}
	return metadata.NameRule{Whole: must(subdomain.Whole), Prefix: must(subdomain.Prefix)}
}

// rest validates what comes after the spec; old is nil on create.
func (c *checker) rest(old *crd.CustomResourceDefinition) {
	status := field.NewPath("status")
	c.names(&c.crd.Status.AcceptedNames, status.Child("acceptedNames"))
	c.storedVersions()
	c.approval(old)
	if old != nil && isTrue(old.Spec.PreserveUnknownFields) {
		return // CRD-130
	}
	if preserve := c.crd.Spec.PreserveUnknownFields; isTrue(preserve) {
		c.invalid(field.NewPath("spec", "preserveUnknownFields"), preserve,
			"cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead")
	}
}

// named is a text that errors show as JSON, as they do a value of a string type of its own.
type named string

func isTrue(b *bool) bool { return b != nil && *b }

// immutable checks what an update cannot change (CRD-401, CRD-402).
func (c *checker) immutable(old *crd.CustomResourceDefinitionSpec) {
	spec, path := &c.crd.Spec, field.NewPath("spec")
	same := func(path *field.Path, value, oldValue any) {
		if value != oldValue {
			c.invalid(path, value, "field is immutable")
		}
	}
	if c.immutableNames {
		same(path.Child("scope"), named(spec.Scope), named(old.Scope))
		same(path.Child("names", "kind"), spec.Names.Kind, old.Names.Kind)
	}
	same(path.Child("group"), spec.Group, old.Group)
	same(path.Child("names", "plural"), spec.Names.Plural, old.Names.Plural)
}
