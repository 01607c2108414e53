package crdsem

import (
	"context"
	"errors"
	"slices"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/internal/belowfacade/conversionreview"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
)

// ErrNoWebhook is wrapped by the error of a conversion that needs a webhook if
// the definition was parsed without a [ConversionWebhook].
var ErrNoWebhook = errors.New("no webhook was given")

// addConverter makes the converter that the definition describes.
func (d *Definition) addConverter() error {
	spec := conversion.Spec{
		CRD: d.model.Name(), Group: d.group, Strategy: d.model.Conversion().Strategy,
		ClusterScoped: d.scope == metadata.ClusterScoped,
		Kubernetes:    d.Kubernetes(),
	}
	for _, v := range d.versions {
		spec.Versions = append(spec.Versions, v.name)
	}
	if hook := d.model.Conversion().Webhook; hook != nil {
		if d.webhook == nil {
			d.webhook = conversion.WebhookFunc(func(context.Context, []byte) ([]byte, error) {
				return nil, ErrNoWebhook
			})
		}
		spec.ReviewVersions = hook.ReviewVersions
		d.unsupported = !slices.ContainsFunc(hook.ReviewVersions, conversionreview.Supports)
	}
	var err error
	d.converter, err = conversion.New(spec, d.webhook)
	return err
}

// Convert converts an object to another version of the definition, e.g. to
// "stable.example.com/v1" (CONV-003). Nothing is pruned, defaulted or
// validated. The object is not changed; the result may share with it or be it.
// Errors have the server's text, are a *[ValueError], or wrap [ErrNoWebhook].
func (d *Definition) Convert(
	ctx context.Context, object map[string]any, to string,
) (map[string]any, error) {
	if err := checkValues(object); err != nil {
		return nil, err
	}
	return d.converter.Convert(ctx, object, to)
}

// ConvertList is like Convert for a list, which is an object with items. All
// items and the list itself are converted (CONV-032).
func (d *Definition) ConvertList(
	ctx context.Context, list map[string]any, to string,
) (map[string]any, error) {
	if err := checkValues(list); err != nil {
		return nil, err
	}
	return d.converter.ConvertList(ctx, list, to)
}
