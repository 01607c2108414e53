package functions

import (
	"strings"
	"testing"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/celrules/internal/meter"
	"github.com/crdsem/crdsem/internal/chapter/profile"
)

func list(items ...any) ref.Val {
	return types.DefaultTypeAdapter.NativeToValue(items)
}

// before runs the bound of a function and returns what stopped it, if anything
// did.
func before(
	t *testing.T, m *meter.Meter, function, overload string, args []ref.Val,
) (stopped any) {
	t.Helper()
	bound, ok := BoundOf(profile.Latest(), function, overload)
	if !ok {
		t.Fatalf("%s has no bound", function)
	}
	defer func() { stopped = recover() }()
	bound.Before(m, args)
	return nil
}

// What a call is going to make is known before it makes it.
func TestBoundsBeforeCalls(t *testing.T) {
	const limit, item = 1 << 20, meter.ItemSize
	s := func(text string) ref.Val { return types.String(text) }
	for _, c := range []struct {
		function, overload string
		args               []ref.Val
		made               uint64
	}{
		{"_+_", "add_string", []ref.Val{s("abc"), s("de")}, 5},
		{"_+_", "add_bytes", []ref.Val{types.Bytes("abc"), types.Bytes("d")}, 4},
		{"_+_", "", []ref.Val{s("abc"), types.Int(1)}, 0},
		{"_+_", "add_list", []ref.Val{list(1, 2), list(3)}, 1 * item},
		{"replace", "", []ref.Val{s("aXbXc"), s("X"), s("12345")}, 3 + 2*5},
		{"replace", "", []ref.Val{s("aXbXc"), s("X"), s("12345"), types.Int(1)}, 4 + 5},
		{"replace", "", []ref.Val{s("aXbXc"), s("X"), s("12345"), types.Int(0)}, 0},
		{"replace", "", []ref.Val{s("aXbXc"), s("X"), s("12345"), types.Int(-1)}, 3 + 2*5},
		{"replace", "", []ref.Val{s("abc"), s("X"), s("12345")}, 0},
		{"split", "", []ref.Val{s("a,b,c"), s(",")}, 3 * item},
		{"split", "", []ref.Val{s("a,b,c"), s(","), types.Int(2)}, 2 * item},
		{"split", "", []ref.Val{s("a,b,c"), s(","), types.Int(9)}, 3 * item},
		{"split", "", []ref.Val{s("a,b,c"), s(","), types.Int(0)}, 0},
		{"split", "", []ref.Val{s("a,b,c"), s(","), types.Int(-1)}, 3 * item},
		{"join", "", []ref.Val{list("ab", "c")}, 3},
		{"join", "", []ref.Val{list("ab", "c"), s("--")}, 3 + 4},
		{"strings.quote", "", []ref.Val{s("a")}, 3},
		{"strings.quote", "", []ref.Val{s("a\"\\")}, 2 + 1 + 2 + 2},
		{"strings.quote", "", []ref.Val{s("\x1f \x7f\x80")}, 2 + 4 + 1 + 1 + 4},
		{"format", "", []ref.Val{s("%s %.3f"), list("abc", 1.5)}, 7 + 2*3 + 2*3 + scalarSize},
		{"format", "", []ref.Val{s("%d%d"), list(1, []any{true})}, 4 + 20 + 2 + 2 + 20},
		{"format", "", []ref.Val{s("%s"), list(map[string]any{"a": 1})}, 2 + 2 + 3 + 3 + 20},
		{"lists.range", "", []ref.Val{types.Int(5)}, 5 * item},
		{"lists.range", "", []ref.Val{types.Int(0)}, 0},
		{"lists.range", "", []ref.Val{types.Int(maxRange + 1)}, 0},
		{"flatten", "", []ref.Val{list([]any{1, 2}, 3)}, (1 + 1 + 1 + 2) * item},
		{"flatten", "", []ref.Val{list([]any{1, 2}), types.Int(2)}, (1 + 1 + 2) * item},
		{"flatten", "", []ref.Val{list([]any{1, 2}), types.Int(0)}, 0},
		{"reverse", "", []ref.Val{list(1, 2, 3)}, 3 * item},
		{"distinct", "", []ref.Val{list(1, 1)}, 2 * item},
		{"size", "", []ref.Val{s("abc")}, 0},
	} {
		m := &meter.Meter{Limit: limit}
		stopped := before(t, m, c.function, c.overload, c.args)
		if made := limit - m.Left(); made != c.made || stopped != nil {
			t.Errorf("%s%v counts %d, want %d (%v)", c.function, c.args, made, c.made, stopped)
		}
		full := &meter.Meter{Limit: c.made}
		if c.function == "format" && before(t, full, c.function, c.overload, c.args) != nil {
			t.Errorf("%s%v is stopped at its size", c.function, c.args)
		}
		if c.made > 0 &&
			before(t, &meter.Meter{Limit: c.made - 1}, c.function, c.overload, c.args) == nil {
			t.Errorf("%s%v is not stopped below its size", c.function, c.args)
		}
	}
}

// A function that reads long strings looks at the context.
func TestBoundsLookAtTheContext(t *testing.T) {
	done := make(chan struct{})
	close(done)
	text, few := types.String(strings.Repeat("x", 300_000)), types.String("a")
	for _, c := range []struct {
		function string
		args     []ref.Val
	}{
		{"size", []ref.Val{text}},
		{"size", []ref.Val{types.Bytes(text)}},
		{"charAt", []ref.Val{text, types.Int(1)}},
		{"replace", []ref.Val{text, few, few}},
		{"split", []ref.Val{text, few}},
		{"matches", []ref.Val{text, few}},
		{"indexOf", []ref.Val{text, few}},
	} {
		m := &meter.Meter{Limit: 1 << 30, Done: done}
		stopped := before(t, m, c.function, "", c.args)
		if _, ok := stopped.(interpreter.InterruptError); !ok {
			t.Errorf("%s goes on after the context ended: %v", c.function, stopped)
		}
		short := append([]ref.Val{few}, c.args[1:]...)
		m = &meter.Meter{Limit: 1 << 30, Done: done}
		if stopped := before(t, m, c.function, "", short); stopped != nil {
			t.Errorf("%s of a short string looks at the context: %v", c.function, stopped)
		}
	}
}

