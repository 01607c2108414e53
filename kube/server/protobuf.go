package server

import (
	"encoding/json"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// fromProtobuf takes a body in protobuf, as clients of built-in kinds send it,
// as JSON. Answers are JSON, which these clients read, too.
func (r *request) fromProtobuf() error {
	if r.media() != runtime.ContentTypeProtobuf || len(r.body) == 0 || r.server.cluster == nil {
		return nil
	}
	object, kind, err := scheme.Codecs.UniversalDeserializer().Decode(r.body, nil, nil)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	object.GetObjectKind().SetGroupVersionKind(*kind)
	if r.body, err = json.Marshal(object); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	r.http.Header.Set("Content-Type", runtime.ContentTypeJSON)
	return nil
}
