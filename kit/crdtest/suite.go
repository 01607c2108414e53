package crdtest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/kit/crdtest/internal/openshift"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Suite is a list of cases, e.g. those of one file. Suites come from
// [ReadSuites], or are made in Go.
type Suite struct {
	// Name names the suite in results.
	Name string
	// File is the path of the file or folder that states the suite. It is empty
	// for a suite made in Go.
	File string
	// CRDName is metadata.name of the definition that the suite is about. The
	// suite is then run with each definition of that name. If it is empty, the
	// suite is run once, with all definitions.
	CRDName string
	// CRDFiles are files and folders with the suite's own definitions. If there
	// are some, the suite is run with these and no others. A case about a kind
	// that they do not have fails then, unless it is built into Kubernetes.
	CRDFiles []string
	// Version is the only version that is served and stored. If it is empty,
	// the versions are as the definition says.
	Version string
	// FeatureGates are the gates that a definition of OpenShift must have on,
	// or off with a - before the name.
	FeatureGates []string
	// Kubernetes are the minor versions of the server, as minors.ParseRange
	// takes them, e.g. "1.33" or "1.30-1.37". The suite is run with each of
	// them. If it is empty, it is run with the newest one.
	Kubernetes string
	// FieldValidation is the level of field validation. The zero value is
	// crdsem.Warn.
	FieldValidation crdsem.Strictness
	// Webhook converts the objects of definitions with the conversion strategy
	// Webhook that have no webhook among their options, e.g. Go functions:
	// conversion.HubAndSpoke. Without one, a case that needs it fails.
	Webhook conversion.Webhook
	// Cases are run in any order, each by itself.
	Cases []Case

	oneByOne bool             // run with each of its definitions by itself
	gates    *openshift.Gates // of the repository, if the suite names feature gates
	skip     string           // why no case is run; empty if they are
}

// Case is a sequence of requests about one object.
type Case struct {
	Name string
	// Line is the line of the case in the file of the suite; 0 in Go.
	Line int
	// File is the file of the case if it is not the file of the suite.
	File string
	// Kubernetes are the minors of the suite that the case is run with; empty
	// for all of them.
	Kubernetes string
	// Stored is an object as it is stored when the case begins. It is not
	// validated. It is nil if nothing is stored.
	Stored map[string]any
	// Steps are the requests. The case fails at the first one whose outcome is
	// not as stated.
	Steps []Step
}

// Verb is what a step does.
type Verb string

// The verbs. All but Create need an object that is stored, by an earlier step
// or by [Case.Stored].
const (
	// Create creates the object.
	Create Verb = "create"
	// Update replaces the stored object.
	Update Verb = "update"
	// UpdateStatus replaces the status of the stored object.
	UpdateStatus Verb = "updateStatus"
	// Read reads the stored object in the version of the step.
	Read Verb = "read"
	// Apply applies the object on the server, by the manager of the step. It
	// creates the object if nothing is stored. ApplyStatus applies its status.
	Apply       Verb = "apply"
	ApplyStatus Verb = "applyStatus"
	// SendPatch and PatchStatus patch the stored object, or its status.
	SendPatch   Verb = "patch"
	PatchStatus Verb = "patchStatus"
	// Convert takes an object to each other served version and back, as a
	// server does with what clients of these versions read and write again: it
	// is stored, read and pruned in the other version, stored and read. It
	// fails if a conversion fails, if the other version would refuse the object
	// as a new one, or if a field is lost or has another value afterwards;
	// see [Want.Versions] and [Want.MayLose]. Nothing is stored by it.
	Convert Verb = "convert"
)

// verbs are all verbs but Read, which has no object.
var verbs = []Verb{
	Create, Update, UpdateStatus, Apply, ApplyStatus, SendPatch, PatchStatus, Convert,
}

// subresource returns what the verb writes.
func (v Verb) subresource() crdsem.Subresource {
	switch v {
	case UpdateStatus, ApplyStatus, PatchStatus:
		return crdsem.SubresourceStatus
	}
	return ""
}

// isPatch reports whether the object of the verb is a patch.
func (v Verb) isPatch() bool { return v == SendPatch || v == PatchStatus }

// isApply reports whether the object of the verb is applied.
func (v Verb) isApply() bool { return v == Apply || v == ApplyStatus }

