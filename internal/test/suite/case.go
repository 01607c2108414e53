package suite

import (
	"encoding/json"
	"fmt"
	"io/fs"
)

// Case is a test case that no request of the protocol can express, e.g. a
// comparison of two version names. Its kind defines what Input and Want hold.
type Case struct {
	// ID names the case. It is unique among cases and vectors and never
	// changes.
	ID string
	// Kind is the kind of the case and the name of its file without the
	// extension, e.g. "versionCompare".
	Kind string
	// Rule is the id of the specification's rule that the case shows.
	Rule string
	// Description states in a few words what the case shows. It is unique.
	Description string
	// Report names the public report that the case came from, as in a
	// [Vector].
	Report string
	// Input is the input of the kind, as it stands in the file.
	Input json.RawMessage
	Recorded
}

// caseLine is a case as it stands in its file.
type caseLine struct {
	ID          string          `json:"id"`
	Kind        string          `json:"kind"`
	Rule        string          `json:"rule"`
	Description string          `json:"description"`
	Report      string          `json:"report,omitempty"`
	Input       json.RawMessage `json:"input"`
	Recorded
}

// LoadCases reads all cases of a folder: the files with the extension .jsonl,
// in the order of their names. A malformed line, or a case whose kind is not
// its file's name, is an error that names file and line.
func LoadCases(folder fs.FS) ([]Case, error) {
	return loadLines(folder, parseCase)
}

func parseCase(kind string, line []byte) (Case, error) {
	var l caseLine
	if err := decodeLine(line, &l); err != nil {
		return Case{}, err
	}
	if l.Kind != kind {
		return Case{}, fmt.Errorf("case %s: its kind is %q, not that of the file", l.ID, l.Kind)
	}
	c := Case(l)
	if err := c.check(); err != nil {
		return Case{}, fmt.Errorf("case %s: %w", c.ID, err)
	}
	return c, nil
}

// AppendLine appends the case as a line of its file, line break included.
func (c *Case) AppendLine(dst []byte) ([]byte, error) {
	head := caseLine{
		ID:          c.ID,
		Kind:        c.Kind,
		Rule:        c.Rule,
		Description: c.Description,
		Report:      c.Report,
		Input:       json.RawMessage("null"),
	}
	return appendLine(dst, head, c.Input, c.Recorded)
}
