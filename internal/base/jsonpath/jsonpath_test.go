package jsonpath

import (
	"errors"
	"fmt"
	"testing"
)

// The results come from k8s.io/client-go/util/jsonpath. The oracle module
// compares many more.
func TestResults(t *testing.T) {
	object := map[string]any{
		"a": []any{
			map[string]any{"type": "Ready", "status": "True", "n": int64(1)},
			map[string]any{"type": "Other", "status": "False", "n": 1.5},
			nil,
		},
		"b": map[string]any{"c.d": "x", "c": map[string]any{"d": "y"}},
		"l": []any{
			map[string]any{"n": int64(1), "t": "a"}, map[string]any{"n": int64(2), "t": "b"},
			map[string]any{"n": int64(3), "t": ")'"},
		},
		"s": "hi",
	}
	for _, c := range []struct{ template, want string }{
		{`{.b.c.d}`, "[[y]]"},
		{`{.b.c\.d}`, "[[x]]"},
		{`{.b['c.d']}`, "[[y]]"},
		{`{.a[0].type}`, "[[Ready]]"},
		{`{.a[-2].type}`, "[[Other]]"},
		{`{.a[*].type}`, "[[Ready Other]]"},
		{`{.a[0,1].status}`, "[[True False]]"},
		{`{.a[?(@.type=="Ready")].status}`, "[[True]]"},
		{`{.a[?(@.status)].n}`, "[[1 1.5]]"},
		{`{.a[?(@.n==1)].n}`, "error"},
		{`{.l[?(@.n<2)].n}`, "[[1]]"},
		{`{.l[?(@.n<=2)].n}`, "[[1 2]]"},
		{`{.l[?(@.n>2)].n}`, "[[3]]"},
		{`{.l[?(@.n>=2)].n}`, "[[2 3]]"},
		{`{.l[?(@.n!=2)].n}`, "[[1 3]]"},
		{`{.l[?(@.n>-1)].n}`, "[[1 2 3]]"},
		{`{.l[?(@.n>+2)].n}`, "[[3]]"},
		{`{.l[?(@.n<1.5)].n}`, "error"},
		{`{.l[?(@.n>"a")].n}`, "error"},
		{`{.l[?(@.t>='b')].n}`, "[[2]]"},
		{`{.l[?(@.t>'a')].n}`, "[[2]]"},
		{`{.l[?(@.t==")'")].n}`, "[[3]]"},
		{`{.l[?(@.t==')\'')].n}`, "[[3]]"},
		{`{.l[-1:].n}`, "[[3]]"},
		{`{.l[:-1].n}`, "[[1 2]]"},
		{`{.l[::2].n}`, "[[1 3]]"},
		{`{.l[0:0].n}`, "[[]]"},
		{`{.l[0:9].n}`, "error"},
		{`{.l[9:9].n}`, "[[]]"},
		{`{.l[-9:2].n}`, "error"},
		{`{.l[2:1].n}`, "error"},
		{`{.l[0:3:-1].n}`, "error"},
		{`{-1}{+1.5}`, "[[-1] [1.5]]"},
		{`{.a[0:2:2].n}`, "[[1]]"},
		{`{.a[9]}`, "error"},
		{`{.a[1:1].n}`, "[[]]"},
		{`{.missing.field}`, "[[]]"},
		{`{.missing[0]}`, "[[]]"},
		{`{.s[0]}`, "error"},
		{`{.s.*}`, "[[104 105]]"},
		{`{..d}`, "[[y]]"},
		{`{.s} and {.b.c.d}`, "[[hi] [ and ] [y]]"},
		{`{.s}{"x\n"}`, "[[hi] [x\n]]"},
		{`{range .a[0:2]}{.type}{end}`, "[[Ready] [Other]]"},
		{`{end}`, "error"},
		{`{range .none[*]}{[0]}{end}`, "panic"},
	} {
		path, err := Parse(c.template)
		if err != nil {
			t.Errorf("%s: %v", c.template, err)
			continue
		}
		results, err := path.Evaluator().Results(object)
		got := fmt.Sprint(results)
		switch {
		case errors.As(err, new(*PanicError)):
			got = "panic"
		case err != nil:
			got = "error"
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.template, got, c.want)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, template := range []string{
		"{.a", "{.a\n}", "{.a[}", "{.a[x]}", "{.a[1:2:3:4]}", "{.a[-]}", "{..*}", "{.. ..}", `{"x}`, `{"\q"}`, "{1.2.3}",
		"{.a[?(@.b]}", "{.a[?(@.b)}", "{.a[?(@.b)x]}", "{.a[?(@.b=~'c')]}", "{.a[?(@.b==*)]}", "{*}", "{.a[0,x]}", "{.a,}",
	} {
		if _, err := Parse(template); err == nil {
			t.Errorf("%q parses", template)
		}
	}
}

// A loop shortens the template for the objects after it, as on the server.
func TestLoopsLeaveTraces(t *testing.T) {
	path, err := Parse("{.a}{range .l[*]}{.n}{end}")
	if err != nil {
		t.Fatal(err)
	}
	evaluator := path.Evaluator()
	object := map[string]any{"a": "x", "l": []any{map[string]any{"n": int64(1)}}}
	for i, want := range []string{"[[x] [1]] <nil>", "[] not in range, nothing to end"} {
		results, err := evaluator.Results(object)
		if got := fmt.Sprint(results, err); got != want {
			t.Errorf("object %d: got %s, want %s", i, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, "<no value>"}, {"x", "x"}, {1e21, "1e+21"}, {1e6, "1e+06"}, {int64(5), "5"}, {true, "true"},
		{map[string]any{"b": nil, "a": "<"}, `{"a":"\u003c","b":null}`}, {[]any{1.0}, "[1]"},
	} {
		if got, err := Text(c.value); err != nil || got != c.want {
			t.Errorf("%v: got %q, %v, want %q", c.value, got, err, c.want)
		}
	}
}

// No template and no object makes the package panic.
func FuzzResults(f *testing.F) {
	f.Add(`{range .a[*]}{..b[?(@.c=='x')]['d',0:1]}{end}`)
	f.Fuzz(func(_ *testing.T, template string) {
		path, err := Parse(template)
		if err != nil || len(template) > 200 {
			return
		}
		evaluator := path.Evaluator()
		for range 2 {
			_, _ = evaluator.Results(map[string]any{"a": []any{"x", nil, map[string]any{"b": 1.5}}})
		}
	})
}
