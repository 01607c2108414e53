// Package conversion converts custom resources between the versions of their CRD, as the API server does: by the strategy None, which only
// changes apiVersion, or by a conversion webhook, whose every answer is checked.
//
// The webhook is an interface, [Webhook]: a Go function, a client for a running webhook (package conversion/webhook) or a test double. For the
// authors of webhooks, [Functions] turns plain conversion functions, arranged hub-and-spoke or in pairs, into a webhook, [RoundTrip] tells what a
// converter loses on the way to another version and back, and [Lifecycle] tells what a change of the storage version means for stored objects.
//
// Objects are map[string]any. Unless a function's documentation says so, no argument is changed; results share values with arguments, so copy before you
// change one.
//
// # Terms
//
// A review is the document that server and webhook exchange, a ConversionReview, of the version v1 or v1beta1. The target is the group
// and version to convert to. The hub is the version through which a hub-and-spoke converter goes; the spokes are the others.
//
// # Specification
//
// Rules CONV-001 to CONV-033, and
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/.
//
// # Deviations
//
// Objects of autoscaling/v1 Scale are converted by nobody here. Errors about several labels or annotations come sorted by key. A list with an item that is
// no object is refused.
package conversion
