package output

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/crdsem/crdsem/internal/app/verdict"
)

// holds says which minors of a result have a finding. It returns an empty
// string if all of them do.
func holds(r *verdict.Result, f *verdict.Finding) string {
	if len(f.Kubernetes) == 0 || len(r.Minors) == 0 {
		return ""
	}
	in, last := f.Kubernetes, len(r.Minors)-1
	at := slices.IndexFunc(r.Minors, func(v verdict.MinorVerdict) bool {
		return v.Kubernetes == in[0]
	})
	end := at + len(in) - 1
	connected := at >= 0 && end <= last && r.Minors[end].Kubernetes == in[len(in)-1]
	text := "on Kubernetes " + strings.Join(in, ", ")
	switch {
	case connected && at == 0 && end < last &&
		verdict.Follows(r.Minors[end+1].Kubernetes, r.Minors[end].Kubernetes):
		text = "until Kubernetes " + in[len(in)-1]
	case connected && end == last && at > 0 &&
		verdict.Follows(r.Minors[at].Kubernetes, r.Minors[at-1].Kubernetes):
		text = "since Kubernetes " + in[0]
	}
	return " (" + text + ")"
}

// addRow keeps a result for the matrix: one whose verdict changes or, if the
// style is verbose, any.
func (d *Documents) addRow(r *verdict.Result) {
	differs := slices.ContainsFunc(r.Minors, func(v verdict.MinorVerdict) bool {
		return v.Verdict != r.Minors[0].Verdict
	})
	if differs || d.Style.Verbose && len(r.Minors) > 0 {
		d.matrix = append(d.matrix, r)
	}
}

var matrixWords = map[verdict.Verdict]string{
	verdict.Accepted: "yes", verdict.Refused: "no", verdict.NotJudged: "-",
}

// matrixText returns a table: a row for each result that was kept, a column for
// each minor, and how many documents each minor accepts.
func (d *Documents) matrixText(s *verdict.Summary) string {
	if len(s.Minors) == 0 {
		return ""
	}
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	printf(table, "accepted by Kubernetes")
	for _, m := range s.Minors {
		printf(table, "\t%s", m.Kubernetes)
	}
	for _, r := range d.matrix {
		printf(table, "\n%s", rowName(r))
		for _, v := range r.Minors {
			printf(table, "\t%s", matrixWords[v.Verdict])
		}
	}
	numbers := func(what string, of func(*verdict.MinorSummary) *verdict.Counts) {
		var judged verdict.Counts // of the minor that judges the most
		for i := range s.Minors {
			c := of(&s.Minors[i])
			judged.Accepted = max(judged.Accepted, c.Accepted+c.Refused)
		}
		if judged.Accepted == 0 {
			return
		}
		printf(table, "\n%s", judged.Number(what))
		for i := range s.Minors {
			printf(table, "\t%d", of(&s.Minors[i]).Accepted)
		}
	}
	numbers("definition", func(m *verdict.MinorSummary) *verdict.Counts { return &m.Definitions })
	numbers("object", func(m *verdict.MinorSummary) *verdict.Counts { return &m.Objects })
	printf(table, "\n")
	_ = table.Flush() // a string takes everything
	return b.String()
}

// rowName names a result in the matrix.
func rowName(r *verdict.Result) string {
	name := fmt.Sprintf("%s:%d", r.File, max(r.Line, 1))
	if r.Definition {
		return name + " " + r.Name
	}
	return name + " " + r.Subject()
}
