package minors

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Minor is a minor version of Kubernetes, e.g. "1.33". The zero value is the
// newest one that is released; [Minor.String] gives it its name. [Parse] checks
// a text. A minor that this package does not list is an error of each function
// that returns one; other functions take it for the newest one.
type Minor string

// Newest returns the newest minor that is released, which all stages have
// without an option.
func Newest() Minor { return of(profile.Default) }

// All returns all minors, the oldest first. The last one may be a beta. The
// result is the caller's.
func All() []Minor {
	var out []Minor
	for m := profile.Oldest; m <= profile.Offered; m++ {
		out = append(out, of(m))
	}
	return out
}

func of(m profile.Minor) Minor { return Minor(m.String()) }

// Parse returns the minor of a text, e.g. "1.33". The error names the minors
// that there are.
func Parse(text string) (Minor, error) {
	p, err := profile.Parse(text)
	if err != nil {
		return "", err
	}
	return of(p.Minor), nil
}

// ParseRange returns the minors of a text, the oldest first: of a single minor
// ("1.31"), of a range with both ends ("1.30-1.37"), of a list of both
// ("1.30,1.32-1.34"), or of all of them ("all"). A minor may be written as a
// version of Kubernetes ("v1.31.4").
func ParseRange(text string) ([]Minor, error) {
	if text == "all" {
		return All(), nil
	}
	var wanted []Minor
	for part := range strings.SplitSeq(text, ",") {
		first, last, err := parseEnds(part)
		if err != nil {
			return nil, err
		}
		for _, m := range All() {
			if !m.Before(first) && !last.Before(m) {
				wanted = append(wanted, m)
			}
		}
	}
	return slices.DeleteFunc(All(), func(m Minor) bool { return !slices.Contains(wanted, m) }), nil
}

// parseEnds returns the ends of a range, or a single minor twice.
func parseEnds(text string) (first, last Minor, err error) {
	from, to, isRange := strings.Cut(text, "-")
	if first, err = parseVersion(from); err != nil || !isRange {
		return first, first, err
	}
	if last, err = parseVersion(to); err == nil && last.Before(first) {
		err = fmt.Errorf("range %q of Kubernetes minors: %v is before %v", text, last, first)
	}
	return first, last, err
}

// version is a version of Kubernetes with its minor as the first group.
var version = regexp.MustCompile(`^v?(\d+\.\d+)(?:\.\d+)?$`)

// parseVersion returns the minor of a text that may also be a version.
func parseVersion(text string) (Minor, error) {
	text = strings.TrimSpace(text)
	if groups := version.FindStringSubmatch(text); groups != nil {
		text = groups[1]
	}
	return Parse(text)
}

// String returns the minor as Kubernetes writes it, e.g. "1.33".
func (m Minor) String() string { return m.profile().Minor.String() }

// IsBeta reports whether the minor is not released yet. What it does may
// change.
func (m Minor) IsBeta() bool { return m.profile().Minor > profile.Default }

// Before reports whether the minor is older than another.
func (m Minor) Before(other Minor) bool { return m.profile().Minor < other.profile().Minor }

func (m Minor) profile() *profile.Profile { return profile.Named(string(m)) }

// Change is one difference between a minor and the one before it.
type Change struct {
	// ID identifies the change, e.g. "33-status-ratchet".
	ID string
	// Since is the first minor with the new behavior.
	Since Minor
	// Rules are the ids of the rules that describe it, e.g. "RAT-040".
	Rules []string
	// Upstream is the pull request of Kubernetes, or the release of a library,
	// that made the change. It is empty if none was found.
	Upstream string
	// TextOnly reports whether only messages and warnings changed.
	TextOnly bool
	// Summary describes the new behavior, and the old one where that is not
	// plain.
	Summary string
}

// Changes returns all changes since the oldest minor, the newest first. The
// result is the caller's.
func Changes() []Change {
	var out []Change
	for _, c := range profile.Changes() {
		if c.Since > profile.Offered {
			continue
		}
		out = append(out, Change{
			ID: c.ID, Since: of(c.Since), Rules: c.Rules, Upstream: c.Upstream,
			TextOnly: c.Kind == profile.Text, Summary: c.Summary,
		})
	}
	return out
}
