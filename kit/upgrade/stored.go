package upgrade

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
)

// Fate says what happens to a stored object under the new definition.
type Fate string

// The fates, from the worst to the best.
const (
	// Unreadable: the server cannot read the object, e.g. because its version
	// is gone and the conversion fails.
	Unreadable Fate = "unreadable"
	// Refused: a write that changes nothing is refused.
	Refused Fate = "refused"
	// Ratcheted: writes are admitted until they touch a field that is invalid
	// now. A new object like this one is refused.
	Ratcheted Fate = "ratcheted"
	// Pruned: fields are lost when the object is read, or written again.
	Pruned Fate = "pruned"
	// WebhookDecides: a conversion webhook that was not asked decides what is
	// stored or read; see [Option].
	WebhookDecides Fate = "a webhook decides"
	// Defaulted: fields get defaults when the object is read.
	Defaulted Fate = "defaulted"
	// Unaffected: the object is read as it is stored, and written.
	Unaffected Fate = "unaffected"
)

// Fates lists the fates from the worst to the best.
func Fates() []Fate {
	return []Fate{
		Unreadable, Refused, Ratcheted, Pruned, WebhookDecides, Defaulted, Unaffected,
	}
}

func (f Fate) isWorseThan(other Fate) bool {
	return slices.Index(Fates(), f) < slices.Index(Fates(), other)
}

// Severity returns how much a fate means: breaking for objects that cannot be
// read or written any more.
func (f Fate) Severity() Severity {
	switch f {
	case Unreadable, Refused:
		return Breaking
	case Ratcheted, Pruned, WebhookDecides:
		return Notable
	}
	return Fine
}

// Judgement is what happens to one stored object under the new definition.
type Judgement struct {
	Fate Fate `json:"fate"`
	// Before is the fate under the old definition.
	Before Fate `json:"before"`
	// Severity is that of the fate, by the [Policy]. An object that is no worse
	// off than under the old definition is fine.
	Severity Severity `json:"severity"`
	// Version is the version in which the object is read and written: its own,
	// unless clients of another served version are worse off.
	Version string `json:"version,omitempty"`
	// Err is why the object cannot be read.
	Err error `json:"-"`
	// Pruned and Defaulted are the fields that a read loses and fills in.
	Pruned    []string `json:"pruned,omitempty"`
	Defaulted []string `json:"defaulted,omitempty"`
	// Lost are the fields that the storage version does not have: a write that
	// changes a label loses them.
	Lost []string `json:"lost,omitempty"`
	// Webhook says what a conversion webhook decides that was not asked, e.g.
	// "what is stored". It is empty if there is nothing.
	Webhook string `json:"webhook,omitempty"`
	// Unchanged, Touched, Status and Created are the findings of a write that
	// changes nothing, of one that changes a label, of a status update that
	// changes nothing, and of a create of the same object, e.g. from a backup.
	// Status is empty if the version has no status subresource.
	Unchanged field.ErrorList `json:"-"`
	Touched   field.ErrorList `json:"-"`
	Status    field.ErrorList `json:"-"`
	Created   field.ErrorList `json:"-"`
	// Ratcheted are the findings that the unchanged write tolerates.
	Ratcheted field.ErrorList `json:"-"`

	// added is the fate by what is not so under the old definition: Unaffected
	// if the object is no worse off.
	added Fate
}

func (j *Judgement) isWorse() bool { return j.added != Unaffected }

