package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/mergepath"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// Writing is how documents are written that are not sent whole. The zero value
// sends them whole.
type Writing struct {
	// Manager is the field manager of a server-side apply, and Force makes it
	// take the fields of others.
	Manager string
	Force   bool
	// Patch is sent to each document, which is the stored object then.
	Patch     []byte
	PatchType crdsem.PatchType
}

// isOne reports whether documents are not sent whole.
func (w *Writing) isOne() bool { return w.Manager != "" || w.Patch != nil }

// StrategicPatch is the media type of a strategic merge patch. A server takes
// them for built-in kinds and definitions, and refuses them for objects.
const StrategicPatch crdsem.PatchType = "application/strategic-merge-patch+json"

// patched returns a definition after the patch. In a strategic patch,
// finalizers and ownerReferences are merged; the other lists of definitions are
// replaced.
func (w *Writing) patched(
	ctx context.Context, object map[string]any, in minors.Minor,
) (map[string]any, error) {
	if w.PatchType != StrategicPatch {
		return w.PatchType.Apply(ctx, object, w.Patch)
	}
	value, _, err := jsonvalue.DecodeJSON(w.Patch)
	if err != nil {
		return nil, err
	}
	patch, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a strategic patch is an object, and not %s",
			jsonvalue.KindOf(value))
	}
	kind, err := builtin.Find(manifest.TypeOf(map[string]any{
		"apiVersion": servedVersion, "kind": "CustomResourceDefinition",
	}), in)
	if err != nil {
		return nil, err
	}
	merged, err := kind.StrategicMerge(object, patch)
	if err != nil {
		return nil, fmt.Errorf("the strategic patch: %w", err)
	}
	return merged, nil
}

// verb returns the name of the request, "" if documents are sent whole.
func (w *Writing) verb(of crdsem.Subresource) string {
	verb := ""
	switch {
	case w.Patch != nil:
		verb = "patch"
	case w.Manager != "":
		verb = "apply"
	}
	if verb != "" && of == crdsem.SubresourceStatus {
		verb += "Status"
	}
	return verb
}

// request returns the request as the facade takes it.
func (q *Request) request() crdsem.Request {
	sent := crdsem.Request{Subresource: q.Subresource, Old: q.Old}
	switch {
	case q.Writing.Patch != nil:
		sent.Verb = crdsem.VerbPatch
		sent.Body, sent.PatchType = q.Writing.Patch, q.Writing.PatchType
		return sent
	case q.Writing.Manager != "":
		sent.Verb, sent.Object = crdsem.VerbApply, q.Object
		sent.FieldManager, sent.Force = q.Writing.Manager, q.Writing.Force
		return sent
	}
	sent.Object = q.Object
	return sent
}

// conflictsOf returns the conflicts with other managers that an error is about.
func conflictsOf(err error) []crdsem.Cause {
	status, ok := errors.AsType[*crdsem.StatusError](err)
	if !ok || status.Reason != "Conflict" || len(status.Causes) == 0 ||
		status.Causes[0].Reason != "FieldManagerConflict" {
		return nil
	}
	return status.Causes
}

// conflicts fills in the result for an apply that other managers do not let
// through: a finding for each field, with what force would take.
func (f *Finder) conflicts(r *verdict.Result, err error, live, applied map[string]any) {
	r.Verdict, r.Refusal = verdict.Refused, err.Error()
	for _, c := range conflictsOf(err) {
		indexed, becomes, missing := mergepath.Follow(applied, c.Field)
		if missing != "" {
			becomes = nil
		}
		_, is, missing := mergepath.Follow(live, c.Field)
		if missing != "" {
			is = nil
		}
		finding := f.at(verdict.Error, f.Document.Find(indexed).Value, c.Message+": "+c.Field)
		finding.Field, finding.Rule = strings.TrimPrefix(c.Field, "."), ruleOf(err)
		owner := strings.TrimPrefix(c.Message, "conflict with ")
		finding.Hint = fmt.Sprintf("--force-conflicts takes it from %s: %s becomes %s",
			owner, shortJSON(is), shortJSON(becomes))
		r.Findings = append(r.Findings, finding)
	}
}

// Refusal returns the findings on the error of a request that sends a document:
// one for each field that the error is about. The live object and what is
// applied to it are those of an apply.
func Refusal(doc *manifest.Document, err error, live, applied map[string]any) []verdict.Finding {
	f := &Finder{
		Document: doc, Hint: func(*field.Error) string { return "" },
		TextHint: func(string) string { return "" },
	}
	if conflictsOf(err) != nil {
		var r verdict.Result
		f.conflicts(&r, err, live, applied)
		return r.Findings
	}
	if status, ok := errors.AsType[*crdsem.StatusError](err); ok && len(status.Errors) > 0 {
		return f.Errors(verdict.Error, status.Errors)
	}
	return f.misfits(f.Texts(verdict.Error, ruleOf(err), err.Error()), err, applied)
}