// Step is one request and its stated outcome.
type Step struct {
	Verb Verb
	// Object is the body of the request: a map[string]any, or a value of a Go
	// type. It is not changed. A body without a name gets that of the stored
	// object, or a generated one. A patch is a list of operations (a JSON
	// patch), or an object (a merge patch), of the version of the stored
	// object.
	//
	// encoding/json encodes it, unless it is a map that holds only maps, lists,
	// string, bool, int64, float64 and nil, as the server's decoder makes them.
	Object any
	// Version is the version to read, e.g. v1, or the version that a patch is
	// sent to if it is not that of the stored object. Other verbs take the
	// version from the object.
	Version string
	// Manager is the field manager of the request, "crdtest" if it is empty.
	// Force makes an apply take the fields of others. Managers are tracked in
	// cases with an apply.
	Manager string
	Force   bool
	// CRDPatches change the definition for this step. The next step has the
	// definition without them.
	CRDPatches []Patch
	// Want is the stated outcome.
	Want Want
	// Line is the line of the step in the file; 0 in Go.
	Line int

	path string // of the step in the file, e.g. cases[2].steps[0]
}

// Patch is an operation of a JSON patch (RFC 6902), e.g. with the op remove and
// the path /spec/versions/0/schema/openAPIV3Schema/properties/spec. Value is
// JSON in the types of [crdsem.Result.Object].
type Patch struct {
	Op, Path string
	Value    any
}

// Want is the stated outcome of a step. The zero value states that the request
// is admitted.
type Want struct {
	// Errors are texts that the error must contain. If there is one, the
	// request must be refused. Only errors that a server gives count, see
	// [crdsem.Result.Err]; any other error fails the case.
	//
	// A text may have the form of servers before 1.35, which named the type of
	// a value where the server now names the value, e.g.
	// `spec: Invalid value: "object": min exceeds max`.
	Errors []string
	// Refused states that the request is refused, with any error of a server.
	Refused bool
	// Object is the object that a client reads after the step, nil if that does
	// not matter. Metadata that the server writes is compared only where Object
	// has it: name, namespace, generateName, uid, generation, resourceVersion,
	// creationTimestamp.
	Object map[string]any
	// Versions are the objects that clients of other versions read of the
	// object of a [Convert], by version, e.g. v1beta1. Versions that are not
	// named are only converted and validated.
	Versions map[string]map[string]any
	// MayLose are the fields that a [Convert] may lose or change, with all that
	// is below them, e.g. spec.note. A * stands for one name, and [*] for an
	// item.
	MayLose []string
	// Warnings are all warnings of the answer, in order; nil if they do not
	// matter.
	Warnings []string
	// Ratcheted are the findings that do not fail the update because the value
	// did not change, in order; nil if they do not matter.
	Ratcheted []string
	// Cost is the cost of all validation rules of the step; nil if it does not
	// matter.
	Cost *int64
}

// refused reports whether the request must be refused.
func (w *Want) refused() bool { return w.Refused || len(w.Errors) > 0 }

// namesDefinitions reports whether the suite names all definitions that its
// cases need. A suite that is run with each of its definitions by itself can
// have cases that are for some of them.
func (s *Suite) namesDefinitions() bool {
	return len(s.CRDFiles) > 0 && (s.CRDName != "" || !s.oneByOne)
}

// fieldValidations are the levels of field validation.
var fieldValidations = []crdsem.Strictness{crdsem.Ignore, crdsem.Warn, crdsem.Strict}

// checkFieldValidation returns an error for a level that is not known. The
// empty one is the default.
func checkFieldValidation(level crdsem.Strictness) error {
	if level == "" || slices.Contains(fieldValidations, level) {
		return nil
	}
	return fmt.Errorf("unknown level of field validation %q: want one of %v", level,
		fieldValidations)
}

// placed returns the error of a step with its verb and its position.
func (c *Case) placed(of *Suite, s *Step, err error) error {
	return errorAt(manifest.Position{File: of.fileOf(c), Line: cmp.Or(s.Line, c.Line)},
		fmt.Errorf("%s: %w", s.Verb, err))
}

// errorf returns an error about the suite, with its file.
func (s *Suite) errorf(format string, args ...any) error {
	return errorAt(manifest.Position{File: s.File}, fmt.Errorf(format, args...))
}

// errorAt returns an error with its position, if it is in a file.
func errorAt(at manifest.Position, err error) error {
	if at.File == "" {
		return err
	}
	return &manifest.Error{Position: at, Err: err}
}

// fileOf returns the file of a case.
func (s *Suite) fileOf(c *Case) string { return cmp.Or(c.File, s.File) }
