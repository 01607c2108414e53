// A module of its own keeps the documents, which have no code of Go, out of the
// library's zip.
module github.com/crdsem/crdsem/docs

go 1.26.0
