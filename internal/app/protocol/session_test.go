package protocol

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sizes answers convert with the length of the definition.
func sizes(_ context.Context, req *Request) (Result, error) {
	doc, _ := req.CRD.Document()
	return Converted{Objects: []any{int64(len(doc))}}, nil
}

// Definitions are known to all later requests, and the last one of a name
// counts.
func TestSession(t *testing.T) {
	const convert = `{"id":"%s","op":"convert","to":"a/b","objects":[],"crd":%s}`
	lines := []struct{ request, want string }{
		{fmt.Sprintf(convert, "1", `{"$ref":"a"}`), `{"id":"1","fault":"no definition \"a\"; it was not defined, or it is forgotten"}`},
		{`{"id":"2","op":"define","name":"a","crd":{}}`, `{"id":"2","name":"a"}`},
		{`{"id":"3","op":"d\u0065fine","name":"b","crd":"kind: X"}`, `{"id":"3","name":"b"}`},
		{fmt.Sprintf(convert, "4", `{"$ref":"a"}`), `{"id":"4","objects":[2]}`},
		{fmt.Sprintf(convert, "5", ` { "\u0024ref" : "b" }`), `{"id":"5","objects":[7]}`},
		{fmt.Sprintf(convert, "6", `{"$ref":"b"}`), `{"id":"6","objects":[7]}`},
		{`{"id":"7","op":"define","name":"a","crd":"{}   "}`, `{"id":"7","name":"a"}`},
		{fmt.Sprintf(convert, "8", `{"$ref":"a"}`), `{"id":"8","objects":[5]}`},
		{fmt.Sprintf(convert, "9", `{"$ref":"a","kind":"X"}`), `{"id":"9","objects":[23]}`},
		{fmt.Sprintf(convert, "10", `{"$ref":1}`), `{"id":"10","objects":[10]}`},
		{fmt.Sprintf(convert, "a", `{"$ref":"`+strings.Repeat("x", 4086)+`"}`), `{"id":"a","objects":[4097]}`},
		{fmt.Sprintf(convert, "b", `{"$ref":"`+strings.Repeat("x", 4085)+`"}`), `{"id":"b","fault":"no definition \"` +
			strings.Repeat("x", 4085) + `\"; it was not defined, or it is forgotten"}`},
		{fmt.Sprintf(convert, "c", `"{\"$ref\":\"a\"}"`), `{"id":"c","objects":[12]}`},
		{fmt.Sprintf(convert, "d", `["$ref"]`), `{"id":"d","objects":[8]}`},
		{fmt.Sprintf(convert, "e", `{"$reF":"a"}`), `{"id":"e","objects":[12]}`},
		{`{"id":"11","op":"define","name":"c","crd":{"$ref":"a"}}`, `{"id":"11","fault":"a definition cannot be a reference"}`},
		{`{"id":"12","op":"define","crd":{}}`, `{"id":"12","fault":"missing input \"name\" of op \"define\""}`},
	}
	var in, want strings.Builder
	for _, l := range lines {
		in.WriteString(l.request + "\n")
		want.WriteString(l.want + "\n")
	}
	for _, parallel := range []int{1, 8} {
		var out bytes.Buffer
		options := Options{Parallel: parallel}
		err := Serve(t.Context(), strings.NewReader(in.String()), &out, options, sizes)
		if diff := cmp.Diff(want.String(), out.String()); err != nil || diff != "" {
			t.Errorf("%d in parallel: %v\n%s", parallel, err, diff)
		}
	}
}

// A session forgets the definitions that were not used for the longest time.
func TestSessionForgets(t *testing.T) {
	s := NewSession(sizes)
	quarter := strings.Repeat("x", MaxDefined/4)
	answer := func(line string) string {
		return string(s.Answer(t.Context(), []byte(line)).AppendJSON(nil))
	}
	refer := func(name string) string {
		return answer(`{"id":"1","op":"convert","to":"a/b","objects":[],"crd":{"$ref":"` + name + `"}}`)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		answer(`{"id":"1","op":"define","name":"` + name + `","crd":"` + quarter + `"}`)
	}
	refer("a")
	answer(`{"id":"1","op":"define","name":"e","crd":"x"}`)
	for name, kept := range map[string]bool{"a": true, "b": false, "c": true, "e": true} {
		if got := refer(name); strings.Contains(got, "fault") == kept {
			t.Errorf("%s: %s", name, got)
		}
	}
}
