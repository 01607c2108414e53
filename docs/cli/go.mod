// A module of its own keeps the pages of the command's flags out of the
// library's zip.
module github.com/crdsem/crdsem/docs/cli

go 1.26.0
