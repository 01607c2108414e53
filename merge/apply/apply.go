package apply

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
	"github.com/crdsem/crdsem/merge"
)

// Server returns the option of [crdsem.Parse] that makes [crdsem.Version.Apply]
// merge as the API server does.
func Server() crdsem.DefinitionOption {
	return facadeoptions.For(func(d *facadeoptions.Definition) { d.Server = merging })
}

func merging(def *crdsem.Definition, v *crdsem.Version) facadeoptions.Merge {
	return newMerger(def, v).merge
}

func newMerger(def *crdsem.Definition, v *crdsem.Version) *merger {
	m := &merger{def: def, version: v}
	for _, model := range def.Model().Versions() {
		other, err := def.Version(model.Name)
		if err != nil {
			continue // not served
		}
		m.versions = append(m.versions, merge.Version{
			APIVersion: other.APIVersion(),
			Type:       merge.Compile(other.Schema(), crdsem.Kubernetes(def.Kubernetes())),
			HasStatus:  model.HasStatus,
		})
	}
	return m
}

// timeKey is the key of a request's time in its context.
type timeKey struct{}

// WithTime returns a context for requests at a time. The entries of
// metadata.managedFields that change then get the time, to the second. Without
// it they have none.
func WithTime(ctx context.Context, now time.Time) context.Context {
	return context.WithValue(ctx, timeKey{}, now)
}

// merger merges for one version of a definition.
type merger struct {
	def      *crdsem.Definition
	version  *crdsem.Version
	versions []merge.Version
}

func (m *merger) merge(
	ctx context.Context, live, applied map[string]any, by facadeoptions.Applier,
) (map[string]any, error) {
	manager, err := m.manager(ctx, by)
	if err != nil {
		return nil, err
	}
	merged, err := manager.Apply(ctx, live, applied, m.request(by))
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, StatusError(err)
	}
	return merged, nil
}

func (m *merger) track(
	ctx context.Context, live, updated map[string]any, by facadeoptions.Applier,
) (map[string]any, error) {
	manager, err := m.manager(ctx, by)
	if err != nil {
		return nil, err
	}
	tracked, err := manager.Update(ctx, live, updated, m.request(by))
	switch {
	case err == nil:
		return tracked, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return manager.Untracked(live, updated, m.request(by)), nil
}

func (m *merger) manager(
	ctx context.Context, by facadeoptions.Applier,
) (*merge.FieldManager, error) {
	return merge.NewFieldManager(m.def.Model().Names().Kind, m.versions, merge.Hooks{
		Convert: func(object map[string]any, apiVersion string) (map[string]any, error) {
			return m.def.Convert(ctx, object, apiVersion)
		},
		Default: by.Default,
		Now: func() time.Time {
			now, _ := ctx.Value(timeKey{}).(time.Time)
			return now
		},
	})
}

func (m *merger) request(by facadeoptions.Applier) merge.Request {
	return merge.Request{
		APIVersion:  m.version.APIVersion(),
		Manager:     by.Manager,
		Subresource: by.Subresource,
		Force:       by.Force,
	}
}

// applyRule is the rule of configurations that cannot be merged.
const applyRule = "PIPE-019"

// StatusError returns the server's answer to an apply for which a
// [merge.FieldManager] has an error: a *[crdsem.StatusError], whose causes are
// the conflicts with other managers. An error that no server has stays as it
// is.
func StatusError(err error) error {
	if limit, ok := errors.AsType[*crdsem.LimitError](err); ok {
		return limit
	}
	if conflict, ok := errors.AsType[*merge.ConflictError](err); ok {
		status := &crdsem.StatusError{
			Code: codeConflict, Reason: "Conflict", Message: err.Error(), Rule: applyRule,
			Err: err,
		}
		for _, c := range conflict.Conflicts {
			message, _ := strings.CutSuffix(c.String(), ": "+c.Path)
			cause := crdsem.Cause{Reason: "FieldManagerConflict", Message: message, Field: c.Path}
			status.Causes = append(status.Causes, cause)
		}
		return status
	}
	status := &crdsem.StatusError{
		Code: codeInternalError, Message: err.Error(), Rule: applyRule, Err: err,
	}
	if _, ok := errors.AsType[*merge.RequestError](err); ok {
		status.Code, status.Reason = codeBadRequest, "BadRequest"
	}
	return status
}

// The codes of answers. Package net/http would be a tenth of a program for
// browsers.
const (
	codeBadRequest    = 400
	codeConflict      = 409
	codeInternalError = 500
)
