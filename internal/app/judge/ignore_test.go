package judge_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
)

// refused is the result of an object that two minors refuse for different
// reasons, and warn of.
func refused() *verdict.Result {
	in := func(minor string, v verdict.Verdict) verdict.MinorVerdict {
		return verdict.MinorVerdict{Kubernetes: minor, Verdict: v}
	}
	return &verdict.Result{
		Verdict: verdict.Refused, Refusal: "no",
		Findings: []verdict.Finding{
			{Severity: verdict.Error, Rule: "VAL-001", Field: "a", Kubernetes: []string{"1.36"}},
			{Severity: verdict.Error, Rule: "VAL-002", Field: "b"},
			{Severity: verdict.Warning, Rule: "VAL-003", Field: "c"},
		},
		Minors: []verdict.MinorVerdict{in("1.35", verdict.Accepted), in("1.36", verdict.Refused),
			in("1.37", verdict.Refused)},
		Turns: []verdict.Turn{{MinorVerdict: in("1.36", verdict.Refused)}},
	}
}

// shown is a result in a line: verdicts and turns, findings, notes.
func shown(r *verdict.Result) string {
	var b strings.Builder
	fmt.Fprint(&b, verdicts(r), " ", r.Reason, "|", r.Refusal, "|")
	for _, f := range r.Findings {
		fmt.Fprint(&b, f.Rule, " ")
	}
	return b.String() + strings.Join(r.Notes, ";")
}

// A document that is refused for what is dropped only is accepted, by each
// minor.
func TestDrop(t *testing.T) {
	for rules, want := range map[string]string{
		"VAL-009": "refused: accepted refused refused; refused since Kubernetes 1.36 |no|" +
			"VAL-001 VAL-002 VAL-003 ",
		"VAL-003": "refused: accepted refused refused; refused since Kubernetes 1.36 |no|" +
			"VAL-001 VAL-002 ",
		"VAL-001": "refused: accepted refused refused; refused since Kubernetes 1.36 |no|" +
			"VAL-002 VAL-003 ",
		"VAL-002": "refused: accepted refused accepted; refused since Kubernetes 1.36 |no|" +
			"VAL-001 VAL-003 ",
		"VAL-001 VAL-002": "accepted: accepted accepted accepted ||VAL-003 ",
	} {
		r := refused()
		n := judge.Drop(r, func(f *verdict.Finding) bool { return strings.Contains(rules, f.Rule) })
		if diff := cmp.Diff(want, shown(r)); diff != "" || n != 3-len(r.Findings) {
			t.Errorf("%s: %d dropped (-want +got):\n%s", rules, n, diff)
		}
	}
	r := &verdict.Result{Verdict: verdict.Unreadable, Findings: []verdict.Finding{{}}}
	n := judge.Drop(r, func(*verdict.Finding) bool { return true })
	if n != 1 || r.Verdict != verdict.Unreadable {
		t.Errorf("%d dropped, %s", n, r.Verdict)
	}
}

