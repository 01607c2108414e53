package columns_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/kit/jsonpath"
	real "k8s.io/client-go/util/jsonpath"
)

// Generated templates are accepted or refused on both sides, and have the same
// results on generated objects, one after the other. CRDSEM_PATHS is the number
// of templates, CRDSEM_SEED the seed.
func TestGeneratedPaths(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(number(t, "CRDSEM_SEED", 1), 21))}
	paths, accepted, results, failed, panicked := number(t, "CRDSEM_PATHS", 20_000), 0, 0, 0, 0
	for range paths {
		template := g.template()
		objects := []any{g.object(3), g.object(3), g.object(3)}
		want, parses := realOutcome(template, objects)
		if !parses {
			compareRefused(t, template)
			continue
		}
		accepted++
		got := ourOutcome(template, objects)
		if !slices.Equal(got, want) && !sometimes(template, objects, got) {
			t.Fatalf("%s\non   %v\ngot  %v\nwant %v", template, objects, got, want)
		}
		for _, outcome := range want {
			switch {
			case outcome == failure:
				failed++
			case outcome == panicking:
				panicked++
			case strings.Trim(outcome, "[];") != "":
				results++
			}
		}
	}
	t.Logf("%d templates, %d accepted; of %d evaluations %d have results, %d fail, %d panic",
		paths, accepted, 3*accepted, results, failed, panicked)
}

// Templates that once differed, or that show a corner of the language.
func TestDirectedPaths(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 22))}
	for _, template := range []string{
		`{}`, `{.}`, `{.a}`, `{..}`, `{..a}`, `{..*}`, `{...a}`, `{.. ..}`, `{....}`, `{.a[*]}`, `{.a[]}`, `{.a[:]}`,
		`{.a[::]}`, `{.a[-1]}`, `{.a[-1:]}`, `{.a[:1:2]}`, `{.a[0:0]}`, `{.a[9]}`, `{.a[1:0]}`, `{.a[::0]}`,
		`{.a[::99999999999999999999]}`, `{.a[9223372036854775807]}`, `{.a[::9223372036854775807]}`, `{.a['b']}`,
		`{.a['b.c']}`, `{.a['']}`, `{.a["b"]}`, `{.a['b','c']}`, `{.a[0,1]}`, `{.a[0,]}`, `{['a','b'].c}`,
		`{.a[?(@.b)]}`, `{.a[?(@.b=="x")]}`, `{.a[?(@.b=='x')].c}`, `{.a[?(@.b>1)]}`, `{.a[?(@.b>=1.5)]}`,
		`{.a[?(@<true)]}`, `{.a[?(@==true)]}`, `{.a[?(@.b=)]}`, `{.a[?(@.b==)]}`, `{.a[?(=1)]}`, `{.a[?(@[0])]}`,
		`{.a[?(@.b=">")]}`, `{.a[?(@.b==")")]}`, `{.a[?(@.b=="\")")]}`, `{.a[?(@.b==@.c)]}`, `{.a[?(@.b<>1)]}`,
		`{.a[?(@[0]==1)]}`, `{.a[?(@.*==1)]}`, `{.a[?()]}`, `{.a[?(@)]}`, `{.a range}{.b}{end}`, `{range .a[*]}{.b}`,
		`{range .a[*]}{[0]}{end}`, `{.a[*] range}{@ range}{end}{end}`, `{end}`, `{.a end}`, `{.a[?(range)]}{.b}{.c}`,
		`{.a}{.b}`, `x{.a}`, `{.a} {`, `{.a}}`, `{.a\.b}`, `{.a\\b}`, `{.a\}`, `{"x"}`, `{'x'}`, `{"\x41"}`, `{"\xff"}`,
		`{"\u00e9"}`, `{'\''}`, `{"\'"}`, `{"x}`, "{\"x\n\"}", `{1}`, `{-1}`, `{+1.5}`, `{1.2.3}`, `{true}`, `{truex}`,
		"{.a\n}", "{.a\t}", `{.a ,}`, `{é}`, `{.é}`, `{..é}`, `{٣}`, "{.\xff}", "{'\xff'}", `{$.a}`, `{@.a}`, `{.a$}`,
		`{.a.*}`, `{.*.*}`, `{.a*}`, `{*}`, `{.a[*].b}`, `{.a[*][0]}`, `{.a[*][0:0]}`, `{.a['b}c']}`, `{.a[?(@.b}x)]}`,
	} {
		for range 200 {
			objects := []any{g.object(3), g.object(3), g.object(3)}
			want, parses := realOutcome(template, objects)
			if !parses {
				compareRefused(t, template)
				break
			}
			got := ourOutcome(template, objects)
			if !slices.Equal(got, want) && !sometimes(template, objects, got) {
				t.Errorf("%s\non   %v\ngot  %v\nwant %v", template, objects, got, want)
				break
			}
		}
	}
}

