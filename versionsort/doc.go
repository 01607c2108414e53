// Package versionsort sorts version names by Kubernetes' priority: v2, v1,
// v1beta1, v1alpha2, v1alpha1, then all other names alphabetically.
//
// The API server lists the versions of a group in this order in discovery. The
// first served version is the group's preferred version, which kubectl uses if
// the user does not name one. The storage version of a CRD plays no role.
//
// # Terms
//
//   - kube-like: a name of the form v<major>, v<major>beta<minor> or
//     v<major>alpha<minor>, e.g. v1beta2, with decimal numbers that fit an
//     int64.
//   - stability: general availability (GA), beta or alpha, e.g. beta for
//     v1beta2.
//
// # Specification
//
// Rules VER-001 to VER-009, and "Version priority" in
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/.
//
// # Deviations
//
// The server sorts different names of the same priority, e.g. v1 and v01, in an
// unspecified order. This package sorts them by their bytes.
package versionsort
