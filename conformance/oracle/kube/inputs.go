package kube

import (
	"errors"
	"fmt"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// jsonOf returns an input's document as JSON. YAML is converted as the server
// does.
func jsonOf(in protocol.Input) ([]byte, error) {
	doc, format := in.Document()
	if format == protocol.JSON {
		return doc, nil
	}
	return yaml.YAMLToJSON(doc)
}

// valueOf decodes an input into JSON kinds.
func valueOf(in protocol.Input) (any, error) {
	doc, err := jsonOf(in)
	if err != nil {
		return nil, err
	}
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		return nil, err
	}
	return v, nil
}

// objectOf decodes an input that is required.
func objectOf(name string, in protocol.Input) (any, error) {
	v, err := valueOf(in)
	if err != nil {
		return nil, fmt.Errorf("%s does not decode: %w", name, err)
	}
	return v, nil
}

// schemaModel is a schema in the two forms that the real code uses.
type schemaModel struct {
	props      *apiextensions.JSONSchemaProps
	structural *apischema.Structural
}

// Reasons why a schema has no model.
var (
	errDecode     = errors.New("does not decode")
	errConversion = errors.New("does not convert")
)

// schemaError is a reason with the real code's own error.
type schemaError struct{ reason, err error }

func (e *schemaError) Error() string {
	return "schema " + e.reason.Error() + ": " + e.err.Error()
}

func (e *schemaError) Unwrap() []error { return []error{e.reason, e.err} }

// schemaOf decodes a schema and builds its structural model. Its error is a
// schemaError.
func schemaOf(in protocol.Input) (*schemaModel, error) {
	doc, err := jsonOf(in)
	if err != nil {
		return nil, &schemaError{errDecode, err}
	}
	external := &v1.JSONSchemaProps{}
	if err := json.Unmarshal(doc, external); err != nil {
		return nil, &schemaError{errDecode, err}
	}
	props := &apiextensions.JSONSchemaProps{}
	err = v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, props, nil)
	if err != nil {
		return nil, &schemaError{errConversion, err}
	}
	model, err := apischema.NewStructural(props)
	if err != nil {
		return nil, &schemaError{errConversion, err}
	}
	return &schemaModel{props: props, structural: model}, nil
}
