// Package conversion shows how the author of a conversion in Go tests it by the
// definition: what each version reads, and what is lost on a round trip.
//
//	go test ./examples/conversion
//
// The functions are those that the webhook of the definition calls. No webhook
// is started.
//
// # Terms
//
// Those of package crdtest of the library.
//
// # Specification
//
// The page docs/testing.md.
package conversion
