package protocol

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// echo answers prune with the given object and sort with the given names.
func echo(_ context.Context, req *Request) (Result, error) {
	if err := req.CheckKubernetes([]string{"1.36", "1.37"}); err != nil {
		return nil, err
	}
	switch req.Op {
	case OpSort:
		return Sorted{Names: req.Names}, nil
	case OpPrune:
		doc, format := req.Object.Document()
		if format == YAML {
			return Object{Object: string(doc)}, nil
		}
		v, err := ParseValue(doc)
		return Pruned{Object: v}, err
	case OpCost:
		panic("boom")
	case OpTable:
		return nil, errors.New("")
	}
	return nil, fmt.Errorf("op %s is not built", req.Op)
}

func serve(t *testing.T, in string, opts Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(context.Background(), strings.NewReader(in), &out, opts, echo); err != nil {
		t.Fatalf("Serve: %v", err)
	}
	return out.String()
}

func TestServeAnswersEachLine(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"a result", `{"id":"1","op":"sort","names":["v1"]}`, `{"id":"1","names":["v1"]}`},
		{"carriage return", "{\"id\":\"1\",\"op\":\"sort\",\"names\":[]}\r", `{"id":"1","names":[]}`},
		{"no UTF-8", "{\"id\":\"\xff\",\"op\":\"sort\",\"names\":[\"\xff\"]}", "{\"id\":\"\ufffd\",\"names\":[\"\ufffd\"]}"},
		{"not JSON", `nonsense`, `{"id":"","fault":"malformed request: invalid character 'o' in literal null (expecting 'u')"}`},
		{"empty line", ``, `{"id":"","fault":"malformed request: unexpected end of JSON input"}`},
		{"not an object", `null`, `{"id":"","fault":"malformed request: not an object"}`},
		{"no id", `{"op":"sort"}`, `{"id":"","fault":"missing id"}`},
		{"id is no string", `{"id":3,"op":"sort"}`, `{"id":"","fault":"field \"id\" is not a string"}`},
		{"no op", `{"id":"1"}`, `{"id":"1","fault":"missing op"}`},
		{"unknown op", `{"id":"1","op":"Sort"}`, `{"id":"1","fault":"unknown op \"Sort\""}`},
		{"unknown field", `{"id":"1","op":"sort","names":[],"Names":[]}`, `{"id":"1","fault":"unknown field \"Names\" of op \"sort\""}`},
		{"field of another op", `{"id":"1","op":"sort","names":[],"crd":{}}`, `{"id":"1","fault":"unknown field \"crd\" of op \"sort\""}`},
		{"missing input", `{"id":"1","op":"prune","schema":{}}`, `{"id":"1","fault":"missing input \"object\" of op \"prune\""}`},
		{"names hold a number", `{"id":"1","op":"sort","names":[1]}`, `{"id":"1","fault":"field \"names\" is not a list of strings"}`},
		{"names hold null", `{"id":"1","op":"sort","names":[null]}`, `{"id":"1","fault":"field \"names\" is not a list of strings"}`},
		{"objects are no list", `{"id":"1","op":"convert","crd":{},"to":"a/b","objects":{}}`, `{"id":"1","fault":"field \"objects\" is not a list"}`},
		{"objects are null", `{"id":"1","op":"convert","crd":{},"to":"a/b","objects":null}`, `{"id":"1","fault":"field \"objects\" is not a list"}`},
		{"names are null", `{"id":"1","op":"sort","names":null}`, `{"id":"1","fault":"field \"names\" is not a list of strings"}`},
		{"positions are text", `{"id":"1","op":"crd","crd":{},"positions":"true"}`, `{"id":"1","fault":"field \"positions\" is not a boolean"}`},
		{"a broken value", `{"id":"1","op":"sort","names":[}`, `{"id":"","fault":"malformed request: invalid character '}' looking for beginning of value"}`},
		{"a broken name", `{"id":"1","op\x":"sort"}`, `{"id":"","fault":"malformed request: invalid character 'x' in string escape code"}`},
		{"no end", `{"id":"1","op":"sort","names":[]`, `{"id":"","fault":"malformed request: unexpected end of JSON input"}`},
		{"two values", `{"id":"1","op":"sort","names":[]}{}`, `{"id":"","fault":"malformed request: invalid character '{' after top-level value"}`},
		{"two unknown fields", `{"id":"1","op":"sort","names":[],"y":1,"x":1}`, `{"id":"1","fault":"unknown field \"x\" of op \"sort\""}`},
		{"handler fails without a reason", `{"id":"1","op":"table","crd":{},"version":"","objects":[],"now":""}`, `{"id":"1","fault":"the request failed without a reason"}`},
		{"unknown minor", `{"id":"1","op":"sort","names":[],"kubernetes":"1.2"}`, `{"id":"1","fault":"kubernetes \"1.2\" is not known; known are 1.36, 1.37"}`},
		{"known minor", `{"id":"1","op":"sort","names":[],"kubernetes":"1.36"}`, `{"id":"1","names":[]}`},
		{"budget is no integer", `{"id":"1","op":"cel","schema":{},"object":{},"budget":1.5}`, `{"id":"1","fault":"field \"budget\" is not an integer"}`},
		{"handler fails", `{"id":"1","op":"crd","crd":{}}`, `{"id":"1","fault":"op crd is not built"}`},
		{"handler panics", `{"id":"1","op":"cost","schema":{}}`, `{"id":"1","fault":"panic: boom"}`},
		{"numbers keep their kind", `{"id":"1","op":"prune","schema":{},"object":{"a":1,"b":1.0,"c":1e21,"d":-0,"e":-0.0,"f":9223372036854775808}}`,
			`{"id":"1","object":{"a":1,"b":1.0,"c":1e+21,"d":0,"e":-0.0,"f":9.223372036854776e+18},"unknownFields":[]}`},
		{"text with a brace is JSON", `{"id":"1","op":"prune","schema":{},"object":"{\"a\":1,\"a\":2}"}`, `{"id":"1","object":{"a":2},"unknownFields":[]}`},
		{"the last of duplicate keys counts, whole", `{"id":"1","op":"prune","schema":{},"object":{"a":{"b":1},"a":{"c":[1]},"d":[2,3],"d":[4]}}`, `{"id":"1","object":{"a":{"c":[1]},"d":[4]},"unknownFields":[]}`},
		{"names are in byte order", `{"id":"1","op":"prune","schema":{},"object":{"\uffee":1,"\ud83d\ude00":2,"<b>":3,"\ud800":4}}`, `{"id":"1","object":{"<b>":3,"` + "\uffee\":1,\"\ufffd\":4,\"\U0001f600" + `":2},"unknownFields":[]}`},
		{"other text is YAML", `{"id":"1","op":"prune","schema":{},"object":"a: <1>\n"}`, `{"id":"1","object":"a: <1>\n"}`},
	}
	for _, c := range cases {
		if got := serve(t, c.in+"\n", Options{}); got != c.want+"\n" {
			t.Errorf("%s:\ngot  %swant %s", c.name, got, c.want)
		}
	}
}

