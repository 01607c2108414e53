package metadata

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

const (
	maxAnnotationBytes  = 256 << 10
	maxManagerBytes     = 128
	maxSubresourceBytes = 256

	orphanFinalizer     = "orphan"
	foregroundFinalizer = "foregroundDeletion"
	kubernetesFinalizer = "kubernetes"
)

// named is a string of a named type. In an error it prints as JSON, as the
// server's named strings do, and not as Go syntax.
type named string

// Meta is metadata in normal form, ready to be validated. The zero value is
// absent metadata.
type Meta struct{ fields map[string]any }

func (m Meta) get(name string) any       { return m.fields[name] }
func (m Meta) text(name string) string   { s, _ := m.fields[name].(string); return s }
func (m Meta) integer(name string) int64 { n, _ := m.fields[name].(int64); return n }

func (m Meta) object(name string) map[string]any {
	o, _ := m.fields[name].(map[string]any)
	return o
}
func (m Meta) list(name string) []any  { l, _ := m.fields[name].([]any); return l }
func (m Meta) isTrue(name string) bool { b, _ := m.fields[name].(bool); return b }
func metaPath(name string) *field.Path { return field.NewPath("metadata", name) }

// ReadNormal returns metadata that must be in normal form, e.g. the result of
// [Coerce]. It neither changes nor checks it.
func ReadNormal(metadata map[string]any) Meta { return Meta{metadata} }

// Read reads the metadata of a custom resource, which is not changed. The
// errors are those of metadata that does not decode.
func Read(resource map[string]any) (Meta, field.ErrorList) {
	metadata := resource["metadata"]
	if metadata == nil {
		return Meta{}, nil
	}
	if _, ok := metadata.(map[string]any); !ok {
		text := fmt.Sprintf("expected map[string]interface{}, got %T", metadata)
		err := field.Invalid(field.NewPath("metadata"), metadata, text)
		return Meta{}, field.ErrorList{err.WithOrigin("META-021")}
	}
	coerced, err := Coerce(metadata, Strict)
	if err != nil {
		invalid := field.Invalid(field.NewPath("metadata"), metadata, err.Error())
		return Meta{}, field.ErrorList{invalid.WithOrigin("META-022")}
	}
	return Meta{coerced.Metadata}, nil
}

// ValidateLabels validates labels as part of metadata. Their values must all be
// strings, and they are not changed. Errors have the field metadata.labels.
func ValidateLabels(labels map[string]any, p *profile.Profile) field.ErrorList {
	e := entries{profile: p}
	e.labels(labels)
	return e.errs
}

// ValidateAnnotations validates annotations. Their values must all be strings,
// and they are not changed. Errors have the field metadata.<name>.
func ValidateAnnotations(
	annotations map[string]any, name string, p *profile.Profile,
) field.ErrorList {
	e := entries{profile: p}
	e.annotations(annotations, name)
	return e.errs
}

// entriesRule is the rule of labels, annotations, owner references, finalizers
// and managed fields, of whatever object.
const entriesRule = "META-021"

// entries validates what metadata has several of. Paths are made for errors
// only.
type entries struct {
	profile *profile.Profile
	errs    field.ErrorList
	empty   string // the detail of errors about missing fields
}

func newEntries(p *profile.Profile) entries {
	return entries{profile: p, empty: emptyDetail(p)}
}

// replacing is newEntries for metadata that replaces old. The declared rules do
// not look at owner references that have not changed.
func replacing(m, old Meta, p *profile.Profile) entries {
	e := newEntries(p)
	if p.DeclaredMetadata && sameOwners(m.list("ownerReferences"), old.list("ownerReferences")) {
		e.empty = mustNotBeEmpty
	}
	return e
}

func (e *entries) add(err *field.Error) { e.errs = append(e.errs, err.WithOrigin(entriesRule)) }

// reasons adds an error for each reason why a value is invalid.
func (e *entries) reasons(name, value string, reasons []string) {
	e.errs = appendReasons(e.errs, entriesRule, name, value, e.profile.NameReasons(reasons))
}

func (e *entries) labels(labels map[string]any) {
	if !hasLabelError(labels) {
		return
	}
	for _, key := range sortedKeys(labels) {
		value := labels[key].(string)
		e.reasons("labels", key, qualifiedNameErrors(key))
		e.reasons("labels", value, labelValueErrors(value))
	}
}

func hasLabelError(labels map[string]any) bool {
	for key, value := range labels {
		if len(qualifiedNameErrors(key)) > 0 || len(labelValueErrors(value.(string))) > 0 {
			return true
		}
	}
	return false
}

