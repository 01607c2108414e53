package edit

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// Action is an edit that mends a finding.
type Action struct {
	Title string
	Edits []Edit
	// Mends is the finding.
	Mends Diagnostic
	// Preferred is set if the edit is most likely what was meant.
	Preferred bool
}

// Actions returns the edits that mend the findings between two lines: a name
// that was misspelt, a field that would be pruned or that is missing, a value
// that wants quotes. The last one leaves out the finding by a comment. Of very
// many findings only the first hundred are mended.
func (w *Workspace) Actions(
	ctx context.Context, name string, first, last int,
) ([]Action, error) {
	found, err := w.Diagnose(ctx, name)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(w.Text(name), "\n")
	var all []Action
	mended := 0
	for _, d := range found {
		if line := d.Range.Start.Line; line >= first && line <= last && mended < mostMended {
			all = append(all, w.mend(lines, d)...)
			mended++
		}
	}
	return all, nil
}

// mostMended is how many findings get actions at a time.
const mostMended = 100

var (
	meant  = regexp.MustCompile("did you mean `([^`]+)`")
	quoted = regexp.MustCompile("write it in quotes: `([^`]+)`")
)

// The rules of findings that fields can mend.
const (
	unknownField  = "PIPE-006"
	requiredField = "VAL-081"
)

func (w *Workspace) mend(lines []string, d Diagnostic) (all []Action) {
	add := func(title string, preferred bool, edits ...Edit) {
		all = append(all, Action{title, edits, d, preferred})
	}
	line := d.Range.Start.Line
	column := indent(lines[line])
	if m := meant.FindStringSubmatch(d.Hint); m != nil {
		add(fmt.Sprintf("change it to %s", m[1]), true, Edit{d.Range, m[1]})
	}
	if m := quoted.FindStringSubmatch(d.Hint); m != nil {
		add("write it in quotes", true, Edit{d.Range, m[1]})
	}
	isField := keyText.MatchString(strings.TrimLeft(lines[line], " "))
	if d.Rule == unknownField && isField && strings.Contains(d.Message, "unknown field") {
		end := line + 1
		for end < len(lines) &&
			(strings.TrimSpace(lines[end]) == "" || indent(lines[end]) > column) {
			end++
		}
		add("remove it with all that is below it", false,
			Edit{Range{Position{line, 0}, Position{end, 0}}, ""})
	}
	if d.Rule == requiredField {
		if edit, ok := w.insertion(lines, line, d.Field); ok {
			add(fmt.Sprintf("add %s", d.Field), true, edit)
		}
	}
	if d.Rule != "" {
		comment := strings.Repeat(" ", column) + "# crdsem:ignore " + d.Rule + " because …\n"
		at := Position{line, 0}
		add(fmt.Sprintf("leave out %s here, with a reason", d.Rule), false,
			Edit{Range{at, at}, comment})
	}
	return all
}

// insertion returns the edit that adds a field to the object at a line: before
// its first field, with a value of its type.
func (w *Workspace) insertion(lines []string, line int, field string) (Edit, bool) {
	name := field[strings.LastIndexByte(field, '.')+1:]
	rest := strings.TrimRight(lines[line], " \r")
	if !strings.HasSuffix(rest, ":") {
		return Edit{}, false // the object is on one line, or is an item
	}
	column := indent(lines[line]) + 2
	for next := line + 1; next < len(lines); next++ {
		if text := strings.TrimSpace(lines[next]); text != "" && text[0] != '#' {
			if own := indent(lines[next]); own > indent(lines[line]) {
				column = own
			}
			break
		}
	}
	way := wayTo(lines, line, len(rest))
	value := `""`
	if v := w.definitions().version(way); v != nil {
		s := nodeAt(v.Schema(), append(way.steps, wayStep{key: name}))
		if empty, ok := empties[s.Type()]; ok && !s.IntOrString() {
			value = empty
		}
	}
	at := Position{line + 1, 0}
	text := fmt.Sprintf("%s%s: %s\n", strings.Repeat(" ", column), name, value)
	return Edit{Range{at, at}, text}, true
}

// empties are values of types that are no texts.
var empties = map[string]string{
	"integer": "0", "number": "0", "boolean": "false", "object": "{}", "array": "[]",
}
