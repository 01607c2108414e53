package server

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A Pod gets the fields that the server's admission adds, where it has none.
func TestSchedulable(t *testing.T) {
	toleration := func(key, effect string) map[string]any {
		return map[string]any{"key": key, "operator": "Exists", "effect": effect}
	}
	added := func(taint string) map[string]any {
		return map[string]any{
			"key": "node.kubernetes.io/" + taint, "operator": "Exists", "effect": "NoExecute",
			"tolerationSeconds": int64(300),
		}
	}
	for _, test := range []struct{ given, want []any }{
		{nil, []any{added("not-ready"), added("unreachable")}},
		{[]any{toleration("other", "NoExecute")},
			[]any{toleration("other", "NoExecute"), added("not-ready"), added("unreachable")}},
		{[]any{toleration("", "")}, []any{toleration("", "")}},
		{[]any{toleration("", "NoSchedule")},
			[]any{toleration("", "NoSchedule"), added("not-ready"), added("unreachable")}},
		{[]any{toleration("node.kubernetes.io/not-ready", "")},
			[]any{toleration("node.kubernetes.io/not-ready", ""), added("unreachable")}},
		{[]any{toleration("node.kubernetes.io/unreachable", "NoExecute")},
			[]any{toleration("node.kubernetes.io/unreachable", "NoExecute"), added("not-ready")}},
	} {
		room := slices.Grow(slices.Clone(test.given), 2)
		spec := map[string]any{"a": "b", "tolerations": room}
		want := map[string]any{
			"a": "b", "preemptionPolicy": "PreemptLowerPriority", "priority": int64(0),
			"tolerations": test.want,
		}
		if diff := cmp.Diff(want, schedulable(spec)); diff != "" {
			t.Errorf("%v: %s", test.given, diff)
		}
		if after := room[:cap(room)][len(test.given):]; len(spec) != 2 || after[0] != nil {
			t.Errorf("%v: the argument is changed: %v", test.given, spec)
		}
	}
	got := schedulable(map[string]any{"priority": int64(7), "preemptionPolicy": "Never"})
	if got["priority"] != int64(7) || got["preemptionPolicy"] != "Never" {
		t.Errorf("%v", got)
	}
}

// The addresses of Services are those of 10.0.0.0/16, one after the other.
func TestAddress(t *testing.T) {
	h := &Handler{}
	for before, want := range map[uint32]string{
		0: "10.0.0.3", 1: "10.0.0.4", 247: "10.0.0.250", 248: "10.0.1.1", 63997: "10.0.255.250",
		63998: "10.0.0.2", 63999: "10.0.0.3",
	} {
		if h.addresses.Store(before); h.address() != want {
			t.Errorf("after %d: not %s", before, want)
		}
	}
}

// Warnings are cut when they are too long together, as by WithWarningRecorder
// of k8s.io/apiserver: up to the one that is too much all are sent, and others
// while they are below the limit.
func TestFitting(t *testing.T) {
	texts := func(n, length int) []string {
		return slices.Repeat([]string{strings.Repeat("é", length)}, n)
	}
	with := func(all []string, more ...string) []string { return append(slices.Clip(all), more...) }
	for name, test := range map[string]struct{ all, want []string }{
		"none":                {nil, nil},
		"at the limit":        {texts(16, 256), texts(16, 256)},
		"one of the limit":    {texts(1, 4096), texts(1, 4096)},
		"one above the limit": {texts(1, 4097), texts(1, 256)},
		"all above the limit": {texts(20, 300), texts(16, 256)},
		"the one above stays": {with(texts(16, 256), "a", "b"), with(texts(16, 256), "a")},
		"short after a long one": {with(texts(2, 4000), "a", "b"),
			with(texts(2, 256), "a", "b")},
		"beyond the limit again": {with(texts(2, 4000), texts(20, 255)...),
			with(texts(2, 256), texts(15, 255)...)},
	} {
		if diff := cmp.Diff(test.want, fitting(test.all)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
