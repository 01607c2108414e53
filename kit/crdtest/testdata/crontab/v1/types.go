// Package v1 provides the Go types of the CronTab, for tests.
package v1

// CronTab is a CronTab without its metadata.
type CronTab struct {
	Spec   CronTabSpec   `json:"spec"`
	Status CronTabStatus `json:"status,omitzero"`
}

// CronTabSpec is the spec of a CronTab.
type CronTabSpec struct {
	CronSpec string `json:"cronSpec,omitempty"`
	Image    string `json:"image,omitempty"`
	Replicas *int64 `json:"replicas,omitempty"`
	Policy   string `json:"policy,omitempty"`
}

// CronTabStatus is the status of a CronTab.
type CronTabStatus struct {
	Active int64 `json:"active,omitempty"`
}
