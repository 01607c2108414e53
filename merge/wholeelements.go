package merge

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	jsoniter "github.com/json-iterator/go"
	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	fieldpathtexts "github.com/crdsem/crdsem/merge/internal/fieldpath"
)

// The merge library reads a path element such as v:1 2 up to the data behind
// its JSON, as servers did to 1.36. Newer ones refuse the set.

// refusal returns the error of a text that is no set of fields for a minor, nil
// for one, and nil for a minor whose error is that of the merge library.
func refusal(text []byte, p *profile.Profile) error {
	switch {
	case p.PlainElements:
		return fieldpathtexts.Check(string(text))
	case p.WholeElements:
		return wholeRefusal(text)
	}
	return nil
}

// anyIsMore reports whether a value or a key in a path element is not just
// JSON. It looks at what a server skips, too.
func anyIsMore(fields any) bool {
	members, _ := fields.(map[string]any)
	for element, below := range members {
		if holdsJSON(element) && !json.Valid([]byte(element[2:])) || anyIsMore(below) {
			return true
		}
	}
	return false
}

// holdsJSON reports whether a path element holds JSON behind its first two
// characters.
func holdsJSON(element string) bool {
	return len(element) >= 2 && element[1] == ':' && (element[0] == 'v' || element[0] == 'k')
}

// wholeRefusal returns the error of a text that is no set of fields, where the
// JSON of an element ends the element.
func wholeRefusal(text []byte) error {
	in := jsoniter.Parse(
		jsoniter.ConfigCompatibleWithStandardLibrary, bytes.NewReader(text), 4096)
	refuseIn(in)
	if errors.Is(in.Error, io.EOF) {
		return nil
	}
	return in.Error
}

// refuseIn reads a set. The first error stays in the reader.
func refuseIn(in *jsoniter.Iterator) {
	in.ReadMapCB(func(in *jsoniter.Iterator, element string) bool {
		if element == "." {
			in.Skip()
			return true
		}
		_, err := fieldpath.DeserializePathElement(element)
		if err == nil && holdsJSON(element) {
			err = dataBehind(element)
		}
		switch {
		case errors.Is(err, fieldpath.ErrUnknownPathElementType):
			in.Skip()
		case err != nil:
			in.ReportError("parsing key as path element", err.Error())
			in.Skip()
		default:
			refuseIn(in)
		}
		return true
	})
}

// dataBehind returns an error if there is data behind the JSON of a path
// element that can be read.
func dataBehind(element string) error {
	in := jsoniter.ParseString(jsoniter.ConfigCompatibleWithStandardLibrary, element[2:])
	if element[0] == 'v' {
		in.Read()
	} else {
		in.ReadObjectCB(func(in *jsoniter.Iterator, _ string) bool {
			in.Read()
			return true
		})
	}
	if in.WhatIsNext(); errors.Is(in.Error, io.EOF) {
		return nil
	}
	if in.Error == nil {
		in.ReportError("managedFields parsing", "unexpected trailing data after JSON object")
	}
	return in.Error
}
