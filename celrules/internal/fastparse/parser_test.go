package fastparse_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/debug"
	"github.com/google/cel-go/ext"

	"github.com/crdsem/crdsem/celrules/internal/fastparse"
	"github.com/crdsem/crdsem/internal/test/celcases"
)

// twins has this package's parser and cel-go's.
type twins struct {
	fast  *fastparse.Parser
	plain *cel.Env
}

func newTwins(t testing.TB) twins {
	t.Helper()
	env, err := cel.NewEnv(
		cel.OptionalTypes(), ext.TwoVarComprehensions(), ext.Lists(ext.ListsVersion(3)))
	if err != nil {
		t.Fatal(err)
	}
	return twins{fastparse.New(env.Macros()), env}
}

// parse parses with this package's parser. Up to 2¹⁵ parts come from macros, as
// package environment allows.
func (w twins) parse(text string) (*ast.AST, error) {
	return w.fast.Parse(common.NewTextSource(text), len(text)+1<<15)
}

// compare parses with both and reports whether this package's parser knew the
// text.
func (w twins) compare(t testing.TB, text string) bool {
	t.Helper()
	fast, err := w.parse(text)
	if fast == nil || err != nil {
		return false
	}
	plain, issues := w.plain.Parse(text)
	if err := issues.Err(); err != nil {
		t.Errorf("%q does not parse: %v", text, err)
		return true
	}
	want := plain.NativeRep()
	if got, want := written(fast), written(want); got != want {
		t.Errorf("%q\ngot  %s\nwant %s", text, got, want)
	}
	places, wantPlaces := fast.SourceInfo().OffsetRanges(), want.SourceInfo().OffsetRanges()
	if !reflect.DeepEqual(places, wantPlaces) {
		t.Errorf("%q: places\ngot  %v\nwant %v", text, places, wantPlaces)
	}
	return true
}

// written writes an expression with ids and optional indices.
func written(a *ast.AST) string { return debug.ToAdornedDebugString(a.Expr(), adorner{}) }

type adorner struct{}

// GetMetadata writes what the debug string leaves out.
func (adorner) GetMetadata(e any) string {
	switch e := e.(type) {
	case ast.Expr:
		if e.Kind() == ast.ListKind {
			return fmt.Sprintf("#%d%v", e.ID(), e.AsList().OptionalIndices())
		}
		return fmt.Sprintf("#%d", e.ID())
	case ast.EntryExpr:
		return fmt.Sprintf("#%d", e.ID())
	}
	return ""
}

// known returns texts that this package parses.
func known() []string {
	return []string{
		"1", "-1", "- 1", "1.5", "-1.5e-3", "1u", "true", "null", "'a\\n\\\\'", `"it's"`, "''", "a",
		"_a1", "(a)", "((a))", "a.b.c", "a.b().c(1, 2)", "f()", "f(a, b)", "a[1]", "a[b[1]]",
		"a.?b", "a.?b.?c", "a[?1]", "a[?'x'].orValue(1)", "[]", "[1]", "[1,]", "[1, ?a, b]", "{}",
		"{'a': 1}", "{?'a': b, 1: c,}", "!a", "!(!a)", "-a", "-(1)", "-a.b", "-1.size()",
		"a ? b : c", "a ? b : c ? d : e", "(a ? b : c) ? d : e", "a || b", "a || b || c",
		"a || b || c || d || e || f", "a && b || c && d && e || f", "a == b", "a < b == c",
		"a in b", "a in [1, 2]", "1 + 2 * 3 - 4 / 5 % 6", "1 - -1", "1 -1", "a - 1", "a -b",
		"a.all(x, x > 1)", "a.exists(x, x.b)", "a.exists_one(x, x)", "a.map(x, x + 1)",
		"a.map(x, x > 1, x)", "a.filter(x, x)", "has(a.b)", "has(a.b.c)", "a.all(i, x, x > i)",
		"a.existsOne(i, x, x)", "a.transformList(i, x, x)", "a.transformList(i, x, x > 1, [x])",
		"a.transformMap(k, v, {k: v})", "a.transformMapEntry(k, v, {k: v})", "a.optMap(x, x.f(1))",
		"a.b(1).optMap(x, x)", "a[0].optFlatMap(x, x.?y)", "[1, a].optMap(x, [x])",
		"{'a': b}.optMap(x, x)", "a.map(x, x).optMap(y, y)", "a.?b.optMap(y, has(y.c))",
		"a.sortBy(x, x.y)", "f(1).sortBy(x, -x)", "a.namespace", "a.for", "a.if.else", "a . b",
		"a\n.b\t(\r1 )", "a.map(x, y)", "self.size() > 0 && self.all(x, x.startsWith('a'))",
		"a.all(x, b.exists(y, x == y) || has(x.z))", "sets.contains(a, b)", "a.has(b)", "map(a, b)",
		"-'a'", "-true",
	}
}

