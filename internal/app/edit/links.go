package edit

import (
	"regexp"
	"slices"
)

// Link is a place of a text that leads somewhere: to the address of a schema,
// or to a rule of the specification.
type Link struct {
	Range
	Address, Rule string // one of them
}

var (
	schemaAddress = regexp.MustCompile(
		`^\s*# yaml-language-server: \$schema=(\S+)|^\s*"\$schema": *"([^"\\]+)"`)
	ignoreComment = regexp.MustCompile(`#\s*crdsem:ignore\s`)
	ruleID        = regexp.MustCompile(`\b[A-Z]{2,}-\w+\b`)
)

// Links returns the addresses of schemas in a file, and the rules that comments
// leave out.
func (w *Workspace) Links(name string) (all []Link) {
	lines, _ := w.lines(name, Position{})
	for n, line := range lines {
		if found := schemaAddress.FindStringSubmatchIndex(line); found != nil {
			start, end := max(found[2], found[4]), max(found[3], found[5])
			all = append(all, Link{Range: w.span(line, n, start, end), Address: line[start:end]})
		}
		comment := ignoreComment.FindStringIndex(line)
		if comment == nil {
			continue
		}
		for _, id := range ruleID.FindAllStringIndex(line[comment[1]:], -1) {
			start, end := comment[1]+id[0], comment[1]+id[1]
			all = append(all, Link{Range: w.span(line, n, start, end), Rule: line[start:end]})
		}
	}
	return all
}

// Selections returns the ranges around a position, the smallest first: the
// name of a key, the key with what it holds, those above it, the document.
func (w *Workspace) Selections(name string, at Position) (all []Range) {
	level := w.Symbols(name)
	for {
		i := slices.IndexFunc(level, func(s *Symbol) bool { return s.Range.has(at) })
		if i < 0 {
			break
		}
		all = append(all, level[i].Range)
		if s := level[i]; !s.IsDocument && s.Selection.has(at) {
			all = append(all, s.Selection)
		}
		level = level[i].Children
	}
	slices.Reverse(all)
	return slices.Compact(all)
}

// has reports whether a position is in a range, its end included.
func (r Range) has(at Position) bool { return !isBefore(at, r.Start) && !isBefore(r.End, at) }
