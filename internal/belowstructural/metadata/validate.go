package metadata

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Scope decides whether resources of a kind live in namespaces.
type Scope uint8

const (
	// Namespaced resources must have a namespace.
	Namespaced Scope = iota
	// ClusterScoped resources must not have one.
	ClusterScoped
)

// ValidateType validates that a custom resource has the kind and the apiVersion
// by which it is served (META-020). Neither argument is changed.
func ValidateType(resource map[string]any, kind, apiVersion string) field.ErrorList {
	var errs field.ErrorList
	for _, f := range [...]struct{ name, want string }{{"kind", kind}, {"apiVersion", apiVersion}} {
		if got, _ := resource[f.name].(string); got != f.want {
			err := field.Invalid(field.NewPath(f.name), got, "must be "+f.want)
			errs = append(errs, err.WithOrigin("META-020"))
		}
	}
	return errs
}

// ValidateCreate validates the metadata of a resource that is created
// (META-021, META-025). The resource is not changed. Valid metadata costs no
// allocation. The metadata need not be in normal form; if it does not decode,
// that is an error of the field metadata.
func ValidateCreate(
	resource map[string]any, scope Scope, names NameRule, p *profile.Profile,
) field.ErrorList {
	meta, errs := Read(resource)
	if errs != nil {
		return p.Show(errs)
	}
	return meta.ValidateCreate(scope, names, p)
}

// ValidateUpdate validates the metadata of a definition that replaces old
// (META-032, META-025). Neither is changed. Valid metadata costs no allocation.
func ValidateUpdate(resource, old map[string]any, p *profile.Profile) field.ErrorList {
	meta, errs := Read(resource)
	if errs != nil {
		return p.Show(errs)
	}
	oldMeta, errs := Read(old)
	if errs != nil {
		return p.Show(errs)
	}
	e := replacing(meta, oldMeta, p)
	e.errs = transitionErrors(meta, oldMeta)
	if p.DeclaredMetadata {
		for _, err := range declaredErrors(e.errs) {
			err.BadValue = nil
		}
	}
	return meta.updateErrors(e)
}

// emptyDetail returns the detail of errors about missing fields of entries.
// Declared fields have none.
func emptyDetail(p *profile.Profile) string {
	if p.DeclaredMetadata {
		return ""
	}
	return mustNotBeEmpty
}

const mustNotBeEmpty = "must not be empty"

// declaredErrors returns the errors about fields that are declared to be
// immutable.
func declaredErrors(errs field.ErrorList) (declared field.ErrorList) {
	for _, err := range errs {
		switch err.Field {
		case "metadata.uid", "metadata.deletionTimestamp", "metadata.deletionGracePeriodSeconds":
			declared = append(declared, err)
		}
	}
	return declared
}

// ValidateCreate is like the function ValidateCreate, for metadata that was
// read.
func (m Meta) ValidateCreate(scope Scope, names NameRule, p *profile.Profile) field.ErrorList {
	return reported(createErrors(m, scope, names, newEntries(p)), p)
}

// ValidateReplacement is like ValidateCreate, for metadata that replaces old.
func (m Meta) ValidateReplacement(
	old Meta, scope Scope, names NameRule, p *profile.Profile,
) field.ErrorList {
	return reported(createErrors(m, scope, names, replacing(m, old, p)), p)
}

// ValidateUpdate validates metadata of a resource that replaces old (META-032,
// META-025).
func (m Meta) ValidateUpdate(old Meta, p *profile.Profile) field.ErrorList {
	return m.updateErrors(
		entries{profile: p, errs: resourceTransition(m, old, p), empty: mustNotBeEmpty})
}

// resourceTransition is transitionErrors of a resource. Declared fields are
// checked twice: the second error has no value.
func resourceTransition(m, old Meta, p *profile.Profile) field.ErrorList {
	errs := transitionErrors(m, old)
	if !p.DeclaredMetadata {
		return errs
	}
	for _, err := range declaredErrors(errs) {
		again := *err
		again.BadValue = nil
		errs = append(errs, &again)
	}
	return errs
}

func (m Meta) updateErrors(e entries) field.ErrorList {
	e.labels(m.object("labels"))
	e.annotations(m.object("annotations"), "annotations")
	e.owners(m.list("ownerReferences"))
	e.managers(m.list("managedFields"))
	return reported(e.errs, e.profile)
}

