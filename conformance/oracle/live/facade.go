package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/unstructured"
)

// facade is the library as a judge: its root package for objects, package definition for CRDs.
type facade struct{}

func (facade) definition(crd, old []byte) (*verdict, error) {
	decoded, strict, err := definition.Decode(crd)
	if err != nil {
		const frame = `CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: %v`
		return &verdict{stage: stageDecode, message: fmt.Sprintf(frame, err)}, nil
	}
	judged := &verdict{stage: stageAdmitted}
	for _, err := range strict {
		judged.warnings = append(judged.warnings, err.Error())
	}
	result, err := validateDefinition(decoded, old)
	if err != nil {
		return nil, err
	}
	if judged.errors = findings(result.Errors); len(judged.errors) > 0 {
		judged.stage = stageInvalid
		return judged, nil
	}
	judged.warnings = append(judged.warnings, result.Warnings...)
	return judged, nil
}

// validateDefinition validates a CRD as on create or, where old is not nil, as on update.
func validateDefinition(crd *definition.CRD, old []byte) (definition.Result, error) {
	if old == nil {
		return definition.Validate(crd.ForCreate()), nil
	}
	before, _, err := definition.Decode(old)
	if err != nil {
		return definition.Result{}, err
	}
	return definition.ValidateUpdate(crd.ForUpdate(before), before), nil
}

// findings translates errors as they stand among the causes of a refusal.
func findings(list field.ErrorList) []finding {
	all := make([]finding, len(list))
	for i, e := range list {
		all[i] = finding{string(e.Type), e.Field, e.ErrorBody()}
	}
	return all
}

func (facade) open(crd []byte) (resourceJudge, error) {
	compiled, err := crdsem.Parse(crd)
	if err != nil {
		return nil, err
	}
	f := &facadeResource{definition: compiled}
	for _, v := range compiled.Model().Versions() {
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
		judged.errors = findings(result.Errors)
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
			return nil // not served: the facade hands it out to nobody; reads are compared all the same
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