func (e *entries) annotations(annotations map[string]any, name string) {
	size, bad := 0, false
	for key, value := range annotations {
		size += len(key) + len(value.(string))
		bad = bad || len(annotationKeyErrors(key)) > 0
	}
	if bad {
		for _, key := range sortedKeys(annotations) {
			e.reasons(name, key, annotationKeyErrors(key))
		}
	}
	if size > maxAnnotationBytes {
		e.add(tooLong(metaPath(name), maxAnnotationBytes, e.profile))
	}
}

// OwnerReference prints in errors as the server's type does.
type OwnerReference struct {
	APIVersion         string `json:"apiVersion"`
	Kind               string `json:"kind"`
	Name               string `json:"name"`
	UID                string `json:"uid"`
	Controller         any    `json:"controller,omitempty" go:"*bool"`
	BlockOwnerDeletion any    `json:"blockOwnerDeletion,omitempty" go:"*bool"`
}

func asOwnerReference(m Meta) OwnerReference {
	return OwnerReference{
		APIVersion: m.text("apiVersion"), Kind: m.text("kind"), Name: m.text("name"),
		UID: m.text("uid"), Controller: m.get("controller"),
		BlockOwnerDeletion: m.get("blockOwnerDeletion"),
	}
}

func (e *entries) owners(owners []any) {
	controller := -1
	reported := map[string]bool{}
	var shown []OwnerReference // all of them, once for all errors
	for i, item := range owners {
		owner := Meta{item.(map[string]any)}
		e.owner(owner, i)
		if !owner.isTrue("controller") {
			continue
		}
		if controller < 0 {
			controller = i
			continue
		}
		if name := ownerName(item); !reported[name] {
			reported[name] = true
			if shown == nil {
				shown = asOwnerReferences(owners)
			}
			e.add(field.Invalid(metaPath("ownerReferences"), shown, fmt.Sprintf(
				`Only one reference can have Controller set to true. Found "true" in references for %v and %v`,
				ownerName(owners[controller]),
				name,
			)))
		}
	}
}

// sameOwners reports whether two lists have the same owner references.
func sameOwners(list, other []any) bool {
	return slices.EqualFunc(list, other, func(a, b any) bool {
		return asOwnerReference(Meta{a.(map[string]any)}) ==
			asOwnerReference(Meta{b.(map[string]any)})
	})
}

func ownerName(item any) string {
	owner := Meta{item.(map[string]any)}
	return owner.text("kind") + "/" + owner.text("name")
}

func asOwnerReferences(owners []any) []OwnerReference {
	list := make([]OwnerReference, len(owners))
	for i, item := range owners {
		list[i] = asOwnerReference(Meta{item.(map[string]any)})
	}
	return list
}

// owner validates one reference. Before Kubernetes 1.37 the path is that of the
// list, and missing fields are invalid.
func (e *entries) owner(owner Meta, i int) {
	required := e.profile.ReferenceFieldsRequired
	at := func() *field.Path {
		if required {
			return metaPath("ownerReferences").Index(i)
		}
		return metaPath("ownerReferences")
	}
	apiVersion := owner.text("apiVersion")
	group, version, err := ParseGroupVersion(apiVersion)
	switch {
	case !required && version == "":
		e.add(field.Invalid(at().Child("apiVersion"), apiVersion, "version must not be empty"))
	case required && apiVersion != "" && (err != nil || version == ""):
		e.add(field.Invalid(at().Child("apiVersion"), apiVersion,
			"must be <group>/<version> or <version>"))
	}
	for _, name := range [...]string{"apiVersion", "kind", "name", "uid"} {
		switch {
		case owner.text(name) != "":
		case required:
			e.add(field.Required(at().Child(name), e.empty))
		case name != "apiVersion":
			var value any = ""
			if name == "uid" {
				value = named("")
			}
			detail := e.profile.Full(name+" must not be empty", "must not be empty")
			e.add(field.Invalid(at().Child(name), value, detail))
		}
	}
	if group == "" && version == "v1" && owner.text("kind") == "Event" {
		e.add(field.Invalid(at(), asOwnerReference(owner),
			"/v1, Kind=Event is disallowed from being an owner"))
	}
}

func (e *entries) finalizers(finalizers []any) {
	orphan, foreground := false, false
	for _, item := range finalizers {
		name := item.(string)
		e.reasons("finalizers", name, qualifiedNameErrors(name))
		orphan = orphan || name == orphanFinalizer
		foreground = foreground || name == foregroundFinalizer
	}
	if orphan && foreground {
		e.add(field.Invalid(metaPath("finalizers"), finalizers,
			"finalizer "+orphanFinalizer+" and "+foregroundFinalizer+" cannot be both set"))
	}
}

