// Package jsonfast is a fast reader for ordinary JSON. It answers only where it
// agrees with sigs.k8s.io/json, the decoder of the API server, and hands over
// everything else: malformed documents, duplicate keys and a few rare forms.
package jsonfast
