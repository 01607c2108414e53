package conversion

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/crdsem/crdsem/internal/metadata"
)

// Strategy is how the objects of a CRD are converted.
type Strategy string

const (
	// StrategyNone changes apiVersion only.
	StrategyNone Strategy = "None"
	// StrategyWebhook asks a webhook.
	StrategyWebhook Strategy = "Webhook"
)

// Spec is what a CRD says about conversion.
type Spec struct {
	// CRD is the CRD's name, for errors.
	CRD string
	// Group is the CRD's group.
	Group string
	// Versions are the names of all versions, served or not.
	Versions []string
	Strategy Strategy
	// ReviewVersions are the versions of ConversionReview that the webhook understands, the preferred one first.
	ReviewVersions []string
	// Client says where the webhook is. This package does not use it; package conversion/webhook does.
	Client ClientConfig
	// ClusterScoped tells that the resource is not in namespaces.
	ClusterScoped bool
	// SelectableFields has, by version, the JSON paths of its selectable fields, without the leading dot.
	SelectableFields map[string][]string
	// NewUID makes the uid of each review; if nil, they are random.
	NewUID func() string
}

// ClientConfig says how to reach a webhook: by a service, which wins, or by a URL.
type ClientConfig struct {
	URL     string
	Service *Service
	// CABundle holds PEM certificates that may sign the webhook's; empty or blank means the system's.
	CABundle []byte
}

// Service is a webhook's Kubernetes service.
type Service struct {
	Namespace, Name, Path string
	// Port is 443 if 0.
	Port int32
}

// Webhook is a conversion webhook. Call takes a review with a request, as JSON, and returns the body of a successful answer; the caller checks it.
// An error says that there was no such answer.
type Webhook interface {
	Call(ctx context.Context, review []byte) ([]byte, error)
}

// WebhookFunc is a function that is a Webhook.
type WebhookFunc func(ctx context.Context, review []byte) ([]byte, error)

// Call calls the function.
func (f WebhookFunc) Call(ctx context.Context, review []byte) ([]byte, error) {
	return f(ctx, review)
}

// ObjectConverter converts one object to the apiVersion "group/version". [Converter] and [Functions] are such.
type ObjectConverter interface {
	Convert(ctx context.Context, object map[string]any, to string) (map[string]any, error)
}

// Converter converts the objects of one CRD. It is immutable and safe for concurrent use if its webhook is.
type Converter struct {
	spec  Spec
	valid map[groupVersion]bool
	hook  Webhook
}

// New makes a converter. The webhook is needed for [StrategyWebhook] only, and may be nil otherwise. Any other strategy than the two is an
// error with the server's text (CONV-001, CONV-002).
func New(spec Spec, hook Webhook) (*Converter, error) {
	switch spec.Strategy {
	case StrategyNone:
		hook = nil
	case StrategyWebhook:
		if hook == nil {
			return nil, errors.New("the conversion strategy Webhook needs a webhook")
		}
	default:
		return nil, fmt.Errorf("unknown conversion strategy %q for CRD %s", spec.Strategy, spec.CRD)
	}
	if spec.NewUID == nil {
		spec.NewUID = randomUID
	}
	spec.ReviewVersions = slices.Clone(spec.ReviewVersions)
	spec.SelectableFields = maps.Clone(spec.SelectableFields)
	valid := make(map[groupVersion]bool, len(spec.Versions))
	for _, name := range spec.Versions {
		valid[groupVersion{spec.Group, name}] = true
	}
	return &Converter{spec: spec, valid: valid, hook: hook}, nil
}

// Convert converts one object to the apiVersion "group/version" (CONV-003, CONV-010, CONV-020 to CONV-031). The argument is not
// changed; the result may be the argument itself, or share values with it. Errors have the server's text. No pruning, defaulting or validation is done
// (CONV-033). A nil context never ends.
func (c *Converter) Convert(ctx context.Context, object map[string]any, to string) (map[string]any, error) {
	target, err := c.target(object, to)
	if err != nil {
		return nil, err
	}
	if c.hook == nil || isTypeOnly(object) {
		return retyped(object, target), nil
	}
	return c.convertByWebhook(orEndless(ctx), object, target)
}

// ConvertList converts a list, an object with items, to the apiVersion "group/version": all items and the list itself. Rules and results are
// those of Convert (CONV-032).
func (c *Converter) ConvertList(ctx context.Context, list map[string]any, to string) (map[string]any, error) {
	target, err := c.target(list, to)
	if err != nil {
		return nil, err
	}
	items, err := itemsOf(list)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		if from := kindOf(item).groupVersion; !c.valid[from] {
			return nil, fmt.Errorf("request to convert CR list failed, list index %d has invalid group/version: %s", i, from)
		}
	}
	if c.hook == nil {
		return retypedList(list, items, target), nil
	}
	return c.convertListByWebhook(orEndless(ctx), list, items, target)
}

// orEndless returns a context, for nil one that never ends.
func orEndless(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// target checks where the conversion goes from and to, in the server's order.
func (c *Converter) target(object map[string]any, to string) (groupVersion, error) {
	group, version, err := metadata.ParseGroupVersion(to)
	if err != nil {
		return groupVersion{}, err
	}
	target, from := groupVersion{group, version}, kindOf(object)
	switch {
	case from.group != target.group:
		return target, fmt.Errorf("%v is unstructured and is not suitable for converting to %q", from, target)
	case !c.valid[target]:
		return target, fmt.Errorf("request to convert CR to an invalid group/version: %s", target)
	case !c.valid[from.groupVersion]:
		return target, fmt.Errorf("request to convert CR from an invalid group/version: %s", from.groupVersion)
	}
	return target, nil
}

// isTypeOnly tells whether an object has nothing but apiVersion and kind.
func isTypeOnly(object map[string]any) bool {
	_, hasKind := object["kind"]
	_, hasVersion := object["apiVersion"]
	return hasKind && hasVersion && len(object) == 2
}

// randomUID makes a random UUID, version 4.
func randomUID() string {
	var b [16]byte
	rand.Read(b[:]) // It never fails.
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
