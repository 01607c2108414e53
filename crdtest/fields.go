package crdtest

import (
	"fmt"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/manifest"
)

// newFields returns the fields of a whole document. The first error is written
// to err.
func newFields(doc decoded, err *error) *fields {
	return &fields{object: doc.object, doc: doc.Document, taken: map[string]bool{}, err: err}
}

// fields reads the fields of an object of a suite. It remembers the first
// error, after which it returns zero values.
type fields struct {
	path   string
	object map[string]any
	doc    *manifest.Document
	taken  map[string]bool
	err    *error
}

// errorf records an error about a field, at its key.
func (f *fields) errorf(key, format string, args ...any) {
	f.record(f.doc.Find(f.join(key)).Key, key, fmt.Sprintf(format, args...))
}

// valueErrorf records an error about a field, at its value.
func (f *fields) valueErrorf(key, format string, args ...any) {
	f.record(f.doc.Find(f.join(key)).Value, key, fmt.Sprintf(format, args...))
}

// record records an error about a field, unless there is one already.
func (f *fields) record(at manifest.Position, key, text string) {
	if *f.err == nil {
		*f.err = &manifest.Error{Position: at, Err: fmt.Errorf("%s: %s", f.join(key), text)}
	}
}

func (f *fields) join(key string) string {
	if f.path == "" || key == "" {
		return f.path + key
	}
	return f.path + "." + key
}

func (f *fields) take(key string) any {
	f.taken[key] = true
	return f.object[key]
}

// wrong records that a field is of another type.
func (f *fields) wrong(key, want string, got any) {
	f.valueErrorf(key, "want %s, found %s", want, jsonvalue.KindOf(got))
}

// text returns a string, empty if the field is absent.
func (f *fields) text(key string) string {
	switch value := f.take(key).(type) {
	case nil:
	case string:
		return value
	case bool, int64, float64:
		f.valueErrorf(key, "want a string, found %s: write it in quotes", jsonvalue.KindOf(value))
	default:
		f.wrong(key, "a string", value)
	}
	return ""
}

// minors returns a string that names minor versions of Kubernetes.
func (f *fields) minors(key string) string {
	text := f.text(key)
	if _, err := minorsOf(text); err != nil {
		f.valueErrorf(key, "%v", err)
	}
	return text
}

// fieldValidation returns a level of field validation.
func (f *fields) fieldValidation(key string) crdsem.FieldValidation {
	level := crdsem.FieldValidation(f.text(key))
	if err := checkFieldValidation(level); err != nil {
		f.valueErrorf(key, "%v", err)
	}
	return level
}

// texts returns a list of strings. A string stands for a list with it.
func (f *fields) texts(key string) []string {
	switch value := f.take(key).(type) {
	case nil:
		return nil
	case string:
		return []string{value}
	case []any:
		texts := []string{}
		for _, item := range value {
			text, ok := item.(string)
			if !ok {
				f.wrong(key, "a list of strings", value)
			}
			texts = append(texts, text)
		}
		return texts
	default:
		f.wrong(key, "a string or a list of strings", value)
		return nil
	}
}

// objectAt returns an object, nil if the field is absent.
func (f *fields) objectAt(key string) map[string]any {
	value := f.take(key)
	object, ok := value.(map[string]any)
	if !ok && value != nil {
		f.wrong(key, "an object", value)
	}
	return object
}

// inner returns the fields of an object, nil if the field is absent.
func (f *fields) inner(key string) *fields {
	object := f.objectAt(key)
	if object == nil {
		return nil
	}
	return &fields{f.join(key), object, f.doc, map[string]bool{}, f.err}
}

// list returns the fields of the objects of a list.
func (f *fields) list(key string) []*fields {
	value := f.take(key)
	items, ok := value.([]any)
	if !ok && value != nil {
		f.wrong(key, "a list", value)
	}
	var all []*fields
	for i, item := range items {
		path := fmt.Sprintf("%s[%d]", key, i)
		object, ok := item.(map[string]any)
		if !ok {
			f.wrong(path, "an object", item)
			return nil
		}
		all = append(all, &fields{f.join(path), object, f.doc, map[string]bool{}, f.err})
	}
	return all
}

// done records an error if there are fields that were not read.
func (f *fields) done() {
	for _, key := range jsonvalue.SortedKeys(f.object) {
		if !f.taken[key] {
			f.errorf(key, "unknown field")
		}
	}
}

// line returns the line of the object.
func (f *fields) line() int { return f.doc.Find(f.path).Key.Line }
