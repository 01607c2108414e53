package evaluator

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// rootPath is the path of the root of a bare schema in findings.
var rootPath = field.NewPath("openAPIV3Schema")

// parseSchema reads a request's schema.
func parseSchema(in protocol.Input) (*structural.Schema, error) {
	data, format := in.Document()
	if format == protocol.JSON {
		return structural.Parse(data)
	}
	value, _, err := jsonvalue.DecodeYAML(data)
	if err != nil {
		return nil, &structural.DecodeError{Err: err}
	}
	if object, ok := value.(map[string]any); ok {
		return structural.FromMap(object)
	}
	// The JSON decoder words the error of a value that is not an object.
	if data, err = protocol.AppendValue(nil, value); err != nil {
		return nil, &structural.DecodeError{Err: err}
	}
	return structural.Parse(data)
}

// goodSchema is parseSchema for the ops for which an unreadable schema is a
// fault.
func goodSchema(in protocol.Input) (*structural.Schema, error) {
	schema, err := parseSchema(in)
	if err != nil {
		return nil, fmt.Errorf("the schema is not usable: %w", err)
	}
	return schema, nil
}

// structuralRules answers the op structural.
func structuralRules(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	schema, err := parseSchema(req.Schema)
	var decoding *structural.DecodeError
	switch {
	case errors.As(err, &decoding):
		err = decoding.In(minorOf(req))
		return protocol.Errors{Errors: pseudoError(protocol.DecodeError, err)}, nil
	case err != nil:
		return protocol.Errors{Errors: pseudoError(protocol.ConversionError, err)}, nil
	}
	errs := structural.Validate(schema, rootPath, structural.Kubernetes(minorOf(req)))
	found, err := fieldErrors(errs)
	return protocol.Errors{Errors: found}, err
}
