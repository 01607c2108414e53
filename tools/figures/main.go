package main

import (
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
)

func main() {
	folder := "."
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	files, err := readTree(folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	library, suite := &scope{name: "library"}, &scope{name: "conformance"}
	whole := &scope{name: "whole"}
	for _, f := range files {
		whole.add(f)
		if within(f.path, "conformance") {
			suite.add(f)
		} else {
			library.add(f)
		}
	}
	printTable([]*scope{library, suite, whole})
	printAreas(files)
	fmt.Printf("\nfiles in the root folder: %d\n", rootFiles(folder))
}

// rootFiles counts the plain files of the folder, e.g. doc.go and README.md.
func rootFiles(folder string) int {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return 0
	}
	return len(slices.DeleteFunc(entries, func(e os.DirEntry) bool {
		return e.IsDir() || e.Name()[0] == '.'
	}))
}

func printTable(scopes []*scope) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	row := func(title string, cell func(*scope) string) {
		fmt.Fprint(w, title)
		for _, s := range scopes {
			fmt.Fprint(w, "\t", cell(s))
		}
		fmt.Fprintln(w)
	}
	row("", func(s *scope) string { return s.name })
	row("code lines / files", func(s *scope) string {
		return fmt.Sprintf("%d / %d", sum(s.fileLines), len(s.fileLines))
	})
	row("test ÷ code lines", func(s *scope) string {
		return fmt.Sprintf("%.2f", float64(s.testLines)/float64(sum(s.fileLines)))
	})
	row("file lines med / p90 / max", func(s *scope) string { return spread(s.fileLines) })
	row("function lines med / p90 / max", func(s *scope) string { return spread(s.functionLines) })
	row("cyclomatic med / p90 / max", func(s *scope) string { return spread(s.complexity) })
	row("functions with 5 parameters or more", func(s *scope) string {
		return share(s.manyParameters, len(s.functionLines))
	})
	row("exported functions with a bool parameter",
		func(s *scope) string { return fmt.Sprint(s.boolParameters) })
	row("lines over 100 columns, tests too",
		func(s *scope) string { return share(s.over100, s.allLines) })
	row("lines over 120 columns, tests too",
		func(s *scope) string { return share(s.over120, s.allLines) })
	row("comment lines", func(s *scope) string { return share(s.commentLines, sum(s.fileLines)) })
	row("exported names", func(s *scope) string { return fmt.Sprint(s.exported) })
	row("exported names outside internal", func(s *scope) string { return fmt.Sprint(s.public) })
	row("exported names documented",
		func(s *scope) string { return share(s.documented, s.exported) })
	row("longest function", func(s *scope) string { return s.longest })
	row("most complex function", func(s *scope) string { return s.mostComplex })
	w.Flush()
}

func sum(list []int) (n int) {
	for _, v := range list {
		n += v
	}
	return n
}

// spread returns the median, the ninetieth percentile and the maximum.
func spread(list []int) string {
	if len(list) == 0 {
		return "-"
	}
	sorted := slices.Sorted(slices.Values(list))
	last := len(sorted) - 1
	return fmt.Sprintf("%d / %d / %d", sorted[last/2], sorted[last*9/10], sorted[last])
}

func share(part, whole int) string {
	return fmt.Sprintf("%d (%.1f %%)", part, 100*float64(part)/float64(max(whole, 1)))
}
