package meter

import (
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/crdsem/crdsem/internal/chapter/profile"
)

// left returns how many bytes may still be made.
func (m *Meter) left() uint64 { return m.Limit - min(m.made, m.Limit) }

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

// What a call is going to make is known before it makes it.
func TestBoundsBeforeCalls(t *testing.T) {
	const limit, item = 1 << 20, ItemSize
	s := func(text string) ref.Val { return types.String(text) }
	for _, c := range []struct {
		function, overload string
		args               []ref.Val
		made               uint64
	}{
		{"_+_", "add_string", []ref.Val{s("abc"), s("de")}, 5},
		{"_+_", "add_bytes", []ref.Val{types.Bytes("abc"), types.Bytes("d")}, 4},
		{"_+_", "", []ref.Val{s("abc"), types.Int(1)}, 3},
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
		{"format", "", []ref.Val{s("%s %.3f"), list("abc", 1.5)}, 7 + 2*3 + (2*3 + 4) + (400 + 4)},
		{"format", "", []ref.Val{s("%d%d"), list(1, []any{true})}, 4 + (40 + 4) + (40 + 4 + 4)},
		{"format", "", []ref.Val{s("%s"), list(map[string]any{"a": 1})}, 2 + (2 + 40 + 8) + 4},
		{"lists.range", "", []ref.Val{types.Int(5)}, 5 * item},
		{"lists.range", "", []ref.Val{types.Int(0)}, 0},
		{"lists.range", "", []ref.Val{types.Int(1_000_001)}, 0},
		{"flatten", "", []ref.Val{list([]any{1, 2}, 3)}, (1 + 1 + 1 + 2) * item},
		{"flatten", "", []ref.Val{list([]any{1, 2}), types.Int(2)}, (1 + 1 + 2) * item},
		{"flatten", "", []ref.Val{list([]any{1, 2}), types.Int(0)}, 2 * item},
		{"distinct", "", []ref.Val{list(1, 1)}, 0},
		{"findAll", "", []ref.Val{s("abc"), s("b")}, 4 * item},
		{"findAll", "", []ref.Val{s("abc"), s("b"), types.Int(2)}, 2 * item},
	} {
		m := &Meter{Limit: limit}
		stopped := before(t, m, c.function, c.overload, c.args)
		if made := limit - m.left(); made != c.made || stopped != nil {
			t.Errorf("%s%v counts %d, want %d (%v)", c.function, c.args, made, c.made, stopped)
		}
		full := &Meter{Limit: c.made}
		if c.function == "format" && before(t, full, c.function, c.overload, c.args) != nil {
			t.Errorf("%s%v is stopped at its size", c.function, c.args)
		}
		if c.made > 0 &&
			before(t, &Meter{Limit: c.made - 1}, c.function, c.overload, c.args) == nil {
			t.Errorf("%s%v is not stopped below its size", c.function, c.args)
		}
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

// A list with an item that is no string cannot be joined. The error shows the
// item, and counts as long as that.
func TestJoinOfOtherItems(t *testing.T) {
	m := &Meter{Limit: 1 << 20}
	item := strings.Repeat("x", 1000)
	args := []ref.Val{list("a", []any{item})}
	if stopped := before(t, m, "join", "", args); stopped != nil {
		t.Error(stopped)
	}
	if made := 1<<20 - m.left(); made < 1000 {
		t.Errorf("the error counts %d", made)
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

// A pattern that is no constant is not compiled if it would not fit.
func TestPatternsFit(t *testing.T) {
	pattern := types.String(strings.Repeat("a{1000}", 50))
	for limit, stops := range map[uint64]bool{1 << 16: true, 1 << 40: false} {
		m := &Meter{Limit: limit}
		stopped := before(t, m, "matches", "", []ref.Val{types.String("a"), pattern})
		if (stopped != nil) != stops {
			t.Errorf("with room for %d bytes: %v", limit, stopped)
		}
	}
}
