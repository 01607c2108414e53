// Package webhook connects conversion webhooks to the network: an HTTPS client
// that calls a webhook as the API server does, and an http.Handler that serves
// one.
//
// It is not part of package conversion so that programs that only convert do
// not link net/http.
//
// # Terms
//
// A webhook is a [conversion.Webhook]: the client is one, and the handler
// serves one. A resolver finds the address of a Kubernetes service.
//
// # Specification
//
// Rules CONV-025 to CONV-027 and CONV-040 to CONV-043, and
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#configure-customresourcedefinition-to-use-conversion-webhooks.
//
// # Deviations
//
// The length of an answer is limited, and to 1 MiB if it is YAML. Redirects to
// another scheme or host are not followed. Proxies of the environment are not
// used. Error texts of the network and of TLS are those of the Go release in
// use.
package webhook
