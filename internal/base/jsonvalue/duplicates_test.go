package jsonvalue_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "sigs.k8s.io/json"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Duplicate fields are those of the server's library, in its order and words.
func FuzzUnmarshalStrict(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"a":1,"a":2,"a":3}`, `{"a":{"b":1,"b":{"c":[]}},"a":{"b":2,"b":2,"d":0,"d":1}}`,
		`{"l":[{"a":1,"a":2},[{"":1,"":2}]],"":{"":1,"":1}}`, `[{"a":1,"a":2}]`, `{"[0]":{"a":1,"a":1}}`,
		`{"a":{"b":1,"b":1},"a.b":1,"a.b":1}`, `{"\u00e9":1,"é":2}`, `{"a":"\ud800","a":1e400}`,
		`{"a":1,"a":9223372036854775808}`, `{"a":1,"a":`, `1 2`, `{"a":1}{`, `"a"`, `{"é":{"\n":1,"\n":2}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want, got any
		strict, err := kjson.UnmarshalStrict(text, &want, kjson.DisallowDuplicateFields)
		found, gotErr := jsonvalue.UnmarshalStrict(text, &got)
		if diff := cmp.Diff(texts(append(strict, err)), texts(append(found, gotErr))); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(want, got); diff != "" && err == nil {
			t.Error(diff)
		}
	})
}

func texts(errs []error) (list []string) {
	for _, err := range errs {
		if err != nil {
			list = append(list, err.Error())
		}
	}
	return list
}
