package crdsem

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/internal/objectmeta"
)

// DefinitionOption is a choice made when a definition is parsed.
type DefinitionOption interface{ applyDefinition(*Definition) }

// ConversionWebhook is the webhook that a definition with the conversion strategy Webhook asks. Without one, objects of such a definition are not
// converted: what needs it fails.
type ConversionWebhook struct{ conversion.Webhook }

func (w ConversionWebhook) applyDefinition(d *Definition) { d.webhook = w.Webhook }

// addConverter makes the converter that the definition describes, if it can.
func (d *Definition) addConverter() error {
	spec := conversion.Spec{
		CRD: d.model.Name(), Group: d.group, Strategy: conversion.StrategyNone,
		ClusterScoped: d.scope == objectmeta.ClusterScoped,
	}
	for _, v := range d.versions {
		spec.Versions = append(spec.Versions, v.name)
	}
	if hook := d.model.Conversion().Webhook; hook != nil {
		if d.webhook == nil {
			return nil
		}
		spec.Strategy, spec.ReviewVersions = conversion.StrategyWebhook, hook.ReviewVersions
	}
	var err error
	d.converter, err = conversion.New(spec, d.webhook)
	return err
}

// Convert converts an object to another version of the definition, given as group/version (CONV-003). Nothing is pruned, defaulted or
// validated. The object is not changed; the outcome may share with it or be it. Errors have the server's text, or say that a
// webhook is missing.
func (d *Definition) Convert(ctx context.Context, object map[string]any, to string) (map[string]any, error) {
	if d.converter == nil {
		return nil, d.noWebhook()
	}
	return d.converter.Convert(ctx, object, to)
}

// ConvertList is Convert for a list, an object with items: all items and the list itself are converted (CONV-032).
func (d *Definition) ConvertList(ctx context.Context, list map[string]any, to string) (map[string]any, error) {
	if d.converter == nil {
		return nil, d.noWebhook()
	}
	return d.converter.ConvertList(ctx, list, to)
}

func (d *Definition) noWebhook() error {
	return fmt.Errorf("%s converts its objects by a webhook, and none is given", d.model.Name())
}
