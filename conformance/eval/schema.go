package eval

import (
	"context"
	"errors"

	"github.com/crdsem/crdsem/conformance/protocol"
)

// structuralRules answers the op structural.
func structuralRules(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	return nil, errors.New("op \"structural\" is not built yet")
}
