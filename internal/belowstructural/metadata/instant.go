package metadata

import (
	"encoding/json"
	"time"
)

// instant is a time as errors show it, empty for none.
type instant string

// MarshalJSON returns the time as it is written in metadata.
func (t instant) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

// String returns the time as errors show it before Kubernetes 1.34.
func (t instant) String() string {
	at, err := time.Parse(time.RFC3339, string(t))
	if err != nil && t != "" {
		return string(t)
	}
	return at.UTC().String()
}
