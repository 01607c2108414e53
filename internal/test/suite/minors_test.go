package suite

import (
	"encoding/json"
	"reflect"
	"testing"
)

func raw(texts ...string) []json.RawMessage {
	var list []json.RawMessage
	for _, text := range texts {
		list = append(list, json.RawMessage(text))
	}
	return list
}

// Each minor has the answers of the nearest entry that is not older.
func TestAnswersOfMinors(t *testing.T) {
	r := Recorded{Want: json.RawMessage(`"new"`), Until: []Until{
		{Kubernetes: "1.34", Want: json.RawMessage(`"old"`), Or: raw(`"rare"`)},
		{Kubernetes: "1.31"},
	}, Next: &Until{Kubernetes: "1.38", Want: json.RawMessage(`"next"`)}}
	for minor, want := range map[string][]json.RawMessage{
		"1.37":  raw(`"new"`),
		"1.35":  raw(`"new"`),
		"1.34":  raw(`"old"`, `"rare"`),
		"1.32":  raw(`"old"`, `"rare"`),
		"1.31":  nil,
		"1.30":  nil,
		"1.29":  nil,
		"1.38":  raw(`"next"`),
		"1.39":  nil,
		"1.034": nil,
		"":      nil,
	} {
		if got := r.For(minor); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %s, want %s", minor, got, want)
		}
	}
}

// Recording one minor changes no other, and equal neighbors are written once.
func TestRecordMinors(t *testing.T) {
	var r Recorded
	record := func(minor, text string) {
		t.Helper()
		if err := r.Record(minor, raw(text)); err != nil {
			t.Fatal(err)
		}
	}
	record("1.37", `1`)
	if len(r.Until) != 0 {
		t.Errorf("only the newest is recorded: %+v", r)
	}
	for _, minor := range Minors() {
		if minor < "1.35" {
			record(minor, `2`)
		}
	}
	if len(r.Until) != 1 || string(r.Until[0].Want) != `2` || r.Until[0].Kubernetes != "1.34" {
		t.Errorf("%+v, want one entry for 1.34", r.Until)
	}
	record("1.33", `3`)
	for minor, want := range map[string]string{
		"1.37": `1`, "1.36": `1`, "1.34": `2`, "1.33": `3`, "1.30": `2`,
	} {
		if got := r.For(minor); len(got) != 1 || string(got[0]) != want {
			t.Errorf("%s: %s, want %s", minor, got, want)
		}
	}
	if err := r.Record("1.29", raw(`1`)); err == nil {
		t.Error("1.29 is recorded")
	}
}

// Vectors with entries that are out of order or about unknown minors are
// rejected.
func TestMinorsAreInOrder(t *testing.T) {
	const head = `{"id":"a","rule":"VER-001","description":"d","request":{"op":"sort","names":[]},"want":{"names":[]},"until":`
	for until, ok := range map[string]bool{
		`[{"kubernetes":"1.34","want":{}},{"kubernetes":"1.33","want":{}}]`: true,
		`[{"kubernetes":"1.33","want":{}},{"kubernetes":"1.34","want":{}}]`: false,
		`[{"kubernetes":"1.37","want":{}}]`:                                 false,
		`[{"kubernetes":"1.2","want":{}}]`:                                  false,
		`[{"minor":"1.33","want":{}}]`:                                      false,
	} {
		if _, err := parseVector("ver", []byte(head+until+"}")); (err == nil) != ok {
			t.Errorf("%s: %v", until, err)
		}
	}
}

// A vector under an older minor asks for it and wants its answer.
func TestUnder(t *testing.T) {
	line := []byte(`{"id":"a","rule":"VER-001","description":"d","request":{"op":"sort","names":[]},"want":{"names":[]},"until":[{"kubernetes":"1.33","want":{"names":["x"]}}]}` + "\n")
	v, err := parseVector("ver", line)
	if err != nil {
		t.Fatal(err)
	}
	again, err := v.AppendLine(nil)
	if err != nil || string(again) != string(line) {
		t.Errorf("written back: %s, %v", again, err)
	}
	list, err := Under("1.30", []Vector{v})
	if err != nil {
		t.Fatal(err)
	}
	req, err := list[0].ProtocolRequest()
	if err != nil || req.Kubernetes != "1.30" || string(list[0].Want) != `{"names":["x"]}` {
		t.Errorf("%+v, %s, %v", req, list[0].Want, err)
	}
	list, err = Under(Newest(), []Vector{v})
	if err != nil || string(list[0].Request) != string(v.Request) {
		t.Errorf("the newest minor: %s, %v", list[0].Request, err)
	}
	if _, err = Under("1.1", []Vector{v}); err == nil {
		t.Error("1.1 is known")
	}
}

// Differences have the depth of what they change.
func TestDepth(t *testing.T) {
	const want = `{"id":"1","errors":[{"type":"T","field":"f","detail":"d","text":"t","rule":"X-1"}],"warnings":["w"],"cost":1}`
	for got, level := range map[string]Level{
		`{"id":"2","errors":[{"type":"T","field":"f","detail":"d","text":"t"}],"warnings":["w"],"cost":1}`: Same,
		`{"errors":[{"type":"T","field":"f","detail":"e","text":"u"}],"warnings":[],"cost":1}`:             Text,
		`{"errors":[{"type":"T","field":"f","detail":"d","text":"t"}],"warnings":["w"],"cost":2}`:          Cost,
		`{"errors":[{"type":"U","field":"f","detail":"d","text":"t"}],"warnings":["w"],"cost":1}`:          Verdict,
		`{"fault":"x"}`: Verdict,
	} {
		if found, err := Depth([]byte(want), []byte(got)); err != nil || found != level {
			t.Errorf("%s: %q, want %q, %v", got, found, level, err)
		}
	}
}

// Entries about rules excuse differences up to their level under their minors.
func TestKnownDifferencesOfMinors(t *testing.T) {
	doc := "- {rule: VER-001, id: a, until: '1.34', since: '1.33', level: text, why: w}\n"
	known, err := ParseKnownDifferences([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	if len(known.Under("1.34")) != 1 || len(known.Under("1.33")) != 1 ||
		len(known.Under("1.35"))+len(known.Under("1.32")) != 0 {
		t.Error("the entry is not about 1.33 and 1.34")
	}
	if known.findRule("VER-001", Text) != 0 || known.findRule("VER-001", Verdict) >= 0 ||
		known.findRule("VER-002", Text) >= 0 || known.Find("a") >= 0 {
		t.Error("the entry excuses something else than texts of its rule")
	}
	for _, bad := range []string{
		"- {rule: VER-001, until: '1.33', level: text, why: w}",
		"- {rule: VER-001, id: a, level: text, why: w}",
		"- {rule: VER-001, id: a, until: '1.33', level: words, why: w}",
		"- {id: a, until: '1.99', why: w}",
	} {
		if _, err := ParseKnownDifferences([]byte(bad)); err == nil {
			t.Errorf("accepted: %s", bad)
		}
	}
}
