package conversion

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Typed returns a [Function] that converts values of Go types, e.g. those of an
// API package with methods ConvertTo and ConvertFrom:
//
//	conversion.Typed(func(from *v1beta1.CronTab, to *v1.CronTab) error {
//		return from.ConvertTo(to)
//	})
//
// Objects are decoded and encoded as JSON by encoding/json. Fields that a type
// does not have are lost, as in a webhook that is written with these types.
func Typed[From, To any](convert func(from *From, to *To) error) Function {
	return func(ctx context.Context, object map[string]any) (map[string]any, error) {
		text, err := jsonvalue.EncodeJSON(object)
		if err != nil {
			return nil, err
		}
		from, to := new(From), new(To)
		if err := json.Unmarshal(text, from); err != nil {
			return nil, fmt.Errorf("decoding %T: %w", from, err)
		}
		if err := convert(from, to); err != nil {
			return nil, err
		}
		if text, err = json.Marshal(to); err != nil {
			return nil, fmt.Errorf("encoding %T: %w", to, err)
		}
		out, _, err := jsonvalue.DecodeObject(text)
		return out, err
	}
}
