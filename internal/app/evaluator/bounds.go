package evaluator

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/bounded"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/structural"
)

// A server has no bounds but those of its machine. Where a request is over a
// bound of this program, there is no answer that a server would give.

// overMemory starts the error of a rule that is stopped for its memory.
const overMemory = "operation cancelled: values exceed "

// fieldErrors returns errors in the protocol's form, or why they are not all
// that a server would report.
func fieldErrors(list field.ErrorList) ([]protocol.FieldError, error) {
	if err := bounded.Reason(list); err != nil {
		return nil, err
	}
	out := protocol.FieldErrors(list)
	if n := len(out); n > 0 && out[n-1].Text == protocol.NotShown {
		return nil, fmt.Errorf("the texts of the errors take more than %d MiB",
			protocol.MaxTexts>>20)
	}
	for _, err := range out {
		if err.Rule == "CEL-091" && strings.HasPrefix(err.Detail, overMemory) {
			return nil, errors.New(err.Detail)
		}
	}
	return out, nil
}

// isRefusal reports whether an error is an answer of the server.
func isRefusal(err error) bool {
	_, ok := errors.AsType[*crdsem.StatusError](err)
	return ok
}

// walked does steps to a value, which it changes, and returns what was done.
func walked(
	value any, schema *structural.Schema, steps normalize.Steps,
) ([]structural.Change, error) {
	changes, err := normalize.Room(crdsem.DefaultDefaultsMemory).InPlace(value, schema, steps)
	if err == nil && changes.OmittedUnknown > 0 {
		err = fmt.Errorf("the paths of the unknown fields take more than %d MiB",
			normalize.ChangesMemory>>20)
	}
	return changes.List, err
}
