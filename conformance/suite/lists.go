package suite

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// NotYet is a set of ids of vectors that are known not to pass yet.
type NotYet map[string]bool

// ParseNotYet reads a list: an id per line; empty lines and lines that start with #
// say nothing. An id that is there twice is an error.
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
	// ID is the id of a vector, or a pattern of ids as path.Match knows them. It is
	// empty for an entry that is about generated cases.
	ID string `yaml:"id"`
	// Difference is a regular expression that the difference of a generated case
	// matches. It is empty for an entry that is about vectors.
	Difference string `yaml:"difference"`
	// Test names a test that shows the difference, and fails where it is gone, as
	// the package's path in the module, a point and the function. It is empty for an
	// entry that the vectors or generated cases show.
	Test string `yaml:"test"`
	// Why says in a sentence why the library differs there.
	Why string `yaml:"why"`
}

// KnownDifferences is a list of vectors that are meant to differ.
type KnownDifferences []KnownDifference

// ParseKnownDifferences reads a YAML list of entries with an id, a difference or a
// test, and a reason. An entry without them, with a bad pattern or with another
// field is an error.
func ParseKnownDifferences(doc []byte) (KnownDifferences, error) {
	var list KnownDifferences
	dec := yaml.NewDecoder(bytes.NewReader(doc))
	dec.KnownFields(true)
	if err := dec.Decode(&list); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for i, d := range list {
		if given(d.ID, d.Difference, d.Test) != 1 || d.Why == "" {
			return nil, fmt.Errorf("entry %d: why and one of id, difference and test must be given", i)
		}
		if _, err := regexp.Compile(d.Difference); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i, err)
		}
		if _, err := path.Match(d.ID, ""); err != nil {
			return nil, fmt.Errorf("entry %d: %q is no pattern", i, d.ID)
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

// Find returns the index of the first entry that matches an id, or -1.
func (list KnownDifferences) Find(id string) int {
	for i, d := range list {
		if ok, err := path.Match(d.ID, id); d.ID != "" && ok && err == nil {
			return i
		}
	}
	return -1
}

// Explain returns the reason of the first entry whose difference matches that of a
// generated case, or "".
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