func (e *entries) managers(managers []any) {
	for i, item := range managers {
		e.manager(Meta{item.(map[string]any)}, i)
	}
}

// tooLong returns the error for a string that is longer than a limit.
func tooLong(path *field.Path, limit int, p *profile.Profile) *field.Error {
	err := field.TooLong(path, "", limit)
	if err.Detail = p.TooLong(limit); !p.MaximumBytes {
		err.Detail = fmt.Sprintf("must have at most %d bytes", limit)
	}
	return err
}

// manager validates one entry of the managed fields.
func (e *entries) manager(entry Meta, i int) {
	at := func(name string) *field.Path { return metaPath("managedFields").Index(i).Child(name) }
	switch operation := entry.text("operation"); {
	case operation == "Apply", operation == "Update":
	case !e.profile.ReferenceFieldsRequired:
		e.add(field.Invalid(at("operation"), named(operation), "must be `Apply` or `Update`"))
	case operation == "":
		e.add(field.Required(at("operation"), e.empty))
	default:
		known := []string{"Apply", "Update"}
		e.add(field.NotSupported(at("operation"), named(operation), known))
	}
	if fieldsType := entry.text("fieldsType"); fieldsType != "" && fieldsType != "FieldsV1" {
		e.add(field.Invalid(at("fieldsType"), fieldsType, "must be `FieldsV1`"))
	}
	manager := entry.text("manager")
	if len(manager) > maxManagerBytes {
		e.add(tooLong(at("manager"), maxManagerBytes, e.profile))
	}
	for i, r := range manager {
		if !unicode.IsPrint(r) {
			text := fmt.Sprintf("invalid character %#U (at position %d)", r, i)
			e.add(field.Invalid(at("manager"), manager, text))
		}
	}
	if len(entry.text("subresource")) > maxSubresourceBytes {
		e.add(tooLong(at("subresource"), maxSubresourceBytes, e.profile))
	}
}

// FinalizerWarnings returns the warnings about finalizers that resource has and
// old does not. On a create, old is nil. There are warnings about names that
// are not qualified and about names without a domain, sorted by finalizer.
// Neither argument is changed.
func FinalizerWarnings(resource, old map[string]any, p *profile.Profile) []string {
	list := finalizersOf(resource)
	if !slices.ContainsFunc(list, isRemarkable) {
		return nil
	}
	var warnings []string
	for _, name := range addedTexts(list, finalizersOf(old)) {
		for _, reason := range p.NameReasons(qualifiedNameErrors(name)) {
			warnings = append(warnings, fmt.Sprintf("metadata.finalizers: %q: %s", name, reason))
		}
		if advice := finalizerAdvice(name); advice != "" {
			warnings = append(warnings, fmt.Sprintf("metadata.finalizers: %q: %s", name, advice))
		}
	}
	return warnings
}

// isRemarkable reports whether there is a warning about a finalizer.
func isRemarkable(item any) bool {
	name := item.(string)
	return len(qualifiedNameErrors(name)) > 0 || finalizerAdvice(name) != ""
}

// addedTexts returns the strings of a list that are not in the old one, sorted,
// each once. Both lists hold only strings.
func addedTexts(list, old []any) []string {
	if slices.Equal(list, old) {
		return nil
	}
	known := make(map[any]bool, len(old))
	for _, item := range old {
		known[item] = true
	}
	var added []string
	for _, item := range list {
		if !known[item] {
			known[item] = true
			added = append(added, item.(string))
		}
	}
	slices.Sort(added)
	return added
}

func finalizerAdvice(name string) string {
	if strings.Contains(name, "/") || name == orphanFinalizer || name == foregroundFinalizer ||
		name == kubernetesFinalizer {
		return ""
	}
	const reason = "to avoid accidental conflicts with other finalizer writers"
	if strings.Contains(name, ".") {
		return "prefer a domain-qualified finalizer name including a path (/) " + reason
	}
	return "prefer a domain-qualified finalizer name " + reason
}

// finalizersOf returns the finalizers of a resource. If one is not a string the
// resource has no finalizers, as for the server's accessor.
func finalizersOf(resource map[string]any) []any {
	metadata, _ := resource["metadata"].(map[string]any)
	list, _ := metadata["finalizers"].([]any)
	for _, item := range list {
		if _, ok := item.(string); !ok {
			return nil
		}
	}
	return list
}
