package evaluator

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

// stored answers the op store.
func (e *evaluator) stored(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	def, err := e.definitions.of(req.CRD, minorOf(req)).compiled()
	if err != nil {
		return nil, fmt.Errorf("crd is not usable: %w", err)
	}
	object, err := decodeMap("object", req.Object)
	if err != nil {
		return nil, err
	}
	if def.Model().StorageVersion() == nil {
		return nil, fmt.Errorf("%s has no storage version", def.Model().Name())
	}
	apiVersion, _ := object["apiVersion"].(string)
	_, name, _ := strings.Cut(apiVersion, "/")
	if _, err := def.Version(name); err != nil {
		return nil, err // no server admits the object
	}
	return keptOf(def.Store(ctx, object), protocol.ConversionError)
}

// read answers the op read.
func (e *evaluator) read(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	def, err := e.definitions.of(req.CRD, minorOf(req)).compiled()
	if err != nil {
		return nil, fmt.Errorf("crd is not usable: %w", err)
	}
	version, err := def.Version(req.Version)
	if err != nil {
		return nil, err
	}
	object, err := decodeMap("object", req.Object)
	if err != nil {
		return nil, err
	}
	return keptOf(version.Read(ctx, object), protocol.DecodeError)
}

// keptOf returns the answer for a result: its object or its error, which has
// the pseudo type. A webhook that would have to be called is a fault.
func keptOf(found *crdsem.Result, kind string) (protocol.Result, error) {
	switch err := found.Err(); {
	case errors.Is(err, crdsem.ErrNoWebhook):
		return nil, crdsem.ErrNoWebhook
	case err != nil:
		return protocol.Kept{Errors: pseudoError(kind, err)}, nil
	}
	return protocol.Kept{Object: found.Object}, nil
}
