package metadata

import (
	"errors"
	"slices"
	"strconv"
	"time"
)

// maxUnknown is how many unknown fields one decoding reports.
const maxUnknown = 100

// decoder makes an object as it is after it was decoded into a struct and
// written back. It records the first mismatch and continues, as the server's
// decoder does. An error of a time ends the decoding and replaces a mismatch.
type decoder struct {
	mismatch error
	unknown  []string
}

// place is where a value is: the struct and the fields, joined by dots, for
// errors; the decoder path for unknown fields.
type place struct {
	structName string
	fields     string
	path       string
}

func (p place) field(s *structSpec, name string) place {
	return place{structName: s.name, fields: join(p.fields, name), path: join(p.path, name)}
}

func (p place) index(i int) place {
	p.path += "[" + strconv.Itoa(i) + "]"
	return p
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// mismatchError returns the decoder's error for a value that does not fit a Go
// type.
func (p place) mismatchError(value, goType string) error {
	if p.structName == "" {
		return errors.New("json: cannot unmarshal " + value + " into Go value of type " + goType)
	}
	into := p.structName + "." + p.fields + " of type " + goType
	return errors.New("json: cannot unmarshal " + value + " into Go struct field " + into)
}

// decode decodes some keys of an object. Its error is that of the server's
// decoder.
func decode(s *structSpec, object map[string]any, keys []string) (map[string]any, []string, error) {
	d := &decoder{}
	out, err := d.structOf(s, object, keys, place{})
	switch {
	case err != nil:
		return nil, nil, err
	case d.mismatch != nil:
		return nil, nil, d.mismatch
	}
	return out, d.unknown, nil
}

func (d *decoder) saveMismatch(err error) {
	if d.mismatch == nil {
		d.mismatch = err
	}
}

func (d *decoder) saveUnknown(path string) {
	if len(d.unknown) < maxUnknown && !slices.Contains(d.unknown, path) {
		d.unknown = append(d.unknown, path)
	}
}

func (d *decoder) structOf(
	s *structSpec, object map[string]any, keys []string, at place,
) (map[string]any, error) {
	out := make(map[string]any, len(keys)+s.always)
	for i := range s.fields {
		if s.fields[i].kind == textAlways {
			out[s.fields[i].name] = ""
		}
	}
	for _, key := range keys {
		f := s.field(key)
		if f == nil {
			d.saveUnknown(join(at.path, validText(key)))
			continue
		}
		if isNull(object[key]) {
			continue
		}
		if f.isNormal(object[key]) {
			out[key] = object[key]
			continue
		}
		value, keep, err := d.value(f, object[key], at.field(s, key))
		if err != nil {
			return nil, err
		}
		if keep {
			out[key] = value
		}
	}
	return out, nil
}

// value decodes a value that is not null. The result keep reports whether the
// field is written back.
func (d *decoder) value(f *fieldSpec, value any, at place) (out any, keep bool, err error) {
	switch f.kind {
	case text, textAlways:
		s := d.text(value, f.goType, at)
		return s, s != "" || f.kind == textAlways, nil
	case integer, integerPtr:
		n := d.integer(value, at)
		return n, n != 0 || f.kind == integerPtr, nil
	case boolPtr:
		if _, ok := value.(bool); !ok {
			d.saveMismatch(at.mismatchError(describe(value), f.goType))
		}
		return value, true, nil
	case timestamp, timestampPtr:
		out, err = timeOf(value, at)
		return out, out != nil || f.kind == timestampPtr, err
	case raw:
		return reread(value), true, nil
	case textMap:
		m := d.textMap(value, f.goType, at)
		return m, len(m) > 0, nil
	}
	list, ok := value.([]any)
	if !ok {
		d.saveMismatch(at.mismatchError(describe(value), f.goType))
		return nil, false, nil
	}
	if f.kind == textList {
		return d.textList(list, at), len(list) > 0, nil
	}
	out, err = d.structList(f.elem, list, at)
	return out, len(list) > 0, err
}

func (d *decoder) text(value any, goType string, at place) string {
	s, ok := value.(string)
	if !ok && !isNull(value) {
		d.saveMismatch(at.mismatchError(describe(value), goType))
	}
	return validText(s)
}

func (d *decoder) integer(value any, at place) int64 {
	switch v := value.(type) {
	case int64:
		return v
	case float64:
		written := numberText(v)
		n, err := strconv.ParseInt(written, 10, 64)
		if err == nil {
			return n
		}
		d.saveMismatch(at.mismatchError("number "+written, "int64"))
	default:
		d.saveMismatch(at.mismatchError(describe(value), "int64"))
	}
	return 0
}

// timeOf returns a time in UTC and seconds, as the server writes it. The zero
// time is nil. An error ends the whole decoding.
func timeOf(value any, at place) (any, error) {
	s, ok := value.(string)
	if !ok {
		return nil, at.mismatchError(describe(value), "string")
	}
	t, err := time.Parse(time.RFC3339, validText(s))
	if err != nil {
		return nil, err
	}
	if t.IsZero() {
		return nil, nil
	}
	return t.UTC().Format(time.RFC3339), nil
}

func (d *decoder) textMap(value any, goType string, at place) map[string]any {
	m, ok := value.(map[string]any)
	if !ok {
		d.saveMismatch(at.mismatchError(describe(value), goType))
		return nil
	}
	out := make(map[string]any, len(m))
	for _, k := range sortedKeys(m) {
		key := validText(k)
		if _, duplicate := out[key]; duplicate {
			d.saveUnknown(join(at.path, key))
		}
		out[key] = d.text(m[k], "string", at)
	}
	return out
}

func (d *decoder) textList(list []any, at place) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = d.text(v, "string", at)
	}
	return out
}

func (d *decoder) structList(elem *structSpec, list []any, at place) ([]any, error) {
	out := make([]any, len(list))
	for i, v := range list {
		object, ok := v.(map[string]any)
		if !ok && !isNull(v) {
			d.saveMismatch(at.mismatchError(describe(v), elem.goType))
			continue
		}
		item, err := d.structOf(elem, object, sortedKeys(object), at.index(i))
		if err != nil {
			return nil, err
		}
		out[i] = item
	}
	return out, nil
}
