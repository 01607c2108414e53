package eval

import (
	"context"

	"github.com/crdsem/crdsem/conformance/protocol"
	"github.com/crdsem/crdsem/versionsort"
)

// sorted answers the op sort.
func sorted(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	return protocol.Sorted{Names: versionsort.Sorted(req.Names)}, nil
}
