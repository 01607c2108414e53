package jsonpath

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
	"testing"

	kjson "sigs.k8s.io/json"
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

// The results that the real code has for the templates of a file on this
// object, evaluated three times. Those that are like the one before are left
// out.
func TestRealResults(t *testing.T) {
	const document = `{"i":[1,2,3],"f":[0.5,1.5,2.5],"s":["a","b","c"],"b":[true,false],"n":[null],
		"o":[{"x":1},{"x":2,"y":2},{}],"l":[[1],[1,2],[]],"m":{"b":1,"a":{"c":"","d":[]},"":3},
		"w":[{"a b":1,"a]":2,"é":4}],"e":[],"p":[")","'","\"","x)]y"]}`
	var object any
	if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(document), &object); err != nil {
		t.Fatal(err)
	}
	whole := shown([][]any{{object}})
	whole = whole[2 : len(whole)-2]
	for line := range strings.Lines(realResults) {
		var template, want string
		if _, err := fmt.Sscanf(line, "%q: %q", &template, &want); err != nil {
			t.Fatal(line, err)
		}
		got := strings.ReplaceAll(strings.Join(outcomes(template, object), " "), whole, "OBJECT")
		if got != want {
			t.Errorf("%s: %s, want %s", template, got, want)
		}
	}
}

//go:embed testdata/results.txt
var realResults string

func outcomes(template string, object any) (list []string) {
	path, err := Parse(template)
	if err != nil {
		return []string{"refused"}
	}
	evaluator := path.Evaluator()
	for range 3 {
		results, err := evaluator.Results(object)
		if errors.As(err, new(*PanicError)) {
			return append(list, "panic")
		}
		text := shown(results)
		if err != nil {
			text = "error"
		}
		if n := len(list); n == 0 || list[n-1] != text {
			list = append(list, text)
		}
	}
	return list
}

// shown returns results as JSON.
func shown(results [][]any) string {
	all := [][]any{}
	for _, root := range results {
		found := []any{}
		for _, value := range root {
			if IsNothing(value) {
				value = "NOTHING"
			}
			found = append(found, value)
		}
		all = append(all, found)
	}
	text, _ := json.Marshal(all)
	return string(text)
}

