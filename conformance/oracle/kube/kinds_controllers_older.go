//go:build older

package kube

// newestKinds returns the kinds that ask field managers. Older minors do not
// answer those that ask controllers.
func newestKinds() map[string]kind { return map[string]kind{"managedObject": of(managedObject)} }