// shortJSON returns a value as JSON, cut to a readable length.
func shortJSON(value any) string {
	if value == nil {
		return "nothing"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	const most = 60
	if short := []rune(string(text)); len(short) > most {
		return string(short[:most]) + "…"
	}
	return string(text)
}

// forced says in a note what a server answers to the apply with force, unless
// it is admitted.
func (q *Request) forced(ctx context.Context, r *verdict.Result) {
	q.Writing.Force = true
	if err := q.send(ctx, crdsem.Warn).Err(); err != nil {
		r.Notes = append(r.Notes, "with --force-conflicts it is refused: "+err.Error())
	}
}

// misfits places the findings about a configuration that does not fit the
// schema: the server names the fields in one text. For a JSON patch it says in
// the hint which operation failed, which the server does not.
func (f *Finder) misfits(
	found []verdict.Finding, err error, object map[string]any,
) []verdict.Finding {
	status, ok := errors.AsType[*crdsem.StatusError](err)
	if ok && len(found) == 1 && strings.HasPrefix(status.Message, "the server rejected") &&
		status.Err != nil {
		found[0].Hint = status.Err.Error()
	}
	var misfit interface {
		error
		Paths() []string
	}
	if len(found) != 1 || !errors.As(err, &misfit) {
		return found
	}
	for i, path := range misfit.Paths() {
		if i > 0 {
			found = append(found, found[0])
		}
		f.place(&found[i], f.Document.Find(mergepath.Indexed(object, path)).Key)
		found[i].Field = strings.TrimPrefix(path, ".")
	}
	return found
}

// applierOf returns the first manager that applied a stored object. managed
// reports whether the object has managedFields.
func applierOf(live map[string]any) (manager string, managed bool) {
	metadata, _ := live["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	for _, e := range entries {
		entry, _ := e.(map[string]any)
		name, _ := entry["manager"].(string)
		part, _ := entry["subresource"].(string)
		if entry["operation"] == "Apply" && part == "" && name != "" {
			return name, true
		}
	}
	return "", len(entries) > 0
}

// replaces says of an update of an object with managers that it was judged as a
// replacement, and what an apply by the manager that applied it would do if
// that differs.
func (q *Request) replaces(ctx context.Context, r *verdict.Result) {
	manager, managed := applierOf(q.Old)
	if !managed || q.Subresource != "" {
		return
	}
	if manager == "" || ctx.Err() != nil {
		r.Notes = append(r.Notes, replacement+"; --apply MANAGER judges an apply")
		return
	}
	applied := *q
	applied.Object, applied.Writing = withoutManagers(q.Object), Writing{Manager: manager}
	is, would := q.send(ctx, q.FieldValidation), applied.send(ctx, q.FieldValidation)
	if errors.Is(would.Err(), crdsem.ErrNoServerSideApply) {
		return
	}
	(&Finder{Document: q.Document}).differs(r, manager, verdictOf(is), verdictOf(would))
}

// replacement says how an update was judged.
const replacement = "the live object has managers: judged as a replacement, " +
	"which removes what the file leaves out"

// judged is the outcome of a write.
type judged struct {
	object map[string]any
	err    error
}

func verdictOf(result *crdsem.Result) judged { return judged{result.Object, result.Err()} }

// differs adds a warning if an apply has another outcome than the replacement,
// otherwise a note.
func (f *Finder) differs(r *verdict.Result, manager string, is, would judged) {
	text := is.differs(would)
	if text == "" {
		r.Notes = append(r.Notes, fmt.Sprintf("%s; an apply by %q does the same",
			replacement, manager))
		return
	}
	finding := f.at(verdict.Warning, f.Document.Start(), fmt.Sprintf(
		"%s; an apply by %q %s", replacement, manager, text))
	finding.Hint = "--apply " + manager + " judges the apply"
	r.Findings = append(r.Findings, finding)
}

// differs says what an apply does that a replacement does not. It is empty if
// both do the same.
func (is judged) differs(would judged) string {
	switch {
	case would.err != nil && (is.err == nil || is.err.Error() != would.err.Error()):
		return "is refused: " + would.err.Error()
	case would.err == nil && is.err != nil:
		return "is admitted"
	case would.err == nil:
		return differences(is.object, would.object)
	}
	return ""
}

// differences says in which fields an apply stores other values than a
// replacement. It is empty if there are none.
func differences(is, would map[string]any) string {
	const most = 5
	found := conversion.Compare(withoutManagers(is), withoutManagers(would))
	var paths []string
	for _, loss := range found {
		if loss.Path == "metadata.resourceVersion" || loss.Path == "metadata.generation" {
			continue
		}
		switch loss.Kind {
		case conversion.Lost:
			paths = append(paths, loss.Path+" is removed")
		case conversion.Added:
			paths = append(paths, loss.Path+" stays "+shortJSON(loss.After))
		default:
			paths = append(paths, loss.Path+" is "+shortJSON(loss.After))
		}
	}
	if len(paths) == 0 {
		return ""
	}
	more := ""
	if n := len(paths) - most; n > 0 {
		paths, more = paths[:most], fmt.Sprintf(", and %d more", n)
	}
	return "stores other values: " + strings.Join(paths, ", ") + more
}

// withoutManagers returns an object without managedFields. The argument is not
// changed.
func withoutManagers(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	if metadata["managedFields"] == nil {
		return object
	}
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	delete(metadata, "managedFields")
	object["metadata"] = metadata
	return object
}

// write applies or patches a definition. It returns the stored definition and
// the new one, which is nil if the request is refused.
func (j *Judge) write(
	ctx context.Context, r *verdict.Result, f *Finder, crd *definition.CRD, object map[string]any,
) (old, merged *definition.CRD) {
	old, r.Request = j.StoredDefinitions[crd.Name()], j.Writing.verb("")
	var document map[string]any
	var err error
	if j.Writing.Patch != nil {
		old = crd
		document, err = j.Writing.patched(ctx, object, j.Kubernetes)
	} else {
		live := j.live[crd.Name()]
		document, err = j.ApplyDefinition(ctx, live, object, j.Writing)
		if conflictsOf(err) != nil {
			f.conflicts(r, err, live, object)
			return nil, nil
		}
	}
	if err == nil {
		merged, _, err = definition.FromMap(document, structural.Kubernetes(j.Kubernetes))
	}
	if err != nil {
		refuseUndecoded(r, f, err)
		r.Findings = f.misfits(r.Findings, err, object)
		return nil, nil
	}
	return old, merged
}

// compareWithApply says of an update of a definition with managers what an
// apply would do, see [Request.replaces].
func (j *Judge) compareWithApply(
	ctx context.Context, d *Definition, f *Finder, object map[string]any,
	found *validate.Result,
) {
	r := d.Result
	_, name := typemeta.Name(object)
	live := j.live[name]
	manager, managed := applierOf(live)
	if !managed || j.ApplyDefinition == nil {
		return
	}
	if manager == "" {
		r.Notes = append(r.Notes, replacement+"; --apply MANAGER judges an apply")
		return
	}
	is := judged{object: asWritten(object)}
	if len(found.Errors) > 0 {
		is.err = found.Errors.ToAggregate()
	}
	before := len(r.Findings)
	f.differs(r, manager, is, j.appliedDefinition(ctx, live, object, manager))
	if d.isGiven && len(r.Findings) > before { // it is not applied with its objects
		r.Findings[before].Hint = "crdsem check " + r.Findings[before].Hint
	}
}

// Instead says what an apply of a definition does otherwise than a replacement
// of the stored one, by the manager that applied that. It is empty if both do
// the same, or if the stored definition has no such manager.
func (j *Judge) Instead(ctx context.Context, object map[string]any) string {
	_, name := typemeta.Name(object)
	live := j.live[name]
	manager, _ := applierOf(live)
	if manager == "" || j.ApplyDefinition == nil {
		return ""
	}
	is := judged{object: asWritten(object)}
	text := is.differs(j.appliedDefinition(ctx, live, object, manager))
	if text == "" {
		return ""
	}
	return fmt.Sprintf("%s; an apply by %q %s", replacement, manager, text)
}

// appliedDefinition returns what an apply of a definition does.
func (j *Judge) appliedDefinition(
	ctx context.Context, live, object map[string]any, manager string,
) judged {
	document, err := j.ApplyDefinition(ctx, live, withoutManagers(object),
		Writing{Manager: manager})
	if err != nil {
		return judged{err: err}
	}
	merged, _, err := definition.FromMap(document, structural.Kubernetes(j.Kubernetes))
	if err != nil {
		return judged{err: err}
	}
	before, _, err := definition.FromMap(live, structural.Kubernetes(j.Kubernetes))
	if err != nil {
		return judged{err: err}
	}
	stored, update := definition.Revise(before, merged)
	if errs := validate.Update(ctx, update, stored).Errors; len(errs) > 0 {
		return judged{err: errs.ToAggregate()}
	}
	return judged{object: asWritten(document)}
}

// asWritten returns a definition without what a server fills in.
func asWritten(object map[string]any) map[string]any {
	out := repository.WithoutServer(object)
	spec, _ := out["spec"].(map[string]any)
	names, _ := spec["names"].(map[string]any)
	spec, names = maps.Clone(spec), maps.Clone(names)
	conversion, _ := spec["conversion"].(map[string]any)
	if len(conversion) == 1 && conversion["strategy"] == "None" {
		delete(spec, "conversion")
	}
	if kind, _ := names["kind"].(string); names["listKind"] == kind+"List" {
		delete(names, "listKind")
	}
	if kind, _ := names["kind"].(string); names["singular"] == strings.ToLower(kind) {
		delete(names, "singular")
	}
	if spec != nil {
		out["spec"] = spec
	}
	if names != nil {
		spec["names"] = names
	}
	return out
}
