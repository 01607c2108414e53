package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/structural"
)

// Definition is a definition that was checked.
type Definition struct {
	// Result is the outcome of the check.
	Result *verdict.Result
	// CRD is the definition; nil if it could not be decoded.
	CRD *definition.CRD

	place   string
	isGiven bool // for its objects only
	names   manifest.Names
	object  map[string]any            // the document, until the definition is added
	compile func() *crdsem.Definition // nil before the definition is decoded
}

// Names returns the names that the definition asks for.
func (d *Definition) Names() manifest.Names { return d.names }

// Compiled is the definition by which objects are judged; nil if it cannot be
// compiled. It is compiled when it is first needed.
func (d *Definition) Compiled() *crdsem.Definition {
	if d.compile == nil {
		return nil
	}
	return d.compile()
}

// Release forgets the definition but for its names and its result: objects
// cannot be judged by it any more.
func (d *Definition) Release() { d.CRD, d.compile = nil, nil }

// Check checks a definition as the server does when it is created or, if it is
// stored, updated. object is the document, decoded, and strict has its
// duplicate keys.
func (j *Judge) Check(
	ctx context.Context,
	doc *manifest.Document,
	object map[string]any,
	strict []*manifest.Error,
) *Definition {
	return j.check(ctx, doc, object, checkInput{
		strict: strict, silent: silentHints(ctx, doc, object), shared: &structural.Cache{},
		decoded: func() (*definition.CRD, []error) { return nil, nil },
	})
}

// checkInput is what all minors find alike in a definition: its duplicate keys,
// the hints on keywords that a server drops silently, and the definition.
type checkInput struct {
	strict []*manifest.Error
	silent func() []string
	// decoded returns the definition, nil if the minors may differ, and what a
	// strict decoder objects to.
	decoded func() (*definition.CRD, []error)
	shared  *structural.Cache
	// isGiven is set for a definition that is there for its objects only.
	isGiven bool
}

// decodeOnce decodes a definition that all minors decode alike: without the
// fields that not all of them know.
func decodeOnce(data []byte, object map[string]any) (*definition.CRD, []error) {
	if hasNewField(object) {
		return nil, nil
	}
	crd, strict, err := definition.Parse(data)
	if err != nil {
		return nil, nil
	}
	return crd, strict
}

// hasNewField reports whether a definition may have fields, next to its schema,
// that a minor after the oldest has added.
func hasNewField(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			isNew := strings.EqualFold(key, "observedGeneration")
			if isNew || key != "openAPIV3Schema" && hasNewField(member) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasNewField)
	}
	return false
}

// silentHints returns a function that finds the hints once.
func silentHints(
	ctx context.Context, doc *manifest.Document, object map[string]any,
) func() []string {
	return sync.OnceValue(func() []string { return hintsOn(doc, object).Silent(ctx) })
}

// measured is [Judge.measure] for a definition. One that is given for its
// objects has no warnings: nobody writes it.
func (j *Judge) measured(
	r *verdict.Result, doc *manifest.Document, object map[string]any, isGiven bool,
) bool {
	fits := j.measure(r, doc, object, true)
	if fits && isGiven {
		r.Findings = nil
	}
	return fits
}

func (j *Judge) check(
	ctx context.Context, doc *manifest.Document, object map[string]any, in checkInput,
) *Definition {
	d := &Definition{
		Result: NewResult(doc, object), place: doc.Start().String(), isGiven: in.isGiven,
		object: object,
	}
	d.names = manifest.NamesOf(object)
	r := d.Result
	r.Definition, r.Request = true, "create"
	f := newFinder(ctx, doc, hintsOn(doc, object))
	f.V1 = r.APIVersion == servedVersion
	if !j.measured(r, doc, object, in.isGiven) {
		return d
	}
	crd, objections, err := j.decode(doc, object, in.decoded)
	if err != nil {
		refuseUndecoded(r, f, err)
		return d
	}
	old := j.StoredDefinitions[crd.Name()]
	if old != nil {
		r.Request = "update"
	}
	if j.Writing.isOne() && !in.isGiven {
		if old, crd = j.write(ctx, r, f, crd, object); crd == nil {
			return d
		}
	}
	d.CRD = crd
	d.compile = sync.OnceValue(func() *crdsem.Definition {
		options := append(slices.Clone(j.Options), crdsem.InCache(j.Cache))
		compiled, _ := crdsem.Compile(crd, options...) // nil with an error
		return compiled
	})
	if r.APIVersion != servedVersion {
		r.Verdict = verdict.Refused
		r.Findings = append(r.Findings, f.at(verdict.Error, doc.Find("apiVersion").Value,
			fmt.Sprintf("no server serves %s since Kubernetes 1.22: write the definition for %s",
				r.APIVersion, servedVersion)))
		return d
	}
	found := j.validated(ctx, old, crd, r, structural.InCache(in.shared))
	if found.Err != nil {
		r.Verdict = verdict.NotJudged
		r.Findings = f.Texts(verdict.Error, "", found.Err.Error())
		return d
	}
	if r.Request == "update" {
		j.compareWithApply(ctx, d, f, object, &found)
	}
	if doc.Data != nil {
		objections = slices.DeleteFunc(objections, isDuplicate)
	}
	j.strictFindings(r, f, objections, in.strict)
	report(r, f, &found)
	f.silent(r, in.silent())
	locateFormats(r, f, object)
	if j.Lint != nil && d.Compiled() != nil {
		r.Findings = append(r.Findings, j.linted(ctx, d, f, object)...)
	}
	return d
}

