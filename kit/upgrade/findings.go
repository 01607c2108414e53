package upgrade

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Effect says what happens to a field of a stored object.
type Effect string

// The effects.
const (
	CannotBeRead    Effect = "cannot be read"
	RefusedWrite    Effect = "refused"
	RefusedStatus   Effect = "refused as status"
	Tolerated       Effect = "tolerated while unchanged"
	RefusedCreate   Effect = "refused on create"
	PrunedOnRead    Effect = "pruned"
	LostOnWrite     Effect = "lost by the next write"
	LeftToWebhook   Effect = "a conversion webhook decides"
	DefaultedOnRead Effect = "defaulted"
)

// fate returns the fate of an object to which nothing else happens.
func (e Effect) fate() Fate {
	switch e {
	case CannotBeRead:
		return Unreadable
	case RefusedWrite, RefusedStatus:
		return Refused
	case Tolerated, RefusedCreate:
		return Ratcheted
	case PrunedOnRead, LostOnWrite:
		return Pruned
	case LeftToWebhook:
		return WebhookDecides
	case DefaultedOnRead:
		return Defaulted
	}
	return Unaffected
}

// Finding is one thing that happens to a stored object.
type Finding struct {
	Effect Effect `json:"effect"`
	// Path is the field, e.g. spec.replicas. It is empty for the whole object.
	Path string `json:"path,omitempty"`
	// Text is the server's error. It is empty if the server reports no error.
	Text string `json:"text,omitempty"`
	// Rule is the rule of the specification that is broken, e.g. VAL-040.
	Rule string `json:"rule,omitempty"`
	// Err is the server's error about the field. It may be nil.
	Err *field.Error `json:"-"`
}

// String returns the finding as a line, e.g. `spec.note: pruned`.
func (f *Finding) String() string {
	switch {
	case f.Text != "":
		return string(f.Effect) + ": " + f.Text
	case f.Path != "":
		return f.Path + ": " + string(f.Effect)
	}
	return string(f.Effect)
}

// Findings returns what a judgement says, each error once: an error of a write
// is not repeated for a create, not even where the create's lacks the detail
// (38-metadata-beta).
func (j *Judgement) Findings() []Finding {
	var found []Finding
	seen := map[string]bool{}
	if j.Err != nil {
		found = append(found, Finding{Effect: CannotBeRead, Text: j.Err.Error()})
	}
	for _, group := range []struct {
		effect Effect
		errs   field.ErrorList
	}{
		{RefusedWrite, j.Unchanged},
		{RefusedWrite, j.Touched},
		{RefusedStatus, j.Status},
		{Tolerated, j.Ratcheted},
		{RefusedCreate, j.Created},
	} {
		for _, err := range group.errs {
			if err.Origin == unevaluated || seen[err.Error()] {
				continue // rules are not checked if something else is wrong
			}
			seen[err.Error()], seen[withoutDetail(err)] = true, true
			found = append(found, Finding{group.effect, err.Field, err.Error(), err.Origin, err})
		}
	}
	for _, path := range j.Pruned {
		found = append(found, Finding{Effect: PrunedOnRead, Path: path})
	}
	for _, path := range j.Lost {
		found = append(found, Finding{Effect: LostOnWrite, Path: path})
	}
	if j.Webhook != "" {
		found = append(found, Finding{Effect: LeftToWebhook, Text: j.Webhook})
	}
	for _, path := range j.Defaulted {
		found = append(found, Finding{Effect: DefaultedOnRead, Path: path})
	}
	return found
}

func withoutDetail(err *field.Error) string {
	bare := *err
	bare.Detail = ""
	return bare.Error()
}
