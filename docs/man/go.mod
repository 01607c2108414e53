// A module of its own keeps the manual pages out of the library's zip: they are
// docs/cli in another form.
module github.com/crdsem/crdsem/docs/man

go 1.26.0
