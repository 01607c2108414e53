package profile

import (
	_ "embed"
	"strconv"
	"strings"
)

// Change is one difference between a minor and the one before it.
type Change struct {
	// ID identifies the change, e.g. "33-status-ratchet". It starts with the
	// minor.
	ID string
	// Since is the first minor that has the new behavior.
	Since Minor
	// Rules are the rules of the specification that say what the new behavior
	// is, e.g. "RAT-040".
	Rules []string
	// Upstream is the pull request of Kubernetes, or the release of a library,
	// that made the change. It is empty if none was found.
	Upstream string
	// Kind says what the change can affect.
	Kind Kind
	// Summary describes the new behavior and the old one.
	Summary string

	// Switch is the name of the field of [Profile] that stands for the change,
	// e.g. "StatusRatcheting". It is empty for a change that is in the
	// catalogue of package library, or that no answer shows.
	Switch string
}

// Kind is what a change can affect.
type Kind string

const (
	// Verdict changes affect whether something is accepted, or the types and
	// fields of errors, an object, or a cost.
	Verdict Kind = "verdict"
	// Text changes affect only messages and warnings.
	Text Kind = "text"
)

// changesText has the changes. Its head describes the form.
//
//go:embed changes.txt
var changesText string

// Changes returns all changes, the newest minor first. The caller may change
// the result.
func Changes() []Change {
	var out []Change
	for line := range strings.Lines(changesText) {
		line = strings.TrimSuffix(line, "\n")
		key, value, isEntry := strings.Cut(line, ": ")
		switch {
		case !isEntry || line[0] == '#':
		case line[0] == '\t':
			out[len(out)-1].set(key[1:], value)
		default:
			out = append(out, newChange(key, value))
		}
	}
	return out
}

// newChange reads the first line of a change, e.g. "33-status-ratchet
// (verdict)" and its summary.
func newChange(head, summary string) Change {
	id, kind, _ := strings.Cut(strings.TrimSuffix(head, ")"), " (")
	minor, _, _ := strings.Cut(id, "-")
	since, _ := strconv.Atoi(minor)
	return Change{ID: id, Since: Minor(since), Kind: Kind(kind), Summary: summary}
}

// set reads a line below the first one of a change.
func (c *Change) set(key, value string) {
	switch key {
	case "switch":
		c.Switch = value
	case "rules":
		c.Rules = strings.Fields(value)
	case "upstream":
		c.Upstream = value
	}
}
