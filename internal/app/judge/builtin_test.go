package judge_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
)

// Objects of built-in kinds are judged by structure: findings have the places
// and hints of those on custom resources.
func TestByStructure(t *testing.T) {
	const budget = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\n"
	for _, c := range []struct {
		name, text, kubernetes string
		level                  crdsem.Strictness
		want                   string
		verdict                verdict.Verdict
		byStructure            bool
	}{
		{name: "a budget", text: budget, verdict: verdict.Accepted, byStructure: true},
		{name: "an unknown field", text: budget + "spec:\n  minAvailible: 1\n",
			level: crdsem.Strict, want: "error 5:3 PIPE-006", verdict: verdict.Refused, byStructure: true},
		{name: "an unknown field that is warned of", text: budget + "spec:\n  minAvailible: 1\n",
			level: crdsem.Warn, want: "warning 5:3 PIPE-006", verdict: verdict.Accepted, byStructure: true},
		{name: "an unknown field that is ignored", text: budget + "spec:\n  minAvailible: 1\n",
			level: crdsem.Ignore, verdict: verdict.Accepted, byStructure: true},
		{name: "a value", text: budget + "spec: {selector: 1}\n", want: "error 4:18 VAL-020",
			verdict: verdict.Refused, byStructure: true},
		{name: "a key twice", text: budget + "spec: {}\nspec: {}\n", level: crdsem.Strict,
			want: "warning 5:1 PIPE-006", verdict: verdict.Accepted, byStructure: true},
		{name: "a deprecated version", text: "apiVersion: v1\nkind: Endpoints\nmetadata: {name: e}\n",
			want: "warning 1:13 ", verdict: verdict.Accepted, byStructure: true},
		{name: "a version that was removed", text: "apiVersion: policy/v1beta1\n" +
			"kind: PodDisruptionBudget\n", want: "error 1:13 ", verdict: verdict.Refused},
		{name: "a version that is to come", text: "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\n",
			kubernetes: "1.33", want: "error 1:13 ", verdict: verdict.Refused},
		{name: "a part of another kind", text: "apiVersion: autoscaling/v1\nkind: Scale\n",
			verdict: verdict.NotJudged},
		{name: "a kind that is not built in", text: "apiVersion: apps/v1\nkind: Deploy\n",
			verdict: verdict.NotJudged},
		{name: "a kind with a definition", text: "apiVersion: example.com/v1\nkind: Host\n" +
			"metadata: {name: h}\nname: a\n", verdict: verdict.Accepted},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.kubernetes == "" {
				c.kubernetes = "1.37"
			}
			like := judge.Judge{BuiltIn: judge.ByStructure, FieldValidation: c.level}
			p, _ := panel(t, like, c.kubernetes, hosts)
			doc := read(t, c.text)[0]
			object, strict := decoded(t, doc)
			r := p.Send(t.Context(), doc, object, strict)
			if got := found(r); got != c.want || r.Verdict != c.verdict ||
				r.ByStructure != c.byStructure {
				t.Errorf("%s, by structure %t, %q; want %s, %t, %q", r.Verdict, r.ByStructure, got,
					c.verdict, c.byStructure, c.want)
			}
		})
	}
}

// A minor that serves a version and one that does not differ.
func TestByStructureOnMinors(t *testing.T) {
	p, _ := panel(t, judge.Judge{BuiltIn: judge.ByStructure}, "1.31-1.32", hosts)
	doc := read(t, "apiVersion: flowcontrol.apiserver.k8s.io/v1beta3\nkind: FlowSchema\n"+
		"metadata: {name: f}\nspec: {priorityLevelConfiguration: {name: a}}\n")[0]
	object, strict := decoded(t, doc)
	r := p.Send(t.Context(), doc, object, strict)
	want := []verdict.MinorVerdict{{Kubernetes: "1.31", Verdict: verdict.Accepted},
		{Kubernetes: "1.32", Verdict: verdict.Refused}}
	if diff := cmp.Diff(want, r.Minors); diff != "" || r.Verdict != verdict.Refused {
		t.Errorf("%s (-want +got):\n%s", r.Verdict, diff)
	}
}
