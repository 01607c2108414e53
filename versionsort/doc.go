// Package versionsort puts version names in the order in which Kubernetes prefers them: v2, v1, v1beta1, v1alpha2, v1alpha1, then
// all other names alphabetically.
//
// The API server lists a group's versions in this order in discovery, and the first served one is the group's preferred version: the one
// kubectl uses when none is named. The storage version of a CRD has nothing to do with it.
//
// # Terms
//
// A name is kube-like when it is v<major>, v<major>beta<minor> or v<major>alpha<minor>, with decimal numbers that fit an int64.
// Stability is what such a name promises: general availability (GA), beta or alpha.
//
// # Specification
//
// Rules VER-001 to VER-009, and "Version priority" in
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/.
//
// # Deviations
//
// Different names of the same priority, such as v1 and v01, are sorted by the server in an unspecified order; here by their bytes.
package versionsort
