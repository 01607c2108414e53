package conversion

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
)

// Strategy is how the objects of a CRD are converted.
type Strategy string

const (
	// StrategyNone changes only apiVersion.
	StrategyNone Strategy = "None"
	// StrategyWebhook calls a webhook.
	StrategyWebhook Strategy = "Webhook"
)

// Spec has the parts of a CRD that conversion needs.
type Spec struct {
	// CRD is the name of the CRD, for error texts, e.g. foos.example.com.
	CRD string
	// Group is the CRD's group.
	Group string
	// Versions are the names of all versions, served or not.
	Versions []string
	Strategy Strategy
	// ReviewVersions are the versions of ConversionReview that the webhook
	// understands, the preferred one first, e.g. ["v1", "v1beta1"].
	ReviewVersions []string
	// Client describes how the webhook is reached. Only package
	// conversion/webhook uses it.
	Client ClientConfig
	// ClusterScoped is true for a resource that does not live in namespaces.
	ClusterScoped bool
	// SelectableFields maps a version to the JSON paths of its selectable
	// fields, without the leading dot, e.g. spec.color.
	SelectableFields map[string][]string
	// Kubernetes is the minor whose server converts. The zero value is the
	// newest.
	Kubernetes minors.Minor
	// NewUID returns the uid of the next review. If nil, uids are random.
	NewUID func() string
}

// ClientConfig describes how a webhook is reached: by a service or by a URL.
// The service has priority.
type ClientConfig struct {
	URL     string
	Service *Service
	// CABundle holds the PEM certificates of the authorities that may sign the
	// webhook's certificate. If it is empty or blank, the system's are used.
	CABundle []byte
}

// Service names a Kubernetes service. Path is optional.
type Service struct {
	Namespace, Name, Path string
	// Port 0 means 443.
	Port int32
}

// Webhook is a conversion webhook. Call takes a review with a request, as JSON,
// and returns the body of a successful answer, which the caller checks. It
// returns an error if there was no successful answer.
type Webhook interface {
	Call(ctx context.Context, review []byte) ([]byte, error)
}

// WebhookFunc is a function that implements Webhook.
type WebhookFunc func(ctx context.Context, review []byte) ([]byte, error)

// Call calls the function.
func (f WebhookFunc) Call(ctx context.Context, review []byte) ([]byte, error) {
	return f(ctx, review)
}

// ObjectConverter converts one object to an apiVersion, e.g. example.com/v1.
// [Converter] and [Functions] implement it.
type ObjectConverter interface {
	Convert(ctx context.Context, object map[string]any, to string) (map[string]any, error)
}

// Converter converts the objects of one CRD. It is immutable, and safe for
// concurrent use if its webhook is.
type Converter struct {
	spec  Spec
	valid map[groupVersion]bool
	hook  Webhook
	// profile is that of the minor.
	profile *profile.Profile
}

// New returns a converter. The webhook may be nil unless the strategy is
// [StrategyWebhook]. An unknown strategy is an error with the server's text
// (CONV-001, CONV-002).
func New(spec Spec, hook Webhook) (*Converter, error) {
	switch spec.Strategy {
	case StrategyNone:
		hook = nil
	case StrategyWebhook:
		if hook == nil {
			return nil, errors.New("the conversion strategy Webhook needs a webhook")
		}
	default:
		const text = "unknown conversion strategy %q for CRD %s"
		return nil, refused("CONV-001", text, spec.Strategy, spec.CRD)
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
	p, err := profile.Resolve(string(spec.Kubernetes))
	if err != nil {
		return nil, err
	}
	return &Converter{spec: spec, valid: valid, hook: hook, profile: p}, nil
}

// Convert converts one object to an apiVersion, e.g. example.com/v1 (CONV-003,
// CONV-010, CONV-020 to CONV-031). The argument is not changed. The result may
// be the argument itself, or share values with it. Errors have the server's
// text, but for an object that no JSON document holds, e.g. a cyclic one or one
// with NaN. Convert does not prune, default or validate (CONV-033).
func (c *Converter) Convert(
	ctx context.Context, object map[string]any, to string,
) (map[string]any, error) {
	target, err := c.target(object, to)
	if err != nil {
		return nil, err
	}
	if c.hook == nil || isTypeOnly(object) {
		return retyped(object, target), nil
	}
	if err := jsonvalue.Check(object); err != nil {
		return nil, err
	}
	return c.convertByWebhook(ctx, object, target)
}

// ConvertList converts a list, which is an object with items, to an apiVersion:
// all items and the list itself (CONV-032). What is said of Convert holds for
// it too.
func (c *Converter) ConvertList(
	ctx context.Context, list map[string]any, to string,
) (map[string]any, error) {
	if err := jsonvalue.Check(list); err != nil {
		return nil, err
	}
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
			const text = "request to convert CR list failed, " +
				"list index %d has invalid group/version: %s"
			return nil, refused("CONV-003", text, i, from)
		}
	}
	if c.hook == nil {
		return retypedList(list, items, target), nil
	}
	return c.convertListByWebhook(ctx, list, items, target)
}

// target returns the parsed target. It checks the version of the object and the
// target, in the server's order.
func (c *Converter) target(object map[string]any, to string) (groupVersion, error) {
	group, version, err := metadata.ParseGroupVersion(to)
	if err != nil {
		return groupVersion{}, ruled("CONV-003", err)
	}
	target, from := groupVersion{group, version}, kindOf(object)
	switch {
	case from.group != target.group:
		const text = "%v is unstructured and is not suitable for converting to %q"
		return target, refused("CONV-003", text, from, target)
	case !c.valid[target]:
		const text = "request to convert CR to an invalid group/version: %s"
		return target, refused("CONV-003", text, target)
	case !c.valid[from.groupVersion]:
		const text = "request to convert CR from an invalid group/version: %s"
		return target, refused("CONV-003", text, from.groupVersion)
	}
	return target, nil
}

// CheckFieldLabel checks a field label by which a client selects objects of a
// version: metadata.name, metadata.namespace if the resource is namespaced, or
// a selectable field of the version without the leading dot, e.g. spec.color.
// The error has the server's text (CONV-007).
func (c *Converter) CheckFieldLabel(version, label string) error {
	switch {
	case label == "metadata.name",
		label == "metadata.namespace" && !c.spec.ClusterScoped,
		slices.Contains(c.spec.SelectableFields[version], label):
		return nil
	}
	return refused("CONV-007", "field label not supported: %s", label)
}

// isTypeOnly reports whether an object has only its apiVersion, which is known
// to be there, and a kind.
func isTypeOnly(object map[string]any) bool {
	_, hasKind := object["kind"]
	return hasKind && len(object) == 2
}

// randomUID returns a random UUID of version 4.
func randomUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
