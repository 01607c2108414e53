package chain_test

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/tools/chain"
)

// The longest of several chains is found.
func TestLongest(t *testing.T) {
	imports := map[string][]string{"a": {"b", "c"}, "b": {"d"}, "c": {"b"}}
	for from, want := range map[string]string{"a": "a c b d", "b": "b d", "d": "d"} {
		if got := strings.Join(chain.Longest(imports, from), " "); got != want {
			t.Errorf("%s: %s, want %s", from, got, want)
		}
	}
}
