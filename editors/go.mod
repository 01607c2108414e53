// The extensions of editors are no part of the library: a module of their own
// keeps them out of its zip.
module github.com/crdsem/crdsem/editors

go 1.26.0
