package columns

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// View selects the columns of the text of a table.
type View uint8

// The views.
const (
	Narrow View = iota // columns of priority 0, as kubectl get shows them
	Wide               // all columns, as kubectl get -o wide shows them
)

// blockRows is the number of rows that kubectl aligns together. Columns do not
// get narrower from block to block.
const blockRows = 100

// Text returns the table as kubectl 1.37 prints it, without a word on an empty
// table. A cell ends at its first line break, and three dots show that.
func (t *Table) Text(view View) string {
	if len(t.Rows) == 0 {
		return ""
	}
	var out strings.Builder
	block := [][]string{t.header(view)}
	widths := widthsOf(nil, block)
	for i, row := range t.Rows {
		block = append(block, t.line(row, view))
		if (i+1)%blockRows == 0 || i+1 == len(t.Rows) {
			writeBlock(&out, widths, block)
			widths, block = widthsOf(widths, block), nil
		}
	}
	return out.String()
}

// header returns the names of the visible columns. All but the last are padded
// to the bytes of their longest cell, before it is cut.
func (t *Table) header(view View) []string {
	var line []string
	last := 0
	for i, column := range t.ColumnDefinitions {
		if !view.shows(column) {
			continue
		}
		longest := 0
		for _, row := range t.Rows {
			longest = max(longest, len(cellText(row.Cells[i])))
		}
		name := strings.ToUpper(column.Name)
		last = len(name)
		line = append(line, name+strings.Repeat(" ", max(0, longest-len(name))))
	}
	line[len(line)-1] = line[len(line)-1][:last]
	return line
}

// line returns the visible cells of a row as they are printed.
func (t *Table) line(row Row, view View) []string {
	var line []string
	for i, column := range t.ColumnDefinitions {
		if view.shows(column) {
			line = append(line, printed(cellText(row.Cells[i])))
		}
	}
	return line
}

// widthsOf returns the widths that columns have after a block of lines, and
// before it. That of the last column is not used.
func widthsOf(before []int, block [][]string) []int {
	widths := slices.Clone(before)
	for _, line := range block {
		for i, cell := range line {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// writeBlock writes lines below each other. Columns have at least the widths
// that are given.
func writeBlock(out *strings.Builder, widths []int, block [][]string) {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 6, 4, 3, ' ', 0) // kubectl's
	for _, width := range widths {
		fmt.Fprint(w, strings.Repeat(" ", width), "\t")
	}
	fmt.Fprintln(w)
	for _, line := range block {
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	_ = w.Flush() // a string takes everything
	_, lines, _ := strings.Cut(text.String(), "\n")
	out.WriteString(lines)
}

func (v View) shows(column Column) bool { return v == Wide || column.Priority == 0 }

// cellText returns the text of a cell. kubectl reads numbers from JSON, where
// 3.0 is 3.
func cellText(cell any) string {
	switch cell := cell.(type) {
	case nil:
		return ""
	case float64:
		literal, _ := json.Marshal(cell) // empty for what JSON has not
		if _, err := strconv.ParseInt(string(literal), 10, 64); err == nil {
			return string(literal)
		}
	}
	return fmt.Sprint(cell)
}

// printed returns the text of a cell up to its first line break.
func printed(cell string) string {
	if at := strings.IndexAny(cell, "\f\n\r"); at >= 0 {
		return escape(cell[:at]) + "..."
	}
	return escape(cell)
}

// escape makes the escape character harmless for terminals.
func escape(cell string) string {
	return strings.NewReplacer("\x1b", "^[", "\r", "\\r").Replace(cell)
}
