package generate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
	"github.com/crdsem/crdsem/structural"
)

const foundSchema = `
type: object
properties:
  a: {type: string, title: a}
  a.b: {type: array, title: a.b, items: {type: string, title: item}}
  list:
    type: array
    title: list
    items: {type: object, title: items, properties: {c: {type: string, title: c}}}
  m: {type: object, title: m, additionalProperties: {type: string, title: any}}
`

// A path of an error leads to a node, and to a value that can be changed and
// removed. What leads nowhere stays at the last node, or is not found.
func TestFoundPositions(t *testing.T) {
	schema, err := structural.Parse([]byte(foundSchema))
	if err != nil {
		t.Fatal(err)
	}
	const object = `{"a":"v","list":[{"c":"d"},{}],"m":{"k.l":"w","n":"x"},"z":[1,2]}`
	const nowhere, absent = "nowhere", "absent"
	for path, want := range map[string][3]string{
		"":            {" []", `"new"`, ""},
		"a":           {"a [.a]", `{"a":"new","list":[{"c":"d"},{}],"m":{"k.l":"w","n":"x"},"z":[1,2]}`, `{"list":[{"c":"d"},{}],"m":{"k.l":"w","n":"x"},"z":[1,2]}`},
		"a.b":         {"a.b [.a.b] " + absent, `{"a":"v","a.b":"new","list":[{"c":"d"},{}],"m":{"k.l":"w","n":"x"},"z":[1,2]}`, object},
		"list":        {"list [.list]", `{"a":"v","list":"new","m":{"k.l":"w","n":"x"},"z":[1,2]}`, `{"a":"v","m":{"k.l":"w","n":"x"},"z":[1,2]}`},
		"list[1]":     {"items [.list []]", `{"a":"v","list":[{"c":"d"},"new"],"m":{"k.l":"w","n":"x"},"z":[1,2]}`, `{"a":"v","list":[{"c":"d"}],"m":{"k.l":"w","n":"x"},"z":[1,2]}`},
		"list[0]":     {"items [.list []]", `{"a":"v","list":["new",{}],"m":{"k.l":"w","n":"x"},"z":[1,2]}`, `{"a":"v","list":[{}],"m":{"k.l":"w","n":"x"},"z":[1,2]}`},
		"list[0].c":   {"c [.list [] .c]", `{"a":"v","list":[{"c":"new"},{}],"m":{"k.l":"w","n":"x"},"z":[1,2]}`, `{"a":"v","list":[{},{}],"m":{"k.l":"w","n":"x"},"z":[1,2]}`},
		"list[1].c":   {"c [.list [] .c] " + absent, `{"a":"v","list":[{"c":"d"},{"c":"new"}],"m":{"k.l":"w","n":"x"},"z":[1,2]}`, object},
		"list[1].c.d": {"c [.list [] .c] " + absent, "", ""},
		"list[2]":     {"list [.list]", "", ""},
		"list[-1]":    {"list [.list]", "", ""},
		"list[x]":     {"list [.list]", "", ""},
		"list[1":      {"list [.list]", "", ""},
		"m.k.l":       {"any [.m {}]", `{"a":"v","list":[{"c":"d"},{}],"m":{"k.l":"new","n":"x"},"z":[1,2]}`, `{"a":"v","list":[{"c":"d"},{}],"m":{"n":"x"},"z":[1,2]}`},
		"m[n]":        {"any [.m {}]", `{"a":"v","list":[{"c":"d"},{}],"m":{"k.l":"w","n":"new"},"z":[1,2]}`, `{"a":"v","list":[{"c":"d"},{}],"m":{"k.l":"w"},"z":[1,2]}`},
		"m.o":         {"any [.m {}] " + absent, `{"a":"v","list":[{"c":"d"},{}],"m":{"k.l":"w","n":"x","o":"new"},"z":[1,2]}`, object},
		"m.o.p":       {nowhere, "", ""},
		"m[o]":        {nowhere, "", ""},
		"ab":          {"- [{}] " + absent, `{"a":"v","ab":"new","list":[{"c":"d"},{}],"m":{"k.l":"w","n":"x"},"z":[1,2]}`, object},
		"a[b]":        {"a [.a]", "", ""},
		"a.c":         {"a [.a]", "", ""},
		"z[1]":        {"- [{} []]", `{"a":"v","list":[{"c":"d"},{}],"m":{"k.l":"w","n":"x"},"z":[1,"new"]}`, `{"a":"v","list":[{"c":"d"},{}],"m":{"k.l":"w","n":"x"},"z":[1]}`},
	} {
		fresh := func() (*repair, position, bool) {
			f := &repair{m: &objectgen.Maker{Rand: NewRand(1)},
				schema: objectgen.NodeOf(schema)}
			if f.object, _, err = jsonvalue.DecodeObject([]byte(object)); err != nil {
				t.Fatal(err)
			}
			found, ok := f.find(path)
			return f, found, ok
		}
		f, found, ok := fresh()
		got := nowhere
		if ok {
			title := "-"
			if s := found.node.Schema(); s != nil {
				title = s.Title()
			}
			got = fmt.Sprint(title, " ", []string(found.at))
			if !found.exists {
				got += " " + absent
			}
		}
		if got != want[0] {
			t.Errorf("%s: %s, want %s", path, got, want[0])
		}
		if want[1] == "" {
			continue
		}
		if path == "" {
			found.set("no object")
			found.set(map[string]any{"b": "c"})
			found.set(f.object)
			if found.remove != nil || textOf(t, f.object) != `{"b":"c"}` {
				t.Errorf("the root becomes %s", textOf(t, f.object))
			}
			continue
		}
		if found.set("new"); textOf(t, f.object) != want[1] {
			t.Errorf("%s: set: %s, want %s", path, textOf(t, f.object), want[1])
		}
		f, found, _ = fresh()
		if found.remove(); textOf(t, f.object) != want[2] {
			t.Errorf("%s: removed: %s, want %s", path, textOf(t, f.object), want[2])
		}
	}
}