// The items that the real code takes from lists of one and of three items, for
// ends from none and -4 to 4, each without a step and with a step of two. E is
// an error.
func TestSlices(t *testing.T) {
	ends := []string{"", "-4", "-3", "-2", "-1", "0", "1", "2", "3", "4"}
	for _, c := range []struct {
		n           int
		start, want string
	}{
		{1, "", "0 0 E E E E E E - - - - 0 0 E E E E E E"},
		{1, "-4", "E E - - E E E E E E E E E E E E E E E E"},
		{1, "-3", "E E E E - - E E E E E E E E E E E E E E"},
		{1, "-2", "E E E E E E - - E E E E E E E E E E E E"},
		{1, "-1", "0 0 E E E E E E - - - - 0 0 E E E E E E"},
		{1, "0", "0 0 E E E E E E - - - - 0 0 E E E E E E"},
		{1, "1", "- - E E E E E E E E E E - - E E E E E E"},
		{1, "2", "E E E E E E E E E E E E E E - - E E E E"},
		{1, "3", "E E E E E E E E E E E E E E E E - - E E"},
		{1, "4", "E E E E E E E E E E E E E E E E E E - -"},
		{3, "", "012 02 E E - - 0 0 01 0 - - 0 0 01 0 012 02 E E"},
		{3, "-4", "E E - - E E E E E E E E E E E E E E E E"},
		{3, "-3", "012 02 E E - - 0 0 01 0 - - 0 0 01 0 012 02 E E"},
		{3, "-2", "12 1 E E E E - - 1 1 E E - - 1 1 12 1 E E"},
		{3, "-1", "2 2 E E E E E E - - E E E E - - 2 2 E E"},
		{3, "0", "012 02 E E - - 0 0 01 0 - - 0 0 01 0 012 02 E E"},
		{3, "1", "12 1 E E E E - - 1 1 E E - - 1 1 12 1 E E"},
		{3, "2", "2 2 E E E E E E - - E E E E - - 2 2 E E"},
		{3, "3", "- - E E E E E E E E E E E E E E - - E E"},
		{3, "4", "E E E E E E E E E E E E E E E E E E - -"},
	} {
		var got []string
		for _, end := range ends {
			for _, step := range []string{"", ":2"} {
				list := []any{"0", "1", "2"}[:c.n]
				text := outcomes("{["+c.start+":"+end+step+"]}", list)[0]
				text = strings.NewReplacer("[[]]", "-", "error", "E").Replace(text)
				got = append(got, strings.NewReplacer("[", "", "]", "", ",", "", `"`, "").Replace(text))
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%d items, start %q: %s, want %s", c.n, c.start, text, c.want)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, template := range []string{
		"{.a", "{.a\n}", "{.a[}", "{.a[x]}", "{.a[1:2:3:4]}", "{.a[-]}", "{..*}", "{.. ..}", `{"x}`, `{"\q"}`, "{1.2.3}",
		"{.a[?(@.b]}", "{.a[?(@.b)}", "{.a[?(@.b)x]}", "{.a[?(@.b=~'c')]}", "{.a[?(@.b==*)]}", "{.a[?(*==1)]}", "{*}", "{.a[0,x]}", "{.a,}",
	} {
		if _, err := Parse(template); err == nil {
			t.Errorf("%q parses", template)
		}
	}
}

// The texts of errors name what was found.
func TestErrors(t *testing.T) {
	object := map[string]any{
		"l": []any{"a", "b", map[string]any{"x": "y", "z": nil}}, "n": []any{nil}, "s": "t",
	}
	for template, want := range map[string]string{
		"{.l[9]}":                          "index 9 out of 3 elements",
		"{.l[0:9]}":                        "index 8 out of 3 elements",
		"{.l[-9:2]}":                       "index -6 out of 3 elements",
		"{.l[0:-9]}":                       "index -7 out of 3 elements",
		"{.l[2:1]}":                        "start 2 is greater than end 1",
		"{.l[::0]}":                        "step must be > 0",
		"{.s[0]}":                          "a string is not a list",
		"{.s[?(@)]}":                       "a string is not a list and cannot be filtered",
		"{.l[?(@==1)]}":                    "values that do not compare",
		"{.l[2:3][?(@.*==1)]}":             "a map[string]interface {} is not a list and cannot be filtered",
		"{.l[?(@.*==1)]}":                  "can only compare one element at a time",
		"{.l[?(97==@.*)]}":                 "can only compare one element at a time",
		"{zz}":                             `unknown word "zz"`,
		"{end}":                            "not in range, nothing to end",
		"{range .e[*]}{[0]}{end}":          "the server panics: an index of nothing",
		"{range .n[*]}{range @}{end}{end}": "the server panics: a loop over nothing",
	} {
		path, err := Parse(template)
		if err != nil {
			t.Fatal(template, err)
		}
		if results, err := path.Evaluator().Results(object); err == nil || err.Error() != want {
			t.Errorf("%s: %v, %v, want %s", template, results, err, want)
		}
	}
	for template, want := range map[string]string{
		"{.l":           "unclosed action",
		"{.l\n}":        "unclosed action",
		"{\r.l}":        "unclosed action",
		"{*}":           "unrecognized character in action: U+002A '*'",
		"{.l[1}":        "unterminated subscript",
		"{.l[1:2:3:4]}": `invalid index "1:2:3:4"`,
		"{.l[x]}":       `invalid index "x"`,
		"{.l[-]}":       `index "-" is not a number`,
		"{.l[?(@.b":     "unterminated filter",
		"{.l[?(@)x]}":   "unclosed filter",
		"{.. ..}":       "multiple recursive descents",
		"{'x}":          "unterminated string",
	} {
		if _, err := Parse(template); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", template, err, want)
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

// family is all templates of up to some pieces between two texts.
type family struct {
	name, before, after string
	pieces              []string
	most                int
	want                string // hash of the outcomes of the real code
}

var families = []family{
	{
		"steps", "{", "}",
		[]string{".a", ".b", "..", "[0]", "[1:]", "[*]", "[-1,0]", "['b']", ".*", "*", ".", "@", " ", "zz"}, 3, "3975zrxi720ea",
	},
	{
		"filters", "{.a[?(", ")]}",
		[]string{"@", ".b", "==", "<", ">=", "!", "1", "'x'", ")", "'", `\`}, 4, "3av1aj8hgs470",
	},
	{
		"loops", "", "",
		[]string{"{range .a[*]}", "{range @}", "{range .none[*]}", "{end}", "{.b}", "{[0]}", "{end end}", "x"}, 4, "2i55fzwowwjqs",
	},
	{
		"strings", `{"`, `"}`,
		[]string{`\`, `"`, "'", "n", "x41", "u00e9", "é", "\xff", "\n", "}", "{"}, 3, "1kddrwah8s5a2",
	},
	{
		"characters", "{", "}",
		[]string{".a", ".", "[", "[:", "['b'", "'", `\`, "1", "-", "tru"}, 1, "1lvurkyspjkpo",
	},
}

// The real code has the same outcomes for all templates of a family, on an
// object whose maps have one member each, evaluated three times.
func TestFamilies(t *testing.T) {
	object := familyObject(t)
	for _, f := range families {
		if got := f.hash(func(template string) string {
			return strings.Join(outcomes(template, object), " ")
		}); got != f.want {
			t.Errorf("%s: got  %s\nwant %s", f.name, got, f.want)
		}
	}
}

// hash returns a hash of the outcomes of all templates, also with each byte
// behind a piece that stands alone.
func (f *family) hash(outcome func(template string) string) string {
	all, hash := []string{f.before}, fnv.New64a()
	for last := all; f.most > 0; f.most-- {
		var next []string
		for _, text := range last {
			for _, piece := range f.pieces {
				next = append(next, text+piece)
			}
		}
		all, last = append(all, next...), next
	}
	if len(f.pieces) == len(all)-1 {
		for _, text := range all {
			for c := range 256 {
				all = append(all, text+string([]byte{byte(c)}))
			}
		}
	}
	for _, text := range all {
		_, _ = io.WriteString(hash, outcome(text+f.after)+"\n")
	}
	return strconv.FormatUint(hash.Sum64(), 36)
}

func familyObject(t *testing.T) (object any) {
	t.Helper()
	const document = `{"a":[{"b":1},{"b":"x"},{"b":[2]},null,3,"x",[1],[],{},true,1.5,{"b":null}]}`
	if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(document), &object); err != nil {
		t.Fatal(err)
	}
	return object
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

func TestSpreads(t *testing.T) {
	for path, want := range map[string]bool{
		"{.a.b}": false, "{.a[0].b}": false, "{.a[-1:].b}": false, "{.a[1:2]}": false,
		"{.a['b']}": false, "{.a[?(@.b==1)].c}": false, "{..a}": false,
		"{.a[*].b}": true, "{.a.*}": true, "{.a[0,1]}": true, "{.a[0:2]}": true, "{.a[:]}": true,
		"{.a['b','c']}": true,
	} {
		template, err := Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := template.Spreads(); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}
