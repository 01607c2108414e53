package evaluator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

// converting returns the definition of a request with the request's webhook.
func (e *evaluator) converting(req *protocol.Request) (*crdsem.Definition, *script, error) {
	hook := &script{body: req.Webhook}
	kept := e.definitions.of(req.CRD, minorOf(req))
	def, err := kept.compiled()
	if err == nil && req.Webhook != "" {
		crd, _, _ := kept.decoded() // it was, to be compiled
		def, err = crdsem.Compile(crd, crdsem.ConversionWebhook(hook))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("crd is not usable: %w", err)
	}
	return def, hook, nil
}

// script is a webhook that answers each review with the same body. In it,
// anyUID stands for the uid of the review.
type script struct {
	body string
	uid  string // of the last review
}

// anyUID stands for the uid of a review, which is random.
const anyUID = "$UID"

// Call implements conversion.Webhook.
func (s *script) Call(_ context.Context, review []byte) ([]byte, error) {
	var sent struct{ Request struct{ UID string } }
	err := json.Unmarshal(review, &sent)
	s.uid = sent.Request.UID
	return []byte(strings.ReplaceAll(s.body, anyUID, s.uid)), err
}

// masked returns the errors with anyUID for the uid of the last review.
func (s *script) masked(errs []protocol.FieldError) []protocol.FieldError {
	if s.uid == "" {
		return errs
	}
	for i := range errs {
		errs[i].Detail = strings.ReplaceAll(errs[i].Detail, s.uid, anyUID)
		errs[i].Text = strings.ReplaceAll(errs[i].Text, s.uid, anyUID)
	}
	return errs
}

// stored answers the op store.
func (e *evaluator) stored(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	def, hook, err := e.converting(req)
	if err != nil {
		return nil, err
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
	return hook.keptOf(def.Store(ctx, object), protocol.ConversionError)
}

// read answers the op read.
func (e *evaluator) read(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	def, hook, err := e.converting(req)
	if err != nil {
		return nil, err
	}
	version, err := def.Version(req.Version)
	if err != nil {
		return nil, err
	}
	object, err := decodeMap("object", req.Object)
	if err != nil {
		return nil, err
	}
	return hook.keptOf(version.Read(ctx, object), protocol.DecodeError)
}

// keptOf returns the answer for a result: its object or its error, which has
// the pseudo type. A webhook that would have to be called is a fault.
func (s *script) keptOf(found *crdsem.Result, kind string) (protocol.Result, error) {
	switch err := found.Err(); {
	case errors.Is(err, crdsem.ErrNoWebhook):
		return nil, crdsem.ErrNoWebhook
	case err != nil:
		return protocol.Kept{Errors: s.masked(pseudoError(kind, err))}, nil
	}
	return protocol.Kept{Object: found.Object}, nil
}