// silent adds warnings of keywords that a server drops silently.
func (f *Finder) silent(r *verdict.Result, texts []string) {
	for _, text := range texts {
		path, _, _ := strings.Cut(text, ": ")
		r.Findings = append(r.Findings, f.at(verdict.Warning, f.Document.Find(path).Key, text))
	}
}

// report adds what was found in a definition to the result.
func report(r *verdict.Result, f *Finder, found *validate.Result) {
	if len(found.Errors) > 0 {
		r.Verdict, r.Errors = verdict.Refused, found.Errors
	}
	r.Findings = append(r.Findings, f.Errors(verdict.Error, found.Errors)...)
	foldUnchecked(r)
	if len(found.AsNew) > 0 {
		r.Findings = append(r.Findings, f.Errors(verdict.Warning, found.AsNew)...)
		r.Notes = append(r.Notes, "the status says that a server has stored this definition: "+
			"it is believed, but would be refused as a new one")
	}
	if r.Verdict == verdict.Accepted {
		r.Findings = append(r.Findings, f.Texts(verdict.Warning, "", found.Warnings...)...)
	}
}

// hintsOn returns hints on a definition in a document.
func hintsOn(doc *manifest.Document, object map[string]any) *advice.Definition {
	source := func(path string) (string, bool) {
		return doc.Find(schemapath.V1(path)).Plain()
	}
	return &advice.Definition{Document: object, Source: source}
}

// refuseUndecoded fills in the result for a definition that does not decode.
func refuseUndecoded(r *verdict.Result, f *Finder, err error) {
	r.Verdict, r.Refusal = verdict.Refused, err.Error()
	r.Findings = f.Texts(verdict.Error, ruleOf(err), r.Refusal)
	if mistyped, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		// The text of an older minor has a part of the fields only.
		f.mistyped(&r.Findings[0], mistyped.Error())
	}
}

// servedVersion is the apiVersion of definitions.
const servedVersion = "apiextensions.k8s.io/v1"

// validated validates a definition as an update if a stored one was given,
// otherwise as a new one. One that is established itself is believed.
func (j *Judge) validated(
	ctx context.Context, old, crd *definition.CRD, r *verdict.Result, shared structural.Option,
) validate.Result {
	switch {
	case old == nil && r.Request != "apply" && crd.IsEstablished():
		r.Request = "stored"
		return validate.Stored(ctx, crd, shared)
	case old == nil:
		return validate.Create(ctx, crd.ForCreate(), shared)
	}
	if !old.HasConditions() {
		r.Notes = append(r.Notes, "the stored definition has no conditions: it is taken to be "+
			"established, and its storage version to be stored")
	}
	stored, update := definition.Revise(old, crd)
	return validate.Update(ctx, update, stored, shared)
}

// decode decodes a definition, or returns what all minors decode it to.
// objections has the texts about unknown and duplicate fields.
func (j *Judge) decode(
	doc *manifest.Document, object map[string]any, shared func() (*definition.CRD, []error),
) (crd *definition.CRD, objections []string, err error) {
	var strict []error
	minor := structural.Kubernetes(j.Kubernetes)
	switch {
	case doc.Data == nil:
		crd, strict, err = definition.FromMap(object, minor)
	default:
		if crd, strict = shared(); crd != nil {
			crd = crd.In(j.Kubernetes)
		} else {
			crd, strict, err = definition.Parse(doc.Data, minor)
		}
	}
	for _, objection := range strict {
		objections = append(objections, jsonvalue.SplitYAMLErrors(objection.Error())...)
	}
	return crd, objections, err
}

// strictFindings adds what a strict decoder refuses: texts of the server, and
// duplicate keys that the server's decoder did not see.
func (j *Judge) strictFindings(
	r *verdict.Result, f *Finder, objections []string, duplicates []*manifest.Error,
) {
	severity := verdict.Error
	switch j.FieldValidation {
	case crdsem.Ignore:
		return
	case crdsem.Warn, "":
		severity = verdict.Warning
	}
	findings := f.Texts(severity, strictRule, objections...)
	for _, duplicate := range duplicates {
		finding := f.at(severity, duplicate.Position, duplicate.Err.Error())
		finding.Rule, finding.Hint = strictRule, f.TextHint(finding.Text)
		findings = append(findings, finding)
	}
	r.Findings = append(r.Findings, findings...)
	if severity == verdict.Error && len(findings) > 0 {
		r.Verdict, r.Reason = verdict.Refused, ""
	}
}

