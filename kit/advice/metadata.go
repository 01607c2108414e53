package advice

import (
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

var notInNames = regexp.MustCompile(`[^a-z0-9.-]+`)

// name proposes a valid name for one that is not.
func proposed(name string) string {
	return strings.Trim(notInNames.ReplaceAllString(strings.ToLower(name), "-"), "-.")
}

// metadata gives hints on names, labels and other metadata.
func metadata(f *finding) string {
	switch {
	case f.err.Type == field.ErrorTypeRequired:
		return "add " + code(lastSegment(f.err.Field))
	case f.err.Type == field.ErrorTypeForbidden && strings.HasSuffix(f.err.Field, "namespace"):
		return "the resource is cluster-scoped: remove `namespace`"
	case f.err.Type == field.ErrorTypeTooLong:
		return "annotations have at most 256 KiB together: keep large data elsewhere"
	case strings.Contains(f.err.Detail, "immutable"):
		return immutable(f)
	}
	switch last := lastSegment(f.err.Field); last {
	case "name", "namespace", "generateName":
		return f.properName()
	case "labels":
		return "keys and values of labels have at most 63 letters, digits, `-`, `_` and `.`, and " +
			"start and end with a letter or digit; values are strings: put numbers in quotes"
	case "annotations":
		return "keys of annotations are written like those of labels, e.g. `example.com/note`"
	case "finalizers":
		return "a finalizer is written like `example.com/cleanup`; none can be added during " +
			"deletion"
	case "generation", "resourceVersion":
		return "the server sets " + code(last) + ": send the value of the object as it was read"
	}
	return "look at the example in the rule: metadata is that of every Kubernetes object"
}

// properName proposes a valid name.
func (f *finding) properName() string {
	given, _ := f.err.BadValue.(string)
	if p := proposed(given); p != "" && p != given {
		return "did you mean " + code(p) + "?"
	}
	return "names are lower-case letters, digits, dashes and dots, and start and end with a " +
		"letter or digit"
}

func immutable(f *finding) string {
	if f.object != nil && f.object.Old != nil {
		if old := locate(f.object.Old, nil, f.err.Field); old.found {
			return fmt.Sprintf("the field cannot change: keep %s, or leave it "+
				"out", code(shown(old.value)))
		}
	}
	return "the field cannot change after the create: keep the stored value"
}

func served(f *finding) string {
	if _, want, ok := strings.Cut(f.err.Detail, "must be "); ok {
		return fmt.Sprintf("write %s: %s", code(f.err.Field), code(want))
	}
	return ""
}

// repeated gives hints on items that occur twice in a set or list-map.
func repeated(f *finding) string {
	keys := f.at.above.ListMapKeys()
	if len(keys) == 0 {
		return "each item of a set may occur once: remove this one"
	}
	return fmt.Sprintf("items are identified by %s, which must differ: rename or remove this "+
		"item", codes(keys))
}
