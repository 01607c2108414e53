// Package kube is package crdsem for programs that have Kubernetes types. It
// takes CustomResourceDefinitions of the API's Go types, custom resources as
// Go structs or unstructured.Unstructured, and returns errors of package
// k8s.io/apimachinery/pkg/api/errors.
//
//	def, err := kube.New(crd)                  // *apiextensionsv1.CustomResourceDefinition
//	v, err := def.Version("v1")
//	res := v.Create(ctx, &stable.CronTab{...}) // also Update, UpdateStatus, Patch, ...
//	apierrors.IsInvalid(res.Err())             // an answer of the server
//	err = res.Into(&stored)                    // the object, with its defaults
//
// The object of a result is not stored yet. [Definition.Store] returns it as it
// is stored: pruned by the schema of the storage version, and converted.
//
// Package kube/fake has a client that does this for a whole controller: an API
// server for custom resources in memory.
//
// # Terms
//
//   - object: a *unstructured.Unstructured, a map[string]any, or a pointer to a
//     struct, e.g. *stable.CronTab. A struct is what clients send of it: its
//     JSON by encoding/json, with omitempty, and with the JSON of types such as
//     metav1.Time, intstr.IntOrString and net.IP.
//
// # Specification
//
// That of package crdsem. Errors are metav1.Status as in
// https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/.
//
// # Deviations
//
// Those of package crdsem.
package kube
