package evaluator

import (
	"context"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

// Managers keep track of field managers, as package merge/apply does. A program
// that answers no writes need not link it.
type Managers struct {
	// Server makes a definition merge applies.
	Server crdsem.DefinitionOption
	// Track returns the object of a result with the managers after the write,
	// as an apply.Tracker of the version does.
	Track func(
		ctx context.Context, v *crdsem.Version, request crdsem.Request, object map[string]any,
	) (map[string]any, error)
	// At returns a context for writes at a time.
	At func(ctx context.Context, now time.Time) context.Context
}

// writeTime is the time of every write. It is later than the time of an entry
// of managedFields in a request, because entries are in the order of times.
var writeTime = time.Date(2100, time.January, 1, 0, 0, 0, 0, time.UTC)

// managed returns an admitted object with the managers after the write.
func (w *write) managed(
	ctx context.Context, object map[string]any,
) (map[string]any, error) {
	if w.req.Op == protocol.OpApply || w.req.Manager == "" {
		return object, nil
	}
	return w.managers.Track(ctx, w.version, w.sent, object)
}
