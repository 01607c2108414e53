package verdict_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/minors"
)

func TestSubject(t *testing.T) {
	for _, c := range [][4]string{
		{"Widget", "prod", "w1", "Widget prod/w1"},
		{"Widget", "", "w1", "Widget w1"},
		{"Widget", "prod", "", "Widget prod/?"},
		{"Widget", "", "", "Widget"},
		{"", "prod", "w1", "prod/w1"},
		{"", "", "", ""},
	} {
		r := verdict.Result{Kind: c[0], Namespace: c[1], Name: c[2]}
		if got := r.Subject(); got != c[3] {
			t.Errorf("%q, want %q", got, c[3])
		}
	}
}

func TestFailed(t *testing.T) {
	for v, want := range map[verdict.Verdict]bool{verdict.Accepted: false, verdict.Refused: true,
		verdict.NotJudged: false, verdict.Unreadable: true} {
		if r := (verdict.Result{Verdict: v}); r.Failed() != want {
			t.Errorf("%s: %t", v, !want)
		}
	}
}

func TestExplanations(t *testing.T) {
	got := verdict.Explanations([]celrules.Explanation{
		{Field: "spec", Rule: "self.a", Terms: []celrules.Term{
			{Text: "self", Offset: 1, Line: 2, Column: 3, Value: "4", Failed: true}}},
		{Field: "status"},
	})
	want := []verdict.Explanation{
		{Field: "spec", Rule: "self.a", Terms: []verdict.Term{
			{Text: "self", Offset: 1, Line: 2, Column: 3, Value: "4", Failed: true}}},
		{Field: "status", Terms: []verdict.Term{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A summary counts definitions apart from objects, and inputs apart from
// documents.
func TestAdd(t *testing.T) {
	on := func(a, b verdict.Verdict) []verdict.MinorVerdict {
		return []verdict.MinorVerdict{{"1.36", a}, {"1.37", b}}
	}
	findings := []verdict.Finding{{Severity: verdict.Error}, {Severity: verdict.Error},
		{Severity: verdict.Warning}, {Severity: verdict.Style}, {Severity: verdict.Tolerated}}
	pod := verdict.Result{Line: 1, APIVersion: "v1", Kind: "Pod",
		Verdict: verdict.NotJudged, Reason: verdict.BuiltIn}
	job := verdict.Result{Line: 1, APIVersion: "batch/v1", Kind: "Job",
		Verdict: verdict.NotJudged, Reason: verdict.BuiltIn}
	chart := verdict.Result{Line: 1, APIVersion: "v1", Kind: "Pod", Template: "Helm",
		Verdict: verdict.NotJudged, Reason: verdict.Template}
	var s verdict.Summary
	for _, r := range []verdict.Result{
		{Line: 1, Definition: true, Verdict: verdict.Accepted,
			Minors: on(verdict.Refused, verdict.Accepted)},
		{Line: 1, Verdict: verdict.Refused, Findings: findings,
			Minors: on(verdict.Accepted, verdict.Refused)},
		{Line: 1, Verdict: verdict.Accepted}, {Line: 3, Verdict: verdict.Unreadable},
		{Verdict: verdict.Unreadable}, {Verdict: verdict.Accepted}, pod, pod, job, chart,
		{Line: 1, Verdict: verdict.NotJudged, Reason: verdict.Skipped, Kind: "A"},
	} {
		s.Add(&r)
	}
	want := verdict.Summary{
		Documents:   10,
		Definitions: verdict.Counts{Accepted: 1},
		Objects:     verdict.Counts{Accepted: 2, Refused: 1, NotJudged: 5, Unreadable: 1},
		Errors:      2, Warnings: 1, Style: 1, Unread: 1,
		NotJudged: map[verdict.Reason]map[string]int{
			verdict.BuiltIn: {"v1 Pod": 2, "batch/v1 Job": 1}, verdict.Skipped: {"A": 1},
			verdict.Template: {"Helm": 1}},
		Minors: []verdict.MinorSummary{
			{"1.36", verdict.Counts{Refused: 1}, verdict.Counts{Accepted: 1}},
			{"1.37", verdict.Counts{Accepted: 1}, verdict.Counts{Refused: 1}},
		},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := s.Objects.Number("object"); got != "9 objects" {
		t.Error(got)
	}
}

func kinds(count int) map[string]int {
	out := map[string]int{}
	for i := range count {
		out[string(rune('a'+i))] = 1
	}
	return out
}

func TestSummaryText(t *testing.T) {
	newest := minors.Newest().String()
	for _, c := range []struct {
		s    verdict.Summary
		want string
	}{
		{verdict.Summary{}, "0 objects: 0 accepted, 0 refused"},
		{verdict.Summary{Objects: verdict.Counts{Accepted: 1}, Kubernetes: []string{newest}},
			"1 object: 1 accepted, 0 refused"},
		{verdict.Summary{Definitions: verdict.Counts{Refused: 2, Unreadable: 1, NotJudged: 1}},
			"4 definitions: 0 accepted, 2 refused, 1 unreadable, 1 not judged"},
		{verdict.Summary{Objects: verdict.Counts{Accepted: 1, Refused: 2, NotJudged: 3, Unreadable: 4},
			Definitions: verdict.Counts{Accepted: 1}, Unread: 1, Ignored: 2, SkippedFiles: 1,
			FieldValidation: "Ignore", Kubernetes: []string{"1.36", newest}},
			"10 objects: 1 accepted, 2 refused, 4 unreadable, 3 not judged; " +
				"1 definition: 1 accepted, 0 refused; 1 input could not be read; " +
				"2 findings ignored; 1 file skipped\nKubernetes: 1.36, " + newest +
				"\nfield validation: Ignore"},
		{verdict.Summary{NotJudged: map[verdict.Reason]map[string]int{
			verdict.NoObject:     {"": 2},
			verdict.Patch:        {"": 3, "v1 A": 4},
			verdict.NoDefinition: {"b/v1 B": 2, "a/v1 A": 2, "c/v1 C": 3, "d/v1 D\x1b": 1}}},
			"0 objects: 0 accepted, 0 refused\nnot judged, no definition of this kind was given: " +
				"3 c/v1 C, 2 a/v1 A, 2 b/v1 B, 1 d/v1 D\\u001b\n" +
				"not judged, not a Kubernetes object: 2\n" +
				"not judged, a patch of kustomize: 4 v1 A, 3 without a kind"},
		{verdict.Summary{NotJudged: map[verdict.Reason]map[string]int{verdict.Patch: kinds(9)}},
			"0 objects: 0 accepted, 0 refused\nnot judged, a patch of kustomize: " +
				"1 a, 1 b, 1 c, 1 d, 1 e, 1 f, 1 g, 1 h, 1 i"},
		{verdict.Summary{NotJudged: map[verdict.Reason]map[string]int{verdict.Patch: kinds(10)}},
			"0 objects: 0 accepted, 0 refused\nnot judged, a patch of kustomize: " +
				"1 a, 1 b, 1 c, 1 d, 1 e, 1 f, 1 g, 1 h, and 2 more kinds"},
	} {
		if diff := cmp.Diff(c.want, c.s.Text()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestReasonText(t *testing.T) {
	for reason, want := range map[verdict.Reason]string{
		verdict.BuiltIn: "built into Kubernetes", verdict.Template: "a template: render it first",
		verdict.ToolFile:          "read by a tool, not by a server",
		verdict.Skipped:           "skipped by the configuration",
		verdict.DefinitionRefused: "its definition is refused", "another": "another",
	} {
		if got := reason.Text(); got != want {
			t.Errorf("%s: %s", reason, got)
		}
	}
}

func TestFollows(t *testing.T) {
	for _, c := range []struct {
		minor, before string
		want          bool
	}{
		{"1.32", "1.31", true}, {"1.32", "1.30", false},
		{"1.31", "1.32", false}, {"1.31", "1.31", false},
	} {
		if verdict.Follows(c.minor, c.before) != c.want {
			t.Errorf("%s after %s: %t", c.minor, c.before, !c.want)
		}
	}
}

func TestTurnText(t *testing.T) {
	turn := func(v verdict.Verdict) verdict.Turn {
		return verdict.Turn{MinorVerdict: verdict.MinorVerdict{Kubernetes: "1.32", Verdict: v}}
	}
	last, gap, one, two, three := turn(verdict.Accepted), turn(verdict.Refused),
		turn(verdict.Refused), turn(verdict.Accepted), turn(verdict.Refused)
	last.Final, gap.Before, one.Rule, gap.Final = true, "1.30", "B-2", true
	two.Changes = []verdict.Change{{ID: "32-a", Rules: []string{"A-1", "B-2"}, Summary: "First."},
		{ID: "32-c", Rules: []string{"C-3"}, Summary: "Second"}}
	final := turn(verdict.Refused)
	final.Kubernetes, final.Final = "1.33", true
	one.Changes, three.Changes = two.Changes[:1], append(two.Changes[:2:2], two.Changes[0])
	for want, turn := range map[string]verdict.Turn{
		"needs Kubernetes >= 1.32":                                   last,
		"accepted since Kubernetes 1.32":                             turn(verdict.Accepted),
		"refused since Kubernetes 1.32":                              turn(verdict.Refused),
		"refused since Kubernetes 1.33":                              final,
		"refused on Kubernetes 1.32, but not on 1.30":                gap,
		"refused since Kubernetes 1.32 (32-a: First)":                one,
		"accepted since Kubernetes 1.32 (32-a: First; 32-c: Second)": two,
		"refused since Kubernetes 1.32 (32-a: First; 32-c: Second; " +
			"or one of 1 more changes, which -o json lists)": three,
	} {
		if got := turn.Text(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
