package crd

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "sigs.k8s.io/json"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Long names take part in errors as they do in the library's.
func TestUnmarshalStrictTwin(t *testing.T) {
	long := strings.Repeat("n", longName)
	schema := func(of string) string {
		return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
			`"spec":{"versions":[{"name":"` + long + `","schema":{"openAPIV3Schema":` + of + `}}]}}`
	}
	for name, text := range map[string]string{
		"short":    schema(`{"properties":{"a":{"u":1},"b":{"u":1}}}`),
		"long":     schema(`{"properties":{"` + long + `":{"u":1},"` + long + `b":{"v":1}}}`),
		"unknown":  schema(`{"` + long + `":1,"` + long + `" : 2, "b":[{"` + long + `":3}]}`),
		"escapes":  schema(`{"properties":{"\u006e` + long + `\"\\é\n":{"u":1},"n` + long + `":{"u":1}}}`),
		"spaces":   schema("{\"properties\"\n:\t{\"" + long + "\" \r\n: {\"u\":1}}}"),
		"values":   schema(`{"pattern":"` + long + `:","description":"` + long + `\":","u":1}`),
		"twice":    schema(`{"properties":{"` + long + `":{"type":"a","type":"b"},"` + long + `":{"u":1}}}`),
		"hundreds": schema(`{"properties":{"` + long + `":{` + strings.TrimSuffix(strings.Repeat(`"u":1,`, 300), ",") + `}}}`),
		"wrong":    schema(`{"properties":{"` + long + `":[]}}`),
	} {
		t.Run(name, func(t *testing.T) {
			typed := func() any { return typesOf(formV1, profile.Latest()) }
			want, wantErr := kjson.UnmarshalStrict([]byte(text), typed())
			got, err := unmarshalStrict([]byte(text), typed())
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%v, want %v", err, wantErr)
			}
			if diff := cmp.Diff(fmt.Sprintf("%q", want), fmt.Sprintf("%q", got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Unknown fields below a long name are found in memory in proportion to the
// document.
func TestUnknownBelowLongName(t *testing.T) {
	fields := make([]string, 50_000)
	for i := range fields {
		fields[i] = fmt.Sprintf(`"p%d":{"type":"string","u":1}`, i)
	}
	text := []byte(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":` +
		`{"versions":[{"name":"v1","schema":{"openAPIV3Schema":{"type":"object","properties":{"` +
		strings.Repeat("k", 1_000_000) + `":{"type":"object","properties":{` +
		strings.Join(fields, ",") + `}}}}}}]}}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, strict, err := DecodeDefinition(text, profile.Latest())
	if err != nil || len(strict) == 0 {
		t.Fatal(len(strict), err)
	}
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; made > 2<<30 {
		t.Errorf("%d MB are allocated", made>>20) // 50 GB if each path is written out
	}
}
