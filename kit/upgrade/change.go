package upgrade

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Class says what a change does.
type Class string

// The classes of changes.
const (
	// Stricter: objects that were admitted are refused.
	Stricter Class = "stricter"
	// Looser: objects that were refused are admitted.
	Looser Class = "looser"
	// ChangesStorage: an admitted object is stored with other values, e.g. a
	// field is pruned or has another default.
	ChangesStorage Class = "changes storage"
	// ChangesMerging: server-side apply merges or owns fields in another way.
	ChangesMerging Class = "changes merging"
	// ChangesServing: requests have another URL, or a URL is gone.
	ChangesServing Class = "changes serving"
	// Cosmetic: only texts differ, e.g. the message of a rule.
	Cosmetic Class = "cosmetic"
	// DefinitionRefused: the server refuses the new definition as an update of
	// the old one.
	DefinitionRefused Class = "definition refused"
	// CostsMore: rules cost more by the server's estimate.
	CostsMore Class = "costs more"
	// NoEffect: a keyword differs, and every object is judged as before.
	NoEffect Class = "no effect"
)

// Classes lists the classes of changes.
func Classes() []Class {
	return []Class{
		Stricter, Looser, ChangesStorage, ChangesMerging, ChangesServing,
		Cosmetic, DefinitionRefused, CostsMore, NoEffect,
	}
}

// Meaning returns what changes of the class do, e.g. "objects that were
// admitted are refused". It is empty for a class that is not among [Classes].
func (c Class) Meaning() string {
	return map[Class]string{
		Stricter: "objects that were admitted are refused",
		Looser:   "objects that were refused are admitted",
		ChangesStorage: "an admitted object is stored with other values: pruned, or with other " +
			"defaults",
		ChangesMerging:    "server-side apply merges or owns fields in another way",
		ChangesServing:    "requests have another URL, or a URL is gone",
		Cosmetic:          "only texts differ, e.g. the message of a rule",
		DefinitionRefused: "the server refuses the new definition",
		CostsMore:         "rules cost more by the server's estimate",
		NoEffect:          "a keyword differs, and every object is judged as before",
	}[c]
}

// Severity says how much a change means to somebody.
type Severity string

// The severities, from the least to the most.
const (
	Fine    Severity = "fine"
	Notable Severity = "notable"
	// Undecided is the severity of a change that may break: neither logic nor
	// an object shows whether it does.
	Undecided Severity = "undecided"
	Breaking  Severity = "breaking"
)

// Severities say what a change means to each audience.
type Severities struct {
	// Writers are clients that create, update or apply objects.
	Writers Severity `json:"writers"`
	// Readers are clients that get, list or watch objects.
	Readers Severity `json:"readers"`
	// Stored are the objects in storage.
	Stored Severity `json:"stored"`
}

// Most returns the highest of the severities.
func (s Severities) Most() Severity {
	for _, severity := range []Severity{Breaking, Undecided, Notable} {
		if s.Writers == severity || s.Readers == severity || s.Stored == severity {
			return severity
		}
	}
	return Fine
}

// Change is one difference between two definitions and what it does.
type Change struct {
	// Version is the version of the definition, empty if the change concerns
	// all of them, e.g. another scope.
	Version string `json:"version,omitempty"`
	// From is set if the change is a difference between two versions: an object
	// that is written in From is sent in Version afterwards.
	From string `json:"from,omitempty"`
	// Path is the field in objects, e.g. spec.ports[*].name, or in the
	// definition if Version is empty.
	Path string `json:"path"`
	// Keyword is the keyword of the schema that changed, e.g. maxLength, or
	// "properties" for a field that was added or removed.
	Keyword string `json:"keyword"`
	// Old and New are the values of the keyword, nil where it is absent.
	Old any `json:"old,omitempty"`
	New any `json:"new,omitempty"`

	Class      Class      `json:"class"`
	Severities Severities `json:"severities"`
	// Severity is the highest of Severities, or what the [Policy] says. Reason
	// is the reason that the policy gives.
	Severity Severity `json:"severity"`
	Reason   string   `json:"reason,omitempty"`
	// Decided is set if logic says that the change does what its class says. Of
	// a change of which it is not set, e.g. a new rule, only a witness shows
	// that.
	Decided bool `json:"decided"`
	// Witness shows the change. It is nil if none was found or looked for, and
	// if the class is none that an object can show.
	Witness *Witness `json:"witness,omitempty"`
	// Tries is how many objects were judged in the search for a witness.
	Tries int `json:"tries,omitempty"`
	// Webhook is set for a difference between two versions whose objects a
	// conversion webhook converts: whether its results meet the stricter
	// keyword, which every write through Version does, only the webhook knows.
	Webhook bool `json:"webhook,omitempty"`
	// Message says more, e.g. the server's error about the definition.
	Message string `json:"message,omitempty"`

	target target
}

// SchemaPath returns the path of the keyword in the schema of the version, e.g.
// properties.spec.properties.name.maxLength, or an empty string if Version is
// empty.
func (c *Change) SchemaPath() string {
	if c.Version == "" {
		return ""
	}
	var path strings.Builder
	for _, step := range c.target.node {
		switch {
		case step == itemStep:
			path.WriteString("items.")
		case step == valueStep:
			path.WriteString("additionalProperties.")
		default:
			path.WriteString("properties." + step[len(memberStep):] + ".")
		}
	}
	if c.Keyword == "properties" {
		return strings.TrimSuffix(path.String(), ".")
	}
	return path.String() + c.Keyword
}

// IsKnown reports whether logic or a witness says that the change does what its
// class says.
func (c *Change) IsKnown() bool { return c.Decided || c.Witness != nil }

// canBeShown reports whether an object can show the change.
func (c *Change) canBeShown() bool {
	if c.Webhook {
		return false
	}
	switch c.Class {
	case Stricter, Looser, ChangesStorage:
		return c.Version != ""
	}
	return false
}

// String returns the change as a line, e.g.
// `v1 spec.name: maxLength 10 -> 5: stricter`. Of an enum that both sides
// have it shows the values that only one of them has. Of a refused definition
// it shows the rule.
func (c *Change) String() string {
	where := c.Path
	if c.Version != "" {
		where = c.versions() + " " + c.Path
	}
	if c.Class == DefinitionRefused {
		return fmt.Sprintf("%s: %s, by %s", where, c.Class, c.Keyword)
	}
	keyword := c.Keyword
	if keyword == "enum" && (c.Class == Stricter && c.Old != nil ||
		c.Class == Looser && c.New != nil) {
		keyword = "enum values"
	}
	return fmt.Sprintf("%s: %s %s -> %s: %s", where, keyword, shown(c.Old), shown(c.New), c.Class)
}

// Witness is an object that shows a change.
type Witness struct {
	// Object is what a client sends. For a change between versions it is in the
	// version From, and is then sent in Version as well.
	Object map[string]any `json:"object"`
	// Replaces is the object that an update replaces, nil for a create.
	Replaces map[string]any `json:"replaces,omitempty"`
	// Status is set if the object is written to the status subresource.
	Status bool `json:"status,omitempty"`
	// Old and New are the verdicts: the server's message, empty if the object
	// is admitted.
	Old string `json:"old"`
	New string `json:"new"`
	// StoredOld and StoredNew are the values at the path of the change in what
	// is stored, empty without a value. They are set for the class
	// ChangesStorage.
	StoredOld []any `json:"storedOld,omitempty"`
	StoredNew []any `json:"storedNew,omitempty"`
}

// shown returns a value as JSON, "absent" for nil.
func shown(v any) string {
	if v == nil {
		return "absent"
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
