// A module of its own keeps the scripts, which have no code of Go, out of the
// library's zip.
module github.com/crdsem/crdsem/.ci

go 1.26.0
