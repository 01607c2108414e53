package crdsem

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// Unknown and duplicate fields are objected to by the level, and those that are
// not listed are counted (PIPE-006).
func TestObjections(t *testing.T) {
	all := []string{"s", `unknown field "a"`, "and 2 more unknown fields"}
	one := []string{"and 1 more unknown fields"}
	for _, c := range []struct {
		level    Strictness
		strict   []error
		unknown  []string
		more     int
		objected []string
		warned   []string
	}{
		{Warn, []error{errors.New("s")}, []string{"a"}, 2, all, all},
		{Strict, []error{errors.New("s")}, []string{"a"}, 2, all, nil},
		{Ignore, []error{errors.New("s")}, []string{"a"}, 2, nil, nil},
		{Warn, nil, []string{"a"}, 0, all[1:2], all[1:2]},
		{Warn, nil, nil, 1, one, one}, {Strict, nil, nil, 1, one, nil}, {Warn, nil, nil, 0, nil, nil},
	} {
		r := &request{
			choices: choices{fieldValidation: c.level, most: math.MaxInt}, strict: c.strict,
			decoded: decoded{unknown: c.unknown, omitted: omission{pruned: c.more}},
		}
		objected := r.objections()
		if !slices.Equal(objected, c.objected) || !slices.Equal(r.result.Warnings, c.warned) {
			t.Errorf("%s: %q, warnings %q; want %q, %q", c.level, objected, r.result.Warnings,
				c.objected, c.warned)
		}
	}
}
