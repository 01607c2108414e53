package differential

import (
	"context"
	"reflect"
	"testing"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

// TestTheLibraryAgrees compares a few hundred cases of each op. The
// differential command compares any number.
func TestTheLibraryAgrees(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 60
	}
	real := Handled(kube.New())
	plan := Plan{
		Pair:    Pair{Real: real, Ours: Handled(whole.New())},
		Sources: Sources(real, nil),
		Ops:     Ops(),
		N:       n,
		Seed:    99,
		Most:    3,
	}
	for _, o := range Run(context.Background(), plan) {
		for _, f := range o.Findings {
			line, _ := f.Case.Line("shrunk")
			t.Errorf("%s\n%s", line, f.Difference)
		}
		if o.Counts.Cases < n/10 || o.Counts.BothFault > o.Counts.Cases/2 {
			t.Errorf("%s: too few cases are of use: %+v", o.Op, o.Counts)
		}
	}
}

// TestDifferencesAreShrunk plants a fault in the library's answers. The run
// must report it with a small case.
func TestDifferencesAreShrunk(t *testing.T) {
	real, ours := Handled(kube.New()), whole.New()
	faulty := func(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
		result, err := ours(ctx, req)
		if pruned, ok := result.(protocol.Pruned); ok && len(pruned.UnknownFields) > 0 {
			pruned.UnknownFields = pruned.UnknownFields[1:]
			return pruned, err
		}
		return result, err
	}
	plan := Plan{
		Pair:    Pair{Real: real, Ours: Handled(faulty)},
		Sources: Sources(real, nil),
		Ops:     []string{protocol.OpPrune},
		N:       200,
		Seed:    1,
		Most:    1,
	}
	outcome := Run(context.Background(), plan)[0]
	if outcome.Counts.Differing == 0 || len(outcome.Findings) != 1 {
		t.Fatalf("the fault is not found: %+v", outcome)
	}
	line, err := outcome.Findings[0].Case.Line("")
	if err != nil || len(line) > 120 {
		t.Errorf("not small: %s, %v", line, err)
	}
}

func TestTheSameSeedMakesTheSameCases(t *testing.T) {
	real := Handled(kube.New())
	plan := Plan{
		Pair:    Pair{Real: real, Ours: real},
		Sources: Sources(real, nil),
		Ops:     []string{protocol.OpStructural, protocol.OpAdmit},
		N:       60,
		Seed:    4,
		Most:    1,
	}
	first, second := Run(context.Background(), plan), Run(context.Background(), plan)
	if !reflect.DeepEqual(first, second) {
		t.Errorf("got %+v, then %+v", first, second)
	}
}

func TestFormsTellFindingsApart(t *testing.T) {
	cases := []struct{ difference, want string }{
		{`.errors: missing {"type":"FieldValueInvalid","detail":"must be 5 or more"}`, ".errors missing FieldValueInvalid must be or more"},
		{".object.spec.a: got 1.0, want 1\n", "object got"},
		{".errors: got [], want none\n.fault: got none, want \"old does not decode: x\"\n", "fault got want does not"},
	}
	for _, c := range cases {
		if got := form(c.difference); got != c.want {
			t.Errorf("form(%q) = %q, want %q", c.difference, got, c.want)
		}
	}
}
