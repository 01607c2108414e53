package conversionreview

import (
	"bytes"
	"encoding/json"
)

// Request is what the server asks a webhook to convert.
type Request struct {
	UID               string           `json:"uid"`
	DesiredAPIVersion string           `json:"desiredAPIVersion"`
	Objects           []map[string]any `json:"objects"`
}

// outgoing is a review as the server sends it: the empty response is always
// there (CONV-025).
type outgoing struct {
	Kind       string             `json:"kind"`
	APIVersion string             `json:"apiVersion"`
	Request    Request            `json:"request"`
	Response   ConversionResponse `json:"response"`
}

// EncodeRequest writes the review of a version, v1 or v1beta1, that the server
// sends, byte for byte.
func EncodeRequest(version string, r Request) ([]byte, error) {
	return encode(outgoing{Kind: Kind, APIVersion: Group + "/" + version, Request: r})
}

// EncodeResponse returns a webhook's answer in the given apiVersion.
func EncodeResponse(apiVersion string, r *ConversionResponse) ([]byte, error) {
	typeMeta := TypeMeta{Kind: Kind, APIVersion: apiVersion}
	return encode(ConversionReview{TypeMeta: typeMeta, Response: r})
}

// encode returns the JSON of a document and a newline.
func encode(document any) ([]byte, error) {
	var out bytes.Buffer
	if err := json.NewEncoder(&out).Encode(document); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// EncodeObject returns the JSON of an object.
func EncodeObject(object map[string]any) (RawExtension, error) {
	return json.Marshal(object)
}
