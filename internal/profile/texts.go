package profile

import (
	"slices"
	"strings"
)

// NameReasons returns why a qualified name, e.g. example.com/name, or the value
// of a label is invalid, in the words of the minor. The argument has the words
// of the newest minor, and is not changed.
func (t *Texts) NameReasons(reasons []string) []string {
	if t.NameBytes || len(reasons) == 0 {
		return reasons
	}
	out := slices.Clone(reasons)
	for i, reason := range out {
		if before, ok := strings.CutSuffix(reason, " bytes"); ok {
			out[i] = before + " characters"
		}
	}
	return out
}
