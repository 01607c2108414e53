package meter

import (
	"fmt"
	"math"
	"net/url"
	"regexp/syntax"
	"strings"
	"testing"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

func list(items ...any) ref.Val {
	return types.DefaultTypeAdapter.NativeToValue(items)
}

// before runs the bound of a function and returns what stopped it, if anything
// did.
func before(
	t *testing.T, m *Meter, function, overload string, args []ref.Val,
) (stopped any) {
	t.Helper()
	bound := BoundOf(profile.Latest(), function, overload)
	if bound == nil {
		t.Fatalf("%s has no bound", function)
	}
	defer func() { stopped = recover() }()
	bound(m, args)
	return nil
}

// flat is a list of the object.
type flat struct{ traits.Lister }

func (flat) IsFlat() {}

// What a call is going to make is known before it makes it. A limit of as many
// bytes lets it through, and one byte less does not. Some calls need room that
// they do not fill.
func TestBoundsBeforeCalls(t *testing.T) {
	const item = ItemSize
	s := func(text string) ref.Val { return types.String(text) }
	u, _ := url.Parse("http://x/abcd?p=1&q=2")
	two := list(1, 2).(traits.Lister)
	for _, c := range []struct {
		function, overload string
		args               []ref.Val
		made, room         uint64
	}{
		{"_+_", "add_string", []ref.Val{s("abc"), s("de")}, 5, 0},
		{"_+_", "add_bytes", []ref.Val{types.Bytes("abc"), types.Bytes("d")}, 4, 0},
		{"_+_", "", []ref.Val{s("abc"), types.Int(1)}, 3, 0},
		{"_+_", "", []ref.Val{types.Int(1), s("abc")}, 0, 0},
		{"_+_", "add_list", []ref.Val{list(1, 2), list(3)}, 1 * item, 3 * item},
		{"_+_", "add_list", []ref.Val{flat{two}, list(3)}, 3 * item, 0},
		{"_+_", "add_list", []ref.Val{
			types.NewMutableList(types.DefaultTypeAdapter), two}, 2 * item, 0},
		{"replace", "", []ref.Val{s("aXbXc"), s("X"), s("12345")}, 3 + 2*5, 0},
		{"replace", "", []ref.Val{s("aXbXc"), s("X"), s("12345"), types.Int(1)}, 4 + 5, 0},
		{"replace", "", []ref.Val{s("aXbXc"), s("X"), s("12345"), types.Int(0)}, 0, 0},
		{"replace", "", []ref.Val{s("aXbXc"), s("X"), s("12345"), types.Int(-1)}, 3 + 2*5, 0},
		{"replace", "", []ref.Val{s("aXbXc"), s("X"), s("12345"), s("1")}, 3 + 2*5, 0},
		{"replace", "", []ref.Val{s("aXb"), s("X"), s("")}, 2, 0},
		{"replace", "", []ref.Val{s("abc"), s("X"), s("12345")}, 0, 0},
		{"split", "", []ref.Val{s("a,b,c"), s(",")}, 3 * item, 0},
		{"split", "", []ref.Val{s("a,b,c"), s(","), types.Int(2)}, 2 * item, 0},
		{"split", "", []ref.Val{s("a,b,c"), s(","), types.Int(9)}, 3 * item, 0},
		{"split", "", []ref.Val{s("a,b,c"), s(","), types.Int(0)}, 0, 0},
		{"split", "", []ref.Val{s("a,b,c"), s(","), types.Int(-1)}, 3 * item, 0},
		{"join", "", []ref.Val{list("ab", "c")}, 3, 2 * item},
		{"join", "", []ref.Val{list("ab", "c"), s("--")}, 3 + 4, 2 * item},
		{"join", "", []ref.Val{list("ab", strings.Repeat("c", 40))}, 42, 0},
		{"join", "", []ref.Val{list("a", []any{"bcd", 1}, 2.5)}, 1 + (4*3 + 8) + (40 + 8) + 400, 0},
		{"format", "", []ref.Val{s("%s %.3f"), list("abc", 1.5)},
			7 + 2*3 + (4*3 + 8) + (400 + 8), 0},
		{"format", "", []ref.Val{s("%.9999999f"), list()}, 10 + 2<<20, 0},
		{"format", "", []ref.Val{s("%.1x%.2x"), list([]byte("ab"), nil)},
			8 + 2 + 4 + (4*2 + 8) + (40 + 8), 0},
		{"format", "", []ref.Val{s("%d%d"), list(1, []any{true})}, 4 + (40 + 8) + (40 + 8 + 8), 0},
		{"format", "", []ref.Val{s("%s"), list(map[string]any{"a": 1})}, 2 + (4 + 40 + 8) + 8, 0},
		{"lists.range", "", []ref.Val{types.Int(5)}, 5 * item, 0},
		{"lists.range", "", []ref.Val{types.Int(0)}, 0, 0},
		{"lists.range", "", []ref.Val{types.Int(1_000_000)}, 1_000_000 * item, 0},
		{"lists.range", "", []ref.Val{types.Int(1_000_001)}, 0, 0},
		{"flatten", "", []ref.Val{list([]any{1, 2}, 3)}, (1 + 1 + 1 + 2) * item, 0},
		{"flatten", "", []ref.Val{list([]any{1, 2}), types.Int(2)}, (1 + 1 + 2) * item, 0},
		{"flatten", "", []ref.Val{list([]any{1, 2}), types.Int(0)}, 2 * item, 0},
		{"optional.unwrap", "", []ref.Val{two}, 2 * item, 0},
		{"unwrapOpt", "", []ref.Val{two}, 2 * item, 0},
		{"getQuery", "", []ref.Val{k8scel.URL{URL: u}}, 3*5 + 2*256, 0},
		{"getEscapedPath", "", []ref.Val{s("x")}, 0, 0},
		{"distinct", "", []ref.Val{list(1, 1)}, 0, 0},
		{"matches", "", []ref.Val{s(""), s("abc")}, 0, 3 * 8 * item},
		{"matches", "", []ref.Val{s(""), s("a(b)")}, 0, 4 * 9 * item},
		{"find", "", []ref.Val{s(""), s("a{")}, 0, 3 * 8 * item},
		{"find", "", []ref.Val{s(""), s("a{1")}, 0, 4 * 8 * item},
		{"find", "", []ref.Val{s(""), s("(a{1")}, 0, 4 * 9 * item},
		{"find", "", []ref.Val{s(""), s("a{3}")}, 0, (1 + 2) * 3 * 8 * item},
		{"find", "", []ref.Val{s(""), s("a{3,}bc")}, 0, (1 + (1+2)*3 + 3) * 8 * item},
		{"findAll", "", []ref.Val{s("abc"), s("b")}, 4 * item, 8 * item},
		{"findAll", "", []ref.Val{s("abc"), s("b"), types.Int(2)}, 2 * item, 8 * item},
		{"findAll", "", []ref.Val{s(strings.Repeat("a", 20)), s("b")}, 21 * item, 0},
	} {
		need := max(c.made, c.room)
		m := &Meter{Limit: need}
		stopped := before(t, m, c.function, c.overload, c.args)
		if m.made != c.made || stopped != nil {
			t.Errorf("%s%v counts %d, want %d (%v)", c.function, c.args, m.made, c.made, stopped)
		}
		if need == 0 {
			continue
		}
		stopped = before(t, &Meter{Limit: need - 1}, c.function, c.overload, c.args)
		want := fmt.Sprintf("operation cancelled: values exceed %d bytes", need-1)
		if err, ok := stopped.(*ExceededError); !ok || err.Error() != want {
			t.Errorf("%s%v with room for %d bytes: %v", c.function, c.args, need-1, stopped)
		}
	}
	former := BoundOf(profile.Of(profile.Oldest), "lists.range", "")
	if m := (&Meter{Limit: math.MaxUint64}); profile.Of(profile.Oldest).BoundedRanges {
		t.Error("ranges of the oldest minor are bounded")
	} else if former(m, []ref.Val{types.IntOne << 61}); m.made != math.MaxUint64 {
		t.Errorf("a range of the oldest minor counts %d", m.made)
	}
}

// A value of a million nodes is visited once, and one of 4,096 nodes 4,096
// times. One more stops the call. Comparisons with scalars visit nothing, and a
// list of the object counts as one node.
func TestVisits(t *testing.T) {
	items := make([]any, maxNodes+1)
	for i := range items {
		items[i] = true
	}
	of := func(n int) ref.Val { return list(items[:n]...) }
	text, some := types.String("x"), types.OptionalOf(of(maxNodes-1))
	for _, c := range []struct {
		function string
		a, b     ref.Val
		stops    bool
	}{
		{"_==_", of(maxNodes - 1), of(maxNodes - 1), false},
		{"_==_", of(maxNodes), of(1), true}, {"_!=_", of(1), of(maxNodes), true},
		{"_==_", some, of(1), true}, {"_==_", types.OptionalNone, of(1), false},
		{"_==_", types.OptionalOf(of(maxNodes - 2)), of(1), false},
		{"@in", text, of(maxNodes), false}, {"indexOf", of(maxNodes), text, false},
		{"includes", of(maxNodes), types.IntOne, false},
		{"_==_", of(maxNodes), types.True, false}, {"_==_", types.Double(1), of(maxNodes), false},
		{"_==_", of(maxNodes), types.Bytes("x"), false},
		{"_==_", types.NullValue, of(maxNodes), false},
		{"_==_", flat{of(maxNodes).(traits.Lister)}, of(maxNodes), false},
		{"lastIndexOf", list(flat{of(maxNodes).(traits.Lister)}), of(1), false},
		{"distinct", of(4095), of(4095), false}, {"distinct", of(4096), of(4096), true},
		{"sets.contains", of(4095), of(4096), false}, {"sets.contains", of(4096), of(4095), false},
		{"sets.intersects", of(4095), of(4097), true}, {"sets.equivalent", of(4097), of(4095), true},
		{"format", text, of(maxNodes), true},
	} {
		args := []ref.Val{c.a, c.b}
		stopped := before(t, &Meter{Limit: 1 << 30}, c.function, "", args)
		if _, ok := stopped.(*ExceededError); ok != c.stops || ok != (stopped != nil) {
			t.Errorf("%s(%T of %d, %T of %d): %v",
				c.function, c.a, sizeOf(c.a), c.b, sizeOf(c.b), stopped)
		}
	}
	for want, v := range map[int]ref.Val{
		1: types.OptionalNone, 2: types.OptionalOf(text), 3: list(1, 2), 4: list([]any{1}, "x"),
		5: list(map[string]any{"a": 1, "b": []any{}}, nil),
		6: types.DefaultTypeAdapter.NativeToValue(map[string]any{"a": []any{1, 2, 3, 4}}),
		7: types.DefaultTypeAdapter.NativeToValue(
			map[string]any{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1}),
	} {
		left := 10
		if new(Meter).Count(v, &left); left != 10-want {
			t.Errorf("%v counts %d", v, 10-left)
		}
		left = want - 1
		if new(Meter).Count(v, &left); want > 1 && left != 0 {
			t.Errorf("%v is counted beyond the end: %d", v, left)
		}
	}
}

// Strings that are read count one byte a byte, until a look at the context.
func TestReads(t *testing.T) {
	done := make(chan struct{})
	m := &Meter{Done: done}
	looks := func(args ...ref.Val) (stopped any) {
		defer func() { stopped = recover() }()
		m.ReadStrings(args)
		return nil
	}
	half := types.String(strings.Repeat("x", lookInterval/2))
	if stopped := looks(half, half); stopped != nil {
		t.Errorf("stopped within the context: %v", stopped)
	}
	close(done)
	if stopped := looks(list("x"), half[1:], types.IntOne, half); stopped != nil {
		t.Errorf("a look too soon: %v", stopped)
	}
	if _, ok := looks(half[:1]).(interpreter.InterruptError); !ok {
		t.Error("no look at the context")
	}
}

// A function that makes a long string looks at the context.
func TestBoundsLookAtTheContext(t *testing.T) {
	done := make(chan struct{})
	close(done)
	text, few := types.String(strings.Repeat("x", 300_000)), types.String("x")
	for _, c := range []struct {
		function string
		args     []ref.Val
	}{
		{"replace", []ref.Val{text, few, few}},
		{"split", []ref.Val{text, few}},
		{"findAll", []ref.Val{text, few}},
		{"_+_", []ref.Val{text, few}},
	} {
		m := &Meter{Limit: 1 << 30, Done: done}
		stopped := before(t, m, c.function, "", c.args)
		if _, ok := stopped.(interpreter.InterruptError); !ok {
			t.Errorf("%s goes on after the context ended: %v", c.function, stopped)
		}
		short := append([]ref.Val{few}, c.args[1:]...)
		m = &Meter{Limit: 1 << 30, Done: done}
		if stopped := before(t, m, c.function, "", short); stopped != nil {
			t.Errorf("%s of a short string looks at the context: %v", c.function, stopped)
		}
	}
}

// A search in a list looks at the context for each item that it visits.
func TestSearchesLookAtTheContext(t *testing.T) {
	done := make(chan struct{})
	close(done)
	items := make([]any, 300_000)
	for i := range items {
		items[i] = i
	}
	for _, function := range []string{"indexOf", "lastIndexOf", "_==_", "@in", "distinct"} {
		m := &Meter{Limit: 1 << 30, Done: done}
		stopped := before(t, m, function, "", []ref.Val{list(items...), list(-1)})
		if _, ok := stopped.(interpreter.InterruptError); !ok {
			t.Errorf("%s goes on after the context ended: %v", function, stopped)
		}
	}
}

// The size of a compiled regular expression is known from its text.
func TestInstructions(t *testing.T) {
	for pattern, want := range map[string]uint64{
		"abc": 3, "a{9}": 9 * (1 + 1), "(a{9}){9}": 81 * 2, "(^){9}": 9 * 2, "a{0}": 1,
	} {
		parsed, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := instructionsOf(parsed); got < want/2 || got > 4*want {
			t.Errorf("%s counts %d instructions, about %d are right", pattern, got, want)
		}
	}
}

// A pattern of 512 KiB counts as its length, a shorter one as what it repeats.
func TestPatternsFit(t *testing.T) {
	for length, stops := range map[int]bool{1<<19 - 1: true, 1 << 19: false} {
		m := &Meter{Limit: uint64(length) * 8 * ItemSize}
		pattern := types.String("a{9}" + strings.Repeat("b", length-4))
		stopped := before(t, m, "matches", "", []ref.Val{types.String("a"), pattern})
		if (stopped != nil) != stops {
			t.Errorf("a pattern of %d bytes: %v", length, stopped)
		}
	}
}