func textOf(t *testing.T, value any) string {
	t.Helper()
	text, err := jsonvalue.EncodeJSON(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The nearest object is the one with the fewest errors. Errors of rules alone
// weigh least, and a request that does not decode weighs most.
func TestNearest(t *testing.T) {
	errs := func(n int) (list field.ErrorList) {
		for i := range n {
			list = append(list, field.Required(field.NewPath("a").Index(i), ""))
		}
		return list
	}
	rule := []celrules.Explanation{{Rule: "r"}, {Rule: "s"}}
	ordered := []*crdsem.Result{
		{Errors: errs(1), Explanations: rule}, {Errors: errs(9), Explanations: rule[:1]},
		{Errors: errs(1)}, {Errors: errs(2)}, {Stage: crdsem.StageDecode},
	}
	for i := range ordered {
		for j := range ordered {
			var n nearest
			n.see(ordered[i])
			n.see(ordered[j])
			if want := ordered[min(i, j)]; n.result != want {
				t.Errorf("of %d and %d: %+v", i, j, n.result)
			}
		}
	}
	for _, c := range []struct {
		result *crdsem.Result
		want   string
	}{
		{nil, "found no x: the schema's root takes no object"},
		{ordered[0], "found no x: the nearest is refused: a[0]: Required value; rule: r; s"},
		{ordered[1], "found no x: the nearest is refused: a[0]: Required value (and 8 more); rule: r"},
		{ordered[2], "found no x: the nearest is refused: a[0]: Required value"},
		{ordered[3], "found no x: the nearest is refused: a[0]: Required value (and 1 more)"},
	} {
		if got := (&nearest{c.result}).unmade("x").Error(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	failed := errors.New("e")
	if err := (&UnmadeError{Wanted: "x", Err: failed, Errors: errs(1)}); !errors.Is(err, failed) ||
		err.Error() != "found no x: e" {
		t.Error(err)
	}
}

// An effort is spent with its objects or with its context. Without one, only
// the cost of rules counts.
func TestEffort(t *testing.T) {
	ended, cancel := context.WithCancelCause(t.Context())
	because := errors.New("because")
	cancel(because)
	for _, c := range []struct {
		name  string
		e     *effort
		spent int64
		want  string
	}{
		{"without an effort", nil, maxSpent, "false"},
		{"too costly", nil, maxSpent + 1, "true"},
		{"objects are left", &effort{ctx: t.Context(), left: 2}, 0, "false 1 1"},
		{"no object is left", &effort{ctx: t.Context(), left: 1}, 0, "true 0 1"},
		{"the context ended", &effort{ctx: ended, left: 2}, 0, "true 1 1"},
	} {
		c.e.judge(0)
		got := fmt.Sprint((&request{effort: c.e, spent: c.spent}).exhausted())
		if c.e != nil {
			got += fmt.Sprint(" ", c.e.left, " ", c.e.judged)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	own := errors.New("own")
	for _, c := range []struct {
		e       *effort
		reached bool
		err     error
		want    string
	}{
		{nil, false, nil, "found no x"}, {nil, false, own, "found no x: own"},
		{nil, true, own, "found no x: own"},
		{nil, true, nil, "found no x: objects of more than 16384 values or 3 MiB are not made"},
		{&effort{ctx: ended}, true, own, "because"},
	} {
		err := (&request{effort: c.e}).unmade(&objectgen.Maker{Reached: c.reached},
			&UnmadeError{Wanted: "x", Err: c.err})
		if err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// Each request restores what it requires or cannot write.
func TestRestore(t *testing.T) {
	withStatus, err := ParseResources([]byte(searched), "")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := resourcesOf(specOf(node{"type": "integer"}), "Cluster")
	if err != nil {
		t.Fatal(err)
	}
	const old = `{"apiVersion":"o","kind":"O","metadata":{"name":"a"},"spec":1,"status":2}`
	const sent = `{"apiVersion":"n","metadata":{"name":"b","labels":{}},"more":4,"spec":3,"status":5}`
	decode := func(text string) map[string]any {
		object, _, err := jsonvalue.DecodeObject([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return object
	}
	m := &objectgen.Maker{Rand: NewRand(1)}
	for _, c := range []struct {
		name, sent string
		q          *request
		want       string
	}{
		{"create", sent, plain.creation(m), `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"b"},"more":4,"spec":3,"status":5}`},
		{"create with a status", sent, withStatus.creation(m), `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"b","namespace":"default"},"more":4,"spec":3}`},
		{"update", sent, plain.replacement(decode(old)), `{"apiVersion":"o","kind":"O","metadata":{"name":"a"},"more":4,"spec":3,"status":5}`},
		{"update with a status", sent, withStatus.replacement(decode(old)), `{"apiVersion":"o","kind":"O","metadata":{"name":"a"},"more":4,"spec":3,"status":2}`},
		{"update of less", sent, withStatus.replacement(decode(`{"kind":"O"}`)), `{"kind":"O","more":4,"spec":3}`},
		{"status", sent, withStatus.statusReplacement(decode(old)), `{"apiVersion":"o","kind":"O","metadata":{"name":"a"},"spec":1,"status":5}`},
		{"no status", `{"spec":3}`, withStatus.statusReplacement(decode(old)), `{"apiVersion":"o","kind":"O","metadata":{"name":"a"},"spec":1}`},
	} {
		object := decode(c.sent)
		if c.q.restore(object); textOf(t, object) != c.want {
			t.Errorf("%s: %s, want %s", c.name, textOf(t, object), c.want)
		}
	}
	for name, isValid := range map[string]bool{
		strings.Repeat("a", 63): true, strings.Repeat("a", 64): false, "A": false, "a.b": true,
		"": false,
	} {
		object := map[string]any{"metadata": map[string]any{"name": name}}
		plain.identify(m, object)
		got, _ := jsonvalue.At(object, "metadata", "name").(string)
		if (got == name) != isValid || !isName(got) {
			t.Errorf("the name %q becomes %q", name, got)
		}
	}
	object := map[string]any{"metadata": "none"}
	plain.identify(m, object)
	if got, _ := jsonvalue.At(object, "metadata", "name").(string); !isName(got) {
		t.Errorf("%v", object)
	}
}

// A name that the schema restricts is tried several times.
func TestNewName(t *testing.T) {
	name := node{"type": "string", "pattern": "^[A-Za-z]x$"}
	s, err := resourcesOf(node{"type": "object", "properties": node{
		"metadata": node{"type": "object", "properties": node{"name": name}}}}, "Cluster")
	if err != nil {
		t.Fatal(err)
	}
	m := &objectgen.Maker{Rand: NewRand(1)}
	for range 100 {
		if got := s.newName(m); len(got) != 2 || got[1] != 'x' {
			t.Errorf("%q", got)
		}
	}
}

func TestAddLabel(t *testing.T) {
	for before, want := range map[string]string{
		`{}`:             `{"metadata":{"labels":{"label-0":"changed"}}}`,
		`{"metadata":1}`: `{"metadata":{"labels":{"label-0":"changed"}}}`,
		`{"metadata":{"labels":{"label-0":"a","label-1":"b","c":"d"},"name":"n"}}`: `{"metadata":` +
			`{"labels":{"c":"d","label-0":"a","label-1":"b","label-2":"changed"},"name":"n"}}`,
	} {
		object, _, err := jsonvalue.DecodeObject([]byte(before))
		if err != nil {
			t.Fatal(err)
		}
		if addLabel(object); textOf(t, object) != want {
			t.Errorf("%s becomes %s, want %s", before, textOf(t, object), want)
		}
	}
}

const unevaluated = "some validation rules were not checked because the object was invalid"

// Errors at the breakage and below it count, and others do not.
func TestOnlyAt(t *testing.T) {
	at := func(paths ...string) *crdsem.Result {
		r := &crdsem.Result{}
		for _, path := range paths {
			r.Errors = append(r.Errors, &field.Error{Field: path, Detail: "d"})
		}
		return r
	}
	hidden := at("b")
	hidden.Errors[0].Detail = unevaluated
	for _, c := range []struct {
		result *crdsem.Result
		path   string
		want   bool
	}{
		{at(), "a", true}, {at("a", "a.b", "a[0]"), "a", true}, {at("ab"), "a", false},
		{at("a", "b"), "a", false}, {at("b", "a"), "a", false}, {at("a", "b.c"), "", true},
		{hidden, "a", true},
	} {
		if got := onlyAt(c.result, c.path); got != c.want {
			t.Errorf("%v at %q: %t", c.result.Errors, c.path, got)
		}
	}
}

// The error of a rule has its message, or is the only one at its path or below.
func TestErrorOfRule(t *testing.T) {
	e := func(path, detail string) *field.Error { return &field.Error{Field: path, Detail: detail} }
	said := structural.Rule{Rule: " self > 1 ", Message: " too small "}
	unsaid := structural.Rule{Rule: " self > 1 ", Message: " "}
	for _, c := range []struct {
		rule structural.Rule
		errs field.ErrorList
		path string
		want int
	}{
		{said, nil, "a", -1}, {said, field.ErrorList{e("a.b", "x")}, "a", 0},
		{said, field.ErrorList{e("b", "too small")}, "a", -1},
		{said, field.ErrorList{e("a", "x"), e("a", "is too small")}, "a", 1},
		{said, field.ErrorList{e("a", "self > 1"), e("a", "x")}, "a", -1},
		{unsaid, field.ErrorList{e("a", "x"), e("a", "failed rule: self > 1")}, "a", 1},
		{said, field.ErrorList{e("a", unevaluated+": too small"), e("a", "too small")}, "a", 1},
	} {
		var want *field.Error
		if c.want >= 0 {
			want = c.errs[c.want]
		}
		if got := errorOf(c.rule, c.errs, c.path); got != want {
			t.Errorf("%v of %v at %s: %v", c.rule, c.errs, c.path, got)
		}
	}
}

// What no valid object has can be broken with errors elsewhere.
func TestBrokenAnywhere(t *testing.T) {
	never := node{"type": "integer", "minimum": int64(5), "maximum": int64(2)}
	s, err := resourcesOf(specOf(node{"type": "object", "properties": node{
		"a": node{"type": "object", "properties": node{"x": never}}}}), "Cluster")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(10) {
		for _, keyword := range []string{"minimum", "maximum"} {
			object, broken, err := s.Broken(NewRand(seed), keyword)
			if err != nil || broken.Path != "spec.a.x" || broken.Keyword != keyword {
				t.Errorf("%s: %v, %+v, %v", keyword, object, broken, err)
			}
		}
	}
	if _, _, err := s.Broken(NewRand(1), "a", "b"); text(err) !=
		"found no object that breaks a, b" {
		t.Errorf("got %v", err)
	}
}

// A schema that forbids nothing, and a status that is not declared.
func TestUnmadeOfOpenSchemas(t *testing.T) {
	s, err := resourcesOf(node{"type": "object"}, "Cluster")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = s.Broken(NewRand(1))
	if text(err) != "found no object that can be broken" {
		t.Errorf("got %v", err)
	}
	old := node{"apiVersion": "g.io/v1", "kind": "K", "metadata": node{"name": "a"}}
	update, err := s.Update(NewRand(1), old)
	const labelled = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"labels":` +
		`{"label-0":"changed"},"name":"a"}}`
	if err != nil || textOf(t, update) != labelled {
		t.Errorf("%v, %v", update, err)
	}
	update, err = s.Update(NewRand(1), node{"metadata": node{"name": "A"}})
	if err == nil || update != nil ||
		!strings.HasPrefix(err.Error(), "found no update") {
		t.Errorf("%v, %v", update, err)
	}
	s.hasStatus = true
	s.status = s.main
	for _, ask := range []string{"status", "broken status"} {
		if err := searches[ask](s, old); text(err) != "found no status: the schema has none" {
			t.Errorf("%s: %v", ask, err)
		}
	}
}

// A search judges a bounded number of objects, whatever it is asked for, and
// says why there is no object to begin with.
func TestBoundsOfSearch(t *testing.T) {
	status := []string{".status", ".ready"}
	spec := []string{".spec", ".size"}
	for _, node := range [][]string{status, spec} {
		for most := range 3 {
			crd := strings.Replace(searched, "maximum: 7", "minimum: 8, maximum: 7", 1)
			crd = strings.Replace(crd, "        properties:\n          spec", "        required: "+
				"[spec]\n        properties:\n          spec", 1)
			s, err := ParseResources([]byte(crd), "")
			if err != nil {
				t.Fatal(err)
			}
			search := s.Search(t.Context(), NewRand(1), node, most)
			for name, do := range map[string]func() error{
				"valid":    func() error { _, err := search.Valid(); return err },
				"boundary": func() error { _, err := search.Boundary(); return err },
				"broken":   func() error { _, err := search.Broken("maximum", ""); return err },
				"broken update": func() error {
					old, object, err := search.BrokenUpdate("maximum", "")
					if old != nil || object != nil {
						t.Errorf("%v, %v with an error", old, object)
					}
					return err
				},
			} {
				before := search.Judged()
				if err := do(); !errors.As(err, new(*UnmadeError)) {
					t.Errorf("%v, %d, %s: %v", node, most, name, err)
				}
				if search.Judged() == before && name != "broken" {
					t.Errorf("%v, %d, %s: no object was judged", node, most, name)
				}
			}
			if judged := search.Judged(); judged > most+4 {
				t.Errorf("%v: %d objects were judged, of %d", node, judged, most)
			}
			broken := s.Search(t.Context(), NewRand(1), node, most+1)
			if _, err := broken.Broken("maximum", ""); err == nil || broken.Judged() == 0 {
				t.Errorf("%v: broken: %d objects were judged, %v", node, broken.Judged(), err)
			}
		}
	}
}

// An object may be possible, and its status not.
func TestSearchForStatus(t *testing.T) {
	s, err := ParseResources([]byte(strings.Replace(searched, "maximum: 9",
		"maximum: 9\n                minimum: 10", 1)), "")
	if err != nil {
		t.Fatal(err)
	}
	node := []string{".status", ".ready"}
	for _, most := range []int{1, 3, 10_000} {
		search := s.Search(t.Context(), NewRand(1), node, most)
		for _, do := range []func() (map[string]any, error){search.Valid, search.Boundary} {
			object, err := do()
			if text(err) != "found no valid object" || object != nil {
				t.Errorf("%v, %v", object, err)
			}
		}
		if judged := search.Judged(); judged > most+4 || judged < min(most, 20) {
			t.Errorf("%d objects were judged, of %d", judged, most)
		}
	}
}
