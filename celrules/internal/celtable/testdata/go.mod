// A module of its own keeps the files of tests out of the library's zip.
module github.com/crdsem/crdsem/celrules/internal/celtable/testdata

go 1.26.0