// isDuplicate reports whether a strict decoder objects to a duplicate key.
func isDuplicate(objection string) bool {
	return strings.HasPrefix(objection, `duplicate field "`) ||
		strings.HasSuffix(objection, "already set in map")
}

// warnOfDuplicates warns of the duplicate keys of an object. No client sends
// the text of a file: kubectl takes the last value of a key.
func (j *Judge) warnOfDuplicates(
	r *verdict.Result, doc *manifest.Document, duplicates []*manifest.Error,
) {
	if j.FieldValidation == crdsem.Ignore {
		return
	}
	f := &Finder{Document: doc}
	for _, duplicate := range duplicates {
		key := keyIn(duplicate.Err.Error())
		finding := f.at(verdict.Warning, duplicate.Position,
			fmt.Sprintf("the key %s occurs twice: %s", key, byKubectl))
		finding.Rule, finding.Hint = strictRule, duplicateHint(key)
		finding.Field = fieldIn(duplicate.Err.Error())
		if key == joined && j.FieldValidation == crdsem.Strict { // an object is lost
			r.Verdict, r.Reason, finding.Severity = verdict.Refused, "", verdict.Error
		}
		r.Findings = append(r.Findings, finding)
	}
}

// byKubectl says what clients make of a duplicate key, and byKustomize what is
// to be said of a file that kustomize reads.
const (
	byKubectl   = "kubectl takes the last value, kustomize refuses the file"
	byKustomize = "kustomize, which reads the file, refuses it"
)

// refuseDuplicates makes errors of the duplicate keys in a file that kustomize
// reads.
func refuseDuplicates(r *verdict.Result) {
	for i := range r.Findings {
		f := &r.Findings[i]
		text, ok := strings.CutSuffix(f.Text, byKubectl)
		if ok && f.Rule == strictRule {
			f.Text, f.Severity = text+byKustomize, verdict.Error
			r.Verdict, r.Reason = verdict.Refused, ""
		}
	}
}

// duplicatesIn returns the findings on duplicate keys in a kustomization.
func duplicatesIn(o manifest.Object) (found []verdict.Finding) {
	f := &Finder{Document: o.Document}
	for _, duplicate := range o.Strict {
		key := keyIn(duplicate.Err.Error())
		finding := f.at(verdict.Error, duplicate.Position,
			fmt.Sprintf("the key %s occurs twice: %s", key, byKustomize))
		finding.Rule, finding.Hint = strictRule, duplicateHint(key)
		found = append(found, finding)
	}
	return found
}

// isTestData reports whether a place is in a folder of test data.
func isTestData(place string) bool {
	return strings.Contains("/"+filepath.ToSlash(place), "/testdata/")
}

// joined is the key that occurs twice if two documents are joined.
const joined = `"apiVersion"`

// keyIn returns the key of a message about a duplicate key, e.g. "spec" in
// quotes, or true.
func keyIn(text string) string {
	text = strings.TrimPrefix(text, "duplicate field ")
	text = strings.TrimPrefix(text, "key ")
	return strings.TrimSuffix(text, " already set in map")
}

// duplicateHint returns a hint on a duplicate key.
func duplicateHint(key string) string {
	switch key {
	case joined:
		return "two documents may be joined: put a line --- between them"
	case "true":
		return "in YAML 1.1, y, yes and on are the boolean true: write such a key in quotes"
	case "false":
		return "in YAML 1.1, n, no and off are the boolean false: write such a key in quotes"
	}
	return "remove one"
}

// strictRule is the rule about unknown and duplicate fields.
const strictRule = "PIPE-006"

// Add makes a definition known. Definitions are added in their order: of two of
// one kind the later one counts, and its result has a warning.
func (j *Judge) Add(d *Definition) {
	if d.names.Kind == "" {
		return
	}
	if j.definitions == nil {
		j.definitions = &manifest.Kinds[*Definition]{}
	}
	before, isKnown := j.definitions.Kind(d.names.GroupKind)
	if isKnown && !before.isGiven && isTestData(d.place) && !isTestData(before.place) {
		d.Result.Findings = append(d.Result.Findings, verdict.Finding{
			Severity: verdict.Warning, Line: d.Result.Line, Column: d.Result.Column,
			Text: fmt.Sprintf("%s is defined at %s too, which is no test data; "+
				"objects are judged by that definition", d.names.GroupKind, before.place),
		})
		return
	}
	for _, before := range j.definitions.Add(d.names, d) {
		d.Result.Findings = append(d.Result.Findings, verdict.Finding{
			Severity: verdict.Warning, Line: d.Result.Line, Column: d.Result.Column,
			Text: fmt.Sprintf("%s is defined at %s too; objects are judged by this definition",
				d.names.GroupKind, before.place),
		})
	}
}