// Prepare compiles the rules of both definitions, which Judge otherwise
// compiles when an object first needs them. It fails only if the context ends
// before.
func (r *Report) Prepare(ctx context.Context) error {
	for _, s := range []*side{r.old, r.changed} {
		for _, v := range s.model.Versions() {
			version, err := s.def.Version(v.Name)
			if err != nil {
				continue // not served
			}
			if err := version.Prepare(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// Judge says what happens to an object that was stored under the old
// definition: how the server reads it under the new one, what it says to
// writes, and what it stores of them. That is asked for each served version:
// first for the one in which the object is given, and the judgement is that of
// the version whose clients are the worst off compared with before. The object
// is in any version of the old definition and is not changed. The error is the
// context's.
//
// Judge may be called from several goroutines.
func (r *Report) Judge(ctx context.Context, stored map[string]any) (*Judgement, error) {
	own, _ := stored["apiVersion"].(string)
	var worst *Judgement
	for _, name := range r.changed.writable(own) {
		if j := r.judgeIn(ctx, name, stored); worst == nil || j.isAbove(worst) {
			worst = j
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if worst == nil {
		worst = r.weigh(ctx, own, stored, &Judgement{
			Fate: Unreadable, Err: fmt.Errorf("%s serves no version", r.changed.model.Name()),
		})
	}
	return worst, ctx.Err()
}

// isAbove reports whether the judgement of another version than the first one
// counts: its clients are worse off than before, and the fate is a worse one.
func (j *Judgement) isAbove(worst *Judgement) bool {
	return j.isWorse() && j.added.isWorseThan(worst.added)
}

// judgeIn judges a stored object for the clients of one version.
func (r *Report) judgeIn(ctx context.Context, name string, stored map[string]any) *Judgement {
	j := r.weigh(ctx, r.changed.model.Group()+"/"+name, stored, r.changed.judge(ctx, name, stored))
	if j.Fate == WebhookDecides && !j.isWorse() && r.isStricter(name) {
		j.added, j.Severity = j.Fate, r.policy.fate(j.Fate)
	}
	return j
}

// weigh compares a judgement with that of the old definition, of clients of the
// same version or, if it is new, of one that was served.
func (r *Report) weigh(
	ctx context.Context, apiVersion string, stored map[string]any, j *Judgement,
) *Judgement {
	j.Before, j.added, j.Severity = j.Fate, Unaffected, Fine
	if j.Fate == Unaffected || ctx.Err() != nil {
		return j
	}
	before := &Judgement{Fate: Unreadable, Err: errors.New("no version is served")}
	own, _ := stored["apiVersion"].(string)
	if served := r.old.writable(apiVersion, own); len(served) > 0 {
		before = r.old.judge(ctx, served[0], stored)
	}
	j.Before, j.added = before.Fate, fateOf(j.notIn(before))
	if j.isWorse() {
		j.Severity = r.policy.fate(j.Fate)
	}
	return j
}

// isStricter reports whether the new definition makes a version stricter, for
// its own clients or for the objects of other versions.
func (r *Report) isStricter(version string) bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool {
		return c.Version == version && c.Class == Stricter
	})
}

// judge says what happens to a stored object under one of the definitions, for
// the clients of a version.
func (s *side) judge(ctx context.Context, name string, stored map[string]any) *Judgement {
	j := &Judgement{Fate: Unreadable, Version: name}
	version, err := s.def.Version(name)
	if err != nil {
		j.Err = err
		return j
	}
	read := version.Read(ctx, jsonvalue.DeepCopyMap(stored))
	switch j.Err = read.Err(); {
	case errors.Is(j.Err, crdsem.ErrNoWebhook):
		j.Fate, j.Webhook, j.Err = WebhookDecides, "what clients of "+name+" read and write", nil
		return j
	case j.Err != nil:
		return j
	}
	j.Pruned, j.Defaulted = read.Pruned, read.Defaulted
	object := jsonvalue.DeepCopyMap(read.Object)
	unchanged := version.Update(ctx, object, stored)
	j.Unchanged, j.Ratcheted = errorsOf(unchanged), unchanged.Ratcheted
	if ctx.Err() != nil {
		return j
	}
	written := version.Update(ctx, touched(object), stored)
	j.Touched = errorsOf(written)
	if written.Admitted() {
		j.write(ctx, version, written.Object)
	}
	if s.model.Version(name).HasStatus {
		j.Status = errorsOf(version.UpdateStatus(ctx, object, stored))
	}
	created := jsonvalue.DeepCopyMap(object)
	forgetServer(created)
	j.Created = errorsOf(version.Create(ctx, created))
	j.Fate = fateOf(j.Findings())
	return j
}

// write follows an admitted write to storage and back to its client.
func (j *Judgement) write(ctx context.Context, version *crdsem.Version, admitted map[string]any) {
	written := version.Write(ctx, admitted)
	switch err := written.Err(); {
	case errors.Is(err, crdsem.ErrNoWebhook):
		j.Webhook = "what is stored"
	case err != nil:
		j.Touched = append(j.Touched, field.Invalid(nil, "", err.Error()))
	default:
		j.Lost = slices.Clip(written.Stored.Pruned)
		for _, path := range written.Answer.Pruned { // nobody wrote the defaults of storage
			if !slices.Contains(written.Answer.Defaulted, path) {
				j.Lost = append(j.Lost, path)
			}
		}
	}
}

// writable returns the versions in which clients write objects: the first of
// some apiVersions that is served, then the storage version, then the others.
func (s *side) writable(apiVersions ...string) []string {
	var served []string
	for _, v := range s.model.Versions() {
		switch {
		case !v.Served:
		case v.Storage:
			served = append([]string{v.Name}, served...)
		default:
			served = append(served, v.Name)
		}
	}
	for _, apiVersion := range apiVersions {
		group, name := typemeta.Split(apiVersion)
		if i := slices.Index(served, name); i >= 0 && group == s.model.Group() {
			return append([]string{name}, slices.Delete(served, i, i+1)...)
		}
	}
	return served
}

// errorsOf returns the findings of a verdict. A refusal before validation is
// one finding of the whole object.
func errorsOf(result *crdsem.Result) field.ErrorList {
	if result.Admitted() || len(result.Errors) > 0 {
		return result.Errors
	}
	return field.ErrorList{field.Invalid(nil, "", fmt.Sprint(result.Err()))}
}

// touched returns a copy of an object with another label.
func touched(object map[string]any) map[string]any {
	copied := jsonvalue.DeepCopyMap(object)
	metadata, ok := copied["metadata"].(map[string]any)
	if !ok {
		return copied
	}
	labels, ok := metadata["labels"].(map[string]any)
	if !ok {
		labels = map[string]any{}
		metadata["labels"] = labels
	}
	labels["touched"] = "true"
	return copied
}

// forgetServer removes the metadata that a backup leaves out.
func forgetServer(object map[string]any) {
	metadata, _ := object["metadata"].(map[string]any)
	for _, name := range []string{
		"resourceVersion", "uid", "creationTimestamp", "generation", "managedFields",
		"deletionTimestamp", "deletionGracePeriodSeconds",
	} {
		delete(metadata, name)
	}
}

// notIn returns what is wrong, lost or filled in that was not before.
func (j *Judgement) notIn(before *Judgement) []Finding {
	type fact struct {
		effect     Effect
		path, rule string
	}
	known := map[fact]bool{}
	for _, f := range before.Findings() {
		known[fact{f.Effect, f.Path, f.Rule}] = true
	}
	return slices.DeleteFunc(j.Findings(), func(f Finding) bool {
		return known[fact{f.Effect, f.Path, f.Rule}]
	})
}

// fateOf returns the worst of what happens to an object.
func fateOf(found []Finding) Fate {
	worst := Unaffected
	for i := range found {
		if fate := found[i].Effect.fate(); fate.isWorseThan(worst) {
			worst = fate
		}
	}
	return worst
}
