package kube

import (
	"context"
	"errors"
	"fmt"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// convert answers with the converter of conversion.CRConverterFactory. The
// first object that does not convert ends it.
func convert(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	crd, hook, err := scripted(req)
	if err != nil {
		return nil, err
	}
	defer hook.stop()
	converter, err := converterOf(crd)
	if err != nil {
		return nil, err
	}
	var inputs []map[string]any
	for i, in := range req.Objects {
		v, err := objectOf(fmt.Sprintf("object %d", i), in)
		if err != nil {
			return nil, err
		}
		object, ok := v.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("object %d: %w", i, errNotObject)
		}
		inputs = append(inputs, object)
	}
	to, err := schema.ParseGroupVersion(req.To)
	if err != nil {
		return hook.failed(err), nil
	}
	result := protocol.Converted{}
	for _, object := range inputs {
		out, err := convertObject(converter, object, to)
		switch {
		case errors.Is(err, errNoWebhook):
			return nil, err
		case err != nil:
			return hook.failed(err), nil
		}
		result.Objects = append(result.Objects, out)
	}
	return result, nil
}

func (h *scriptedHook) failed(err error) protocol.Converted {
	return protocol.Converted{Errors: pseudoError(protocol.ConversionError, h.masked(err.Error()))}
}

// convertObject converts an object, or a list if it has items.
func convertObject(
	converter runtime.ObjectConvertor, object map[string]any, to schema.GroupVersion,
) (map[string]any, error) {
	single := &unstructured.Unstructured{Object: object}
	var in runtime.Object = single
	if single.IsList() {
		list, err := single.ToList()
		if err != nil {
			return nil, err
		}
		in = list
	}
	out, err := converter.ConvertToVersion(in, to)
	if err != nil {
		return nil, err
	}
	content, ok := out.(runtime.Unstructured)
	if !ok {
		return nil, fmt.Errorf("a %T is no custom resource", out)
	}
	return content.UnstructuredContent(), nil
}
