package jsonvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	kjson "sigs.k8s.io/json"
)

// UnmarshalStrict decodes JSON into a pointer to any or to a map. The list
// strict has the duplicate fields, at most a hundred, in the words of
// [kjson.UnmarshalStrict]; it ends with [ErrMoreFields] if their paths take
// more than [StrictMemory]. That one renders the path of each duplicate field,
// and drops what is too much afterwards: 20,000 of them below a key of 300 KB
// take ten seconds.
func UnmarshalStrict(data []byte, into any) (strict []error, err error) {
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, into); err != nil {
		return nil, err
	}
	return duplicates(data), nil
}

// mostDuplicates is the number of duplicate fields that a server reports.
const mostDuplicates = 100

// StrictMemory is the number of bytes that the paths of the fields may take
// that a strict decoder reports.
const StrictMemory = 32 << 20

// ErrMoreFields stands for the fields beyond [StrictMemory].
var ErrMoreFields = errors.New("and more fields, whose paths take more than 32 MiB")

// duplicateError is a field that occurs twice.
type duplicateError string

// Error says it in the words of a server.
func (e duplicateError) Error() string { return "duplicate field " + strconv.Quote(string(e)) }

// FieldPath returns the path of the field.
func (e duplicateError) FieldPath() string { return string(e) }

// field is a field or an item of a document. One that occurs twice is the same.
type field struct {
	parent int
	name   string
	item   bool // the name is an index
}

// level is an object or list that is being read.
type level struct {
	at   int              // its place in finder.fields
	seen map[int]struct{} // the fields of an object, nil for a list
	next int              // the index of a list's next item
}

// finder finds duplicate fields. fields[0] is the document.
type finder struct {
	fields   []field
	places   map[field]int
	reported map[int]struct{}
	found    []error
	size     int // of their paths
}

// duplicates returns the duplicate fields of a document that is JSON.
func duplicates(data []byte) []error {
	f := finder{fields: []field{{}}, places: map[field]int{}, reported: map[int]struct{}{}}
	in := json.NewDecoder(bytes.NewReader(data))
	in.UseNumber()
	var levels []level
	for !f.isFull() {
		token, err := in.Token()
		if err != nil {
			return f.found
		}
		delim, isDelim := token.(json.Delim)
		if isDelim && (delim == '}' || delim == ']') {
			levels = levels[:len(levels)-1]
			continue
		}
		var top *level
		if len(levels) > 0 {
			top = &levels[len(levels)-1]
		}
		at := 0 // the document
		switch {
		case top == nil:
		case top.seen == nil:
			at = f.place(field{top.at, strconv.Itoa(top.next), true})
			top.next++
		default: // the token is the name of a field, and the next one begins its value
			at = f.place(field{top.at, token.(string), false})
			f.meet(top, at)
			if token, err = in.Token(); err != nil {
				return f.found
			}
			delim, isDelim = token.(json.Delim)
		}
		if isDelim {
			below := level{at: at}
			if delim == '{' {
				below.seen = map[int]struct{}{}
			}
			levels = append(levels, below)
		}
	}
	return f.found
}

// isFull reports whether no further field is reported.
func (f *finder) isFull() bool {
	return f.size > StrictMemory || len(f.found) >= mostDuplicates ||
		len(f.reported) >= 10*mostDuplicates
}

// place returns the place of a field.
func (f *finder) place(of field) int {
	at, ok := f.places[of]
	if !ok {
		at = len(f.fields)
		f.places[of], f.fields = at, append(f.fields, of)
	}
	return at
}

// meet reports a field that its object has already.
func (f *finder) meet(object *level, at int) {
	if _, ok := object.seen[at]; !ok {
		object.seen[at] = struct{}{}
		return
	}
	if _, ok := f.reported[at]; ok {
		return
	}
	f.reported[at] = struct{}{}
	path := f.path(at)
	if err := error(duplicateError(path)); !slices.Contains(f.found, err) {
		f.found = append(f.found, err)
		if f.size += len(path); f.size > StrictMemory {
			f.found = append(f.found, ErrMoreFields)
		}
	}
}

// path renders the path of a place. Two places may have the same one.
func (f *finder) path(at int) string {
	var way []field
	for ; at != 0; at = f.fields[at].parent {
		way = append(way, f.fields[at])
	}
	var path []byte
	for i, step := range slices.Backward(way) {
		switch {
		case step.item:
			path = append(append(append(path, '['), step.name...), ']')
			continue
		case i < len(way)-1:
			path = append(path, '.')
		}
		path = append(path, step.name...)
	}
	return string(path)
}