// A search in a list looks at the context for each item that it reads.
func TestSearchesLookAtTheContext(t *testing.T) {
	done := make(chan struct{})
	close(done)
	items := make([]any, 300_000)
	for i := range items {
		items[i] = i
	}
	for _, function := range []string{"indexOf", "lastIndexOf"} {
		m := &meter.Meter{Limit: 1 << 30, Done: done}
		stopped := before(t, m, function, "", []ref.Val{list(items...), types.Int(-1)})
		if _, ok := stopped.(interpreter.InterruptError); !ok {
			t.Errorf("%s goes on after the context ended: %v", function, stopped)
		}
	}
}

// A list with an item that is no string cannot be joined. The error shows the
// item, and counts as long as that.
func TestJoinOfOtherItems(t *testing.T) {
	m := &meter.Meter{Limit: 1 << 20}
	item := strings.Repeat("x", 1000)
	args := []ref.Val{list("a", []any{item})}
	if stopped := before(t, m, "join", "", args); stopped != nil {
		t.Error(stopped)
	}
	if made := 1<<20 - m.Left(); made < 1000 {
		t.Errorf("the error counts %d", made)
	}
}

// findAll with a pattern that is no constant finds no more than there is room
// for. Arguments of other types are left to cel-go.
func TestFindAllWithinTheLimit(t *testing.T) {
	bound, ok := BoundOf(profile.Latest(), "findAll", "")
	if !ok || bound.Run == nil {
		t.Fatal("findAll has no implementation")
	}
	text, any := types.String(strings.Repeat("x", 100)), types.String(".")
	for name, c := range map[string]struct {
		args []ref.Val
		want ref.Val
	}{
		"strings":          {[]ref.Val{types.String("ab"), any}, list("a", "b")},
		"strings, limited": {[]ref.Val{types.String("ab"), any, types.Int(1)}, list("a")},
		"no string":        {[]ref.Val{types.Int(1), any}, nil},
		"no pattern":       {[]ref.Val{text, types.Int(1)}, nil},
		"no limit":         {[]ref.Val{text, any, any}, nil},
	} {
		got := bound.Run(&meter.Meter{Limit: 1 << 20}, c.args)
		if (got == nil) != (c.want == nil) || got != nil && got.Equal(c.want) != types.True {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("100 items are made where there is room for 9")
		}
	}()
	bound.Run(&meter.Meter{Limit: 9 * meter.ItemSize}, []ref.Val{text, any})
}

// The size of a compiled regular expression is known from its text.
func TestPatternItems(t *testing.T) {
	for pattern, want := range map[string]uint64{
		"abc": 3 * 8, "a{9}": 9 * (1 + 1) * 8, "(a{9}){9}": 81 * 2 * 8,
		"(^){9}": 9 * 2 * 8, "a{0}": 8,
	} {
		if got := patternItems(pattern); got < want/2 || got > 4*want {
			t.Errorf("%s counts %d items, about %d are right", pattern, got, want)
		}
	}
}

// Before Kubernetes 1.37 lists.range has no limit, but that of the memory
// (LIB-003).
func TestRangesOfFormerMinors(t *testing.T) {
	if rangeOf(profile.Latest()) != nil {
		t.Error("the newest minor has no limit")
	}
	call := rangeOf(profile.Of(36))
	for n, want := range map[int64]int64{maxRange + 1: maxRange + 1, -1: 0, -1 << 60: 0} {
		got := call(&meter.Meter{Limit: 1 << 40}, []ref.Val{types.Int(n)})
		if l, ok := got.(traits.Lister); !ok || l.Size() != types.Int(want) {
			t.Errorf("range of %d: %v", n, got)
		}
	}
	for _, v := range []ref.Val{types.Int(0), types.Int(maxRange), types.String("x")} {
		if got := call(&meter.Meter{Limit: 1 << 40}, []ref.Val{v}); got != nil {
			t.Errorf("range of %v is not left to cel-go", v)
		}
	}
}

// A pattern that is no constant is not compiled if it would not fit.
func TestPatternsFit(t *testing.T) {
	pattern := types.String(strings.Repeat("a{1000}", 50))
	for limit, stops := range map[uint64]bool{1 << 16: true, 1 << 40: false} {
		m := &meter.Meter{Limit: limit}
		stopped := before(t, m, "matches", "", []ref.Val{types.String("a"), pattern})
		if (stopped != nil) != stops {
			t.Errorf("with room for %d bytes: %v", limit, stopped)
		}
	}
}

// Before Kubernetes 1.32 a network contains another one of text if that begins
// with its first address (LIB-053).
func TestFormerNetworks(t *testing.T) {
	n, ok := cidrValue("10.0.0.0/8").(k8scel.CIDR)
	if !ok {
		t.Fatal("10.0.0.0/8 is no network")
	}
	for text, want := range map[types.String]ref.Val{
		"10.0.0.0/16": types.True, "10.1.0.0/16": types.False, "10.0.0.0/7": types.False,
	} {
		if got := containsCIDRTextUnmasked(n, text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if got := containsCIDRTextUnmasked(n, "x"); !types.IsError(got) {
		t.Errorf("x: %v", got)
	}
}