func TestServeLastLineWithoutBreak(t *testing.T) {
	got := serve(t, `{"id":"1","op":"sort","names":[]}`, Options{})
	if want := `{"id":"1","names":[]}` + "\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := serve(t, "", Options{}); got != "" {
		t.Errorf("no input: got %q, want nothing", got)
	}
}

func TestServeSkipsLongLines(t *testing.T) {
	line := func(padding int) string {
		return `{"id":"` + strings.Repeat("x", padding) + `","op":"sort","names":[]}`
	}
	fits := line(MaxLine - len(line(0)))
	in := fits + "\n" + fits + " \n" + line(1) + "\n" + line(2*MaxLine)
	answers := strings.Split(strings.TrimSuffix(serve(t, in, Options{}), "\n"), "\n")
	if len(answers) != 4 {
		t.Fatalf("%d answers, want 4", len(answers))
	}
	const long = `{"id":"","fault":"the line is longer than 16 MiB"}`
	if strings.Contains(answers[0], "fault") || answers[1] != long ||
		answers[2] != `{"id":"x","names":[]}` || answers[3] != long {
		t.Errorf("second to last answers: %s", answers[1:])
	}
}

func TestServeInParallelKeepsOrder(t *testing.T) {
	const n = 500
	var in, want strings.Builder
	for i := range n {
		fmt.Fprintf(&in, `{"id":"%d","op":"sort","names":[]}`+"\n", i)
		fmt.Fprintf(&want, `{"id":"%d","names":[]}`+"\n", i)
	}
	slow := func(ctx context.Context, req *Request) (Result, error) {
		if strings.HasSuffix(req.ID, "0") {
			time.Sleep(time.Millisecond)
		}
		runtime.Gosched()
		return echo(ctx, req)
	}
	var out bytes.Buffer
	lines := strings.NewReader(in.String())
	if err := Serve(context.Background(), lines, &out, Options{Parallel: 8}, slow); err != nil {
		t.Fatal(err)
	}
	if out.String() != want.String() {
		t.Error("answers are out of order")
	}
}

