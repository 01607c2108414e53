package main

import (
	"fmt"
	"io"
	"strings"
)

// unit is the unit of a row's figures.
type unit uint8

const (
	seconds unit = iota
	megabytes
	number
	factor
)

func (u unit) text(v float64) string {
	switch {
	case v == 0:
		return "-"
	case u == seconds:
		return fmt.Sprintf("%.1f ms", v*1000)
	case u == megabytes:
		return fmt.Sprintf("%.2f MB", v/1e6)
	case u == factor:
		return fmt.Sprintf("%.2fx", v)
	default:
		return fmt.Sprintf("%.0f", v)
	}
}

// target is the goal of a row. The zero target is no goal.
type target struct {
	of    reference
	limit float64
}

type reference uint8

const (
	nothing reference = iota
	ofFloor
	ofReal
	absolute // in the unit of the row
)

// verdict returns the target and whether it is met.
func (m *measurement) verdict() (text, met string) {
	var got float64
	switch m.target.of {
	case nothing:
		return "", ""
	case ofFloor:
		got, text = ratio(m.ours, m.floor), fmt.Sprintf("%g of the floor", m.target.limit)
	case ofReal:
		got, text = ratio(m.ours, m.real), fmt.Sprintf("1/%g of the real code", 1/m.target.limit)
	case absolute:
		got, text = m.ours, m.unit.text(m.target.limit)
	}
	switch {
	case got == 0:
		return "at most " + text, "-"
	case got <= m.target.limit:
		return "at most " + text, "met"
	default:
		return "at most " + text, "missed"
	}
}

// printTable prints all rows as a Markdown table.
func printTable(out io.Writer, all []measurement) {
	rows := [][]string{
		{"what", "floor", "real code", "ours", "real : ours", "ours : floor", "target", ""},
	}
	for i := range all {
		m := &all[i]
		goal, met := m.verdict()
		floor := m.unit.text(m.floor)
		if m.floor != 0 {
			floor = m.floorName + " " + floor
		}
		rows = append(rows, []string{
			m.name, floor, m.unit.text(m.real), m.unit.text(m.ours), ratioText(m.real, m.ours, "%.1f"), ratioText(m.ours, m.floor, "%.2f"), goal, met,
		})
	}
	for i, cells := range rows {
		fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
		if i == 0 {
			fmt.Fprintln(out, strings.Repeat("| --- ", len(cells))+"|")
		}
	}
}

func ratioText(a, b float64, format string) string {
	if a == 0 || b == 0 {
		return "-"
	}
	return fmt.Sprintf(format, a/b)
}
