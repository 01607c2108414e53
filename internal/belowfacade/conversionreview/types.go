package conversionreview

import "bytes"

const (
	// Group is the API group of a review.
	Group = "apiextensions.k8s.io"
	// Kind is the kind of a review.
	Kind = "ConversionReview"
	// Success is the status of a successful conversion.
	Success = "Success"
	// Failure is the status of a failed conversion.
	Failure = "Failure"
)

// Versions returns the versions of ConversionReview that the API server sends,
// in the order of its error texts (CONV-022, CONV-024).
func Versions() []string { return []string{"v1", "v1beta1"} }

// Supports reports whether the API server sends reviews of a version.
func Supports(version string) bool { return version == "v1" || version == "v1beta1" }

// The names of the types below are those of the server's types: they show in
// its errors.

// ConversionReview is the whole document.
type ConversionReview struct {
	TypeMeta
	Request  *ConversionRequest  `json:"request,omitempty"`
	Response *ConversionResponse `json:"response,omitempty"`
}

// TypeMeta names the kind of a document.
type TypeMeta struct {
	Kind       string `json:"kind,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
}

// UID identifies a request and its response.
type UID string

// ConversionRequest asks for objects to be converted.
type ConversionRequest struct {
	UID               UID            `json:"uid"`
	DesiredAPIVersion string         `json:"desiredAPIVersion"`
	Objects           []RawExtension `json:"objects"`
}

// ConversionResponse answers with the converted objects, in the order of the
// request.
type ConversionResponse struct {
	UID              UID            `json:"uid"`
	ConvertedObjects []RawExtension `json:"convertedObjects"`
	Result           Status         `json:"result"`
}

// RawExtension is an object that has not been decoded; null and absent ones are
// empty.
type RawExtension []byte

// UnmarshalJSON copies the text.
func (r *RawExtension) UnmarshalJSON(text []byte) error {
	if string(text) != "null" {
		*r = bytes.Clone(text)
	}
	return nil
}

// MarshalJSON returns the text, or null if it is empty.
func (r RawExtension) MarshalJSON() ([]byte, error) {
	if len(r) == 0 {
		return []byte("null"), nil
	}
	return r, nil
}

// Status is the result of a conversion or an HTTP request.
type Status struct {
	TypeMeta
	Metadata ListMeta       `json:"metadata,omitempty"`
	Status   string         `json:"status,omitempty"`
	Message  string         `json:"message,omitempty"`
	Reason   StatusReason   `json:"reason,omitempty"`
	Details  *StatusDetails `json:"details,omitempty"`
	Code     int32          `json:"code,omitempty"`
}

// StatusReason is a machine-readable reason, e.g. NotFound.
type StatusReason string

// CauseType is a machine-readable cause.
type CauseType string

// ListMeta is the metadata of a Status.
type ListMeta struct {
	SelfLink           string `json:"selfLink,omitempty"`
	ResourceVersion    string `json:"resourceVersion,omitempty"`
	Continue           string `json:"continue,omitempty"`
	RemainingItemCount *int64 `json:"remainingItemCount,omitempty"`
}

// StatusDetails describes a failure. It exists for its decoding errors only.
type StatusDetails struct {
	Name              string        `json:"name,omitempty"`
	Group             string        `json:"group,omitempty"`
	Kind              string        `json:"kind,omitempty"`
	UID               UID           `json:"uid,omitempty"`
	Causes            []StatusCause `json:"causes,omitempty"`
	RetryAfterSeconds int32         `json:"retryAfterSeconds,omitempty"`
}

// StatusCause is one cause of a failure.
type StatusCause struct {
	Type    CauseType `json:"reason,omitempty"`
	Message string    `json:"message,omitempty"`
	Field   string    `json:"field,omitempty"`
}