func compareRefused(t *testing.T, template string) {
	t.Helper()
	if _, err := jsonpath.Parse(template); err == nil {
		t.Errorf("%q is refused by the real code only", template)
	}
}

// Outcomes without results.
const (
	failure   = "failure"
	panicking = "panic"
)

// realOutcome returns what the real code finds in each object.
func realOutcome(template string, objects []any) (outcomes []string, parses bool) {
	path := real.New("generated")
	if path.Parse(template) != nil {
		return nil, false
	}
	path.AllowMissingKeys(true)
	for _, object := range objects {
		outcome := realResults(path, object)
		if outcomes = append(outcomes, outcome); outcome == panicking {
			break
		}
	}
	return outcomes, true
}

func realResults(path *real.JSONPath, object any) (outcome string) {
	defer func() {
		if recover() != nil {
			outcome = panicking
		}
	}()
	results, err := path.FindResults(object)
	if err != nil {
		return failure
	}
	for _, root := range results {
		for _, value := range root {
			if value.IsValid() {
				outcome += shown(value.Interface())
			} else {
				outcome += "nothing;"
			}
		}
		outcome += "];"
	}
	return outcome
}

func ourOutcome(template string, objects []any) (outcomes []string) {
	path, err := jsonpath.Parse(template)
	if err != nil {
		return []string{"refused: " + err.Error()}
	}
	evaluator := path.Evaluator()
	for _, object := range objects {
		results, err := evaluator.Results(object)
		outcome := ""
		switch {
		case errors.As(err, new(*jsonpath.PanicError)):
			return append(outcomes, panicking)
		case err != nil:
			outcome = failure
		}
		for _, root := range results {
			for _, value := range root {
				if jsonpath.IsNothing(value) {
					outcome += "nothing;"
				} else {
					outcome += shown(value)
				}
			}
			outcome += "];"
		}
		outcomes = append(outcomes, outcome)
	}
	return outcomes
}

func shown(value any) string { return fmt.Sprintf("%T %v;", value, value) }

// sometimes reports whether the real code finds the same in one of many runs,
// but for the order. Its order is random if a path goes over a map.
func sometimes(template string, objects []any, got []string) bool {
	if !strings.ContainsAny(template, "*") && !strings.Contains(template, "..") &&
		!strings.Contains(template, "'.") {
		return false
	}
	for range 1000 {
		again := shuffled(objects).([]any)
		if want, _ := realOutcome(template, again); slices.EqualFunc(got, want, equalUnordered) {
			return true
		}
	}
	return false
}

