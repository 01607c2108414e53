package evaluator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// admitted answers the op admit.
func (e *evaluator) admitted(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	def, err := e.definitions.of(req.CRD, minorOf(req)).compiled()
	if err != nil {
		return nil, fmt.Errorf("crd is not usable: %w", err)
	}
	version, err := def.Version(req.Version)
	if err != nil {
		return nil, err
	}
	if err := checkRequest(def, req); err != nil {
		return nil, err
	}
	found, err := request(ctx, version, req)
	if err != nil {
		return nil, err
	}
	if bad := (*crdsem.StoredError)(nil); errors.As(found.Err(), &bad) {
		return nil, fmt.Errorf("old does not decode: %w", bad.Err)
	}
	if err := found.Err(); found.Stage == crdsem.StageDecode && !isRefusal(err) {
		return nil, err
	}
	if found.Omitted.Pruned > 0 {
		return nil, fmt.Errorf("%d unknown fields have no room", found.Omitted.Pruned)
	}
	if slices.Contains(found.Warnings, jsonvalue.ErrMoreFields.Error()) {
		return nil, jsonvalue.ErrMoreFields
	}
	result := protocol.Admitted{
		Stage:         string(found.Stage),
		UnknownFields: slices.Sorted(slices.Values(found.Pruned)),
		Warnings:      found.Warnings,
	}
	if result.Errors, err = fieldErrors(found.Errors); err != nil {
		return nil, err
	}
	text := sourceOf(req, req.Object)
	result.Unknown = text.unknown(result.UnknownFields)
	if found.Stage == crdsem.StageDecode {
		result.Errors = pseudoError(protocol.DecodeError, found.Err())
		text.place(result.Errors, nil)
		return result, nil
	}
	text.place(result.Errors, found.Errors)
	result.Object = shownAdmitted(found.Object)
	return result, nil
}

// checkRequest rejects requests that a server could not get.
func checkRequest(def *crdsem.Definition, req *protocol.Request) error {
	switch {
	case !slices.Contains([]string{"", "Strict", "Warn", "Ignore"}, req.FieldValidation):
		return fmt.Errorf("fieldValidation %q is not known", req.FieldValidation)
	case req.Subresource == "":
		return nil
	case req.Subresource != "status":
		return fmt.Errorf("subresource %q is not known", req.Subresource)
	case !def.Model().Version(req.Version).HasStatus:
		return fmt.Errorf("version %q has no status subresource", req.Version)
	case !req.Old.Given():
		return errors.New(`missing input "old" of a status update`)
	}
	return nil
}

// request makes the create, update or status update that the protocol's request
// asks for.
func request(
	ctx context.Context, version *crdsem.Version, req *protocol.Request,
) (*crdsem.Result, error) {
	body, format := req.Object.Document()
	sent := crdsem.Request{
		Subresource: crdsem.Subresource(req.Subresource), Body: body,
		FieldValidation: crdsem.Strictness(req.FieldValidation), Format: crdsem.Encoding(format),
	}
	if req.Old.Given() {
		var err error
		if sent.Old, err = decodeMap("old", req.Old); err != nil {
			return nil, err
		}
	}
	return version.Do(ctx, sent), nil
}

// serverOwned are the metadata fields that a server generates. The protocol
// leaves them out.
var serverOwned = []string{"uid", "creationTimestamp", "managedFields", "generation"}

// shownAdmitted returns the object without fields that only the server writes.
func shownAdmitted(object map[string]any) map[string]any {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	for _, name := range serverOwned {
		delete(metadata, name)
	}
	object["metadata"] = metadata
	return object
}
