// Package review has the wire form of a ConversionReview: what the API server sends to a conversion webhook and what it reads from it.
//
// # Terms
//
// A review carries a request from the server and, on the way back, a response. Its version, v1 or v1beta1, is that of the review, not of the
// objects within.
//
// # Specification
//
// Rules CONV-025 to CONV-028, and https://kubernetes.io/docs/reference/config-api/apiextensions.v1/.
//
// # Deviations
//
// Of the other kinds that the server's decoder knows, only the names are known here: a response of such a kind is refused for its kind, even where
// the server would first find fault with its fields. Protobuf and CBOR responses are refused as text that is no JSON.
package conversionreview
