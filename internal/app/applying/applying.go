// Package applying applies definitions to stored ones, as a server-side apply
// does: merged by the managers of the fields.
package applying

import (
	"context"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/merge/apply"
	"github.com/crdsem/crdsem/minors"
)

const (
	apiVersion = "apiextensions.k8s.io/v1"
	kind       = "CustomResourceDefinition"
)

// Option makes the versions of a definition able to apply.
func Option() crdsem.DefinitionOption { return apply.Server() }

// To makes a judge able to apply objects and definitions.
func To(j *judge.Judge) {
	j.Options = append(j.Options, Option())
	j.ApplyDefinition = Definition
}

// Definition applies a definition to the stored one, which is nil if there is
// none. It returns the merged definition, which is not validated. The error is
// the server's answer, see [apply.StatusError].
func Definition(
	ctx context.Context, live, applied map[string]any, by judge.Writing,
) (map[string]any, error) {
	manager, err := managerOf(minors.Newest())
	if err != nil {
		return nil, err
	}
	merged, err := manager.Apply(ctx, live, applied, merge.Request{
		APIVersion: apiVersion, Manager: by.Manager, Force: by.Force,
	})
	if err != nil && ctx.Err() == nil {
		return nil, apply.StatusError(err)
	}
	return merged, err
}

// managerOf returns the field manager of definitions. Their schemas are part of
// a list that is applied as a whole, so that their own structure does not
// matter.
func managerOf(of minors.Minor) (*merge.FieldManager, error) {
	t := manifest.Type{
		GroupKind: manifest.GroupKind{Group: "apiextensions.k8s.io", Kind: kind}, Version: "v1",
	}
	structure, err := builtin.Find(t, of)
	if err != nil {
		return nil, err
	}
	version := merge.Version{
		APIVersion: apiVersion, Type: merge.Compile(structure.Published()), HasStatus: true,
	}
	return merge.NewFieldManager(kind, []merge.Version{version}, merge.Hooks{})
}
