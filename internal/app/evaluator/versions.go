package evaluator

import (
	"context"
	"errors"
	"fmt"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/versionsort"
)

// sorted answers the op sort.
func sorted(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	return protocol.Sorted{Names: versionsort.Sorted(req.Names)}, nil
}

// converted answers the op convert. The first object that does not convert ends
// it.
func (e *evaluator) converted(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	def, hook, err := e.converting(req)
	if err != nil {
		return nil, err
	}
	result := protocol.Converted{}
	for i, in := range req.Objects {
		object, err := decodeMap(fmt.Sprintf("object %d", i), in)
		if err != nil {
			return nil, err
		}
		convert := def.Convert
		if _, isList := object["items"].([]any); isList {
			convert = def.ConvertList
		}
		out, err := convert(ctx, object, req.To)
		switch {
		case errors.Is(err, crdsem.ErrNoWebhook):
			return nil, err
		case err != nil:
			errs := pseudoError(protocol.ConversionError, err)
			return protocol.Converted{Errors: hook.masked(errs)}, nil
		}
		result.Objects = append(result.Objects, out)
	}
	return result, nil
}
