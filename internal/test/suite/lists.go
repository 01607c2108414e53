package suite

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// NotYet is a set of ids of vectors that are known not to pass yet.
type NotYet map[string]bool

// ParseNotYet reads a list with one id per line. Empty lines and lines that
// start with # are skipped. An id listed twice is an error.
func ParseNotYet(doc []byte) (NotYet, error) {
	list := NotYet{}
	lines := bufio.NewScanner(bytes.NewReader(doc))
	for number := 1; lines.Scan(); number++ {
		id := strings.TrimSpace(lines.Text())
		switch {
		case id == "" || strings.HasPrefix(id, "#"):
		case list[id]:
			return nil, fmt.Errorf("line %d: %s is there twice", number, id)
		default:
			list[id] = true
		}
	}
	return list, lines.Err()
}

// KnownDifference is one entry of [KnownDifferences].
type KnownDifference struct {
	// ID is the id of a vector, or a pattern of ids in the syntax of
	// path.Match. It is empty for an entry about generated cases.
	ID string `yaml:"id"`
	// Rule is the rule whose vectors may differ under older minors. The entry
	// then names a vector of the rule that differs (ID) and the minors (Until).
	Rule string `yaml:"rule"`
	// Level is the deepest level at which the vectors of the rule differ.
	Level Level `yaml:"level"`
	// Since and Until are the first and the last minor that the entry is about.
	// Without Since it is the oldest, without Until the newest.
	Since string `yaml:"since"`
	Until string `yaml:"until"`
	// Difference is a regular expression that matches the difference of a
	// generated case. It is empty for an entry about vectors.
	Difference string `yaml:"difference"`
	// Test names a test that shows the difference and fails once the difference
	// is gone: the package's path in the module, a dot and the function. It is
	// empty for an entry that vectors or generated cases show.
	Test string `yaml:"test"`
	// Why gives the reason for the difference in one sentence.
	Why string `yaml:"why"`
}

// KnownDifferences is a list of the vectors that differ on purpose.
type KnownDifferences []KnownDifference

// ParseKnownDifferences reads a YAML list of entries. An entry has an id, a
// difference or a test, and a reason. An entry without them, with a bad pattern
// or with an unknown field is an error.
func ParseKnownDifferences(doc []byte) (KnownDifferences, error) {
	var list KnownDifferences
	dec := yaml.NewDecoder(bytes.NewReader(doc))
	dec.KnownFields(true)
	if err := dec.Decode(&list); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for i, d := range list {
		if given(d.ID, d.Difference, d.Test) != 1 || d.Why == "" {
			return nil, fmt.Errorf("entry %d: why and one of id, difference and test must be given",
				i)
		}
		if _, err := regexp.Compile(d.Difference); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i, err)
		}
		if _, err := path.Match(d.ID, ""); err != nil {
			return nil, fmt.Errorf("entry %d: %q is no pattern", i, d.ID)
		}
		if err := d.checkMinors(); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i, err)
		}
	}
	return list, nil
}

func given(texts ...string) (n int) {
	for _, text := range texts {
		if text != "" {
			n++
		}
	}
	return n
}

// checkMinors rejects bad minors, and entries about rules that lack a member.
func (d *KnownDifference) checkMinors() error {
	for _, minor := range []string{d.Since, d.Until} {
		if minor == "" {
			continue
		}
		if _, err := numberOf(minor); err != nil {
			return err
		}
	}
	levels := []Level{Text, Cost, Verdict}
	if d.Rule != "" && (d.ID == "" || d.Until == "" || !slices.Contains(levels, d.Level)) {
		return fmt.Errorf("id, until and level are needed for a rule: %s", d.Rule)
	}
	return nil
}

// Under returns the entries that are about a minor, as a new list.
func (list KnownDifferences) Under(minor string) KnownDifferences {
	n, err := numberOf(minor)
	if err != nil {
		return nil
	}
	var kept KnownDifferences
	for _, d := range list {
		since, _ := numberOf(cmp.Or(d.Since, Minors()[0]))
		until, _ := numberOf(cmp.Or(d.Until, Newest()))
		if since <= n && n <= until {
			kept = append(kept, d)
		}
	}
	return kept
}

// Find returns the index of the first entry that matches an id, or -1. Entries
// about rules match no id.
func (list KnownDifferences) Find(id string) int {
	for i, d := range list {
		ok, err := path.Match(d.ID, id)
		if d.ID != "" && d.Rule == "" && ok && err == nil {
			return i
		}
	}
	return -1
}

// findRule returns the index of the first entry about a rule that covers a
// difference at a level, or -1.
func (list KnownDifferences) findRule(rule string, level Level) int {
	return slices.IndexFunc(list, func(d KnownDifference) bool {
		return d.Rule == rule && !level.Deeper(d.Level)
	})
}

// shownBy marks the entries about rules that name a vector which differs.
func (list KnownDifferences) shownBy(result *Result, differs []bool) {
	for i, d := range list {
		if d.Rule != "" && d.ID == result.ID && result.Outcome == Failed {
			differs[i] = true
		}
	}
}

// Explain returns the reason of the first entry that matches the difference of
// a generated case, or "".
func (list KnownDifferences) Explain(difference string) string {
	for _, d := range list {
		if d.Difference == "" {
			continue
		}
		if ok, err := regexp.MatchString(d.Difference, difference); ok && err == nil {
			return d.Why
		}
	}
	return ""
}
