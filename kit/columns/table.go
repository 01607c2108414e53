package columns

import (
	"errors"
	"fmt"
	"time"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/jsonpath"
)

// Table is the server's table, as the API's Table of meta.k8s.io/v1.
type Table struct {
	Kind              string   `json:"kind"`
	APIVersion        string   `json:"apiVersion"`
	Metadata          Metadata `json:"metadata"`
	ColumnDefinitions []Column `json:"columnDefinitions"`
	Rows              []Row    `json:"rows"`
}

// Metadata is the metadata of a table: those of the object or list that it
// shows.
type Metadata struct {
	ResourceVersion    string `json:"resourceVersion,omitempty"`
	Continue           string `json:"continue,omitempty"`
	RemainingItemCount *int64 `json:"remainingItemCount,omitempty"`
}

// Row shows one object.
type Row struct {
	// Cells has a string, int64, float64, bool or nil for each column.
	Cells []any `json:"cells"`
	// Object is what [Include] asks for; nil for nothing.
	Object map[string]any `json:"object"`
}

// Included is what a row holds of its object: the query parameter
// includeObject.
type Included string

// What a row can hold of its object.
const (
	IncludeMetadata Included = "Metadata" // its metadata, as a PartialObjectMetadata
	IncludeObject   Included = "Object"   // the object itself
	IncludeNone     Included = "None"
)

// Option is an option of [Columns.Table]. Of several the last one counts.
type Option interface{ set(*renderer) }

type optionFunc func(*renderer)

func (f optionFunc) set(r *renderer) { f(r) }

// Include selects what rows hold of their objects. Without this option it is
// their metadata.
func Include(what Included) Option {
	return optionFunc(func(r *renderer) { r.included = what })
}

// Table returns the table of an object or of a list (COL-004 to COL-006). What
// has a list named items is a list, and its items are shown, even if the list
// is a field of a custom resource. The table refers to the objects; it does not
// change them. Ages are counted from now.
//
// The error names a value that is not JSON. Otherwise it says that the server
// fails: an item is not an object, or a JSONPath makes it panic. A table that
// takes more than [Memory] is an error too.
func (c *Columns) Table(
	object map[string]any, now time.Time, options ...Option,
) (*Table, error) {
	if err := jsonvalue.Check(object); err != nil {
		return nil, err
	}
	r := renderer{Columns: c, now: now, rows: []Row{}}
	for _, option := range options {
		if option != nil {
			option.set(&r)
		}
	}
	for _, path := range c.paths {
		r.evaluators = append(r.evaluators, path.Evaluator())
	}
	if err := r.add(object); err != nil {
		return nil, err
	}
	return &Table{
		Kind: "Table", APIVersion: "meta.k8s.io/v1", Metadata: metadataOf(object),
		ColumnDefinitions: c.definitions, Rows: r.rows,
	}, nil
}

// renderer makes one table.
type renderer struct {
	*Columns
	now        time.Time
	included   Included
	evaluators []*jsonpath.Evaluator
	rows       []Row
	size       int
}

// Memory is the number of bytes that the cells of a table may take. The columns
// and the objects multiply. A server has no limit.
const Memory = 256 << 20

// errMemory is the error of a table that takes more.
var errMemory = fmt.Errorf("the cells of the table take more than %d MiB", Memory>>20)

// perCell is what a cell takes without its text.
const perCell = 16

// add adds the row of an object, or the rows of a list.
func (r *renderer) add(object map[string]any) error {
	if items, ok := object["items"].([]any); ok {
		for _, item := range items {
			child, ok := item.(map[string]any)
			if !ok {
				return fmt.Errorf("items member is not an object: %T", item)
			}
			if err := r.add(child); err != nil {
				return err
			}
		}
		return nil
	}
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	row := Row{Cells: make([]any, 1, 1+len(r.evaluators)), Object: r.include(object)}
	row.Cells[0] = name
	for i, evaluator := range r.evaluators {
		cell, err := cellOf(object, evaluator, r.definitions[i+1].Type, r.now)
		if err != nil {
			return err
		}
		text, _ := cell.(string)
		if r.size += perCell + len(text); r.size > Memory {
			return errMemory
		}
		row.Cells = append(row.Cells, cell)
	}
	r.rows = append(r.rows, row)
	return nil
}

// cellOf returns a cell: the first result of a path, in the type of the column
// (COL-007 to COL-009). No result and an error are nil.
func cellOf(
	object map[string]any, path *jsonpath.Evaluator, columnType string, now time.Time,
) (any, error) {
	results, err := path.Results(object)
	if panics := (*jsonpath.PanicError)(nil); errors.As(err, &panics) {
		return nil, panics
	}
	if err != nil || len(results) == 0 || len(results[0]) == 0 {
		return nil, nil
	}
	value := results[0][0]
	if jsonpath.IsNothing(value) {
		return nil, &jsonpath.PanicError{Reason: "a cell of nothing"}
	}
	if columnType == "string" {
		text, err := jsonpath.Text(value)
		if err != nil {
			return nil, nil
		}
		return text, nil
	}
	return converted(value, columnType, now), nil
}

// converted returns a value in the type of a column that does not hold
// strings; nil if the value is of another kind.
func converted(value any, columnType string, now time.Time) any {
	switch columnType {
	case "integer":
		switch value := value.(type) {
		case int64:
			return value
		case float64:
			return jsonvalue.Truncate(value)
		}
	case "number":
		switch value := value.(type) {
		case int64:
			return float64(value)
		case float64:
			return value
		}
	case "boolean":
		if value, ok := value.(bool); ok {
			return value
		}
	case "date":
		if value, ok := value.(string); ok {
			return ageOf(value, now)
		}
	}
	return nil
}

func metadataOf(object map[string]any) Metadata {
	metadata, _ := object["metadata"].(map[string]any)
	m := Metadata{}
	m.ResourceVersion, _ = metadata["resourceVersion"].(string)
	m.Continue, _ = metadata["continue"].(string)
	if n, ok := metadata["remainingItemCount"].(int64); ok {
		m.RemainingItemCount = &n
	}
	return m
}

// include returns what a row holds of its object.
func (r *renderer) include(object map[string]any) map[string]any {
	switch r.included {
	case IncludeObject:
		return object
	case IncludeNone:
		return nil
	}
	metadata, _ := object["metadata"].(map[string]any)
	kept := map[string]any{}
	for _, name := range metadataFields {
		if value, ok := metadata[name]; ok && !isEmpty(value) {
			kept[name] = value
		}
	}
	return map[string]any{
		"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": kept,
	}
}

// metadataFields are the fields of metadata that every object can have.
var metadataFields = []string{
	"name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation",
	"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "labels",
	"annotations", "ownerReferences", "finalizers", "managedFields",
}

// isEmpty reports whether a value is left out of JSON as its field's zero
// value.
func isEmpty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}
