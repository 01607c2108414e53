// A module of its own keeps the port, which has no code of Go, out of the
// library's zip.
module github.com/crdsem/crdsem/conformance/ports/python

go 1.26.0
