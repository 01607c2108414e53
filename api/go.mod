// A module of its own keeps the lists of exported names out of the library's
// zip.
module github.com/crdsem/crdsem/api

go 1.26.0
