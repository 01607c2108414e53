package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// row is one attack with its measured runs, by the index of the side.
type row struct {
	attack

	results [3]result
}

const (
	factor    = 3               // of the real code's time
	atLeast   = 3 * time.Second // allowed in any case
	mostBytes = 1536 << 20
	lateness  = 2 * time.Second
)

func printHead() {
	fmt.Println("| attack | size | time | memory | with deadline | outcome " +
		"| real time | real memory | real outcome |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
}

// print prints the row and reports whether it is over its bounds.
func (r *row) print() (over bool) {
	mine, late, real := &r.results[0], &r.results[1], &r.results[2]
	over = r.over()
	mark := ""
	if over {
		mark = " !"
	}
	fmt.Printf("| %s%s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.name, mark, r.size,
		seconds(mine), megabytes(mine), seconds(late), mine.Outcome,
		seconds(real), megabytes(real), firstLine(cmp.Or(real.Outcome, "-")))
	return over
}

// over reports whether the row is over its bounds.
func (r *row) over() bool {
	mine, late, real := &r.results[0], &r.results[1], &r.results[2]
	most := max(atLeast, factor*real.CPU)
	if !real.ran && r.prepare.real != nil {
		most = timeLimit * time.Second
	}
	return mine.died || late.died || mine.CPU > most || mine.Peak > mostBytes ||
		late.CPU-allowed > lateness
}

// firstLine returns the start of an outcome: that of a crash has a trace.
func firstLine(outcome string) string {
	line, _, _ := strings.Cut(outcome, "\n")
	return line
}

func seconds(r *result) string {
	if !r.ran {
		return "-"
	}
	return fmt.Sprintf("%.2f s", r.CPU.Seconds())
}

func megabytes(r *result) string {
	if !r.ran {
		return "-"
	}
	return fmt.Sprintf("%d MB", r.Peak>>20)
}
