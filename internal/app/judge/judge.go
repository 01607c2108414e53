package judge

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/nearest"
	"github.com/crdsem/crdsem/kit/advice/lint"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
)

// Judge has the definitions by which objects are judged. It is safe for
// concurrent use, except for [Judge.Add] and [Judge.Store].
type Judge struct {
	// Kubernetes is the minor whose server judges. The zero value is the newest
	// one.
	Kubernetes minors.Minor
	// Cache shares what is compiled with other definitions and judges. Without
	// it, each definition is compiled by itself.
	Cache *crdsem.Cache
	// FieldValidation is what is done about unknown and duplicate fields. The
	// zero value is Warn.
	FieldValidation crdsem.Strictness
	// Options are those of the definitions that objects are sent to, e.g. a
	// conversion webhook. Without one, what depends on it is not judged.
	Options []crdsem.DefinitionOption
	// Details selects what results hold next to their findings.
	Details Details
	// Refused selects what happens to objects whose definition is refused.
	Refused RefusedDefinitions
	// Unknown selects what happens to objects of kinds without a definition.
	Unknown UnknownKinds
	// BuiltIn selects what happens to objects of kinds that are built into
	// Kubernetes, unless a definition of their kind was added.
	BuiltIn BuiltInKinds
	// Published returns where the definition of a kind is published, "" if that
	// is not known. The group of a kind that is published is not misspelt.
	Published func(group, kind string) string

	// Lint has the settings by which definitions are checked for likely
	// mistakes. They are not if it is nil.
	Lint lint.Settings

	// Requests selects what objects are sent as. The zero value is
	// CreateOrUpdate.
	Requests Requests
	// SendTo is the version that objects are sent to, e.g. v1. If it has a
	// group, e.g. example.com/v1, only objects of that group are sent to it. It
	// is the version of the objects themselves if it is empty.
	SendTo string
	// Writing is how documents are written if they are not sent whole.
	Writing Writing
	// ApplyDefinition applies a definition to the stored one, which is nil
	// without one. It may be nil unless Writing has a manager. Errors are those
	// of a server.
	ApplyDefinition func(ctx context.Context, live, applied map[string]any, by Writing,
	) (map[string]any, error)
	// StoredDefinitions are the definitions that are updated, by their names.
	// Others are created.
	StoredDefinitions map[string]*definition.CRD

	definitions *manifest.Kinds[*Definition]    // nil without one
	published   map[manifest.Type]*builtin.Kind // of OpenAPI documents
	stored      map[string]map[string]any
	live        map[string]map[string]any // the stored definitions as documents
}

// Details selects what a result holds.
type Details uint8

// The details.
const (
	// FindingsOnly leaves out everything that is not wrong.
	FindingsOnly Details = iota
	// StoredObjects adds changes, costs and the object.
	StoredObjects
	// AllDetails adds explanations too.
	AllDetails
)

// RefusedDefinitions selects what happens to objects of a refused definition.
type RefusedDefinitions uint8

// The choices.
const (
	// SkipObjects does not judge them.
	SkipObjects RefusedDefinitions = iota
	// JudgeObjects judges them if the definition can be compiled.
	JudgeObjects
)

// UnknownKinds selects what happens to objects of kinds that have no definition
// and are not built into Kubernetes.
type UnknownKinds uint8

// The choices.
const (
	// RefuseMisspelt refuses those whose kind or group differs from a known one
	// by its case or one letter. Others are not judged.
	RefuseMisspelt UnknownKinds = iota
	// CountUnknown does not judge them.
	CountUnknown
	// RefuseUnknown refuses them.
	RefuseUnknown
)

// Defines reports whether a definition of an object's kind was added.
func (j *Judge) Defines(object map[string]any) bool {
	d, _ := j.definitionOf(object)
	return d != nil
}

