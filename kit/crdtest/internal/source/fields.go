package source

import (
	"errors"
	"fmt"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/manifest"
)

// NewFields returns the fields of a whole document. The first error is written
// to err.
func NewFields(doc manifest.Object, err *error) *Fields {
	return &Fields{object: doc.Content, doc: doc.Document, taken: map[string]bool{}, err: err}
}

// Fields reads the fields of an object of a suite. It remembers the first
// error, after which it returns zero values.
type Fields struct {
	path   string
	object map[string]any
	doc    *manifest.Document
	taken  map[string]bool
	err    *error
}

// Errorf records an error about a field, at its key.
func (f *Fields) Errorf(key, format string, args ...any) {
	f.record(f.doc.Find(f.join(key)).Key, key, fmt.Sprintf(format, args...))
}

// ValueErrorf records an error about a field, at its value.
func (f *Fields) ValueErrorf(key, format string, args ...any) {
	f.record(f.doc.Find(f.join(key)).Value, key, fmt.Sprintf(format, args...))
}

// record records an error about a field, unless there is one already.
func (f *Fields) record(at manifest.Position, key, text string) {
	if *f.err != nil {
		return
	}
	if path := f.join(key); path != "" {
		text = path + ": " + text
	}
	*f.err = &manifest.Error{Position: at, Err: errors.New(text)}
}

func (f *Fields) join(key string) string {
	if f.path == "" || key == "" {
		return f.path + key
	}
	return f.path + "." + key
}

// Take returns the value of a field, nil if the field is absent.
func (f *Fields) Take(key string) any {
	f.taken[key] = true
	return f.object[key]
}

// Wrong records that a field is of another type.
func (f *Fields) Wrong(key, want string, got any) {
	f.ValueErrorf(key, "want %s, found %s", want, jsonvalue.KindOf(got))
}

// Text returns a string, empty if the field is absent.
func (f *Fields) Text(key string) string {
	switch value := f.Take(key).(type) {
	case nil:
	case string:
		return value
	case bool, int64, float64:
		f.ValueErrorf(key, "want a string, found %s: write it in quotes", jsonvalue.KindOf(value))
	default:
		f.Wrong(key, "a string", value)
	}
	return ""
}

// Bool returns a boolean, false if the field is absent.
func (f *Fields) Bool(key string) bool {
	switch value := f.Take(key).(type) {
	case nil:
	case bool:
		return value
	default:
		f.Wrong(key, "a boolean", value)
	}
	return false
}

// Keys returns the names of the fields, sorted.
func (f *Fields) Keys() []string { return jsonvalue.SortedKeys(f.object) }

// Texts returns a list of strings. A string stands for a list with it.
func (f *Fields) Texts(key string) []string {
	switch value := f.Take(key).(type) {
	case nil:
		return nil
	case string:
		return []string{value}
	case []any:
		texts := []string{}
		for _, item := range value {
			text, ok := item.(string)
			if !ok {
				f.Wrong(key, "a list of strings", value)
			}
			texts = append(texts, text)
		}
		return texts
	default:
		f.Wrong(key, "a string or a list of strings", value)
		return nil
	}
}

// Object returns an object, nil if the field is absent.
func (f *Fields) Object(key string) map[string]any {
	value := f.Take(key)
	object, ok := value.(map[string]any)
	if !ok && value != nil {
		f.Wrong(key, "an object", value)
	}
	return object
}

// Inner returns the fields of an object, nil if the field is absent.
func (f *Fields) Inner(key string) *Fields {
	object := f.Object(key)
	if object == nil {
		return nil
	}
	return &Fields{f.join(key), object, f.doc, map[string]bool{}, f.err}
}

// List returns the fields of the objects of a list.
func (f *Fields) List(key string) []*Fields {
	value := f.Take(key)
	items, ok := value.([]any)
	if !ok && value != nil {
		f.Wrong(key, "a list", value)
	}
	var all []*Fields
	for i, item := range items {
		path := fmt.Sprintf("%s[%d]", key, i)
		object, ok := item.(map[string]any)
		if !ok {
			f.Wrong(path, "an object", item)
			return nil
		}
		all = append(all, &Fields{f.join(path), object, f.doc, map[string]bool{}, f.err})
	}
	return all
}

// Done records an error if there are fields that were not read.
func (f *Fields) Done() {
	for _, key := range jsonvalue.SortedKeys(f.object) {
		if !f.taken[key] {
			f.Errorf(key, "unknown field")
		}
	}
}

// Line returns the line of the object.
func (f *Fields) Line() int { return f.doc.Find(f.path).Key.Line }

// Path returns the path of the object in its document.
func (f *Fields) Path() string { return f.path }

// Manifest returns the object in a field that holds YAML as a string, nil if it
// holds none.
func (f *Fields) Manifest(key string) map[string]any {
	object, _, err := jsonvalue.DecodeObject([]byte(f.Text(key)))
	if err != nil {
		f.Errorf(key, "%v", err)
	}
	return object
}