// shuffled copies a value. The real code's order of a small map starts
// anywhere, but follows the order in which the map was filled.
func shuffled(value any) any {
	switch value := value.(type) {
	case map[string]any:
		names := slices.Collect(maps.Keys(value))
		rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		out := make(map[string]any, len(names))
		for _, name := range names {
			out[name] = shuffled(value[name])
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i := range value {
			out[i] = shuffled(value[i])
		}
		return out
	}
	return value
}

func equalUnordered(a, b string) bool {
	x, y := strings.Split(a, ";"), strings.Split(b, ";")
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// generator makes templates and objects of a few names and values.
type generator struct{ *rand.Rand }

func pick[T any](g generator, choices ...T) T { return choices[g.IntN(len(choices))] }

func (g generator) object(depth int) any {
	object := map[string]any{}
	for range g.IntN(5) {
		object[g.name()] = g.value(depth)
	}
	return object
}

func (g generator) value(depth int) any {
	if depth > 0 && g.IntN(3) > 0 {
		if g.IntN(2) == 0 {
			return g.object(depth - 1)
		}
		list := []any{}
		for range g.IntN(4) {
			list = append(list, g.value(depth-1))
		}
		return list
	}
	return pick[any](g, nil, true, false, int64(0), int64(1), int64(-2), 1.5, 2.0, "", "x", "b")
}

func (g generator) name() string { return pick(g, "a", "a", "b", "c", "a.b", "") }

func (g generator) template() string {
	var b strings.Builder
	for range pick(g, 1, 1, 1, 1, 2, 3, 4) {
		if g.IntN(12) == 0 {
			b.WriteString(pick(g, " ", "x", "}", ", "))
		}
		switch g.IntN(14) {
		case 0:
			fmt.Fprintf(&b, "{range %s}%s{end}", g.steps(2), g.template())
		case 1:
			b.WriteString(pick(g, "{end}", "{range .a[*]}", "{.a range}", "{range}"))
		default:
			b.WriteString("{" + g.steps(3) + "}")
		}
	}
	text := b.String()
	if g.IntN(6) == 0 { // broken somewhere
		at := g.IntN(len(text) + 1)
		noise := pick(g, "", "", ".", "..", "[", "]", "{", "}", "'", `"`, `\`, "(", ")", "?", "@", "$", ",", ":", "*",
			"-", "1", " ", "\n", "\t", "=", "<", "é", "\xff", "_", "range", "end", "true", "/", "+")
		text = text[:at] + noise + text[min(at+g.IntN(2), len(text)):]
	}
	return text
}

func (g generator) steps(depth int) string {
	var b strings.Builder
	for range 1 + g.IntN(4) {
		b.WriteString(g.step(depth))
	}
	return b.String()
}

func (g generator) step(depth int) string {
	switch g.IntN(22) {
	case 0:
		return ".*"
	case 1:
		return ".."
	case 2:
		return ".." + g.name()
	case 3, 4:
		return "[*]"
	case 5, 6:
		return "[" + g.number() + "]"
	case 7:
		return "[" + g.number() + ":" + g.number() + "]"
	case 8:
		return "[" + g.number() + ":" + g.number() + ":" + g.number() + "]"
	case 9:
		return "['" + g.name() + "']"
	case 10:
		return "[" + pick(g, "0,1", "'a','b'", "0, -1", "'a',0", ":1,*", "'a', 'b.c'") + "]"
	case 11, 12:
		if depth > 0 {
			return "[?(" + g.condition(depth-1) + ")]"
		}
	case 13:
		return pick(g, " ", "@", "$", `"x"`, "'x'", "1", "-2", "1.5", "true", "false", "range", "end", "other")
	case 14:
		return pick(g, `.a\.b`, `.\a`, ".é", "._", `."a"`, ".a-b")
	}
	return "." + g.name()
}

func (g generator) condition(depth int) string {
	side := func() string {
		return pick(g, "@", "@", "@.a", "@.b", "@[0]", "", ".a") + pick(g, "", "", g.step(depth))
	}
	if g.IntN(4) == 0 {
		return side()
	}
	right := pick(g, `"x"`, "'y'", "1", "0", "-2", "1.5", "2.0", "true", "false", `""`, `")"`, side())
	return side() + pick(g, "==", "==", "!=", "<", ">", "<=", ">=", "=", "!", "=>") + right
}

func (g generator) number() string { return pick(g, "", "", "0", "1", "2", "-1", "-2", "3", "-") }

func number(t testing.TB, variable string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}
