package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/testschema"
)

// lamps has fields of several types, and a status.
var lamps = testschema.Definition("Lamp", `
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {watts: {type: integer, default: 5}, color: {type: string}}}
          status: {type: object, properties: {lit: {type: boolean}}}
`)

const lamp = `"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"a","namespace":"n"}`

// What is said of a body that the server has decoded is what the library says
// of the text.
func TestBodyIsObject(t *testing.T) {
	media := map[crdsem.Encoding]string{
		crdsem.JSON: "application/json", crdsem.YAML: "application/yaml",
	}
	for name, test := range map[string]struct {
		format crdsem.Encoding
		text   string
	}{
		"valid":             {crdsem.JSON, `{` + lamp + `,"spec":{"watts":1}}`},
		"a whole float":     {crdsem.JSON, `{` + lamp + `,"spec":{"watts":1.0}}`},
		"space":             {crdsem.JSON, "\n\t{" + lamp + `,"spec":{"watts":"x"}}`},
		"unknown field":     {crdsem.JSON, `{` + lamp + `,"spec":{"wats":1}}`},
		"repeated":          {crdsem.JSON, `{` + lamp + `,"spec":{"watts":1,"watts":2}}`},
		"invalid":           {crdsem.JSON, `{` + lamp + `,"spec":{"watts":"x"}}`},
		"no kind":           {crdsem.JSON, `{"apiVersion":"example.com/v1","metadata":{"name":"a"}}`},
		"no version":        {crdsem.JSON, `{"kind":"Lamp","metadata":{"name":"a"}}`},
		"another kind":      {crdsem.JSON, `{"apiVersion":"example.com/v1","kind":"Desk"}`},
		"kind in capitals":  {crdsem.JSON, `{` + lamp + `,"KIND":"Desk"}`},
		"kind of no string": {crdsem.JSON, `{"apiVersion":"example.com/v1","kind":1}`},
		"odd metadata":      {crdsem.JSON, `{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":1}}`},
		"no object":         {crdsem.JSON, `[1]`},
		"nothing":           {crdsem.JSON, ``},
		"cut":               {crdsem.JSON, `{` + lamp},
		"YAML as JSON":      {crdsem.JSON, "kind: Lamp\n"},
		"YAML":              {crdsem.YAML, "{" + lamp + "}"},
		"YAML, a float":     {crdsem.YAML, "{" + lamp + ", spec: {watts: 1.0}}"},
		"YAML, repeated":    {crdsem.YAML, "{" + lamp + ", spec: {watts: 1, watts: 2}}"},
		"YAML, no object":   {crdsem.YAML, "a"},
		"YAML, wrong":       {crdsem.YAML, "a: b: c"},
	} {
		for _, level := range []crdsem.Strictness{crdsem.Ignore, crdsem.Warn, crdsem.Strict} {
			h := handlerOf(t, lamps)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost,
				"/apis/example.com/v1/namespaces/n/lamps?fieldValidation="+string(level),
				strings.NewReader(test.text))
			r.Header.Set("Content-Type", media[test.format])
			q, ok := h.route(r)
			if !ok {
				t.Fatal("no route")
			}
			q.body = []byte(test.text)
			options := q.options(choices{fieldValidation: string(level)})
			got := q.do(q.sent(crdsem.VerbCreate, nil), options)
			want := q.api.Do(t.Context(), crdsem.Request{Verb: crdsem.VerbCreate, Body: q.body}.
				With(append(options, crdsem.Format(test.format))...))
			diff := cmp.Diff(want.Object, got.Object) + cmp.Diff(want.Warnings, got.Warnings) +
				cmp.Diff(statusOf(orNone(want.Err())), statusOf(orNone(got.Err())))
			if diff != "" {
				t.Errorf("%s, %s: %s", name, level, diff)
			}
		}
	}
}

// orNone returns an error, or one that stands for none.
func orNone(err error) error {
	if err == nil {
		return errChanged
	}
	return err
}

// BenchmarkCreate creates objects, without TLS.
func BenchmarkCreate(b *testing.B) {
	d, err := crdsem.Parse([]byte(lamps))
	if err != nil {
		b.Fatal(err)
	}
	h, err := NewHandler(d)
	if err != nil {
		b.Fatal(err)
	}
	const text = `{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"generateName":"a-",` +
		`"namespace":"n","labels":{"a":"b"}},"spec":{"watts":1,"color":"red"}}`
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost,
			"/apis/example.com/v1/namespaces/n/lamps", strings.NewReader(text))
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusCreated {
			b.Fatal(w.Body)
		}
	}
}