// A patch has findings on unknown fields and on types only.
func TestAsPatch(t *testing.T) {
	r := refused()
	judge.AsPatch(r, verdict.Patch)
	want := "notJudged: notJudged notJudged notJudged patch||"
	if diff := cmp.Diff(want, shown(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, f := range []verdict.Finding{{Rule: "PIPE-006"}, {Rule: "META-022"},
		{Type: "FieldValueTypeInvalid"}} {
		f.Severity = verdict.Error
		r := refused()
		r.Findings = append(r.Findings, f)
		if judge.AsPatch(r, verdict.Patch); r.Verdict != verdict.Refused || len(r.Findings) != 1 {
			t.Errorf("%+v: %s", f, shown(r))
		}
	}
}

func TestLeaveOut(t *testing.T) {
	const note = "findings left out on fields that the configuration skips: "
	for fields, want := range map[string]string{
		"d": "refused: accepted refused refused; refused since Kubernetes 1.36 |no|" +
			"VAL-001 VAL-002 VAL-003 ",
		"a": "refused: accepted refused refused; refused since Kubernetes 1.36 |no|" +
			"VAL-002 VAL-003 " + note + "1",
		"ab": "accepted: accepted accepted accepted ||VAL-003 " + note + "2",
	} {
		r := refused()
		judge.LeaveOut(r, func(field, rule string) repository.Cause {
			if strings.Contains(fields, field) && rule != "" {
				return repository.Fields
			}
			return ""
		})
		if diff := cmp.Diff(want, shown(r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", fields, diff)
		}
	}
}

const commented = `a: 1 # crdsem:ignore VAL-001, VAL-002: because
# crdsem:ignore VAL-003
  # another comment
b: 2
c: 3 # crdsem:ignore VAL-004 LINT-pattern
d: 4
`

// A comment leaves out findings on its line, or on the line below comments. One
// that leaves out none is warned of, except for lint.
func TestIgnoreComments(t *testing.T) {
	for _, c := range []struct {
		line int
		rule string
		n    int
		want string
	}{
		{1, "VAL-001", 1, "1 VAL-002, 2 VAL-003, 5 VAL-004"},
		{1, "VAL-003", 0, "1 VAL-001, 1 VAL-002, 2 VAL-003, 5 VAL-004"},
		{4, "VAL-003", 1, "1 VAL-001, 1 VAL-002, 5 VAL-004"},
		{4, "VAL-001", 0, "1 VAL-001, 1 VAL-002, 2 VAL-003, 5 VAL-004"},
		{5, "VAL-004", 1, "1 VAL-001, 1 VAL-002, 2 VAL-003"},
		{6, "VAL-004", 0, "1 VAL-001, 1 VAL-002, 2 VAL-003, 5 VAL-004"},
		{4, "", 0, "1 VAL-001, 1 VAL-002, 2 VAL-003, 5 VAL-004"},
	} {
		r := &verdict.Result{Findings: []verdict.Finding{{Line: c.line, Rule: c.rule}}}
		n := judge.IgnoreComments(read(t, commented)[0], r)
		var warned []string
		for _, f := range r.Findings {
			if f.Severity == verdict.Warning {
				text := strings.TrimPrefix(f.Text, "there is no finding of ")
				id := strings.TrimSuffix(text, " to ignore here")
				warned = append(warned, fmt.Sprint(f.Line, " ", id))
			}
		}
		if got := strings.Join(warned, ", "); n != c.n || got != c.want ||
			len(r.Findings) != 1-c.n+len(warned) {
			t.Errorf("%d %s: %d ignored, warned of %s", c.line, c.rule, n, got)
		}
	}
	r := &verdict.Result{Findings: []verdict.Finding{{Line: 1, Rule: "VAL-001"}}}
	n := judge.IgnoreComments(read(t, "a: 1 # VAL-001\n")[0], r)
	if n != 0 || len(r.Findings) != 1 {
		t.Errorf("%d ignored without a comment", n)
	}
	// The last line may have no end. What is below belongs to another document.
	docs := read(t, "a: 1\n---\nb: 1 # crdsem:ignore VAL-001")
	for i, want := range []int{0, 1} {
		r := &verdict.Result{Findings: []verdict.Finding{{Line: 3, Rule: "VAL-001"}}}
		if n := judge.IgnoreComments(docs[i], r); n != want || len(r.Findings) != 1-want {
			t.Errorf("document %d: %d ignored, %+v", i, n, r.Findings)
		}
	}
}

// sender refuses every object for its spec, and records what it was sent.
type sender struct{ object map[string]any }

func (s *sender) Send(
	_ context.Context, doc *manifest.Document, object map[string]any, _ []*manifest.Error,
) *verdict.Result {
	s.object = object
	r := judge.NewResult(doc, object)
	r.Verdict, r.Findings = verdict.Refused, []verdict.Finding{
		{Severity: verdict.Error, Field: "spec.a", Rule: "VAL-001", Line: 4}}
	return r
}

// What is left out of a repository is not judged, and counted where a comment
// or the configuration names it.
func TestRepository(t *testing.T) {
	const widget = "apiVersion: a.io/v1\nkind: W\nmetadata: {name: w, namespace: x, uid: u}\n"
	skips := judge.LeftOut{Skips: func(group, kind, namespace, name string) bool {
		return group+kind+namespace+name == "a.ioWxw"
	}}
	type result = verdict.Result
	ignores := judge.LeftOut{Ignores: func(file string, r *result, f *verdict.Finding) bool {
		return file == "f.yaml" && r.Kind == "W" && f.Field == "spec.a"
	}}
	values := judge.LeftOut{Values: func(file string) map[string]string {
		return map[string]string{"A": file}
	}}
	for name, c := range map[string]struct {
		out        judge.LeftOut
		text, want string
		ignored    int64
	}{
		"judged":       {judge.LeftOut{}, widget + "spec: {a: 1}\n", "refused", 0},
		"skipped":      {skips, widget, "notJudged skipped", 0},
		"not skipped":  {skips, widget + "kind: V\n", "refused", 0},
		"no object":    {judge.LeftOut{}, "image: {tag: latest}\n", "notJudged noObject", 0},
		"must be one":  {judge.LeftOut{StrictFiles: true}, "image: {tag: latest}\n", "refused", 0},
		"an empty one": {judge.LeftOut{}, "{}\n", "refused", 0},
		"of a tool": {judge.LeftOut{}, "apiVersion: kustomize.config.k8s.io/v1beta1\n" +
			"kind: Kustomization\n", "notJudged toolFile", 0},
		"ignored": {ignores, widget + "spec: {a: 1}\n", "accepted", 1},
		"commented": {judge.LeftOut{},
			widget + "spec: {a: 1} # crdsem:ignore VAL-001\n", "accepted", 1},
		"a field":    {judge.LeftOut{Fields: []string{"spec.a"}}, widget + "spec: {a: 1}\n", "accepted", 0},
		"a variable": {values, widget + "spec: {b: \"${A}.x\"}\n", "refused", 0},
	} {
		to, p := &sender{}, &judge.Repository{LeftOut: c.out}
		doc := read(t, c.text)[0]
		object, _, err := doc.Object()
		if err != nil {
			object = map[string]any{}
		}
		r := p.Send(t.Context(), to, "f.yaml", manifest.Object{Document: doc, Content: object})
		got := strings.TrimSpace(fmt.Sprint(r.Verdict, " ", r.Reason))
		if got != c.want || p.Ignored.Load() != c.ignored {
			t.Errorf("%s: %s, %d ignored", name, got, p.Ignored.Load())
		}
		spec, _ := to.object["spec"].(map[string]any)
		if b, has := spec["b"]; has && b != "f.yaml.x" {
			t.Errorf("%s: %v was sent", name, b)
		}
	}
}

func TestFromCluster(t *testing.T) {
	doc := read(t, "apiVersion: a.io/v1\nkind: W\nmetadata: {name: w, uid: u}\nstatus: {}\n")[0]
	object, _ := decoded(t, doc)
	for from, want := range map[bool]string{false: "u", true: ""} {
		to, p := &sender{}, &judge.Repository{LeftOut: judge.LeftOut{FromCluster: from}}
		p.Send(t.Context(), to, "f.yaml", manifest.Object{Document: doc, Content: object})
		uid, _ := to.object["metadata"].(map[string]any)["uid"].(string)
		if _, has := to.object["status"]; uid != want || has == from {
			t.Errorf("%t: uid %q, a status: %t", from, uid, has)
		}
	}
}

// A strategic patch has the findings of a part; other patches are not judged.
func TestPatches(t *testing.T) {
	p := &judge.Repository{Patches: repository.Patches{}}
	p.Patches.Read("", map[string]any{
		"patchesStrategicMerge": []any{"f.yaml"}, "patchesJson6902": []any{
			map[string]any{"path": "j.yaml"}},
	})
	doc := read(t, "apiVersion: a.io/v1\nkind: W\nmetadata: {name: w}\n")[0]
	object, strict := decoded(t, doc)
	for file, want := range map[string]bool{"f.yaml": true, "j.yaml": false, "g.yaml": false} {
		if p.IsPatch(file, object) != want {
			t.Errorf("%s is a strategic patch: %t", file, !want)
		}
	}
	for file, want := range map[string]string{"f.yaml": "notJudged patch",
		"j.yaml": "notJudged patch", "g.yaml": "refused "} {
		to := &sender{}
		r := p.Send(t.Context(), to, file,
			manifest.Object{Document: doc, Content: object, Strict: strict})
		if got := fmt.Sprint(r.Verdict, " ", r.Reason); got != want ||
			(to.object == nil) != (file == "j.yaml") {
			t.Errorf("%s: %s, sent %v", file, got, typemeta.Of(to.object))
		}
	}
}

func TestUnreadable(t *testing.T) {
	broken := &manifest.Error{Position: manifest.Position{File: "f.yaml", Line: 3, Column: 1},
		Err: errors.New("broken")}
	atStart := &manifest.Error{Position: manifest.Position{File: "f.yaml", Line: 1, Column: 1},
		Err: broken.Err}
	noObject := fmt.Errorf("a list: %w", manifest.ErrNoObject)
	patches := repository.Patches{}
	patches.Read("", map[string]any{"patchesJson6902": []any{
		map[string]any{"path": "f.yaml", "target": map[string]any{"kind": "A"}},
	}})
	for name, c := range map[string]struct {
		patches repository.Patches
		strict  bool
		text    string
		err     error
		want    string
	}{
		"a list":          {nil, false, "- a\n", noObject, "notJudged noObject"},
		"a patch in JSON": {patches, false, "- a\n", noObject, "notJudged patch"},
		"a broken patch":  {patches, false, "a: [\n", broken, "unreadable 3:1 broken"},
		"a template":      {nil, false, "{{ if }}\n", broken, "notJudged template"},
		"a playbook":      {nil, false, "{% if a %}\n", broken, "notJudged template"},
		"broken":          {nil, false, "a: [\n", broken, "unreadable 3:1 broken"},
		"strict, a list": {nil, true, "- a\n", noObject,
			"unreadable 0:0 a list: " + manifest.ErrNoObject.Error()},
		"strict, a template": {nil, true, "é {{ if }}\n", atStart, "unreadable 1:3 broken; " +
			"the file looks like a template (Go): render it first"},
		"strict, an open action": {nil, true, "é {{ if\n", atStart, "unreadable 1:3 broken; " +
			"the file looks like a template: render it first"},
		"strict, a chart": {nil, true, "é {{ .Values.a }}\n", atStart, "unreadable 1:3 broken; " +
			"the file is a Helm template: render it first, with helm template"},
		"binary": {nil, false, "a\x00", broken,
			"unreadable 3:1 broken; the file is binary, or in another encoding than UTF-8"},
		"Latin 1": {nil, false, "a: \xe9\n", broken,
			"unreadable 3:1 broken; the file is not in UTF-8"},
		"a tab": {nil, false, "\ta: 1\n", broken,
			"unreadable 3:1 broken; YAML is indented by spaces, not by tabs"},
		"tabs": {nil, false, "a:\n\tb: 1\n", broken,
			"unreadable 3:1 broken; YAML is indented by spaces, not by tabs"},
		"tab last": {nil, false, "a: b\t\n", broken, "unreadable 3:1 broken"},
	} {
		doc := &manifest.Document{File: "f.yaml", Line: 1, Data: []byte(c.text)}
		p := &judge.Repository{Patches: c.patches}
		p.StrictFiles = c.strict
		r := p.Unreadable(t.Context(), nil, "f.yaml", doc, c.err)
		got := fmt.Sprint(r.Verdict, " ", r.Reason)
		for _, f := range r.Findings {
			got = fmt.Sprintf("%s%d:%d %s", got, f.Line, f.Column, f.Text)
			if f.Hint != "" {
				got += "; " + f.Hint
			}
		}
		if got != c.want || r.File != "f.yaml" || r.Line != 1 || r.Column != 1 {
			t.Errorf("%s: %d:%d %s", name, r.Line, r.Column, got)
		}
	}
}
