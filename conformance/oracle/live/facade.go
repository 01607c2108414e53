package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/unstructured"
)

// facade is the library as a judge: its root package for objects, package definition for CRDs.
type facade struct{}

func (facade) definition(_, _ []byte) (*verdict, error) { return nil, errUnjudged }

func (facade) open(crd []byte) (resourceJudge, error) {
	definition, err := crdsem.Parse(crd)
	if err != nil {
		return nil, err
	}
	f := &facadeResource{definition: definition}
	for _, v := range definition.Model().Versions() {
		if v.Storage {
			f.storage = v.Name
		}
	}
	return f, nil
}

// facadeResource judges the requests to one CRD.
type facadeResource struct {
	definition *crdsem.Definition
	storage    string // the storage version
}

func (f *facadeResource) write(w *write) (*verdict, error) {
	v, err := f.definition.Version(w.version)
	if err != nil {
		return nil, err
	}
	result, err := f.request(v, w)
	if err != nil {
		return nil, err
	}
	judged := &verdict{stage: stage(result.Stage), warnings: result.Warnings}
	switch result.Stage {
	case crdsem.StageDecode:
		judged.message = result.Err.Error()
	case crdsem.StageInvalid:
		for _, e := range result.Errors {
			judged.errors = append(judged.errors, finding{string(e.Type), e.Field, e.ErrorBody()})
		}
	case crdsem.StageAdmitted:
		err = f.store(v, result.Object, judged)
	}
	return judged, err
}

// request puts the question to the library.
func (f *facadeResource) request(v *crdsem.Version, w *write) (*crdsem.Result, error) {
	format := crdsem.JSON
	if w.media == mediaYAML {
		format = crdsem.YAML
	}
	options := []crdsem.Option{format, crdsem.FieldValidation(w.fieldValidation), crdsem.Namespace(namespace), crdsem.Conditional}
	ctx := context.Background()
	if w.old == nil {
		return v.CreateBytes(ctx, w.body, options...), nil
	}
	old, err := decodeObject(w.old)
	if err != nil {
		return nil, err
	}
	if w.subresource == "status" {
		return v.UpdateStatusBytes(ctx, w.body, old, options...), nil
	}
	return v.UpdateBytes(ctx, w.body, old, options...), nil
}

// store follows an admitted object into the store and back: what etcd holds, and what the answer shows of that.
func (f *facadeResource) store(v *crdsem.Version, object map[string]any, judged *verdict) error {
	stored := object
	if v.Name() != f.storage {
		storage, err := f.definition.Version(f.storage)
		if err != nil {
			return errUnjudged // the storage version is not served, and the facade hands out none that is not
		}
		result := storage.Read(context.Background(), object)
		if result.Err != nil {
			return result.Err
		}
		stored = result.Object
	}
	text, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	judged.stored = text
	judged.returned, err = f.read(v.Name(), text)
	return err
}

func (f *facadeResource) read(version string, stored []byte) (any, error) {
	v, err := f.definition.Version(version)
	if err != nil {
		return nil, err
	}
	object, err := decodeObject(stored)
	if err != nil {
		return nil, err
	}
	result := v.Read(context.Background(), object)
	return result.Object, result.Err
}

func (f *facadeResource) readWarnings(version string) ([]string, error) {
	v, err := f.definition.Version(version)
	if err != nil {
		return nil, err
	}
	kind := f.definition.Model().Names().Kind
	result := v.Read(context.Background(), map[string]any{"apiVersion": v.APIVersion(), "kind": kind})
	return result.Warnings, result.Err
}

// decodeObject decodes an object as the server decodes it.
func decodeObject(text []byte) (map[string]any, error) {
	value, strict, err := unstructured.DecodeJSON(text)
	if err = errors.Join(append(strict, err)...); err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is not an object", text)
	}
	return object, nil
}
