package server

import (
	"encoding/json"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor/direct"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// cborTag begins every document in CBOR that a server writes.
var cborTag = []byte{0xd9, 0xd9, 0xf7}

// jsonOf are the media types of CBOR with those of the same body in JSON.
var jsonOf = map[string]string{
	runtime.ContentTypeCBOR:          runtime.ContentTypeJSON,
	string(types.ApplyCBORPatchType): string(types.ApplyYAMLPatchType),
}

// fromCBOR makes the JSON of a body in CBOR the body of the request.
func (r *request) fromCBOR() error {
	media := jsonOf[r.media()]
	if media == "" || !r.server.cbor || len(r.body) == 0 {
		return nil
	}
	var object any
	err := direct.Unmarshal(r.body, &object)
	if err == nil {
		err = r.takeJSON(object, media)
	}
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return nil
}

// takeJSON makes the JSON of an object the body of the request.
func (r *request) takeJSON(object any, media string) (err error) {
	r.body, err = json.Marshal(object)
	r.http = r.http.Clone(r.ctx)
	r.http.Header.Set("Content-Type", media)
	return err
}

// toCBOR returns a document in JSON as CBOR.
func toCBOR(text []byte) ([]byte, error) {
	var object any
	if err := utiljson.Unmarshal(text, &object); err != nil {
		return nil, err
	}
	out, err := direct.Marshal(object)
	return append(cborTag[:len(cborTag):len(cborTag)], out...), err
}
