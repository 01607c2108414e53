package main

import (
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// joinedComparisons are the comparisons of several definitions, as one text: a
// cause that several definitions have is one line.
type joinedComparisons struct {
	u       *upgrading
	all     []*comparison
	changes []*upgrade.Change
}

// join returns the comparisons as one. It returns nil for one definition, and
// if all is to be printed.
func (u *upgrading) join(all []*comparison) *joinedComparisons {
	if len(all) < 2 || u.verbose {
		return nil
	}
	j := &joinedComparisons{u: u, all: all}
	u.definitions = map[*upgrade.Change]string{}
	for _, c := range all {
		if c.Report == nil {
			continue
		}
		own := merged(bySeverity(c.Changes))
		name, _, _ := strings.Cut(c.Name, ".")
		for _, change := range own {
			u.definitions[change] = name
		}
		j.changes = append(j.changes, own...)
	}
	return j
}

// replace gives the first item the text of all, and the others none.
func (j *joinedComparisons) replace(item *output.Item, isFirst bool) {
	item.Text = func() string { return "" }
	item.Table = func() *output.Table { return &output.Table{} }
	if isFirst {
		item.Text, item.Table = j.text, j.table
	}
}

// counts says how many definitions differ, and by what.
func (j *joinedComparisons) counts() string {
	counted, same := make([]upgrade.Change, len(j.changes)), 0
	for i, c := range j.changes {
		counted[i] = *c
	}
	for _, c := range j.all {
		if c.Report != nil && len(c.Changes) == 0 {
			same++
		}
	}
	text := count(len(j.all), "definition")
	if len(counted) > 0 {
		text += ": " + countChanges(counted)
	}
	if same > 0 {
		text += fmt.Sprintf("; %d without a change", same)
	}
	return text
}

// named returns the names of definitions, and what is said of them.
func (j *joinedComparisons) named(word string, is func(*comparison) bool) string {
	var names []string
	for _, c := range j.all {
		if is(c) {
			names = append(names, c.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return shorten(strings.Join(names, ", ")) + ": " + word
}

// apart returns a line for the definitions that are removed, for those that are
// added, and for those whose versions come and go.
func (j *joinedComparisons) apart() (lines []string) {
	for _, line := range []string{
		j.named(removedText, func(c *comparison) bool { return c.Removed }),
		j.named("added", func(c *comparison) bool { return c.Added }),
		j.named("several steps are needed, which -v prints", func(c *comparison) bool {
			return c.Report != nil && len(c.Steps) > 1
		}),
	} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func (j *joinedComparisons) text() string {
	var b strings.Builder
	visible.Printf(&b, "%s\n", j.counts())
	for _, line := range j.apart() {
		visible.Printf(&b, "  %s\n", line)
	}
	j.u.changesText(&b, j.changes)
	return b.String()
}

func (j *joinedComparisons) table() *output.Table {
	t := j.u.causes(j.changes)
	t.Heading = j.counts()
	t.Steps = j.apart()
	if len(t.Rows) == 0 {
		t.Empty = "Nothing that matters differs."
	}
	return t
}
