//go:build until1.34

package kube

// statusResetsAll is whether a write of the status cannot set metadata and spec
// in any version, or only in its own, as GetResetFields of the status strategy
// of package customresource says. The handler passes its fields on as they are.
const statusResetsAll = false
