package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Full returns the first detail for minors that repeat there what the rest of
// the error says, otherwise the short one.
func (t *Texts) Full(full, short string) string {
	if t.ShortDetails {
		return short
	}
	return full
}

// JSONError returns an error of encoding/json for a text in the words of the
// minor, whichever Go the program is built with.
func (t *Texts) JSONError(text []byte, err error) error {
	if t.SecondJSON {
		return jsonvalue.SecondJSON(text, err)
	}
	return jsonvalue.FirstJSON(text, err)
}

// TooLong returns the detail of an error about a string that is longer than a
// limit. A negative limit, which a schema may have, is not named.
func (t *Texts) TooLong(limit int) string {
	switch {
	case limit < 0:
		return "value is too long"
	case !t.MaximumBytes:
		return fmt.Sprintf("may not be longer than %d", limit)
	case t.ShortDetails && limit == 1:
		return "may not be more than 1 byte"
	}
	return fmt.Sprintf("may not be more than %d bytes", limit)
}

// TooMany returns the detail of an error about more items than a limit. A
// negative limit is not named.
func (t *Texts) TooMany(limit int) string {
	switch {
	case limit < 0:
		return "has too many items"
	case t.ShortDetails && limit == 1:
		return "must have at most 1 item"
	}
	return fmt.Sprintf("must have at most %d items", limit)
}

// NameReasons returns why a qualified name, e.g. example.com/name, or the value
// of a label is invalid, in the words of the minor. The argument has the words
// of the newest minor, and is not changed.
func (t *Texts) NameReasons(reasons []string) []string {
	if t.NameBytes {
		return reasons
	}
	out := slices.Clone(reasons)
	for i, reason := range out {
		if before, ok := strings.CutSuffix(reason, " bytes"); ok {
			out[i] = before + " characters"
		}
		// a name with more than one slash
		if after, ok := strings.CutPrefix(reason, "a valid label key "); ok {
			out[i] = "a qualified name " + after
		}
	}
	return out
}

// Registry returns how errors name the server's registry of kinds: by the line
// that created it.
func (t *Texts) Registry() string {
	line := 100
	switch {
	case t.RegistryMoved && !t.RegistryMovedBack:
		line = 111
	case t.RegistryAt110:
		line = 110
	}
	return fmt.Sprint("pkg/runtime/scheme.go:", line)
}
