// Package types defines the type UID, which error texts name "types.UID".
package types

// UID is the unique identifier of an object.
type UID string
