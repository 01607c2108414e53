package environment_test

import (
	"os"
	"testing"

	"github.com/crdsem/crdsem/celrules/internal/celtable"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// TestCases runs expressions whose results in the real environment of an API
// server are recorded. CRDSEM_CEL_CASES names another file of such cases.
func TestCases(t *testing.T) {
	if path := os.Getenv("CRDSEM_CEL_CASES"); path != "" {
		celtable.CheckFile(t, profile.Default, path)
		return
	}
	celtable.Check(t)
}
