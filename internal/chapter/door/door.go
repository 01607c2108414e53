// Package door keeps a part of public packages for this module alone.
//
// A public package that another package of this module needs more of than
// users do has one exported variable, Internal. Its method Export takes a
// [NotForPublicUse], which only packages of this module can name, and returns
// what is meant for them, e.g. structural.Internal.Export(door.Key).
package door

// NotForPublicUse is the type of the key. Only this module can name it.
type NotForPublicUse struct{}

// Key is the one key.
var Key *NotForPublicUse
