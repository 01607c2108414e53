package suite

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// Counts is the number of vectors by outcome. Each vector counts once.
type Counts struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
	Faulted int `json:"faulted"`
	// Excused is the number of vectors that failed or faulted with an excuse.
	Excused int `json:"excused"`
}

func (c *Counts) add(result Result) {
	switch {
	case result.Excused != "":
		c.Excused++
	case result.Outcome == Passed:
		c.Passed++
	case result.Outcome == Failed:
		c.Failed++
	case result.Outcome == Skipped:
		c.Skipped++
	case result.Outcome == Faulted:
		c.Faulted++
	}
}

// Groups counts the vectors of each group. The key "" counts all vectors.
func (r *Report) Groups() map[string]Counts {
	groups := map[string]Counts{}
	for _, result := range r.Results {
		for _, name := range []string{result.Group, ""} {
			counts := groups[name]
			counts.add(result)
			groups[name] = counts
		}
	}
	return groups
}

// WriteText writes the report for people: at most limit unexcused results, and
// the counts by group.
func (r *Report) WriteText(out io.Writer, limit int) error {
	bad := r.Unexcused()
	for i, result := range bad {
		if i == limit {
			fmt.Fprintf(out, "... and %d more\n\n", len(bad)-limit)
			break
		}
		fmt.Fprintf(out, "%s %s (%s)\n  %s\n\n", result.Outcome, result.ID, result.Rule,
			strings.ReplaceAll(result.Detail, "\n", "\n  "))
	}
	for _, line := range r.Stale {
		fmt.Fprintln(out, line)
	}
	if r.Stopped != "" {
		fmt.Fprintln(out, "stopped:", r.Stopped)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "group\tpassed\tfailed\tfaulted\tskipped\texcused\t")
	groups := r.Groups()
	names := slices.Sorted(maps.Keys(groups))
	for _, name := range append(names[1:], "") {
		c := groups[name]
		if name == "" {
			name = "all"
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t\n", name, c.Passed, c.Failed, c.Faulted,
			c.Skipped, c.Excused)
	}
	return table.Flush()
}

// WriteJSON writes the report for programs: counts by group, whether the run
// succeeded, and every result that did not pass.
func (r *Report) WriteJSON(out io.Writer) error {
	groups := r.Groups()
	total := groups[""]
	delete(groups, "")
	var rest []Result
	for _, result := range r.Results {
		if result.Outcome != Passed {
			rest = append(rest, result)
		}
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Target  string            `json:"target,omitempty"`
		OK      bool              `json:"ok"`
		Total   Counts            `json:"total"`
		Groups  map[string]Counts `json:"groups"`
		Parts   map[Part]Counts   `json:"parts"`
		Stale   []string          `json:"stale,omitempty"`
		Stopped string            `json:"stopped,omitempty"`
		Results []Result          `json:"results,omitempty"`
	}{r.Target, r.OK(), total, groups, r.Parts(), r.Stale, r.Stopped, rest})
}