// ValidateTransition is like ValidateUpdate for metadata that passes
// ValidateCreate. It makes only the checks that ValidateCreate does not make.
func (m Meta) ValidateTransition(old Meta, p *profile.Profile) field.ErrorList {
	return reported(resourceTransition(m, old, p), p)
}

// ValidateEmbedded validates the resource at an embedded node. Its apiVersion
// and kind are required and have a syntax. Its metadata must decode and pass
// the checks of a create (META-001 to META-003, META-009, META-025). The
// resource is not changed. Errors are relative to it; move them with [At].
// Values that are not objects are not validated.
func ValidateEmbedded(resource map[string]any, p *profile.Profile) field.ErrorList {
	apiVersion, hasAPIVersion := resource["apiVersion"]
	kind, hasKind := resource["kind"]
	var errs field.ErrorList
	missing := p.Full("must not be empty", "")
	if !hasAPIVersion {
		err := field.Required(field.NewPath("apiVersion"), missing)
		errs = append(errs, err.WithOrigin("META-001"))
	}
	if !hasKind {
		err := field.Required(field.NewPath("kind"), missing)
		errs = append(errs, err.WithOrigin("META-001"))
	}
	if reason := apiVersionError(apiVersion); hasAPIVersion && reason != "" {
		err := field.Invalid(field.NewPath("apiVersion"), apiVersion, reason)
		errs = append(errs, err.WithOrigin("META-002"))
	}
	if reason := kindError(kind); hasKind && reason != "" {
		err := field.Invalid(field.NewPath("kind"), kind, reason)
		errs = append(errs, err.WithOrigin("META-003"))
	}
	metadata, found := resource["metadata"]
	if !found {
		return p.Show(errs)
	}
	coerced, err := Coerce(metadata, Strict)
	if err != nil {
		invalid := field.Invalid(field.NewPath("metadata"), metadata, err.Error())
		return p.Show(append(errs, invalid.WithOrigin("META-009")))
	}
	return append(p.Show(errs), reported(embeddedErrors(Meta{coerced.Metadata}, p), p)...)
}

func apiVersionError(value any) string {
	apiVersion, ok := value.(string)
	switch {
	case !ok:
		return "must be a string"
	case apiVersion == "":
		return "must not be empty"
	}
	if _, _, err := ParseGroupVersion(apiVersion); err != nil {
		return err.Error()
	}
	return ""
}

func kindError(value any) string {
	kind, ok := value.(string)
	switch {
	case !ok:
		return "must be a string"
	case kind == "":
		return "must not be empty"
	}
	if reasons := kindErrors(kind); len(reasons) > 0 {
		return "may have mixed case, but should otherwise match: " + strings.Join(reasons, ",")
	}
	return ""
}

// embeddedErrors checks embedded metadata: the name may be missing, and a
// namespace is allowed.
func embeddedErrors(m Meta, p *profile.Profile) field.ErrorList {
	names := PathSegment()
	errs := generateNameErrors(m, names)
	if name := m.text("name"); name != "" {
		errs = appendReasons(errs, names.Rule, "name", name, names.Whole(name))
	}
	if namespace := m.text("namespace"); namespace != "" {
		errs = append(errs, namespaceErrors(namespace, Namespaced, names.Rule)...)
	}
	return append(errs, commonErrors(m, newEntries(p))...)
}

func createErrors(m Meta, scope Scope, names NameRule, e entries) field.ErrorList {
	errs := generateNameErrors(m, names)
	if name := m.text("name"); name == "" {
		err := field.Required(metaPath("name"), "name or generateName is required")
		errs = append(errs, err.WithOrigin(names.Rule))
	} else {
		errs = appendReasons(errs, names.Rule, "name", name, names.Whole(name))
	}
	errs = append(errs, namespaceErrors(m.text("namespace"), scope, names.Rule)...)
	return append(errs, commonErrors(m, e)...)
}

func generateNameErrors(m Meta, names NameRule) field.ErrorList {
	prefix := m.text("generateName")
	if prefix == "" {
		return nil
	}
	return appendReasons(nil, names.Rule, "generateName", prefix, names.Prefix(prefix))
}

// commonErrors are the checks of a create that follow those of the name and the
// namespace.
func commonErrors(m Meta, e entries) field.ErrorList {
	if generation := m.integer("generation"); generation < 0 {
		e.add(negativeGeneration(generation))
	}
	e.labels(m.object("labels"))
	e.annotations(m.object("annotations"), "annotations")
	e.owners(m.list("ownerReferences"))
	e.finalizers(m.list("finalizers"))
	e.managers(m.list("managedFields"))
	return e.errs
}

