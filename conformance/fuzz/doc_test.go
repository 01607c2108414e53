// Package fuzz provides the fuzz targets that go through the whole library: one
// for each operation of the evaluation protocol. Their input is a request as
// the conformance vectors have it, e.g.
// {"schema":{"type":"object"},"object":{}}. The name of the operation is the
// target's.
//
// A target fails if a request panics, or is answered differently the second
// time. The packages have further targets, which compare them with plain or
// foreign code. `make fuzz` runs all of them.
//
// Folder oss-fuzz has what OSS-Fuzz needs to build these targets with
// libFuzzer. They keep to what its build allows: all in one file, nothing of
// package testing but F.Add, F.Fuzz and failures of T.
//
// # Seeds
//
// Command seeds writes the requests of the conformance vectors as seeds, for
// the go command or for libFuzzer.
package fuzz
