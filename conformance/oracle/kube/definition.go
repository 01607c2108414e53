package kube

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// definition answers with the codecs of the API server and the registry's
// strategy for definitions, its preparations included. The status of a new
// definition is wiped; an updated one gets the status of the old (CRD-013).
func definition(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	crd, strict, err := internalDefinition(req.CRD)
	if err != nil {
		return protocol.Definition{Errors: pseudoError(protocol.DecodeError, err.Error())}, nil
	}
	recorder := &warnings{}
	recorder.addStrict(strict)
	strategy := customresourcedefinition.NewStrategy(scheme())
	if !req.Old.Given() {
		strategy.PrepareForCreate(ctx, crd)
		errs := strategy.Validate(ctx, crd)
		if len(errs) == 0 {
			recorder.addAll(strategy.WarningsOnCreate(ctx, crd))
		}
		return protocol.Definition{Errors: fieldErrors(errs), Warnings: recorder.texts}, nil
	}
	old, _, err := internalDefinition(req.Old)
	if err != nil {
		return nil, fmt.Errorf("old does not decode: %w", err)
	}
	strategy.PrepareForUpdate(ctx, crd, old)
	errs := strategy.ValidateUpdate(ctx, crd, old)
	if len(errs) == 0 {
		recorder.addAll(strategy.WarningsOnUpdate(ctx, crd, old))
	}
	return protocol.Definition{Errors: fieldErrors(errs), Warnings: recorder.texts}, nil
}

// internalDefinition decodes and defaults a definition of any version into the
// internal type. It records the findings of strict decoding.
func internalDefinition(
	in protocol.Input,
) (*apiextensions.CustomResourceDefinition, []error, error) {
	crd := &apiextensions.CustomResourceDefinition{}
	strict, err := decodeDefinition(in, apiextensions.SchemeGroupVersion, crd)
	return crd, strict, err
}

// servedDefinition decodes and defaults a definition of any version into v1. It
// goes by way of the internal type, because there is no direct conversion
// between v1beta1 and v1.
func servedDefinition(in protocol.Input) (*v1.CustomResourceDefinition, error) {
	internal, _, err := internalDefinition(in)
	if err != nil {
		return nil, fmt.Errorf("crd does not decode: %w", err)
	}
	crd := &v1.CustomResourceDefinition{}
	if err := scheme().Convert(internal, crd, nil); err != nil {
		return nil, fmt.Errorf("crd does not convert: %w", err)
	}
	return crd, nil
}

// decodeDefinition decodes into an object of the given version. Like the
// handlers, it rejects a body of another version than the URL's. The URL has
// the body's version if that version is or was served.
func decodeDefinition(
	in protocol.Input, to schema.GroupVersion, into runtime.Object,
) (strict []error, err error) {
	doc, format := in.Document()
	info, ok := runtime.SerializerInfoForMediaType(codecs().SupportedMediaTypes(),
		mediaType(format))
	if !ok {
		return nil, errors.New("no serializer")
	}
	kind := v1.SchemeGroupVersion.WithKind("CustomResourceDefinition")
	obj, gvk, err := codecs().DecoderToVersion(info.StrictSerializer, to).
		Decode(doc, &kind, into)
	if findings, ok := runtime.AsStrictDecodingError(err); ok && obj != nil {
		strict, err = findings.Errors(), nil
	}
	if err == nil && gvk.Version == runtime.APIVersionInternal {
		err = fmt.Errorf(
			"the API version in the data (%s) does not match the expected API version (%s)",
			gvk.GroupVersion(),
			v1.SchemeGroupVersion,
		)
	}
	return strict, err
}

func mediaType(format protocol.Format) string {
	if format == protocol.JSON {
		return runtime.ContentTypeJSON
	}
	return runtime.ContentTypeYAML
}

func (w *warnings) addAll(texts []string) {
	for _, text := range texts {
		w.AddWarning("", text)
	}
}

// addStrict adds the findings of strict decoding. The YAML decoder joins
// several findings into one text of several lines; the server reports each
// line.
func (w *warnings) addStrict(errs []error) {
	for _, err := range errs {
		text := err.Error()
		for _, prefix := range []string{
			"error converting YAML to JSON: yaml: unmarshal errors:\n",
			"yaml: unmarshal errors:\n",
		} {
			if list, ok := strings.CutPrefix(text, prefix); ok {
				for line := range strings.SplitSeq(list, "\n") {
					w.AddWarning("", strings.TrimSpace(line))
				}
				text = ""
				break
			}
		}
		if text != "" {
			w.AddWarning("", text)
		}
	}
}
