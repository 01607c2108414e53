package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Request is an object on its way to the server.
type Request struct {
	Document *manifest.Document
	// Object is the document, decoded. Old is the stored object of an update.
	Object, Old map[string]any
	Version     *crdsem.Version
	// Subresource is what an update writes.
	Subresource crdsem.Subresource
	// FieldValidation is what is done about unknown and duplicate fields.
	FieldValidation crdsem.Strictness
	Details         Details
	// Writing is how the object is written.
	Writing Writing
}

// Run sends the request and fills in the result: verdict, findings and details.
//
// A request that is refused because of unknown or duplicate fields is sent
// again, so that the result has a finding for each of them, and those that the
// server would report next.
func (q *Request) Run(ctx context.Context, r *verdict.Result) {
	sent := q.send(ctx, q.FieldValidation)
	if errors.Is(sent.Err(), crdsem.ErrNoWebhook) { // the old object is of another version
		r.Verdict, r.Reason, r.Webhook = verdict.NotJudged, verdict.WebhookDecides, true
		return
	}
	if conflictsOf(sent.Err()) != nil {
		(&Finder{Document: q.Document}).conflicts(r, sent.Err(), q.Old, q.Object)
		q.forced(ctx, r)
		return
	}
	level := q.FieldValidation
	if err := sent.Err(); sent.Stage == crdsem.StageDecode && ruleOf(err) == strictRule {
		r.Verdict, r.Refusal = verdict.Refused, err.Error()
		sent = q.send(ctx, crdsem.Warn)
	} else {
		level = crdsem.Warn
	}
	help := &advice.Object{
		Schema: q.Version.Schema(), Object: q.Object, Old: q.Old, Explanations: sent.Explanations,
		Source: func(path string) (string, bool) { return q.Document.Find(path).Plain() },
	}
	if q.Writing.isOne() && sent.Object != nil { // values may be those of the patch
		help.Object, help.Source = sent.Object, nil
	}
	f := newFinder(ctx, q.Document, help)
	warning := f.TextHint
	if sent.Stage == crdsem.StageDecode {
		r.Refusal = sent.Err().Error()
		f.TextHint = func(text string) string {
			return f.Hint(&field.Error{Detail: text, Origin: ruleOf(sent.Err())})
		}
		found := f.Texts(verdict.Error, ruleOf(sent.Err()), r.Refusal)
		r.Findings = append(r.Findings, f.misfits(found, sent.Err(), q.Object)...)
	}
	if !sent.Admitted() {
		r.Verdict, r.Errors = verdict.Refused, sent.Errors
	}
	f.TextHint = warning
	q.warnings(r, f, sent, level)
	r.Findings = append(r.Findings, f.Errors(verdict.Error, sent.Errors)...)
	foldUnchecked(r)
	r.Findings = append(r.Findings, f.Errors(verdict.Tolerated, sent.Ratcheted)...)
	if q.Details >= StoredObjects {
		r.Changes = sent.Provenance
		if n := sent.Omitted.Changes; n > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("%d more changes are not listed", n))
		}
		r.Rules, r.RulesCost = sent.Rules, sent.Cost
	}
	if q.Details == AllDetails {
		r.Explanations = verdict.Explanations(sent.Explanations)
	}
	if sent.Admitted() && r.Verdict == verdict.Accepted {
		q.write(ctx, r, f, sent)
		q.grown(r, f, sent.Object)
	}
}

// send sends the request, and again if a rule failed: only then there are
// explanations, and most requests do not fail.
func (q *Request) send(ctx context.Context, level crdsem.Strictness) *crdsem.Result {
	request := q.request()
	request.FieldValidation = level
	sent := q.Version.Do(ctx, request)
	if slices.ContainsFunc(sent.Errors, isOfRule) ||
		slices.ContainsFunc(sent.Ratcheted, isOfRule) {
		request.Explain = crdsem.ExplainTerms
		return q.Version.Do(ctx, request)
	}
	return sent
}

// isOfRule reports whether an error is that of a rule in CEL, or of its cost.
func isOfRule(err *field.Error) bool {
	return strings.HasPrefix(err.Origin, "CEL-") || strings.HasPrefix(err.Origin, "COST-")
}

// warnings adds the warnings. Those about unknown and duplicate fields are
// errors at the level Strict. A tolerated error is a finding already.
func (q *Request) warnings(
	r *verdict.Result, f *Finder, sent *crdsem.Result, level crdsem.Strictness,
) {
	for _, text := range sent.Warnings {
		severity, rule := verdict.Warning, ""
		if isStrict(text) {
			rule = strictRule
			if level == crdsem.Strict {
				severity = verdict.Error
			}
		}
		if !slices.ContainsFunc(sent.Ratcheted, func(e *field.Error) bool {
			return e.Error() == text
		}) {
			found := f.Texts(severity, rule, text)
			if strings.HasPrefix(text, r.APIVersion+" ") { // the version is deprecated
				f.place(&found[0], q.Document.Find("apiVersion").Value)
			}
			r.Findings = append(r.Findings, found...)
		}
	}
}

// isStrict reports whether a warning is about an unknown or duplicate field.
func isStrict(text string) bool {
	return strings.HasPrefix(text, `unknown field "`) ||
		strings.HasPrefix(text, `duplicate field "`) ||
		strings.HasSuffix(text, "already set in map")
}

// Send judges a document that is sent to the server: as an update if a stored
// object has its name, otherwise as a new object. object and strict are the
// results of [manifest.Document.Object].
func (j *Judge) Send(
	ctx context.Context,
	doc *manifest.Document,
	object map[string]any,
	strict []*manifest.Error,
) *verdict.Result {
	r := NewResult(doc, object)
	if !j.measure(r, doc, object, false) {
		return r
	}
	if j.sendBuiltIn(ctx, r, doc, object, strict) {
		return r
	}
	version := j.Version(r, doc, object)
	if version == nil {
		if r.Verdict == verdict.NotJudged {
			j.warnOfDuplicates(r, doc, strict)
		}
		return r
	}
	d, _ := j.definitionOf(object)
	id := d.identity(object)
	q := Request{
		Document: doc, Object: object, Old: j.stored[id], Version: version,
		FieldValidation: j.FieldValidation, Details: j.Details, Writing: j.Writing,
	}
	if j.Writing.Patch != nil {
		q.Old = InNamespace(d.Compiled(), object)
	}
	r.Version = version.Name()
	switch {
	case q.Old == nil && j.Requests == CreateOrUpdate:
		r.Request = "create"
	case q.Old == nil:
		f := &Finder{Document: doc}
		r.Verdict = verdict.Refused
		r.Findings = []verdict.Finding{f.at(verdict.Error, doc.Find("metadata.name").Value,
			fmt.Sprintf("%s is not among the stored objects", id))}
		return r
	case j.Requests == UpdateStatus:
		r.Request, q.Subresource = "updateStatus", crdsem.SubresourceStatus
	default:
		r.Request = "update"
	}
	if verb := j.Writing.verb(q.Subresource); verb != "" {
		r.Request = verb
	}
	j.warnOfDuplicates(r, doc, strict)
	q.runWhole(ctx, r)
	return r
}

// runWhole runs the request, and says of a document that is sent whole what the
// stored object has to do with it.
func (q *Request) runWhole(ctx context.Context, r *verdict.Result) {
	q.Run(ctx, r)
	if q.Writing.isOne() {
		return
	}
	q.warnOfRevision(r)
	if r.Request == "update" && r.Verdict != verdict.NotJudged {
		q.replaces(ctx, r)
	}
}
