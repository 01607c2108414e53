package minors

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/chapter/door"
	"github.com/crdsem/crdsem/internal/chapter/profile"
)

// Minor is a minor version of Kubernetes. The zero value is the newest one.
// Minors can be compared with == if they come from this package.
type Minor struct{ profile *profile.Profile }

// Newest returns the newest minor, which all stages have without an option.
func Newest() Minor { return Minor{profile.Latest()} }

// All returns all minors, the oldest first. The result is the caller's.
func All() []Minor {
	var out []Minor
	for m := profile.Oldest; m <= profile.Newest; m++ {
		out = append(out, Minor{profile.Of(m)})
	}
	return out
}

// Parse returns the minor of a text, e.g. "1.33". The error names the minors
// that there are.
func Parse(text string) (Minor, error) {
	p, err := profile.Parse(text)
	if err != nil {
		return Minor{}, err
	}
	return Minor{p}, nil
}

// ParseRange returns the minors of a text, the oldest first: of a single minor
// ("1.31"), of a range with both ends ("1.29-1.37"), of a list of both
// ("1.29,1.31-1.33"), or of all of them ("all"). A minor may be written as a
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
func (m Minor) String() string { return m.of().Minor.String() }

// Before reports whether the minor is older than another.
func (m Minor) Before(other Minor) bool { return m.of().Minor < other.of().Minor }

func (m Minor) of() *profile.Profile {
	if m.profile == nil {
		return profile.Latest()
	}
	return m.profile
}

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
		out = append(out, Change{
			ID: c.ID, Since: Minor{profile.Of(c.Since)}, Rules: c.Rules, Upstream: c.Upstream,
			TextOnly: c.Kind == profile.Text, Summary: c.Summary,
		})
	}
	return out
}

// Internal is for the packages of this module only; it is outside of the
// compatibility promise.
var Internal exporter

type exporter struct{}

// Export returns what other packages of this module need of this one.
func (exporter) Export(*door.NotForPublicUse) export { return export{} }

type export struct{}

// Profile returns the profile of a minor.
func (export) Profile(m Minor) *profile.Profile { return m.of() }

// Of returns the minor of a profile.
func (export) Of(p *profile.Profile) Minor { return Minor{p} }
