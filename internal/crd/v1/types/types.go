// Package types has the one type whose name error texts spell with this package's name.
package types

// UID is the unique identifier of an object.
type UID string
