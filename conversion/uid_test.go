package conversion

import (
	"strings"
	"testing"
)

// UIDs are UUIDs of version 4. All other bits are random.
func TestRandomUID(t *testing.T) {
	var digits [36]string
	for range 1000 {
		for i, c := range randomUID() {
			if !strings.ContainsRune(digits[i], c) {
				digits[i] += string(c)
			}
		}
	}
	for i, got := range digits {
		want := 16
		switch i {
		case 8, 13, 18, 23, 14:
			want = 1
		case 19:
			want = 4
		}
		if len(got) != want {
			t.Errorf("character %d is one of %q", i, got)
		}
	}
	if fixed := digits[8] + digits[14]; fixed != "-4" {
		t.Errorf("%q", fixed)
	}
}
