package crdtest

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/crdtest/internal/source"
	"github.com/crdsem/crdsem/kit/manifest"
)

// example is a document that is a case of its own. It is the one with an index
// in its file.
type example struct {
	manifest.Object
	index int
}

// addExample adds the case of a document to the suite of its folder.
func (r *reader) addExample(m example) error {
	folder := filepath.Dir(m.File)
	suite := r.folders[folder]
	if suite == nil {
		// Manifests are stated for kubectl apply, which validates fields.
		suite = &Suite{Name: folder, File: folder, FieldValidation: crdsem.Strict}
		if r.folders == nil {
			r.folders = map[string]*Suite{}
		}
		r.folders[folder] = suite
		r.suites = append(r.suites, suite)
	}
	c := Case{Name: m.name(), File: m.File, Line: m.Line}
	want, err := m.want()
	if err != nil {
		return err
	}
	c.Steps = []Step{{Verb: Create, Object: m.Content, Want: want}}
	if before, ok := strings.CutSuffix(m.File, ".pre.yaml"); ok && m.index == 0 {
		update, err := postOf(before + ".post.yaml")
		if err != nil {
			return err
		}
		c.Steps = append(c.Steps, update...)
	}
	suite.Cases = append(suite.Cases, c)
	return nil
}

// name names a case by its file, and from the second document on by its number
// in the file too.
func (m *example) name() string {
	if m.index == 0 {
		return stem(m.File)
	}
	return fmt.Sprintf("%s#%d", stem(m.File), m.index+1)
}

// want returns what is stated about an example: by its field _err, by a file
// next to it that ends in .err, or by a folder that is named invalid or
// invalid-…. The field is removed.
func (m *example) want() (Want, error) {
	if text, ok := m.Content["_err"].(string); ok {
		delete(m.Content, "_err")
		return Want{Errors: []string{text}}, nil
	}
	want, err := statedNextTo(m.File + ".err")
	if err != nil || want.refused() {
		return want, err
	}
	for _, name := range strings.Split(filepath.ToSlash(filepath.Dir(m.File)), "/") {
		if name == "invalid" || strings.HasPrefix(name, "invalid-") {
			return Want{Refused: true}, nil
		}
	}
	return Want{}, nil
}

// postOf returns the step that updates an object to the one in a file, if there
// is such a file.
func postOf(file string) ([]Step, error) {
	text, err := source.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	object, _, err := jsonvalue.DecodeObject(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	want, err := statedNextTo(file + ".tx_err")
	return []Step{{Verb: Update, Object: object, Want: want}}, err
}

// statedNextTo returns what a file states: that a request fails with the text
// in it. Without such a file the request is admitted.
func statedNextTo(file string) (Want, error) {
	text, err := source.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Want{}, nil
	case err != nil:
		return Want{}, err
	}
	if stated := strings.TrimSpace(string(text)); stated != "" {
		return Want{Errors: []string{stated}}, nil
	}
	return Want{Refused: true}, nil
}
