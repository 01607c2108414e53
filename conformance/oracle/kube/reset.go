//go:build !until1.34

package kube

// statusResetsAll is whether a write of the status cannot set metadata and spec
// in any version: getStatusResetFields of customresource_handler.go joins the
// fields of all versions.
const statusResetsAll = true
