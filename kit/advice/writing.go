package advice

import "strings"

// versionOfManager is the hint on an entry of the managed fields that is not of
// a version of the definition.
const versionOfManager = "an entry of the stored object's managedFields has an apiVersion that " +
	"the definition lacks: the server answers so to each apply, until the entry is removed"

// writing gives hints on patches and applies that a server cannot carry out.
func writing(f *finding) string {
	for _, known := range []struct{ text, hint string }{
		{"failed to decode managed fields", "the stored object has managedFields that cannot be " +
			"read: give it as `kubectl get -o yaml --show-managed-fields` prints it"},
		{"managedFields must be nil", "remove `metadata.managedFields`: the server finds out what " +
			"an apply owns"},
		{"failed to create typed live object", "the stored object does not fit the schema: " +
			"correct it by an update, then apply"},
		{"failed to create typed patch object", "an applied object must fit the schema: remove " +
			"fields that it does not declare, and give items of lists their keys"},
		{"to last applied version", "the version in which the manager applied before lacks the " +
			"field that the error names: declare it there, or leave it out"},
		{"to convert CR", versionOfManager}, // in an apply, entries are converted first
		{"is not suitable for converting to", versionOfManager},
		{"unknown format", "give the patch as `--type merge` or `--type json`"},
		{"conflict", "leave the field to the other manager, or take it with `--force-conflicts`"},
	} {
		if strings.Contains(f.err.Detail, known.text) {
			return known.hint
		}
	}
	return "fix the patch: its paths must exist in the stored object, and its tests must hold"
}
