package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"go.yaml.in/yaml/v3"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
)

// Document is one document of a manifest, or an item of a list in it. Documents
// come from [Read], [ReadObjects] and [Document.Items]. A Document is safe for
// concurrent use; its fields must not be changed after its first method was
// called.
type Document struct {
	// File is the name of the file, as it was given to Read.
	File string
	// Line is the line of the file on which Data starts, from 1. For an item it
	// is the line of its list.
	Line int
	// Item is the path of an item, e.g. items[3]; empty for a whole document.
	Item string
	// Data is the text: JSON if it starts with {, otherwise YAML. It is nil for
	// an item, unless its list was cut by [ReadObjects].
	Data []byte

	before int // the number of characters before Data on its first line

	list   *Document // of an item: the document that holds it
	object map[string]any
	strict []*Error
	// first is what was decoded to find out that the document is no list. The
	// next call of Object returns it.
	first atomic.Pointer[decoded]

	index  sync.Once
	root   *yaml.Node // nil if the text has no positions
	keys   mappingKeys
	breaks lineStarts // by which root counts lines

	aligned sync.Map // alignments of scalars, by their nodes

	lining   sync.Once
	lineKeys map[lineKey]*yaml.Node

	counting sync.Once
	lines    lineStarts // as editors count them
}

// decoded is an object with what a strict decoder refuses.
type decoded struct {
	object map[string]any
	strict []*Error
}

// ErrNoObject is wrapped by the error of a document that is a list or a scalar.
var ErrNoObject = errors.New("expected an object")

// Object decodes the document as the API server decodes the body of a request:
// integers are int64, and of duplicate keys the last one counts. The caller
// owns the object of a whole document. The object of an item is shared with its
// list and must not be changed.
//
// strict has what a strict decoder refuses, in order: duplicate keys. A key
// that overrides one of a merge key (<<) is none, as for kubectl and kustomize,
// which send JSON; the server's decoder refuses it in a body of YAML. The error
// is an *[Error]. It says that the text is neither YAML nor JSON, or that it is
// not an object.
func (d *Document) Object() (object map[string]any, strict []*Error, err error) {
	if d.list != nil {
		return d.object, d.strict, nil
	}
	if known := d.first.Swap(nil); known != nil {
		return known.object, known.strict, nil
	}
	value, objections, err := jsonvalue.Decode(d.Data)
	if err != nil {
		return nil, nil, d.decodeError(err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, nil, &Error{
			Position: d.Start(),
			Err:      fmt.Errorf("%w, got %s", ErrNoObject, jsonvalue.KindOf(value)),
		}
	}
	for _, objection := range objections {
		for _, text := range jsonvalue.SplitYAMLErrors(objection.Error()) {
			strict = append(strict, &Error{d.LocateText(text), withoutLine(text)})
		}
	}
	return object, d.withoutMerged(strict), nil
}

// Items returns the objects in a list as documents of their own. object and
// strict are the results of [Document.Object]. The documents share parts of the
// object. isList is false for any other document: the kind of a list ends in
// List, and its field items is a list or null. An item with neither apiVersion
// nor kind gets those of the list, e.g. CronTab of a CronTabList.
//
// The error is an *[Error] about an item that is not an object. The other items
// are returned too.
func (d *Document) Items(
	object map[string]any, strict []*Error,
) (items []*Document, isList bool, err error) {
	kind, _ := object["kind"].(string)
	value, present := object["items"]
	list, ok := value.([]any)
	if !strings.HasSuffix(kind, "List") || !present || !ok && value != nil {
		return nil, false, nil
	}
	for i, item := range list {
		path := joinPath(d.Item, fmt.Sprintf("items[%d]", i))
		entry, ok := item.(map[string]any)
		if !ok {
			if err == nil {
				err = &Error{d.Find(path).Value, fmt.Errorf(
					"%s: expected an object, got %s", path, jsonvalue.KindOf(item))}
			}
			continue
		}
		items = append(items, &Document{
			File: d.File, Line: d.Line, Item: path, list: d.whole(), object: typed(entry, object),
		})
	}
	shareErrors(items, strict)
	return items, true, err
}

// typed returns an item of a list with the type that the server's decoder gives
// it. The argument is not changed.
func typed(item, list map[string]any) map[string]any {
	own, of := typemeta.Of(item), typemeta.Of(list)
	kind := strings.TrimSuffix(of.Kind, "List")
	if own != (typemeta.Type{}) || kind == "" {
		return item
	}
	item = maps.Clone(item)
	item["kind"] = kind
	if list["apiVersion"] != nil {
		item["apiVersion"] = list["apiVersion"]
	}
	return item
}

// shareErrors gives each item the errors whose positions are within it.
func shareErrors(items []*Document, strict []*Error) {
	if len(strict) == 0 {
		return
	}
	starts := make([]Position, len(items))
	for i, item := range items {
		starts[i] = item.Start()
	}
	for _, err := range strict {
		for i := len(items) - 1; i >= 0; i-- {
			if starts[i].compare(err.Position) <= 0 {
				items[i].strict = append(items[i].strict, err)
				break
			}
		}
	}
}

// whole returns the document that has the text.
func (d *Document) whole() *Document {
	if d.list != nil {
		return d.list
	}
	return d
}

// Start returns the position of the document's first character, or of the item
// in its list.
func (d *Document) Start() Position {
	if d.list != nil {
		return d.Find("").Value
	}
	if d.Item != "" {
		return d.position(len(d.Data) - len(bytes.TrimLeft(d.Data, " \t\r\n")))
	}
	return Position{File: d.File, Line: d.Line, Column: d.before + 1}
}

// String returns the place of the document in words, e.g.
// "app.yaml:12 items[3]". The first line of a file is left out.
func (d *Document) String() string {
	place := Position{File: d.File}
	if d.Line != 1 {
		place.Line = d.Line
	}
	return strings.TrimSpace(place.String() + " " + d.Item)
}