// namespaceErrors checks a namespace. The rule is that of the errors.
func namespaceErrors(namespace string, scope Scope, rule string) field.ErrorList {
	switch {
	case scope == ClusterScoped && namespace != "":
		err := field.Forbidden(metaPath("namespace"), "not allowed on this type")
		return field.ErrorList{err.WithOrigin(rule)}
	case scope == Namespaced && namespace == "":
		return field.ErrorList{field.Required(metaPath("namespace"), "").WithOrigin(rule)}
	case scope == Namespaced:
		return appendReasons(nil, rule, "namespace", namespace, dnsLabelErrors(namespace))
	}
	return nil
}

func negativeGeneration(generation int64) *field.Error {
	const text = "must be greater than or equal to 0"
	return field.Invalid(metaPath("generation"), generation, text).WithOrigin("META-021")
}

// transitionErrors returns the errors of the first checks of an update: those
// that a create does not make, and that of the generation.
func transitionErrors(m, old Meta) field.ErrorList {
	var errs field.ErrorList
	if old.get("deletionTimestamp") != nil {
		errs = newFinalizerErrors(m.list("finalizers"), old.list("finalizers"))
	}
	if m.text("resourceVersion") == "" {
		err := field.Invalid(metaPath("resourceVersion"), "", "must be specified for an update")
		errs = append(errs, err.WithOrigin("META-032"))
	}
	generation := m.integer("generation")
	if generation < 0 {
		errs = append(errs, negativeGeneration(generation))
	}
	if generation < old.integer("generation") {
		err := field.Invalid(metaPath("generation"), generation, "must not be decremented")
		errs = append(errs, err.WithOrigin("META-032"))
	}
	return append(errs, immutableErrors(m, old)...)
}

func immutableErrors(m, old Meta) field.ErrorList {
	var errs field.ErrorList
	for _, name := range [...]string{"name", "namespace", "uid"} {
		value := m.text(name)
		if value == old.text(name) {
			continue
		}
		var bad any = value
		if name == "uid" {
			bad = named(value)
		}
		errs = append(errs, immutable(name, bad))
	}
	for _, name := range [...]string{
		"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
	} {
		value := m.get(name)
		if value == old.get(name) {
			continue
		}
		if text, ok := value.(string); ok || name == "creationTimestamp" {
			value = instant(text)
		}
		errs = append(errs, immutable(name, value))
	}
	return errs
}

func immutable(name string, value any) *field.Error {
	return field.Invalid(metaPath(name), value, "field is immutable").WithOrigin("META-032")
}

func newFinalizerErrors(list, old []any) field.ErrorList {
	added := addedTexts(list, old)
	if len(added) == 0 {
		return nil
	}
	return field.ErrorList{field.Forbidden(metaPath("finalizers"), fmt.Sprintf(
		"no new finalizers can be added if the object is being deleted, found new finalizers %#v",
		added,
	)).WithOrigin("META-032")}
}

// appendReasons adds one FieldValueInvalid of a rule for each reason.
func appendReasons(
	errs field.ErrorList, rule, name, value string, reasons []string,
) field.ErrorList {
	for _, reason := range reasons {
		errs = append(errs, field.Invalid(metaPath(name), value, reason).WithOrigin(rule))
	}
	return errs
}

// outline has the parts of an error that need no rendering. Errors with
// different outlines have different texts.
type outline struct {
	kind          field.ErrorType
	field, detail string
}

func outlineOf(err *field.Error) outline { return outline{err.Type, err.Field, err.Detail} }

// reported returns the errors that a minor reports, and changes the list.
func reported(errs field.ErrorList, p *profile.Profile) field.ErrorList {
	if !p.DistinctErrors {
		return p.Show(errs)
	}
	return distinct(errs)
}

// distinct removes errors whose whole text occurred before, and changes the
// list. It renders only the texts that it has to compare, because they may show
// long values.
func distinct(errs field.ErrorList) field.ErrorList {
	if len(errs) < 2 {
		return errs
	}
	alike := make(map[outline]int, len(errs))
	for _, err := range errs {
		alike[outlineOf(err)]++
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(errs, func(err *field.Error) bool {
		if alike[outlineOf(err)] == 1 {
			return false
		}
		text := err.Error()
		defer func() { seen[text] = true }()
		return seen[text]
	})
}
