package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Outcome is the result of running one vector.
type Outcome string

// The outcomes.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"  // the answer differs
	Skipped Outcome = "skipped" // the target does not answer the op
	Faulted Outcome = "faulted" // the target could not answer
)

// Result is the outcome of one vector.
type Result struct {
	ID      string  `json:"id"`
	Group   string  `json:"group"`
	Part    Part    `json:"part"`
	Rule    string  `json:"rule"`
	Outcome Outcome `json:"outcome"`
	// Level says how deep a failed vector differs.
	Level Level `json:"level,omitempty"`
	// Detail is the difference, or the text of the fault.
	Detail string `json:"detail,omitempty"`
	// Excused says why a vector that failed or faulted need not pass: "not
	// yet", the reason of a known difference, or that the real code panics.
	Excused string `json:"excused,omitempty"`
}

// Lists holds the vectors that are known not to pass. The zero Lists is empty.
type Lists struct {
	NotYet NotYet
	Known  KnownDifferences
}

// Report is the outcome of a run.
type Report struct {
	// Target is the name by which the target introduced itself.
	Target string `json:"target,omitempty"`
	// Results has an entry for each vector, in the order of the vectors.
	Results []Result `json:"results"`
	// Stale names the entries of the lists that no longer hold.
	Stale []string `json:"stale,omitempty"`
	// Stopped is the reason why the target stopped answering, or empty.
	Stopped string `json:"stopped,omitempty"`
}

// Run sends the request of every vector to the target and judges the answers.
func Run(ctx context.Context, vectors []Vector, target Target, lists Lists) (*Report, error) {
	report := &Report{Results: make([]Result, len(vectors))}
	var lines [][]byte
	var asked []int
	for i := range vectors {
		v := &vectors[i]
		report.Results[i] = Result{
			ID: v.ID, Group: v.Group, Part: v.Part, Rule: v.Rule, Outcome: Skipped,
		}
		req, err := v.ProtocolRequest()
		if err != nil {
			return nil, err
		}
		if !target.Supports(req.Op) {
			report.Results[i].Detail = "op " + req.Op + " is not answered"
			continue
		}
		line, err := v.line()
		if err != nil {
			return nil, err
		}
		lines, asked = append(lines, line), append(asked, i)
	}
	answered := 0
	stopped := target.Answers(ctx, lines, func(i int, answer []byte) {
		judge(&vectors[asked[i]], answer, &report.Results[asked[i]])
		answered++
	})
	if stopped != nil {
		report.Stopped = stopped.Error()
	}
	for n, i := range asked[answered:] {
		report.Results[i].Outcome = Faulted
		report.Results[i].Detail = "no answer: the program had stopped"
		if n == 0 && stopped != nil {
			report.Results[i].Detail = "no answer: " + report.Stopped
			report.Stopped = "at " + report.Results[i].ID + ": " + report.Stopped
		}
	}
	report.excuse(lists)
	return report, nil
}

// maxDetail is the maximum length of a detail in bytes, because answers may be
// long.
const maxDetail = 16 << 10

// judge compares an answer with the answers that a vector allows.
func judge(v *Vector, answer []byte, result *Result) {
	var head struct {
		ID    string  `json:"id"`
		Fault *string `json:"fault"`
	}
	if err := json.Unmarshal(answer, &head); err != nil {
		result.Outcome = Faulted
		result.Detail = fmt.Sprintf("unreadable answer: %v: %.100q", err, answer)
		return
	}
	if head.ID != v.ID {
		result.Outcome, result.Detail = Faulted, fmt.Sprintf("the answer is for id %q", head.ID)
		return
	}
	detail, err := Difference(v.Want, answer)
	for _, other := range v.Or {
		if detail == "" || err != nil {
			break
		}
		if again, err := Difference(other, answer); err == nil && again == "" {
			detail = ""
		}
	}
	switch {
	case err != nil:
		result.Outcome, result.Detail = Faulted, err.Error()
	case detail == "":
		result.Outcome = Passed
	case head.Fault != nil:
		result.Outcome, result.Detail = Faulted, *head.Fault
	default:
		result.Outcome, result.Detail = Failed, strings.TrimSuffix(detail, "\n")
		result.Level, _ = Depth(v.Want, answer) // both have been read before
	}
	if len(result.Detail) > maxDetail {
		result.Detail = strings.ToValidUTF8(result.Detail[:maxDetail], "") + "…"
	}
	if result.Outcome == Failed && v.panics() {
		result.Excused = "the real code panics"
	}
}

// excuse marks the results that the lists excuse and records the entries that
// no longer hold.
func (r *Report) excuse(lists Lists) {
	differs := make([]bool, len(lists.Known))
	run := map[string]bool{}
	for i := range r.Results {
		result := &r.Results[i]
		run[result.ID] = true
		known := lists.Known.Find(result.ID)
		if known >= 0 && result.Outcome != Passed {
			differs[known] = true
		}
		if known < 0 && result.Outcome == Failed {
			known = lists.Known.findRule(result.Rule, result.Level)
		}
		lists.Known.shownBy(result, differs)
		switch {
		case result.Outcome == Passed && lists.NotYet[result.ID]:
			r.Stale = append(r.Stale,
				result.ID+" passes: take it off the list of those not yet passing")
		case result.Outcome == Passed || result.Outcome == Skipped:
		case known >= 0:
			result.Excused = lists.Known[known].Why
		case lists.NotYet[result.ID]:
			result.Excused = "not yet"
		}
	}
	for i, d := range lists.Known {
		if d.ID != "" && !differs[i] {
			r.Stale = append(r.Stale, strings.TrimSpace(d.Rule+" "+d.ID)+
				" does not differ: take it off the known differences")
		}
	}
	for _, id := range slices.Sorted(maps.Keys(lists.NotYet)) {
		if !run[id] {
			r.Stale = append(r.Stale,
				id+" is no vector: take it off the list of those not yet passing")
		}
	}
}

// Unexcused returns the results that make the run fail: failed or faulted,
// without an excuse.
func (r *Report) Unexcused() []Result {
	var list []Result
	for _, result := range r.Results {
		if (result.Outcome == Failed || result.Outcome == Faulted) && result.Excused == "" {
			list = append(list, result)
		}
	}
	return list
}

// OK reports whether the run succeeded: no unexcused result, no stale entry,
// and the target answered to the end.
func (r *Report) OK() bool {
	return len(r.Unexcused()) == 0 && len(r.Stale) == 0 && r.Stopped == ""
}
