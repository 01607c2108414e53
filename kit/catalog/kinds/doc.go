// Package kinds finds a value by the kind of an object, e.g. its definition.
//
//	var all kinds.Map[*crdsem.Definition]
//	all.Add(kinds.NamesOf(crd), def)
//	def, err := all.Of(object) // err: *UnknownKindError, with what was meant
//
// # Terms
//
//   - type: what an object says that it is, e.g. stable.example.com/v1 CronTab.
//   - names: the group, kind and plural name that a definition asks for.
package kinds
