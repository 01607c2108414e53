package validation

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// enumRule checks an enumeration. A value equals a member if it is the same
// after conversion to the member's Go type, where Go converts (VAL-061).
type enumRule struct {
	members []any
	// strings are the members, if there are many and all are strings.
	strings map[string]struct{}

	once         sync.Once
	detail, list string
}

// scannedMembers is the length up to which an enumeration is searched. Longer
// ones are looked up in a map.
const scannedMembers = 8

func newEnumRule(members []any) *enumRule {
	e := &enumRule{members: members}
	if len(members) <= scannedMembers {
		return e
	}
	set := make(map[string]struct{}, len(members))
	for _, member := range members {
		s, ok := member.(string)
		if !ok {
			return e
		}
		set[s] = struct{}{}
	}
	e.strings = set
	return e
}

func (e *enumRule) valid(value any) bool {
	if s, ok := value.(string); ok && e.strings != nil {
		_, ok := e.strings[s]
		return ok
	}
	for _, member := range e.members {
		if equalsMember(value, member) {
			return true
		}
	}
	return false
}

// validWithin is valid for a walk: a long enumeration counts as several values.
func (e *enumRule) validWithin(value any, w *watch) bool {
	if e.strings == nil {
		w.left -= len(e.members) / scannedMembers
	}
	return e.valid(value)
}

func equalsMember(value, member any) bool {
	switch m := member.(type) {
	case nil:
		return false
	case string:
		switch v := value.(type) {
		case string:
			return v == m
		case int64:
			return isCodePoint(v, m)
		}
	case int64:
		switch v := value.(type) {
		case int64:
			return v == m
		case float64:
			return jsonvalue.Truncate(v) == m
		}
	case float64:
		switch v := value.(type) {
		case int64:
			return float64(v) == m
		case float64:
			return v == m
		}
	default:
		return jsonvalue.Equal(value, member)
	}
	return false
}

// isCodePoint reports whether an integer, converted to a string as Go does it,
// is s.
func isCodePoint(i int64, s string) bool {
	r := rune(i)
	if int64(r) != i {
		r = -1
	}
	return len(s) <= 4 && string(r) == s
}

// texts returns the detail of a field error, and the list in the text by which
// errors are compared.
func (e *enumRule) texts() (detail, list string) {
	e.once.Do(func() {
		quoted := make([]string, len(e.members))
		for i, member := range e.members {
			text, ok := member.(string)
			if !ok {
				encoded, _ := json.Marshal(member) // only JSON values: cannot fail
				text = string(encoded)
			}
			quoted[i] = strconv.Quote(text)
		}
		e.detail = "supported values: " + strings.Join(quoted, ", ")
		e.list = fmt.Sprint(e.members)
	})
	return e.detail, e.list
}
