// Package definition compares the module's structural and definition packages with the real code: on the vectors, on real
// definitions as they are and mutated, and on generated schemas. Its tests print a smallest differing case.
package definition
