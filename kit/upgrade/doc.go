// Package upgrade says what a change of a CustomResourceDefinition does: to
// clients, to stored objects, and to the server's verdicts.
//
// [Compare] takes two definitions and returns a [Report]: a [Change] for each
// difference that has an effect. [Report.Judge] says what happens to a stored
// object under the new definition.
//
// # Terms
//
//   - change: a difference of one keyword at one field, e.g. maxLength of
//     spec.name from 10 to 5, in one direction.
//   - class: what the change does, e.g. [Stricter].
//   - witness: a small object that shows it. Both definitions judge the
//     witness, by package crdsem, and it is shrunk until every part of it is
//     needed.
//
// # Decisions
//
// What a keyword does is decided by logic where that is possible: whether the
// new keyword refuses a value that the old schema node accepts, and the other
// way round. Values that show it are checked by package validation. Patterns
// and lengths are compared as languages. A validation rule is compared with the
// old rules of its node, and with the fields and values that old objects
// have. The answer is yes, no or open; only what is open may be [Undecided].
//
// An open change is searched: package generate makes objects, the values found
// by logic are put in, and package crdsem judges both sides. The search is
// random with a fixed seed, so two runs have the same report. It ends after a
// number of objects, which [Change.Tries] says, or with the context.
//
// Objects have only fields that the old definition knows, because it prunes
// others: no client has a reason to send them, and none is stored.
//
// Equal subtrees of schemas are skipped. Versions of one name are compared with
// each other. If the definition converts by the strategy None, each served
// version is compared with each other one, too: a field that only one of them
// has is lost by a client of the other one. Differences between versions that
// the old definition has as well are no changes.
package upgrade
