// Package drift says what an apply of a file would change on a server, and
// which values of a file a server writes otherwise, so that tools that compare
// both see a difference for ever.
//
// # Terms
//
//   - live: the object as a client reads it.
//   - drift: a value of the file that the server does not keep as it is.
package drift
