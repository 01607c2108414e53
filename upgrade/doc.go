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
// # Search
//
// Comparing keywords says where two definitions may differ. Package generate
// makes objects there, and package crdsem judges them twice. A
// change without a witness is "not shown", and [Change.Tries] says how many
// objects were judged. The search is random with a fixed seed, so two runs have
// the same report.
//
// Equal subtrees of schemas are skipped. Versions of one name are compared with
// each other. If the definition converts by the strategy None, each served
// version is compared with each other one, too: a field that only one of them
// has is lost by a client of the other one. Differences between versions that
// the old definition has as well are no changes.
package upgrade
