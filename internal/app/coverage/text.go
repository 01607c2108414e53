package coverage

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/spine"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/crdtest"
)

func add(s *crdtest.Score, item *Item) {
	s.Reached += item.reached()
	s.Goals += len(item.Goals)
}

// Score returns the score of some classes of items, of all without an argument.
func (v *Version) Score(of ...Class) crdtest.Score {
	var score crdtest.Score
	for _, item := range v.Items {
		if len(of) == 0 {
			add(&score, item)
		}
		for _, class := range of {
			if item.Class == class {
				add(&score, item)
			}
		}
	}
	return score
}

// Score is like that of a version, for all versions together.
func (c *Report) Score(of ...Class) crdtest.Score {
	var score crdtest.Score
	for _, v := range c.Versions {
		s := v.Score(of...)
		score.Reached, score.Goals = score.Reached+s.Reached, score.Goals+s.Goals
	}
	return score
}

// WriteText writes the scores, and a line for each item with goals that were
// not reached. Of fields, enum values and defaults that were never seen it
// writes at most some names.
func (c *Report) WriteText(out io.Writer, mostNames int) error {
	var b strings.Builder
	for _, v := range c.Versions {
		visible.Printf(&b, "%s: %s %s: %s\n", v.File, v.Name, v.Version, v.Score())
		for _, class := range classes {
			if score := v.Score(class); score.Goals > 0 {
				visible.Printf(&b, "  %-12s %5.1f%%  %d of %d%s\n", class, score.Percent(),
					score.Reached, score.Goals, visible.Verbatim(v.unseen(class, mostNames)))
			}
		}
	}
	for _, u := range c.Unused {
		visible.Printf(&b, "%s: %s %s: no case sends an object of this served version\n",
			u.File, u.Name, u.Version)
	}
	for _, v := range c.Versions {
		for _, item := range byPlace(v.Items) {
			if missing := item.missing(); missing != "" && item.listed() {
				visible.Printf(&b, "%s:%d:%d: %s: %s\n", v.File, item.Line, item.Column,
					item.title(), missing)
			}
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// unseen names the fields, enum values or defaults that were never seen, up to
// a number of them.
func (v *Version) unseen(class Class, most int) string {
	var names []string
	for _, item := range v.Items {
		if item.Class != class || item.listed() || item.missing() == "" {
			continue
		}
		name := spine.Field(item.Path)
		if class == EnumValues {
			name += " " + item.Text
		}
		names = append(names, visible.Line(name))
	}
	more := ""
	if n := len(names) - most; n > 0 {
		names, more = names[:most], fmt.Sprintf(" and %d more", n)
	}
	if len(names) == 0 {
		return ""
	}
	return "; missing: " + strings.Join(names, ", ") + more
}

// byPlace returns items in the order of the file.
func byPlace(items []*Item) []*Item {
	return slices.SortedStableFunc(slices.Values(items), func(a, b *Item) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// listed reports whether a text lists the item if it lacks something.
func (i *Item) listed() bool {
	return i.Class == Constraints || i.Class == ValidationRules || i.Class == Operands
}

// title names an item, e.g. "spec.replicas: maximum 10".
func (i *Item) title() string {
	field, text := spine.Field(i.Path), strings.Join(strings.Fields(i.Text), " ")
	switch i.Class {
	case Fields:
		return field
	case ValidationRules:
		return field + ": rule " + text
	case Operands:
		return field + ": operand " + text
	}
	keyword, _, _ := strings.Cut(i.Keyword, "[")
	return field + ": " + keyword + " " + text
}

// missing says what was not seen of an item, e.g. "never failed". It is empty
// if all was seen.
func (i *Item) missing() string {
	var names []string
	for _, goal := range i.Goals {
		if goal.Count == 0 {
			names = append(names, goal.Name)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case len(names) == len(i.Goals) && len(names) > 1:
		return "never evaluated"
	}
	return "never " + strings.Join(names, " or ")
}

// WriteJSON writes the coverage as one JSON object.
func (c *Report) WriteJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(c)
}