func TestServeAnswersBeforeTheNextLine(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(context.Background(), inR, outW, Options{Parallel: 4}, echo) }()
	buf := make([]byte, 100)
	for range 3 {
		fmt.Fprintln(inW, `{"id":"1","op":"sort","names":[]}`)
		n, err := outR.Read(buf)
		if err != nil || string(buf[:n]) != `{"id":"1","names":[]}`+"\n" {
			t.Fatalf("read %q, %v", buf[:n], err)
		}
	}
	inW.Close()
	if err := <-done; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errors.New("broken") }
func (broken) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestServeReturnsErrorsOfItsStreams(t *testing.T) {
	if err := Serve(context.Background(), broken{}, io.Discard, Options{}, echo); err == nil {
		t.Error("broken input: no error")
	}
	lines := strings.NewReader("{}\n{}\n")
	if err := Serve(context.Background(), lines, broken{}, Options{}, echo); err == nil {
		t.Error("broken output: no error")
	}
	long := io.MultiReader(strings.NewReader(strings.Repeat("x", MaxLine+1<<17)), broken{})
	if err := Serve(t.Context(), long, io.Discard, Options{}, echo); err == nil {
		t.Error("broken within a long line: no error")
	}
	answer := `{"id":"` + strings.Repeat("x", 1<<17) + `"}`
	if err := Serve(t.Context(), strings.NewReader(answer), broken{}, Options{}, echo); err == nil {
		t.Error("broken output of a long answer: no error")
	}
	if err := (&Hello{}).Write(broken{}); err == nil {
		t.Error("broken output of the hello: no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	inR, _ := io.Pipe()
	if err := Serve(ctx, inR, io.Discard, Options{}, echo); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestRequestReadsBackAsWritten(t *testing.T) {
	lines := []string{
		`{"id":"\u0000","op":"structural","schema":{"a":1.0, "a":2}}`,
		`{"id":"1","op":"prune","schema":"type: object\n","object":"{\"a\":1.0}"}`,
		`{"id":"1","op":"validate","schema":{},"object":null,"old":{}}`,
		`{"id":"1","op":"cel","schema":{},"object":1,"old":[],"budget":5,"perCallLimit":-1}`,
		`{"id":"1","op":"crd","crd":{},"old":{}}`,
		`{"id":"1","op":"crd","crd":{},"kubernetes":"1.33"}`,
		`{"id":"1","op":"admit","crd":{},"version":"v1","object":{},"old":{},"subresource":"status","fieldValidation":"Strict"}`,
		`{"id":"1","op":"convert","crd":{},"to":"g/v2","objects":[{},"a: 1\n"]}`,
		`{"id":"1","op":"convert","crd":{"a":1,"a":2},"to":"g/v2","objects":[{"a":1,"a":{"b":1,"b":2}},1]}`,
		`{"id":"1","op":"table","crd":{},"version":"v1","objects":[],"now":"2026-01-01T00:00:00Z"}`,
		`{"id":"1","op":"define","name":"n","crd":"kind: X"}`,
		`{"id":"1","op":"crd","crd":{},"old":{},"positions":true}`,
		`{"id":"1","op":"sort","names":["v1","\"\\\n"]}`,
	}
	for _, line := range lines {
		req, err := ParseRequest([]byte(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		var again Request
		if err := again.UnmarshalJSON([]byte(line)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		for _, r := range []*Request{req, &again} {
			if got := string(r.AppendJSON(nil)); got != line {
				t.Errorf("got  %s\nwant %s", got, line)
			}
		}
	}
}

func TestNullOptionalInputsAreAbsent(t *testing.T) {
	req, err := ParseRequest([]byte(`{"id":"1","op":"cel","schema":{},"object":null,"old":null,"budget":null}`))
	if err != nil || req.Old.Given() || req.Budget != nil || !req.Object.Given() {
		t.Errorf("got %+v, %v", req, err)
	}
}

func TestAnswersHaveEveryMember(t *testing.T) {
	cost, card := int64(3), uint64(math.MaxUint64)
	errs := []FieldError{{
		Type: "FieldValueInvalid", Field: "<nil>", Detail: "d", Text: "<nil>: t \"x\"\u2028",
	}}
	cases := []struct {
		result Result
		want   string
	}{
		{Errors{}, `"errors":[]`},
		{Errors{errs}, `"errors":[{"type":"FieldValueInvalid","field":"<nil>","detail":"d","text":"<nil>: t \"x\"` + "\u2028" + `"}]`},
		{Pruned{}, `"object":null,"unknownFields":[]`},
		{Object{map[string]any{"b": []any{true, nil}, "a": "x\x00\xff"}}, `"object":{"a":"x\u0000` + "\ufffd" + `","b":[true,null]}`},
		{Validated{}, `"errors":[],"ratcheted":[]`},
		{Evaluated{Cost: &cost}, `"errors":[],"warnings":[],"cost":3`},
		{Evaluated{Warnings: []string{"w"}}, `"errors":[],"warnings":["w"],"cost":null`},
		{Costs{}, `"rules":[]`},
		{Costs{[]CostRule{{Path: "p", Rule: "r", Cardinality: &card}, {Index: 1}}},
			`"rules":[{"path":"p","index":0,"rule":"r","maxCost":0,"cardinality":18446744073709551615,"total":0,"messageCost":0,"usesOldSelf":false,"errors":[]},` +
				`{"path":"","index":1,"rule":"","maxCost":0,"cardinality":null,"total":0,"messageCost":0,"usesOldSelf":false,"errors":[]}]`},
		{Definition{}, `"errors":[],"warnings":[]`},
		{Admitted{Stage: StageDecode, Object: 1}, `"stage":"decode","unknownFields":[],"errors":[],"warnings":[]`},
		{Admitted{Stage: StageInvalid}, `"stage":"invalid","object":null,"unknownFields":[],"errors":[],"warnings":[]`},
		{Converted{Objects: []any{int64(1), 1e20}}, `"objects":[1,1e+20]`},
		{Converted{Objects: []any{1}, Errors: []FieldError{{Type: ConversionError}}}, `"errors":[{"type":"ConversionError","field":"","detail":"","text":""}]`},
		{Converted{Errors: []FieldError{{Rule: "CONV-020"}}}, `"errors":[{"type":"","field":"","detail":"","text":"","rule":"CONV-020"}]`},
		{Sorted{}, `"names":[]`},
		{Table{}, `"columns":[],"rows":[]`},
		{Table{Columns: []TableColumn{{Name: "N", Type: "string"}}, Rows: [][]any{{"a", nil}, {int64(2)}}},
			`"columns":[{"name":"N","type":"string","format":"","description":"","priority":0}],"rows":[["a",null],[2]]`},
		{Object{map[string]any{"a": []any{math.NaN()}}}, `"fault":"the result has no JSON form: object.a[0]: NaN has no JSON form"`},
		{Admitted{Stage: StageAdmitted, Object: map[string]any{"a": "b"}}, `"stage":"admitted","object":{"a":"b"},"unknownFields":[],"errors":[],"warnings":[]`},
		{Converted{}, `"objects":[]`},
		{Sorted{[]string{"v1"}}, `"names":["v1"]`},
		{Defined{"n"}, `"name":"n"`},
		{Pruned{Object: math.Inf(-1)}, `"fault":"the result has no JSON form: object: -Inf has no JSON form"`},
		{Admitted{Object: []any{"x", math.Inf(1)}}, `"fault":"the result has no JSON form: object[1]: +Inf has no JSON form"`},
		{Converted{Objects: []any{"x", int32(1)}}, `"fault":"the result has no JSON form: object[1]: a int32 is no JSON value"`},
		{Table{Rows: [][]any{{"a"}, {"b", uint8(1)}}}, `"fault":"the result has no JSON form: object[1][1]: a uint8 is no JSON value"`},
		{Object{map[string]any{"c": 1, "a": "x", "b": 2, "d": 3}}, `"fault":"the result has no JSON form: object.b: a int is no JSON value"`},
		{Object{map[string]any{"a": 1}}, `"fault":"the result has no JSON form: object.a: a int is no JSON value"`},
	}
	for _, c := range cases {
		answer := &Answer{ID: "1", Result: c.result}
		got := string(answer.AppendJSON(nil))
		if want := `{"id":"1",` + c.want + `}`; got != want {
			t.Errorf("%T:\ngot  %s\nwant %s", c.result, got, want)
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("%T: not JSON: %s", c.result, got)
		}
	}
	if got := string((&Answer{}).AppendJSON(nil)); got != `{"id":"","fault":"no result"}` {
		t.Errorf("empty answer: %s", got)
	}
}

func TestHelloIsOneLine(t *testing.T) {
	var out bytes.Buffer
	hello := Hello{Name: "n", Version: "v", Kubernetes: []string{"1.37"}, Ops: Ops()[:2]}
	if err := hello.Write(&out); err != nil {
		t.Fatal(err)
	}
	if ops := Ops(); slices.Contains(ops, OpDefine) || len(ops) != len(protocolOps)-1 {
		t.Errorf("the ops of a handler are %s", ops)
	}
	want := `{"protocol":1,"name":"n","version":"v","kubernetes":["1.37"],"ops":["structural","prune"]}` + "\n"
	if out.String() != want {
		t.Errorf("got %swant %s", out.String(), want)
	}
}

func TestValueInputRefusesOtherTypes(t *testing.T) {
	if _, err := ValueInput(map[string]any{"a": float32(1)}); err == nil ||
		!strings.HasPrefix(err.Error(), ".a: ") {
		t.Errorf("got %v", err)
	}
	in, err := ValueInput(map[string]any{"a": 1.0})
	if doc, format := in.Document(); err != nil || string(doc) != `{"a":1.0}` || format != JSON {
		t.Errorf("got %s %s %v", doc, format, err)
	}
}

// An input is equal to those that are written alike. It is sent as it was
// given.
func TestInputs(t *testing.T) {
	seed := maphash.MakeSeed()
	value, err := ValueInput("{")
	if err != nil {
		t.Fatal(err)
	}
	inputs := []Input{{}, JSONInput([]byte(`{}`)), TextInput("{}"), TextInput("a: \"b\"\n"), value}
	for i, c := range []struct {
		sent, document string
		format         Format
		text, given    bool
	}{
		{sent: `null`},
		{sent: `{}`, document: `{}`, format: JSON, given: true},
		{sent: `"{}"`, document: `{}`, format: JSON, text: true, given: true},
		{sent: `"a: \"b\"\n"`, document: "a: \"b\"\n", format: YAML, text: true, given: true},
		{sent: `"{"`, document: `"{"`, format: JSON, given: true},
	} {
		in := inputs[i]
		sent, err := in.MarshalJSON()
		document, format := in.Document()
		if err != nil || string(sent) != c.sent || string(document) != c.document ||
			format != c.format || in.IsText() != c.text || in.Given() != c.given ||
			in.Size() != len(c.document) {
			t.Errorf("%s, %s, %s, %t, want %+v", sent, document, format, in.IsText(), c)
		}
		for j, other := range inputs {
			if in.Equal(other) != (i == j) {
				t.Errorf("%s and %d: equal %t", sent, j, i != j)
			}
		}
		if again := (Input{bytes.Clone(in.written), in.form}); !in.Equal(again) ||
			in.Hash(seed) != again.Hash(seed) {
			t.Errorf("%s is not equal to itself", sent)
		}
	}
	if inputs[1].Hash(seed) == inputs[3].Hash(seed) {
		t.Error("different inputs have one hash")
	}
}

// Neither values nor lines that are no JSON are read.
func TestNoJSON(t *testing.T) {
	for _, doc := range []string{"", "1 2", "[1", "1e999", "tru", "-", "[1.]"} {
		if v, err := ParseValue([]byte(doc)); err == nil {
			t.Errorf("%s: %v", doc, v)
		}
	}
	if dst, err := AppendValue([]byte("x"), []any{1}); err == nil || string(dst) != "x" {
		t.Errorf("%s, %v", dst, err)
	}
	if err := new(Request).UnmarshalJSON([]byte(`{"id":"1"}`)); err == nil {
		t.Error("a request without an op")
	}
	answer := AnswerLine(t.Context(), []byte(`{"id":"1"}`), echo)
	if answer.ID != "1" || answer.Fault != "missing op" || answer.Result != nil {
		t.Errorf("%+v", answer)
	}
}

// A list of errors has as many texts as there is room for: the last one is that
// which reaches the bound.
func TestFieldErrors(t *testing.T) {
	const start = `f: Invalid value: "v": `
	long := strings.Repeat("x", MaxTexts)
	for _, sizes := range [][]int{{MaxTexts - 1, 100, 0}, {MaxTexts, 0, 0}, {100, MaxTexts, 0}} {
		list, wants := field.ErrorList{}, []FieldError{}
		for _, size := range sizes {
			detail := long[:max(size-len(start), 0)]
			e := field.Invalid(field.NewPath("f"), "v", detail)
			e.Origin = "VAL-001"
			want := FieldError{Type: "FieldValueInvalid", Field: "f", Detail: detail,
				Text: start + detail, Rule: "VAL-001"}
			if size == 0 {
				want.Text = NotShown
			}
			list, wants = append(list, e), append(wants, want)
		}
		for i, err := range FieldErrors(list) {
			if err != wants[i] {
				t.Errorf("%d, error %d: %.100s", sizes, i, err.Text)
			}
		}
	}
}

func FuzzAnswerLine(f *testing.F) {
	f.Add([]byte(`{"id":"1","op":"sort","names":["v1"]}`))
	f.Add([]byte(`{"id":"1","op":"prune","schema":{},"object":"{"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		got := AnswerLine(context.Background(), line, echo).AppendJSON(nil)
		if !json.Valid(got) || bytes.ContainsRune(got, '\n') {
			t.Errorf("AnswerLine(%q) = %q", line, got)
		}
	})
}

// An integer that fits is an int64, any other number a float64, and the last of
// duplicate keys counts.
func TestParseValue(t *testing.T) {
	for doc, want := range map[string]any{
		"10": int64(10), "-9223372036854775808": int64(math.MinInt64), "9223372036854775808": 0x1p63,
		"1.0": 1.0, "1E2": 100.0, `"a"`: "a", "null": nil, "true": true,
		`{"a":{"b":1},"a":{"c":2}}`: map[string]any{"a": map[string]any{"c": int64(2)}},
	} {
		if got, err := ParseValue([]byte(doc)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v, %v", doc, got, err)
		}
	}
}

// A text takes as many bytes as an answer may have, and nothing after more.
func TestAnswerText(t *testing.T) {
	var text answerText
	text.Buffer = *bytes.NewBuffer(make([]byte, MaxAnswer-2, MaxAnswer+16))
	if n, err := text.Write([]byte("ab")); n != 2 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	for _, more := range []string{"c", ""} {
		if _, err := text.Write([]byte(more)); err == nil || text.Len() != MaxAnswer {
			t.Errorf("%d bytes after %q", text.Len(), more)
		}
	}
}

// By default one request is evaluated at a time.
func TestServeOneAtATime(t *testing.T) {
	var running, most atomic.Int32
	handler := func(ctx context.Context, req *Request) (Result, error) {
		if n := running.Add(1); n > 1 {
			most.Store(n)
		}
		defer running.Add(-1)
		time.Sleep(10 * time.Millisecond)
		return echo(ctx, req)
	}
	lines := strings.Repeat(`{"id":"1","op":"sort","names":[]}`+"\n", 5)
	err := Serve(t.Context(), strings.NewReader(lines), io.Discard, Options{}, handler)
	if err != nil {
		t.Fatal(err)
	}
	if n := most.Load(); n != 0 {
		t.Errorf("%d requests at a time", n)
	}
}

func FuzzValueReadsBack(f *testing.F) {
	f.Add([]byte(`{"a":[1,1.0,1e21,"\u2028"]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		v, err := ParseValue(doc)
		if err != nil {
			return
		}
		once, err := AppendValue(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseValue(once)
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		if twice, _ := AppendValue(nil, again); !bytes.Equal(once, twice) {
			t.Errorf("%s became %s", once, twice)
		}
	})
}

// A request that takes too long is a fault, and those after it are answered.
func TestServeTimeout(t *testing.T) {
	waits := func(ctx context.Context, req *Request) (Result, error) {
		if req.ID == "1" {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}
		return Sorted{Names: req.Names}, nil
	}
	in := `{"id":"1","op":"sort","names":[]}` + "\n" + `{"id":"2","op":"sort","names":["a"]}`
	var out bytes.Buffer
	options := Options{Timeout: time.Millisecond}
	err := Serve(t.Context(), strings.NewReader(in), &out, options, waits)
	want := `{"id":"1","fault":"the request took too long"}` + "\n" + `{"id":"2","names":["a"]}` + "\n"
	if err != nil || out.String() != want {
		t.Errorf("%v\n%s, want\n%s", err, out.String(), want)
	}
}

// The end of Serve, and of a request, ends the contexts of handlers.
func TestServeEndsContexts(t *testing.T) {
	started, ended := make(chan bool), make(chan bool)
	handler := func(ctx context.Context, req *Request) (Result, error) {
		if req.ID == "1" {
			<-started
			return Sorted{}, nil
		}
		close(started)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}
	lines := strings.NewReader(`{"id":"1","op":"sort","names":[]}` + "\n" + `{"id":"2","op":"sort","names":[]}`)
	if err := Serve(t.Context(), lines, broken{}, Options{Parallel: 2}, handler); err == nil {
		t.Error("no error")
	}
	<-ended
	var within context.Context
	(&server{timeout: time.Hour}).within(t.Context(), func(ctx context.Context) *Answer {
		within = ctx
		return nil
	})
	if within.Err() == nil {
		t.Error("the context of a request goes on")
	}
}
