// Command api writes the exported names of each module that users import, with
// their types, into folder api: one file a module, one name a line.
//
//	go run ./tools/api
//
// A line is the package, the kind of the name and its type without the names of
// parameters, e.g.
//
//	pkg github.com/crdsem/crdsem/prune, func Paths([]prune.Change) []string
//
// Lines are sorted. Commands, internal packages and the modules that no program
// imports (conformance/oracle, examples, tools) have none.
package main
