package upgrade

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
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
	// Pruned: fields are lost when the object is read.
	Pruned Fate = "pruned"
	// Defaulted: fields get defaults when the object is read.
	Defaulted Fate = "defaulted"
	// Unaffected: the object is read as it is stored, and written.
	Unaffected Fate = "unaffected"
)

// Fates lists the fates from the worst to the best.
func Fates() []Fate {
	return []Fate{Unreadable, Refused, Ratcheted, Pruned, Defaulted, Unaffected}
}

// Severity returns how much a fate means: breaking for objects that cannot be
// read or written any more.
func (f Fate) Severity() Severity {
	switch f {
	case Unreadable, Refused:
		return Breaking
	case Ratcheted, Pruned:
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
	// Version is the version in which the object is read and written.
	Version string `json:"version,omitempty"`
	// Err is why the object cannot be read.
	Err error `json:"-"`
	// Pruned and Defaulted are the fields that a read loses and fills in.
	Pruned    []string `json:"pruned,omitempty"`
	Defaulted []string `json:"defaulted,omitempty"`
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
}

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
// definition: how the server reads it under the new one, and what it says to
// writes. The object is in any version of the old definition and is not
// changed. The error is the context's.
//
// Judge may be called from several goroutines.
func (r *Report) Judge(ctx context.Context, stored map[string]any) (*Judgement, error) {
	j := r.changed.judge(ctx, stored)
	j.Before, j.Severity = j.Fate, Fine
	if j.Fate != Unaffected && ctx.Err() == nil {
		before := r.old.judge(ctx, stored)
		if j.Before = before.Fate; j.isWorse(before) {
			j.Severity = r.policy.fate(j.Fate)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return j, nil
}

// judge says what happens to a stored object under one of the definitions.
func (s *side) judge(ctx context.Context, stored map[string]any) *Judgement {
	j := &Judgement{Fate: Unreadable}
	version, err := s.versionFor(stored)
	if err != nil {
		j.Err = err
		return j
	}
	j.Version = version.Name()
	read := version.Read(ctx, jsonvalue.DeepCopyMap(stored))
	if j.Err = read.Err(); j.Err != nil {
		return j
	}
	j.Pruned, j.Defaulted = read.Pruned, read.Defaulted
	object := jsonvalue.DeepCopyMap(read.Object)
	unchanged := version.Update(ctx, object, stored)
	j.Unchanged, j.Ratcheted = errorsOf(unchanged), unchanged.Ratcheted
	if ctx.Err() != nil {
		return j
	}
	j.Touched = errorsOf(version.Update(ctx, touched(object), stored))
	if s.model.Version(version.Name()).HasStatus {
		j.Status = errorsOf(version.UpdateStatus(ctx, object, stored))
	}
	created := jsonvalue.DeepCopyMap(object)
	forgetServer(created)
	j.Created = errorsOf(version.Create(ctx, created))
	j.Fate = j.fate()
	return j
}

// versionFor returns the version in which an object is written: its own if it
// is served, otherwise the storage version or any served one.
func (s *side) versionFor(stored map[string]any) (*crdsem.Version, error) {
	apiVersion, _ := stored["apiVersion"].(string)
	var served []string
	for _, v := range s.model.Versions() {
		switch {
		case !v.Served:
		case s.model.Group()+"/"+v.Name == apiVersion:
			return s.def.Version(v.Name)
		case v.Storage:
			served = append([]string{v.Name}, served...)
		default:
			served = append(served, v.Name)
		}
	}
	if len(served) == 0 {
		return nil, fmt.Errorf("%s serves no version", s.model.Name())
	}
	return s.def.Version(served[0])
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

// isWorse reports whether something is wrong, lost or filled in that was not
// before.
func (j *Judgement) isWorse(before *Judgement) bool {
	type fact struct {
		effect     Effect
		path, rule string
	}
	known := map[fact]bool{}
	for _, f := range before.Findings() {
		known[fact{f.Effect, f.Path, f.Rule}] = true
	}
	return slices.ContainsFunc(j.Findings(), func(f Finding) bool {
		return !known[fact{f.Effect, f.Path, f.Rule}]
	})
}

// fate returns the worst of what happens to the object.
func (j *Judgement) fate() Fate {
	switch {
	case len(j.Unchanged)+len(j.Touched)+len(j.Status) > 0:
		return Refused
	case len(j.Ratcheted)+len(j.Created) > 0:
		return Ratcheted
	case len(j.Pruned) > 0:
		return Pruned
	case len(j.Defaulted) > 0:
		return Defaulted
	}
	return Unaffected
}
