package functions_test

import (
	"testing"

	"github.com/crdsem/crdsem/celrules/internal/celtable"
)

// Functions return what those of the real code do, in older minors, too.
func TestTable(t *testing.T) { celtable.Check(t) }
