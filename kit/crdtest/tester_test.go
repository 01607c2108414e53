package crdtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/kit/crdtest"
	v1 "github.com/crdsem/crdsem/kit/crdtest/testdata/crontab/v1"
)

// recorder is a test that remembers its errors.
type recorder struct {
	testing.TB
	errors, logs []string
}

func (r *recorder) Helper() {}

func (r *recorder) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}

func (r *recorder) Error(args ...any) {
	for _, arg := range args {
		err, _ := arg.(error)
		r.errors = append(r.errors, err.Error())
	}
}

func ptr[T any](v T) *T { return &v }

// A table of typed objects and the errors that they give.
func TestTester(t *testing.T) {
	crds, _ := crdcases.Read(t, []string{crontab}, "testdata/crontab")
	api := crdtest.NewTester(crds)
	for _, c := range []struct {
		name       string
		spec       v1.CronTabSpec
		wantErrors []string
		want       string // the error of the test itself
	}{
		{name: "valid", spec: v1.CronTabSpec{CronSpec: "@daily"}},
		{name: "refused", spec: v1.CronTabSpec{CronSpec: "@daily", Replicas: ptr(int64(7))},
			wantErrors: []string{"replicas exceeds maxReplicas"}},
		{name: "not refused", spec: v1.CronTabSpec{CronSpec: "@daily"},
			wantErrors: []string{"replicas"}, want: "create: admitted, want the error"},
		{name: "not admitted", spec: v1.CronTabSpec{Policy: "Other"},
			want: `spec.policy: Unsupported value: "Other"`},
	} {
		r := &recorder{TB: t}
		api.Create(r, &v1.CronTab{Spec: c.spec}, c.wantErrors...)
		if got := strings.Join(r.errors, "\n"); (got == "") != (c.want == "") ||
			!strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	old := &v1.CronTab{Spec: v1.CronTabSpec{CronSpec: "@daily", Image: "a"}}
	changed := &v1.CronTab{Spec: v1.CronTabSpec{CronSpec: "@daily", Image: "b"}}
	api.Update(t, changed, old, "image is immutable")
	api.Update(t, old, old)
	api.UpdateStatus(t, &v1.CronTab{Status: v1.CronTabStatus{Active: -1}}, old, "status.active")
	r := &recorder{TB: t}
	api.Create(r, 3)
	api.Create(r, struct{ A int }{})
	if len(r.errors) != 2 {
		t.Errorf("objects that are no resources: %q", r.errors)
	}
	if suite := api.Suite("table"); suite.Name != "table" || len(suite.Cases) != 9 {
		t.Errorf("%d cases", len(suite.Cases))
	}
}
