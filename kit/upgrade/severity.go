package upgrade

import (
	"strings"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
)

// severitiesOf returns what a change means on a minor. A stricter change is
// undecided unless logic or a witness decides.
func severitiesOf(c *Change, on minors.Minor) Severities {
	switch {
	case c.Webhook:
		return Severities{Writers: Notable, Readers: Fine, Stored: Notable}
	case c.Class == ChangesStorage:
		return storingSeverities(c)
	case c.Class == Stricter:
		s := Severities{Writers: Undecided, Readers: Fine, Stored: Notable}
		if c.IsKnown() {
			s.Writers = Breaking
		}
		switch {
		case !ratchets(c, profile.Named(string(on))):
			s.Stored = s.Writers
		case c.Keyword == rulesKeyword && !c.target.isTotal:
			s.Stored = Undecided // errors of evaluation do not ratchet (CEL-110)
		}
		return s
	case c.Class == Looser && !bringsNewValues(c):
		return Severities{Writers: Fine, Readers: Fine, Stored: Fine}
	}
	return severities[c.Class]
}

// ratchets reports whether a server tolerates what the change refuses while an
// update does not touch it. The root is touched by each update, because its
// metadata is.
func ratchets(c *Change, p *profile.Profile) bool {
	node := c.target.node
	if c.Version == "" {
		return true // no object is refused
	}
	if c.target.isOfParent && len(node) > 0 {
		node = node[:len(node)-1]
	}
	isStatus := len(node) > 0 && node[0] == memberStep+"status"
	return (p.StatusRatcheting || !isStatus) && len(node) > 0 &&
		!c.target.isUncomparable && c.Keyword != embeddedKeyword &&
		!strings.HasPrefix(c.Message, meetsScale)
}

// severities say what each class means to each audience.
var severities = map[Class]Severities{
	Looser:            {Writers: Fine, Readers: Notable, Stored: Fine},
	ChangesMerging:    {Writers: Breaking, Readers: Fine, Stored: Notable},
	ChangesServing:    {Writers: Breaking, Readers: Breaking, Stored: Fine},
	Cosmetic:          {Writers: Fine, Readers: Fine, Stored: Fine},
	DefinitionRefused: {Writers: Breaking, Readers: Breaking, Stored: Breaking},
	CostsMore:         {Writers: Notable, Readers: Fine, Stored: Fine},
	NoEffect:          {Writers: Fine, Readers: Fine, Stored: Fine},
}

// bringsNewValues reports whether readers may meet values of another kind: a
// value that an enum did not have, null, or another type.
func bringsNewValues(c *Change) bool {
	switch c.Keyword {
	case "enum", "nullable", "type":
		return true
	}
	return false
}

// storingSeverities tell data that is lost from data that is filled in or kept.
func storingSeverities(c *Change) Severities {
	switch {
	case c.Keyword == "storage":
		return Severities{Writers: Fine, Readers: Fine, Stored: Notable}
	case isLoss(c):
		return Severities{Writers: Breaking, Readers: Breaking, Stored: Breaking}
	case isGain(c):
		return Severities{Writers: Fine, Readers: Fine, Stored: Fine}
	}
	return Severities{Writers: Notable, Readers: Notable, Stored: Notable}
}

// isLoss reports whether a change of what is stored can lose data.
func isLoss(c *Change) bool { return isOfFields(c) && (c.New == nil || c.New == false) }

// isGain reports whether a change of what is stored keeps more data.
func isGain(c *Change) bool { return isOfFields(c) && !isLoss(c) }

// isOfFields reports whether a change decides which fields are kept.
func isOfFields(c *Change) bool {
	switch c.Keyword {
	case "properties", "additionalProperties", "x-kubernetes-preserve-unknown-fields",
		"subresources.status":
		return true
	}
	return false
}

// limited returns the severities, none above a limit.
func (s Severities) limited(most Severity) Severities {
	return Severities{
		Writers: lower(s.Writers, most), Readers: lower(s.Readers, most),
		Stored: lower(s.Stored, most),
	}
}

// lower returns the lower one of two severities.
func lower(a, b Severity) Severity {
	if isAsSevere(a, b) {
		return b
	}
	return a
}

// Audience is somebody that a change means something to.
type Audience string

// The audiences, in the order in which changes are reported.
const (
	Writers       Audience = "writers"
	StoredObjects Audience = "stored objects"
	Readers       Audience = "readers"
	Merging       Audience = "server-side apply"
)

// Affects returns the audiences to which the change means the most, e.g. only
// [Writers]. It is empty for a change that is fine.
func (c *Change) Affects() []Audience {
	most := c.Severities.Most()
	switch {
	case most == Fine:
		return nil
	case c.Class == ChangesMerging:
		return []Audience{Merging}
	}
	var list []Audience
	for _, of := range []struct {
		audience Audience
		severity Severity
	}{
		{Writers, c.Severities.Writers}, {StoredObjects, c.Severities.Stored},
		{Readers, c.Severities.Readers},
	} {
		if of.severity == most {
			list = append(list, of.audience)
		}
	}
	return list
}
