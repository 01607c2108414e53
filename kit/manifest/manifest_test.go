package manifest_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/fieldpath"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/manifest"
)

// readAll returns the documents of a text. It fails the test on an error.
func readAll(t *testing.T, text string) []*manifest.Document {
	t.Helper()
	var docs []*manifest.Document
	for doc, err := range manifest.Read("f", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc)
	}
	return docs
}

// only returns the one document of a text.
func only(t *testing.T, text string) *manifest.Document {
	t.Helper()
	docs := readAll(t, text)
	if len(docs) != 1 {
		t.Fatalf("%q has %d documents, want 1", text, len(docs))
	}
	return docs[0]
}

func TestReadCutsDocuments(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // line and text
	}{
		{"empty", "", nil},
		{"comments and separators", "---\n# a\n---\n\n...\n", nil},
		{"comments before and after", "# a\n\na: 1\n# b\n", []string{"3 a: 1\n# b\n"}},
		{"three documents", "a: 1\n---\nb: 1\n--- # c\n\nc: 1\n", []string{"1 a: 1\n", "3 b: 1\n", "6 c: 1\n"}},
		{"end of a document", "a: 1\n...\n---\nb: 1\n...\n", []string{"1 a: 1\n", "4 b: 1\n"}},
		{"start on the separator", "a: 1\n--- {b: 1}\n--- |\n c\n", []string{"1 a: 1\n", "2 --- {b: 1}\n", "3 --- |\n c\n"}},
		{"directive", "%YAML 1.1\n---\na: 1\n---\nb: 1\n", []string{"1 %YAML 1.1\n---\na: 1\n", "5 b: 1\n"}},
		{"directive before a start", "%YAML 1.1\n--- {a: 1}\n", []string{"1 %YAML 1.1\n--- {a: 1}\n"}},
		{"dashes that separate nothing", "a: |\n ---\n ...\n---b: 1\n", []string{"1 a: |\n ---\n ...\n---b: 1\n"}},
		{"carriage returns", "a: 1\r\n---\r\nb: 1\r\n", []string{"1 a: 1\r\n", "3 b: 1\r\n"}},
		{"byte order mark", "\uFEFF{\"a\":1}", []string{"1 {\"a\":1}"}},
		{"byte order mark within", "a: 1\n---\n\uFEFFb: 1\n", []string{"1 a: 1\n", "3 \uFEFFb: 1\n"}},
		{"JSON", "\n {\"a\":\n1}\n{\"b\":\"}\\\"{\"} {\"c\":1}\n", []string{"2 {\"a\":\n1}\n", "4 {\"b\":\"}\\\"{\"} ", "4 {\"c\":1}\n"}},
		{"JSON and YAML", "{\"a\":1}\nb: 1\n---\n{\"c\":1}\n---\nd: 1\n", []string{"1 {\"a\":1}\n", "2 b: 1\n", "4 {\"c\":1}\n", "6 d: 1\n"}},
		{"flow mapping as a key", "{a: 1}: {b: 2}\nc: 3\n", []string{"1 {a: 1}: {b: 2}\nc: 3\n"}},
		{"null", "null\n---\na: 1\n---\n# a\n~ # b\n--- Null\n---\r\nNULL\r\n", []string{"3 a: 1\n"}},
		{"nearly null", "null: 1\n---\n~\n~\n---\nnulls\n", []string{"1 null: 1\n", "3 ~\n~\n", "6 nulls\n"}},
		{"null after a directive", "%YAML 1.1\n---\nnull\n---\n--- null # a\n---\na: 1\n", []string{"7 a: 1\n"}},
		{"no separators", "a: |\n---#\n...x\n--\n...\n\n %a\n", []string{"1 a: |\n---#\n...x\n--\n", "7  %a\n"}},
		{"a backslash in JSON", "{\"b\":\"\\\\\"}\n{\"c\":{}}\nd: 1\n", []string{"1 {\"b\":\"\\\\\"}\n", "2 {\"c\":{}}\n", "3 d: 1\n"}},
		{"JSON that does not end", "{\"a\":{\n---\nb: 1\n", []string{"1 {\"a\":{\n", "3 b: 1\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, doc := range readAll(t, c.text) {
				got = append(got, fmt.Sprint(doc.Line, " ", string(doc.Data)))
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

const positions = `apiVersion: example.com/v1
kind: Widget
metadata:
  name: "a\tb"
  annotations: {example.com/a.b: x, example.com/a: {b: y}}
spec:
  list:
  - port: 80
    name: http
  -   - 1
      - two
  - *later
  größe: {ä: 1, ö: 2}
  empty:
  quoted: ''
  text: >-
    a
    b
  twice: 1
  twice: 2
  "q.r[0]": 3
base: &base {x: 1}
merged: {<<: *base, y: 2}
`

func TestFind(t *testing.T) {
	doc := only(t, strings.Replace(positions, "*later", "&later {z: 1}", 1))
	for _, c := range []struct {
		path, key, value, missing string
	}{
		{"", "1:1", "1:1", ""},
		{"kind", "2:1", "2:7", ""},
		{"metadata", "3:1", "3:1", ""},
		{"metadata.name", "4:3", "4:9", ""},
		{"metadata.labels", "3:1", "3:1", "labels"},
		{"metadata.annotations[example.com/a.b]", "5:17", "5:34", ""},
		{"metadata.annotations[example.com/a].b", "5:53", "5:56", ""},
		{"spec.list[0]", "8:5", "8:5", ""},
		{"spec.list[0].port", "8:5", "8:11", ""},
		{"spec.list[0].protocol", "8:5", "8:5", "protocol"},
		{"spec.list[1][1]", "11:9", "11:9", ""},
		{"spec.list[7].name", "7:3", "7:3", "[7].name"},
		{"spec.list[2].z", "12:13", "12:16", ""},
		{"spec.größe.ö", "13:17", "13:20", ""},
		{"spec.empty", "14:3", "14:3", ""},
		{"spec.quoted", "15:3", "15:11", ""},
		{"spec.list[2]", "12:5", "12:5", ""},
		{"spec.list[3]", "7:3", "7:3", "[3]"},
		{"spec.list[-1]", "7:3", "7:3", "[-1]"},
		{"spec.list[x].y", "7:3", "7:3", "[x].y"},
		{"spec.list.0]", "7:3", "7:3", "0]"},
		{"spec.list[0", "7:3", "7:3", "[0"},
		{"spec.text.a", "16:3", "16:9", "a"},
		{"spec.twice", "20:3", "20:10", ""},
		{"spec.q.r[0]", "21:3", "21:13", ""},
		{"merged.x", "22:14", "22:17", ""},
		{"merged.y", "23:21", "23:24", ""},
		{"nothing.at.all", "1:1", "1:1", "nothing.at.all"},
	} {
		got := doc.Find(c.path)
		if got.Key.String() != "f:"+c.key || got.Value.String() != "f:"+c.value ||
			got.Missing != c.missing {
			t.Errorf("%q: key %v, value %v, missing %q; want %s, %s, %q", c.path, got.Key,
				got.Value, got.Missing, c.key, c.value, c.missing)
		}
	}
}

func TestFindInJSON(t *testing.T) {
	docs := readAll(t, "{\"a\":1} {\r\n\t\"kind\": \"W\",\r\n"+
		"\t\"s\": {\"ä\": \"x\", \"l\": [1, {\"b\" :\t2}], \"a\": 1, \"a\": 2}}")
	for path, want := range map[string]string{
		"": "f:1:9", "kind": "f:2:10", "s": "f:3:7", "s.ä": "f:3:13", "s.l": "f:3:23",
		"s.l[0]": "f:3:24", "s.none.none": "f:3:7", "s.l[1].b": "f:3:34", "s.a": "f:3:52", "s.none": "f:3:7",
	} {
		if got := docs[1].Find(path).Value.String(); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
}

// Of duplicate keys and merge keys, Find takes those that the decoder takes.
func TestFindMerged(t *testing.T) {
	const anchors = "a: &a {x: 1, s: {u: 1}}\nb: &b {x: 2, s: {v: 2}}\n" +
		"c: &c {<<: *a, x: 3}\nd: &d {x: 4, <<: *b}\nm: {"
	entries := []string{"z: 0", "x: 5", "<<: *a", "<<: *b", "<<: [*a, *b]", "<<: [*d, *c]",
		"<<: [{x: 6}, {q: 6}]", "q: 7", "s: {w: 8}", "s.u: 9"}
	for i := range 1000 {
		text := anchors + entries[i/100] + ", " + entries[i/10%10] + ", " + entries[i%10] + "}"
		doc := only(t, text)
		object, _, err := doc.Object()
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"m.x", "m.q", "m.s.v", "m.s.w", "c.s.u", "d.s.v"} {
			value, want := fieldpath.Value(object, path)
			got, ok := doc.Find(path).Plain()
			if ok != want || ok && got != fmt.Sprint(value) {
				t.Errorf("%s: %s: %q %t, decoded %v %t", text, path, got, ok, value, want)
			}
		}
	}
}

// Of malformed JSON, Find knows what is before the error.
func TestFindInMalformedJSON(t *testing.T) {
	for _, text := range []string{`{"a": 1, "b": x}`, `{"a": 1} 5`, `{"a": 1, "b": [`} {
		if got := only(t, text).Find("a").Value.String(); got != "f:1:7" {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// A document that the server reads and the library with positions does not, and
// circles of aliases and merge keys.
func TestFindWithoutPositions(t *testing.T) {
	for _, text := range []string{
		"a: \xff", "a: [", "just text", "a: &x {<<: *x}\n", "a: &x [*x]", "a: &x {<<: [*x, *x]}",
		"a: &x {<<: &y [*y, *y]}", "a: &x {a: *x, a.a: *x}",
	} {
		doc := only(t, "\n"+text)
		deep := strings.Repeat("a.", 60) + "b"
		for _, path := range []string{"a.b.c", "a[0][0][0][0][0].x", "", deep} {
			got := doc.Find(path)
			if plain, ok := got.Plain(); got.Value.Line != 2 || got.Within(1, 9).Line != 2 ||
				ok != (text == "just text" && path == "") {
				t.Errorf("%q: %v, %q", text, got, plain)
			}
		}
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line, col  int
		want       string
	}{
		{"plain", "a: self.x > 1", 1, 6, "1:9"},
		{"plain on two lines", "a: self.x\n  >  1", 1, 8, "2:3"},
		{"plain below its key", "a:\n  self.x", 1, 6, "2:8"},
		{"plain with an empty line", "a: b\n\n  cd", 2, 2, "3:4"},
		{"single quotes", "a: 'it''s x'", 1, 6, "1:11"},
		{"double quotes", `a: "\t\u00e4\x41 \"x"`, 1, 6, "1:20"},
		{"double quotes on two lines", "a: \"b \n   c\\\n   d\"", 1, 4, "3:4"},
		{"surrogate pair in JSON", `{"a": "\ud83d\ude00x"}`, 1, 2, "1:20"},
		{"surrogate pair in capitals", `{"a": "\uD83D\uDE00x"}`, 1, 2, "1:20"},
		{"the last character before surrogates", `{"a": "\ud7ffx"}`, 1, 2, "1:14"},
		{"an escape of eight digits", `a: "\U0001F600x"`, 1, 2, "1:15"},
		{"an escape of two digits", `a: "\x41x"`, 1, 2, "1:9"},
		{"two quotes at the end", "a: 'x'''", 1, 2, "1:6"},
		{"an anchor inside", "a: x&y", 1, 3, "1:6"},
		{"an anchor on its line", "a: &b\n  xyz", 1, 2, "2:4"},
		{"a tag and quotes", "a: !!str 'xyz'", 1, 2, "1:12"},
		{"a tag of nothing", "a: !!str", 1, 1, "1:4"},
		{"literal", "a: |\n  x\n   yä z\n", 2, 5, "3:7"},
		{"literal with empty lines", "a: |-\n\n  x\n\n  y z\n", 4, 3, "5:5"},
		{"literal with an indent", "a: |1-\n   x\n  y\n", 2, 2, "3:3"},
		{"literal with spaces at the end of a line", "a: |\n  x  \n  y\n", 1, 3, "2:5"},
		{"literal after spaces at the end of a line", "a: |\n  x  \n  y\n", 2, 1, "3:3"},
		{"folded with spaces at the end of a line", "a: >\n  x  \n  y\n", 1, 5, "3:3"},
		{"an escaped line end after a carriage return", "a: \"b \\\r\n c\"", 1, 3, "2:2"},
		{"an escaped line end of one carriage return", "a: \"b \\\r c\"", 1, 2, "1:6"},
		{"plain with spaces at the end of a line", "a: x  \n  y", 1, 3, "2:3"},
		{"an escape of four digits", `a: "\u00e4x"`, 1, 2, "1:11"},
		{"a surrogate without digits", `a: "\ud7ff"`, 1, 2, "1:11"},
		{"the end of a quoted string", `a: "xy"`, 1, 3, "1:7"},
		{"the end of a block", "a: |-\n  xy", 1, 3, "2:5"},
		{"no line", "a: xyz", 0, 1, "1:4"},
		{"no column", "a: xyz", 1, 0, "1:4"},
		{"folded", "a: >\n  x\n  y z\n", 1, 5, "3:5"},
		{"folded with indented lines", "a: >\n  x\n    y\n  z\n", 2, 3, "3:5"},
		{"folded with empty lines", "a: >\n  x\n\n\n  y z\n", 3, 3, "5:5"},
		{"carriage returns", "a: |\r\n  x\r\n  yz\r\n", 2, 2, "3:4"},
		{"after carriage returns", "b: 1\r\nc: 2\rd: 3\r\na: xyz", 1, 2, "3:5"},
		{"after line ends of YAML 1.1", "b: 1\u0085c: 2\u2028a: xyz", 1, 2, "1:15"},
		{"single quotes in double quotes", `a: "x''yz"`, 1, 4, "1:8"},
		{"anchor and tag", "a: &b !!str xyz", 1, 3, "1:15"},
		{"alias", "b: &b xyz\na: *b", 1, 2, "1:8"},
		{"end of the string", "a: xyz", 1, 4, "1:7"},
		{"after the string", "a: xyz", 1, 5, "1:4"},
		{"after the last line", "a: xyz", 2, 1, "1:4"},
		{"no string", "a: {b: 1}", 1, 2, "1:4"},
	} {
		if got := only(t, c.text).Find("a").Within(c.line, c.col).String(); got != "f:"+c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A document starts with its first character, an item of a list with its own.
func TestStart(t *testing.T) {
	docs := readAll(t, "  a: 1\n---\n\n  b: 1\n---\n{\"c\":1}  {\"d\":1}\n")
	var got []string
	for _, doc := range docs {
		got = append(got, doc.Start().String()+" "+doc.String())
	}
	want := []string{"f:1:1 f", "f:4:1 f:4", "f:6:1 f:6", "f:6:10 f:6"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLocateFindings(t *testing.T) {
	docs := readAll(t, "a: 1\n---\nspec:\n  rule: |\n    self.x &&\n    self.foo > 1\n"+
		"  n: x\n  l: [a, a]\n")
	path := field.NewPath("spec")
	for _, c := range []struct {
		err  *field.Error
		want string
	}{
		{field.Invalid(path.Child("n"), "x", "no integer"), "f:7:6"},
		{field.Duplicate(path.Child("l").Index(1), "a"), "f:8:10"},
		{field.Required(path.Child("m"), ""), "f:3:1"},
		{field.Forbidden(path.Child("n"), ""), "f:7:3"},
		{field.Invalid(path.Child("rule"), "", "compilation failed: ERROR: <input>:2:5: undefined field 'foo'"), "f:6:9"},
		{field.Invalid(path.Child("rule"), "", "ERROR: <input>:99999999999999999999:5: x"), "f:4:9"},
		{field.Invalid(nil, "", `"spec.n" must not validate the schema (not)`), "f:7:6"},
		{&field.Error{Detail: `"spec.l[1]" must validate at least one schema (anyOf)`}, "f:8:10"},
		{field.Invalid(path.Child("rule"), "", "ERROR: <input>:1:99999999999999999999: x"), "f:4:9"},
		{field.Invalid(path.Child("m"), "", "ERROR: <input>:1:2: x"), "f:3:1"},
		{field.Invalid(nil, "", "`spec.n` is odd"), "f:3:1"},
		{field.Invalid(nil, "", "\"spec.n is odd"), "f:3:1"},
		{&field.Error{Field: "spec.n", Detail: `"spec.l" is odd`}, "f:7:6"},
	} {
		if got := docs[1].Locate(c.err).String(); got != c.want {
			t.Errorf("%v: %s, want %s", c.err, got, c.want)
		}
	}
}

func TestLocateText(t *testing.T) {
	doc := readAll(t, "a: 1\n---\nspec:\n  n: 1\n  x.y: 2\n  n: 3\n  2: 1\n  2: 1\n"+
		"  o: {n: o, m: [n], y: 1}\n   # end\n\\q: 1\n")[1]
	for text, want := range map[string]string{
		`unknown field "spec.n"`:     "f:6:3",
		`duplicate field "spec.x.y"`: "f:5:3",
		`unknown field "\q"`:         "f:11:1",
		`yaml: unmarshal errors:` + "\n" + `  line 4: key "n" already set in map`: "f:6:3",
		`line 6: key 2 already set in map`:                                        "f:8:3",
		`line 7: key "n" already set in map`:                                      "f:9:7",
		`line 7: key true already set in map`:                                     "f:9:21",
		`line 7: key "none" already set in map`:                                   "f:9:1",
		`line 77: key 2 already set in map`:                                       "f:12:1",
		`line 99999999999999999999: key 2 already set in map`:                     "f:3:1",
		`yaml: line 3: could not find expected ':'`:                               "f:5:3",
		`yaml: line 3: did not find expected key`:                                 "f:6:3",
		`yaml: line 8: x`:                                                         "f:10:4",
		`yaml: line 77: x`:                                                        "f:12:1",
		`yaml: line 99999999999999999999: x`:                                      "f:3:1",
		`spec.x.y: is odd`:                                                        "f:5:8",
		`spec.q: is odd`:                                                          "f:3:1",
		`: is odd`:                                                                "f:3:1",
		`something else`:                                                          "f:3:1",
		`spec.n`:                                                                  "f:3:1",
	} {
		if got := doc.LocateText(text).String(); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	late := readAll(t, "a: 1\n--- {b: 1}\n")[1]
	broken := only(t, "\na: [")
	for text, want := range map[string]*manifest.Document{
		"b: is odd": late, "line 1: key x already set in map": broken,
	} {
		if got := want.LocateText(text); got.Line != 2 {
			t.Errorf("%q: %v", text, got)
		}
	}
	if got := only(t, "\na: [\n \t# b").LocateText("yaml: line 2: x"); got.Column != 3 {
		t.Errorf("a line that starts with white space: %v", got)
	}
	if got := late.LocateText(": is odd").String(); got != "f:2:1" {
		t.Errorf("a text without a path: %s", got)
	}
}

func TestObjectErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: 1\n---\nkind: W\n spec: {}\n", "f:4:2: yaml: mapping values are not allowed in this context"},
		{"a: 1\n---\nm:\n  a: 1\n b: 2\n", "f:5:2: yaml: did not find expected key"},
		{"a: 1\n---\nm: [\n", "f:4:1: yaml: did not find expected node content"},
		{"a: \"x\xff\"", "f:1:6: yaml: invalid leading UTF-8 octet"},
		{"a: \"x\x01\"", "f:1:6: yaml: control characters are not allowed"},
		{"a: \"\t\r\n\u0085 \x7f\"", "f:2:3: yaml: control characters are not allowed"},
		{"a: \"é\u0084\"", "f:1:6: yaml: control characters are not allowed"},
		{"a: \"x\uFFFE\"", "f:1:6: yaml: control characters are not allowed"},
		{"a: \"x\uFFFF\"", "f:1:6: yaml: control characters are not allowed"},
		{"a: 1\nb: }\n" + strings.Repeat("# x\n", 1<<10) + "\x01",
			"f:2:1: yaml: did not find expected node content"},
		{"- a\n- b", "f:1:1: expected an object, got array"},
		{"[1, 2]", "f:1:1: expected an object, got array"},
		{"{\"a\": 1,\n \"b\": x}", "f:2:7: invalid character 'x' looking for beginning of value"},
	} {
		docs := readAll(t, c.text)
		_, _, err := docs[len(docs)-1].Object()
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func TestLineText(t *testing.T) {
	doc := readAll(t, "a: 1\n---\nb: 1\r\nc: 2")[1]
	for line, want := range []string{"", "", "", "b: 1", "c: 2", ""} {
		if got := doc.LineText(line); got != want {
			t.Errorf("line %d: %q, want %q", line, got, want)
		}
	}
	if got := readAll(t, "{} {\"a\":1}")[1].LineText(1); got != "   {\"a\":1}" {
		t.Errorf("%q", got)
	}
}

func TestItems(t *testing.T) {
	doc := readAll(t, "a: 1\n---\nkind: List\nitems:\n- kind: A\n  k: 1\n  k: 2\n- 7\n-\n"+
		"  kind: B\n  no: 1\n  n: 2\n")[1]
	object, strict, err := doc.Object()
	if err != nil || len(strict) != 2 {
		t.Fatal(strict, err)
	}
	items, isList, err := doc.Items(object, strict)
	const wantErr = "f:8:3: items[1]: expected an object, got integer"
	if !isList || len(items) != 2 || fmt.Sprint(err) != wantErr {
		t.Fatal(items, isList, err)
	}
	for i, want := range []string{
		"f:3 items[0] f:5:3 f:7:6 f:5:3 [f:7:3: key \"k\" already set in map]",
		"f:3 items[2] f:10:3 f:10:3 f:10:3 [f:12:3: key false already set in map]",
	} {
		item := items[i]
		_, strict, err := item.Object()
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(item, " ", item.Start(), " ", item.Find("k").Value, " ",
			item.Find("x").Key, " ", strict)
		if got != want {
			t.Errorf("item %d: %s, want %s", i, got, want)
		}
	}
	for text, want := range map[string]string{
		`line 5: key "k" already set in map`: "f:7:3",
		`yaml: line 3: x`:                    "f:5:1",
		`unknown field "k"`:                  "f:7:3",
		`unknown field "[k]"`:                "f:7:3",
		"json: cannot unmarshal number into Go struct field A.k of type string": "f:7:6",
	} {
		if got := items[0].LocateText(text).String(); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := items[1].LineText(4); got != "items:" {
		t.Errorf("line 4: %q", got)
	}
	checkLists(t)
	for _, text := range []string{"kind: W\nitems: []", "kind: List", "kind: List\nitems: {}"} {
		object, _, _ := only(t, text).Object()
		if _, isList, err := only(t, text).Items(object, nil); isList || err != nil {
			t.Errorf("%q is a list, %v", text, err)
		}
	}
}

// checkLists checks lists in lists, errors of items, and which item has a
// duplicate key.
func checkLists(t *testing.T) {
	t.Helper()
	for _, c := range []struct{ text, want string }{
		{"kind: List\nitems:\n- kind: List\n  items: [{kind: A}, {kind: B}]",
			"items[0].items[0] f:4:11 [] items[0].items[1] f:4:22 [] <nil>"},
		{"kind: List\nitems: [1, 2]", "f:2:9: items[0]: expected an object, got integer"},
		{"kind: List\nm: {a: 1, a: 2}\nitems: [{a: 1, a: 2}, {b: 1, b: 2}]",
			`items[0] f:3:9 [f:3:16: key "a" already set in map] items[1] f:3:23 ` +
				`[f:3:30: key "b" already set in map] <nil>`},
		{"kind: List\nitems: [{a: 1, a: 2}]", `items[0] f:2:9 [f:2:16: key "a" already set in map] <nil>`},
		{`{"kind": "List", "items": null}`, "<nil>"},
	} {
		doc := only(t, c.text)
		object, strict, _ := doc.Object()
		items, isList, err := doc.Items(object, strict)
		if list, ok := object["items"].([]any); ok && strings.HasPrefix(c.want, "items[0].") {
			object, _ = list[0].(map[string]any)
			items, isList, err = items[0].Items(object, nil)
		}
		got := ""
		for _, item := range items {
			_, strict, _ := item.Object()
			got += fmt.Sprint(item.Item, " ", item.Start(), " ", strict, " ")
		}
		if got += fmt.Sprint(err); got != c.want || !isList {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// Object is the decoder of the facade, and every document keeps its text.
func FuzzRead(f *testing.F) {
	f.Add(positions)
	f.Add("{\"a\":[{\"b\":\"\\u00e4\"}]}\n---\na: |\n  x\n# b\n...\n--- >\n x\n")
	f.Add("kind: List\nitems: [{a: 1, a: 2}, 7, &x {b: *x}]\r\n---\n%YAML 1.1\n---\na: \"\\\n  b\"")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		for doc, err := range manifest.Read("f", strings.NewReader(text)) {
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(text, string(doc.Data)) {
				t.Fatalf("document %q is not in the text", doc.Data)
			}
			checkDocument(t, doc, lines)
		}
	})
}

func checkDocument(t *testing.T, doc *manifest.Document, lines []string) {
	object, strict, err := doc.Object()
	want, wantStrict, wantErr := jsonvalue.Decode(doc.Data)
	wantObject, isObject := want.(map[string]any)
	if (err == nil) != (wantErr == nil && isObject) {
		t.Fatalf("error %v, the facade's %v", err, wantErr)
	}
	if err != nil {
		return
	}
	if !jsonvalue.Equal(object, wantObject) || (len(strict) > 0) != (len(wantStrict) > 0) {
		t.Fatalf("object %v, %v, the facade's %v, %v", object, strict, want, wantStrict)
	}
	check := func(p manifest.Position) {
		if p.Line < 1 || p.Line > len(lines) || p.Column < 1 ||
			p.Column > len(lines[p.Line-1])+1 {
			t.Fatalf("%v is not in the text", p)
		}
	}
	for _, e := range strict {
		check(e.Position)
	}
	var visit func(path string, value any)
	visit = func(path string, value any) {
		place := doc.Find(path)
		check(place.Key)
		check(place.Value)
		check(place.Within(1, 1))
		check(place.Within(2, 2))
		switch value := value.(type) {
		case string:
			for i, line := range strings.Split(value, "\n") {
				check(place.Within(i+1, utf8.RuneCountInString(line)+1))
			}
		case map[string]any:
			for key, inner := range value {
				visit(path+"["+key+"]", inner)
			}
		case []any:
			for i, inner := range value {
				visit(fmt.Sprintf("%s[%d]", path, i), inner)
			}
		}
	}
	visit("", object)
	items, _, _ := doc.Items(object, strict)
	for _, item := range items {
		check(item.Start())
	}
}

// Messages of the YAML library have the lines of the file.
func TestFileLines(t *testing.T) {
	docs := readAll(t, "a: 1\n---\nkind: AList\nitems:\n- {kind: A}\n")
	first, second := docs[0], docs[1]
	object, strict, err := second.Object()
	if err != nil {
		t.Fatal(err)
	}
	items, _, err := second.Items(object, strict)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		doc           *manifest.Document
		message, want string
	}{
		{first, "yaml: line 2: x", "yaml: line 2: x"},
		{second, "yaml: line 2: x", "yaml: line 4: x"},
		{items[0], "yaml: line 2: x", "yaml: line 4: x"},
		{second, "yaml: line 1: x\nline 3: y", "yaml: line 3: x\nline 5: y"},
		{second, `line 2: key "a" already set in map`, `line 4: key "a" already set in map`},
		{second, "line 2: x", "line 2: x"},
		{second, "yaml: underline 2, line 99999999999999999999", "yaml: underline 2, line 99999999999999999999"},
	} {
		if got := c.doc.FileLines(c.message); got != c.want {
			t.Errorf("%q: %q, want %q", c.message, got, c.want)
		}
	}
}

// A list yields its items, any other document itself.
func TestObjects(t *testing.T) {
	for _, c := range []struct {
		text, want string
		most       int
	}{
		{"kind: AList\nitems: [{kind: A}, {kind: B}]", "A B", 9},
		{"kind: AList\nitems: [{kind: A}, {kind: B}]", "A", 1},
		{"kind: AList\nitems: [{kind: A}, 5]", "A error", 9},
		{"kind: AList\nitems: [{kind: A}, 5]", "A", 1},
		{"kind: A\nitems: [{kind: B}]", "A", 9},
		{"kind: A", "A", 9},
		{"items: [", "", 9},
	} {
		var got []string
		for doc, err := range only(t, c.text).Objects() {
			if err != nil {
				got = append(got, "error")
			} else {
				object, _, _ := doc.Object()
				kind, _ := object["kind"].(string)
				got = append(got, kind)
			}
			if len(got) == c.most {
				break
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%q: %q, want %q", c.text, text, c.want)
		}
	}
	wrapped := errors.New("x")
	if !errors.Is(&manifest.Error{Err: wrapped}, wrapped) {
		t.Error("an error does not wrap its cause")
	}
}
