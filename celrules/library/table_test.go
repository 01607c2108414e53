package library_test

import (
	"testing"

	"github.com/crdsem/crdsem/celrules/internal/celtable"
)

// Libraries have the functions and types of the real code, in each minor.
func TestTable(t *testing.T) { celtable.Check(t) }
