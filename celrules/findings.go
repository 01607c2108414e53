package celrules

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/bounded"
)

// FindingsMemory is the number of bytes that the failures of one object may
// take, with their paths and explanations. An object that needs more ends with
// an internal error; the server has no such limit. A key of 300 KB is in the
// path of each failure below it.
const FindingsMemory = 64 << 20

var errFindings = fmt.Errorf(
	"the failures of rules take more than %d MiB: no further rules were run", FindingsMemory>>20)

// perFinding is what a finding takes without its texts.
const perFinding = 256

// takes takes room for a finding with texts of a length. It reports false if
// the room does not suffice; then no further rule runs.
func (w *walker) takes(length int) bool {
	if w.used > FindingsMemory {
		return false
	}
	if w.used += perFinding + length; w.used > FindingsMemory {
		w.result.Errors = append(w.result.Errors, bounded.Stopped(w.options.Path, errFindings))
		return false
	}
	return true
}

// keep adds a finding to a list of the result.
func (w *walker) keep(list *field.ErrorList, err *field.Error) {
	if w.takes(len(err.Field) + len(err.Detail)) {
		*list = append(*list, err)
	}
}
