//go:build older

package kube

// newestKinds returns no kinds. Older minors do not answer those that ask
// controllers and field managers.
func newestKinds() map[string]kind { return nil }