// unknown returns texts that are left to cel-go's parser, e.g. all with a
// syntax error.
func unknown() []string {
	return []string{
		"", " ", "a b", "a.", "a.1", "(a", "a)", "[1", "[,]", "{,}", "{a}", "{a: }", "f(", "f(,)",
		"f(a,)", "a ? b", "a ? b :", "!!a", "--a", "--1", "!-a", "1.", ".5", "0x1F", "1a", "1.5u",
		"1e", "9223372036854775808", "'a", "'''a'''", `"""a"""`, "r'a'", "b'a'", "R\"a\"", "br'a'",
		"'\\x41'", "'\\q'", "'\n'", "ä", "'ä'", "a // comment", ".a", "a.`b`", "`a`", "Foo{a: 1}",
		"a.b.Foo{}", "for", "a.true", "a.in", "in", "true.a(", "a & b", "a | b", "a = b", "a =",
		"#", "@a", "has(a)", "a.all(1, x)", "a.all(x.y, x)", "a.map(x.y, x)", "a.optMap(1, x)",
		"a ?b", "- -1", strings.Repeat("(", 300) + "a" + strings.Repeat(")", 300),
		"a" + strings.Repeat(".a", 300), "1" + strings.Repeat(" + 1", 300), "\\", "'\\",
		strings.Repeat("[", 120) + strings.Repeat("]", 120), "'a''b'", "a.b c", "1 2", "a[1", "a[]",
		"a?.b", "a[b",
	}
}

// TestParse parses texts that this package knows and texts that it leaves.
func TestParse(t *testing.T) {
	w := newTwins(t)
	for _, text := range known() {
		if !w.compare(t, text) {
			t.Errorf("%q is left to cel-go's parser", text)
		}
	}
	for _, text := range unknown() {
		if parsed, err := w.parse(text); parsed != nil || err != nil {
			t.Errorf("%q parses: %v", text, err)
		}
	}
}

// TestTooManyParts parses chains of macros that double their receiver.
func TestTooManyParts(t *testing.T) {
	w := newTwins(t)
	for n, fails := range map[int]bool{1: false, 9: false, 11: false, 12: true, 90: true} {
		text := "optional.of(1)" + strings.Repeat(".optMap(x, x)", n)
		parsed, err := w.parse(text)
		if errors.Is(err, fastparse.ErrTooManyParts) != fails || (parsed == nil) != fails {
			t.Errorf("%d calls: %v", n, err)
		}
	}
}

// TestParseCases compares the parsers on the recorded cases of package
// environment.
func TestParseCases(t *testing.T) {
	cases, err := celcases.Read(filepath.Join("..", "environment", "testdata", "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	w, fast := newTwins(t), 0
	for _, c := range cases {
		if w.compare(t, c.Expression) {
			fast++
		}
	}
	t.Logf("%d of %d expressions", fast, len(cases))
	if fast < len(cases)/2 {
		t.Error("too few")
	}
}

// FuzzParse compares the parsers on any text.
func FuzzParse(f *testing.F) {
	for _, text := range append(known(), unknown()...) {
		f.Add(text)
	}
	w := newTwins(f)
	f.Fuzz(func(t *testing.T, text string) { w.compare(t, text) })
}

// BenchmarkParse parses a rule with both parsers.
func BenchmarkParse(b *testing.B) {
	const text = "self.size() > 0 && self.all(x, x.startsWith('a'))"
	w := newTwins(b)
	b.Run("here", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if parsed, err := w.parse(text); parsed == nil {
				b.Fatal("not parsed", err)
			}
		}
	})
	b.Run("cel-go", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, issues := w.plain.Parse(text); issues.Err() != nil {
				b.Fatal(issues.Err())
			}
		}
	})
}
