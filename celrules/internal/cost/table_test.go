package cost_test

import (
	"testing"

	"github.com/crdsem/crdsem/celrules/internal/celtable"
)

// Expressions cost and are estimated at what the real code says (COST-010 to
// COST-112).
func TestTable(t *testing.T) { celtable.Check(t) }
