// Package conversion converts custom resources between the versions of their
// CRD, as the API server does: by the strategy None, which changes only
// apiVersion, or by a conversion webhook, whose every answer is checked.
//
// The webhook is an interface, [Webhook]: a Go function, a client for a running
// webhook (package conversion/webhook) or a test double. For authors of
// webhooks, [Functions] turns plain conversion functions, arranged as hub and
// spokes or in pairs, into a webhook. [RoundTrip] finds what a converter loses
// on the way to another version and back. [Next] and [Lifecycle] describe what
// a change of the storage version means for stored objects.
//
// Objects are map[string]any. Unless a function's documentation says otherwise,
// no argument is changed. Results share values with arguments, so copy a result
// before you change it.
//
// # Terms
//
//   - review: the document that server and webhook exchange, a
//     ConversionReview, of version v1 or v1beta1.
//   - target: the group and version to convert to, e.g. example.com/v1.
//   - hub: the version through which a hub-and-spoke converter converts. The
//     spokes are the other versions.
//
// # Specification
//
// Rules CONV-001 to CONV-033, and
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/.
//
// # Deviations
//
// Objects of autoscaling/v1 Scale are not converted. Errors about several
// labels or annotations come sorted by key. A list with an item that is not an
// object is rejected.
package conversion
