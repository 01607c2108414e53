// A module of its own keeps the files of tests out of the library's zip.
module github.com/crdsem/crdsem/internal/chapter/crd/testdata

go 1.26.0
