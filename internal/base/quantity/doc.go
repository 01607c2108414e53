// Package quantity implements Kubernetes quantities, e.g. `1500m` or `2Gi`,
// for rules: parsing, comparison, sums and conversions (LIB-040 to LIB-043).
//
// The results are those of k8s.io/apimachinery/pkg/api/resource, which it
// imports for its errors and for canonical texts. That package writes out every
// power of ten, so its time depends on exponents. Here, time depends on the
// length of a text only. The largest exponents overflow int32 there, which
// changes results or panics. The results here are the same, and so are the
// panics: the caller must recover, as it does for cel-go.
package quantity
