package crd

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/belowstructural/crd/v1beta1"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// WordedIn returns an error of decoding with the text of a minor. Before
// Kubernetes 1.35, the path to a value of a wrong type ends at the first union
// on the way, e.g. at items instead of items.maxLength.
func WordedIn(p *profile.Profile, err error) error {
	if other := (*otherKind)(nil); errors.As(err, &other) && err == error(other) {
		return &otherKind{other.group, other.version, other.kind, p}
	}
	var kind *json.UnmarshalTypeError
	if p.NestedDecodePaths || !errors.As(err, &kind) {
		return err
	}
	former := *kind
	former.Field = upToUnion(kind.Field)
	if former.Field == kind.Field {
		return err
	}
	text := former.Error()
	if known := (*decodeError)(nil); errors.As(err, &known) {
		text = v1beta1.ErrorText(text)
	}
	return &decodeError{text: text, err: err}
}

// upToUnion cuts a path of a decoder behind the first field that holds a union.
func upToUnion(path string) string {
	unions := []string{"items", "additionalProperties", "additionalItems", "dependencies"}
	names := strings.Split(path, ".")
	at := slices.IndexFunc(names, func(name string) bool { return slices.Contains(unions, name) })
	if at < 0 {
		return path
	}
	return strings.Join(names[:at+1], ".")
}
