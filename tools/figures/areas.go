package main

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
)

// areas are the rows of the table of areas, in its order. All but the first and
// the last are folders.
var areas = []string{
	"the root", "structural", "prune", "defaulting", "validation", "celrules", "versionsort",
	"conversion", "definition", "objectmeta", "merge", "minors",
	"internal/base", "internal/belowstructural", "internal/belowfacade", "internal/kit",
	"internal/app", "internal", "kit/fleet", "kit", "cmd", "kube/server", "kube", "web", "the rest",
}

// leftOutOfAreas are the folders that no user's program has.
var leftOutOfAreas = []string{
	"conformance", "examples", "internal/test", "tools",
}

// areaOf returns the area of a file. It is empty for tests, and for folders
// that no user's program has.
func areaOf(f *file) string {
	if f.isTest {
		return ""
	}
	for _, folder := range leftOutOfAreas {
		if within(f.path, folder) {
			return ""
		}
	}
	if !strings.Contains(f.path, "/") {
		return "the root"
	}
	for _, area := range areas {
		if within(f.path, area) {
			return area
		}
	}
	return "the rest"
}

// printAreas prints the lines of Go by area, without tests.
func printAreas(files []*file) {
	lines, total := map[string]int{}, 0
	for _, f := range files {
		if area := areaOf(f); area != "" {
			lines[area] += len(f.lines)
			total += len(f.lines)
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nlines of Go by area\t(no tests)")
	for _, area := range areas {
		if lines[area] > 0 {
			fmt.Fprintf(w, "%s\t%d\n", area, lines[area])
		}
	}
	fmt.Fprintf(w, "all of these\t%d\n", total)
	w.Flush()
}
