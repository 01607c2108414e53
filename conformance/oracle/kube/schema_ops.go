package kube

import (
	"context"
	"errors"
	"sort"

	"github.com/crdsem/crdsem/internal/app/protocol"
	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/version"
)

// structural answers with schema.NewStructural and schema.ValidateStructural.
func structural(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	model, err := schemaOf(req.Schema)
	var bad *schemaError
	if errors.As(err, &bad) {
		kind := protocol.DecodeError
		if bad.reason == errConversion {
			kind = protocol.ConversionError
		}
		return protocol.Errors{Errors: pseudoError(kind, bad.err.Error())}, nil
	}
	list := apischema.ValidateStructural(field.NewPath("openAPIV3Schema"), model.structural)
	return protocol.Errors{Errors: fieldErrors(list)}, nil
}

// prune answers with pruning.PruneWithOptions on a resource root.
func prune(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	model, err := schemaOf(req.Schema)
	if err != nil {
		return nil, err
	}
	object, err := objectOf("object", req.Object)
	if err != nil {
		return nil, err
	}
	opts := apischema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	unknown := pruning.PruneWithOptions(object, model.structural, true, opts)
	sort.Strings(unknown)
	return protocol.Pruned{Object: object, UnknownFields: unknown}, nil
}

// applyDefaults answers with defaulting.PruneNonNullableNullsWithoutDefaults
// and defaulting.Default. The schema's defaults are taken as they are. Those of
// a definition that the server accepts have nothing to prune (DEF-041).
func applyDefaults(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	model, err := schemaOf(req.Schema)
	if err != nil {
		return nil, err
	}
	object, err := objectOf("object", req.Object)
	if err != nil {
		return nil, err
	}
	defaulting.PruneNonNullableNullsWithoutDefaults(object, model.structural)
	defaulting.Default(object, model.structural)
	return protocol.Object{Object: object}, nil
}

// sortVersions answers with version.CompareKubeAwareVersionStrings. Names that
// compare equal keep their order.
func sortVersions(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	names := append([]string{}, req.Names...)
	sort.SliceStable(names, func(i, j int) bool {
		return version.CompareKubeAwareVersionStrings(names[i], names[j]) > 0
	})
	return protocol.Sorted{Names: names}, nil
}
