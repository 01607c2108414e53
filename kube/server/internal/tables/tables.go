package tables

import (
	_ "embed"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem/kit/columns"
)

// Table is a table of a built-in kind.
type Table struct {
	columns.Table

	Rows []Row `json:"rows"`
}

// Row shows one object.
type Row struct {
	columns.Row

	Conditions []v1.TableRowCondition `json:"conditions,omitempty"`
}

// Printer makes the rows of a kind. It is immutable and safe for concurrent
// use.
type Printer struct {
	columns []columns.Column
	cells   []call // of the columns
	hasEnd  bool   // whether rows say that an object is completed
	// prepare returns what the cells are made of; nil for the object itself.
	prepare func(map[string]any) map[string]any
}

// The columns of all kinds. The head of the file describes the lines.
//
//go:embed columns.txt
var lines string

// anyKind is the kind of the columns of kinds without any of their own.
var anyKind = schema.GroupKind{Kind: "*"}

// Of returns the printer of a kind.
func Of(kind schema.GroupKind) *Printer {
	if p := printers()[kind]; p != nil {
		return p
	}
	return printers()[anyKind]
}

// Fill returns a table with the columns of the printer. It takes the metadata
// and the objects of its rows from another table of the same object or list. If
// that has no columns, neither has this.
func (p *Printer) Fill(from *columns.Table, object map[string]any, now time.Time) *Table {
	out := &Table{Table: *from, Rows: make([]Row, len(from.Rows))}
	if len(from.ColumnDefinitions) > 0 {
		out.ColumnDefinitions = p.columns
	}
	items, isList := object["items"].([]any)
	for i, shown := range from.Rows {
		of := object
		if isList {
			of, _ = items[i].(map[string]any)
		}
		if p.prepare != nil {
			of = p.prepare(of)
		}
		r := &row{object: of, list: items, now: now}
		shown.Cells = make([]any, len(p.cells))
		for j := range p.cells {
			shown.Cells[j] = p.cells[j].function(r, &p.cells[j])
		}
		out.Rows[i] = Row{Row: shown}
		if p.hasEnd {
			out.Rows[i].Conditions = podConditions(r)
		}
	}
	return out
}

// What a line with only a name stands for.
var standing = map[string][]string{
	"Name": {"Name | string name | text .metadata.name | @.metadata.name"},
	"Age": {"Age | string | age .metadata.creationTimestamp else <unknown> | " +
		"@.metadata.creationTimestamp"},
	"Template": {
		"Containers | string wide | each .spec.template.spec.containers .name | " +
			"Names of each container in the template.",
		"Images | string wide | each .spec.template.spec.containers .image | " +
			"Images referenced by each container in the template.",
	},
}

// printers returns the printers by their kinds.
var printers = sync.OnceValue(func() map[schema.GroupKind]*Printer {
	all := map[schema.GroupKind]*Printer{}
	var at *Printer
	var of schema.GroupVersionKind
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		heading, isHeading := strings.CutPrefix(line, "[")
		switch {
		case line == "" || line[0] == '#':
		case isHeading:
			words := strings.Fields(strings.TrimSuffix(heading, "]"))
			group, version, _ := strings.Cut(words[0], "/")
			of = kindOf(group, version, words[1])
			at = &Printer{hasEnd: words[1] == "Pod"}
			for _, kind := range words[1:] {
				all[schema.GroupKind{Group: of.Group, Kind: kind}] = at
			}
		case standing[line] != nil:
			for _, line := range standing[line] {
				at.add(of, line)
			}
		default:
			at.add(of, line)
		}
	}
	events := *all[schema.GroupKind{Kind: "Event"}]
	events.prepare = asCoreEvent
	all[schema.GroupKind{Group: "events.k8s.io", Kind: "Event"}] = &events
	return all
})

func kindOf(group, version, kind string) schema.GroupVersionKind {
	if group == "core" {
		group = ""
	}
	return schema.GroupVersionKind{Group: group, Version: version, Kind: kind}
}

// add adds the column of a line.
func (p *Printer) add(of schema.GroupVersionKind, line string) {
	parts := strings.SplitN(line+" ", " | ", 4)
	c := columns.Column{Name: parts[0], Description: description(of, strings.TrimSpace(parts[3]))}
	words := strings.Fields(parts[1])
	c.Type = words[0]
	for _, word := range words[1:] {
		switch word {
		case "name":
			c.Format = "name"
		case "wide":
			c.Priority = 1
		}
	}
	p.columns = append(p.columns, c)
	p.cells = append(p.cells, newCall(parts[2]))
}
