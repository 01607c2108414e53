// Package conversionreview defines the wire form of a ConversionReview: what
// the API server sends to a conversion webhook, and what it reads from the
// answer.
//
// # Terms
//
// A review carries a request from the server and, on the way back, a response.
// The version of a review, v1 or v1beta1, is not the version of the objects in
// it.
//
// # Specification
//
// Rules CONV-022 to CONV-028, CONV-042 and CONV-055, and
// https://kubernetes.io/docs/reference/config-api/apiextensions.v1/.
//
// # Deviations
//
// Other kinds that the server's decoder knows are known by name only: a
// response of such a kind is rejected for its kind, even if the server would
// first report errors of its fields. Protobuf and CBOR responses are rejected
// as text that is not JSON.
package conversionreview
