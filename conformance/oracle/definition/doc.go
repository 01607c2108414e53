// Package definition compares the module's packages structural and definition
// with the real code: on the vectors, on real definitions, unchanged and
// mutated, and on generated schemas. A failing test prints the smallest
// differing case it found.
package definition