// Version returns the version that an object is sent to. Without such a
// version it returns nil, and the result has the reason.
func (j *Judge) Version(
	r *verdict.Result, doc *manifest.Document, object map[string]any,
) *crdsem.Version {
	f := &Finder{Document: doc}
	if r.APIVersion == "" || r.Kind == "" {
		untyped(r, f, object)
		return nil
	}
	name := j.sentTo(r.APIVersion)
	d, unknown := j.definitionOf(object)
	switch {
	case unknown != nil && unknown.ServedBy(j.minor()):
		r.Verdict, r.Reason = verdict.NotJudged, verdict.BuiltIn
		return nil
	case unknown != nil:
		r.Reason = verdict.NoDefinition
		j.unknown(r, f, unknown)
		return nil
	case d.Compiled() == nil, d.Result.Verdict != verdict.Accepted && j.Refused == SkipObjects:
		r.Verdict, r.Reason = verdict.NotJudged, verdict.DefinitionRefused
		return nil
	}
	version, err := d.Compiled().Version(name)
	if err != nil {
		r.Verdict = verdict.Refused
		at := doc.Find("apiVersion").Value
		finding := f.at(verdict.Error, at, err.Error())
		finding.Hint = "it serves " + d.served()
		r.Findings = []verdict.Finding{finding}
	}
	return version
}

// sentTo returns the version that objects of an apiVersion are sent to.
func (j *Judge) sentTo(apiVersion string) string {
	group, own := typemeta.Split(apiVersion)
	to, version := typemeta.Split(j.SendTo)
	if version == "" || to != "" && to != group {
		return own
	}
	return version
}

// served returns the versions that a definition serves, e.g. "`v1`, `v2`".
func (d *Definition) served() string {
	var names []string
	for _, v := range d.Compiled().Model().Versions() {
		if v.Served {
			names = append(names, "`"+v.Name+"`")
		}
	}
	return strings.Join(names, ", ")
}

// minor returns the minor whose server judges, e.g. 1.37.
func (j *Judge) minor() string { return cmp.Or(j.Kubernetes, minors.Newest()).String() }

// unknown fills in the result for an object of a kind without a definition.
// A kind or group that is like a known one is probably misspelt.
func (j *Judge) unknown(r *verdict.Result, f *Finder, err *manifest.UnknownKindError) {
	finding := f.at(verdict.Warning, f.Document.Find("kind").Value,
		fmt.Sprintf("no definition of %s %s was given", r.APIVersion, r.Kind))
	if t := err.Type; j.Published == nil || err.Meant.Group == t.Group ||
		j.Published(t.Group, t.Kind) == "" {
		finding.Hint = err.Hint()
	}
	r.Verdict = verdict.NotJudged
	refuses := j.Unknown == RefuseUnknown || j.Unknown == RefuseMisspelt && j.isMisspelt(err)
	if refuses {
		r.Verdict, finding.Severity = verdict.Refused, verdict.Error
	}
	if refuses || finding.Hint != "" {
		r.Findings = append(r.Findings, finding)
	}
}

// isMisspelt reports whether a known kind was certainly meant: its name or its
// group differs by its case or one letter, and nobody publishes the other
// group; or it is of Kubernetes, which has never served the version.
func (j *Judge) isMisspelt(err *manifest.UnknownKindError) bool {
	t, meant := err.Type, err.Meant
	if j.BuiltIn == ByStructure && err.Instead() != "" {
		return true
	}
	if t.Group == meant.Group {
		return nearest.IsTypo(t.Kind, meant.Kind)
	}
	if j.Published != nil && j.Published(t.Group, t.Kind) != "" {
		return false
	}
	return t.Kind == meant.Kind && nearest.IsTypo(t.Group, meant.Group)
}

// untyped fills in the result for an object that does not say what it is. An
// object without both fields is something else, e.g. the values of a chart.
func untyped(r *verdict.Result, f *Finder, object map[string]any) {
	r.Verdict, r.Reason = verdict.NotJudged, verdict.NoObject
	for _, name := range []string{"apiVersion", "kind"} {
		value, present := object[name]
		text, isString := value.(string)
		switch {
		case present && !isString:
			r.Findings = append(r.Findings, f.at(verdict.Error, f.Document.Find(name).Value,
				fmt.Sprintf("%s must be a string", name)))
		case text == "" && len(object) > 0 && (r.APIVersion != "" || r.Kind != ""):
			r.Findings = append(r.Findings, f.at(verdict.Error, f.Document.Find(name).Key,
				fmt.Sprintf("the object has no %s", name)))
		}
	}
	if len(r.Findings) > 0 {
		r.Verdict, r.Reason = verdict.Refused, ""
	}
}
