package conversion

import (
	"context"

	"github.com/crdsem/crdsem/internal/chapter/door"
)

// Internal is for the packages of this module only; it is outside of the
// compatibility promise.
var Internal exporter

type exporter struct{}

// Export returns what other packages of this module need of this one.
func (exporter) Export(*door.NotForPublicUse) export { return export{} }

type export struct{}

// ConvertChecked is like the method Convert for an object whose values were
// checked before.
func (export) ConvertChecked(
	ctx context.Context, c *Converter, object map[string]any, to string,
) (map[string]any, error) {
	return c.convert(ctx, object, to)
}
