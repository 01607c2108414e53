package live

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/merge/apply"
)

// openAlbum opens the CRD of the albums.
func openAlbum(t *testing.T) *facadeResource {
	t.Helper()
	manifests, err := readManifests("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range manifests {
		if text(child(m.object, "metadata"), "name") == "albums.live.example.com" {
			definition, err := crdsem.Parse(encode(m.object))
			if err != nil {
				t.Fatal(err)
			}
			return &facadeResource{definition}
		}
	}
	t.Fatal("there is no CRD of albums")
	return nil
}

// albumOf returns an album of version v1 with a front, as a request creates it.
func albumOf(front string) *write {
	body := `{"apiVersion":"live.example.com/v1","kind":"Album","metadata":{"name":"x"},"front":` + front + `}`
	return &write{version: "v1", namespace: "default", media: mediaJSON, body: []byte(body)}
}

// TestFaults checks that the faults are exactly those that the server may
// report, and that the judge reports one of them.
func TestFaults(t *testing.T) {
	album := openAlbum(t)
	tests := []struct {
		front string
		want  []string // the fields
	}{
		{`{}`, nil},
		{`{"cover":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}}`, nil},
		{`{"cover":{"kind":1}}`, []string{"front.cover.kind"}},
		{`{"cover":{"kind":1,"apiVersion":2,"metadata":3}}`, []string{"front.cover.apiVersion", "front.cover.kind", "front.cover.metadata"}},
		{`{"pages":[{},{"kind":1,"metadata":2},{"apiVersion":3}],"second":{"kind":4}}`, []string{"front.pages[1].kind", "front.pages[1].metadata", "front.second.kind"}},
		{`{"notes":{"b":{"kind":1},"a":{"kind":2},"c":"text"},"unknown":{"kind":1}}`, []string{"front.notes[a].kind", "front.notes[b].kind"}},
	}
	for _, test := range tests {
		judged, err := album.write(albumOf(test.front))
		if err != nil {
			t.Fatal(err)
		}
		var fields []string
		told := 0
		for _, fault := range judged.faults {
			field, _, _ := strings.Cut(fault, ":")
			fields = append(fields, field)
			if endsWith(judged.message, fault) {
				told++
			}
		}
		if !slices.Equal(fields, test.want) || told != min(1, len(test.want)) {
			t.Errorf("%s: faults of %q, %d of them told in %q; want those of %q", test.front,
				fields, told, judged.message, test.want)
		}
	}
}

// TestCompareFaults checks that the server may report another fault of the same
// object, and that no other difference is accepted.
func TestCompareFaults(t *testing.T) {
	album := openAlbum(t)
	judge := func(front string) *verdict {
		judged, err := album.write(albumOf(front))
		if err != nil {
			t.Fatal(err)
		}
		return judged
	}
	both := judge(`{"cover":{"kind":1},"second":{"kind":2}}`)
	if got := compareVerdicts(judge(`{"second":{"kind":2}}`), both); len(got) > 0 {
		t.Errorf("the other fault: told %q", got)
	}
	for _, front := range []string{`{"second":{"kind":3}}`, `{"second":{"apiVersion":2}}`, `{"notes":{"second":{"kind":2}}}`, `{}`} {
		if got := compareVerdicts(judge(front), both); len(got) == 0 {
			t.Errorf("%s: nothing is told", front)
		}
	}
	warned := judge(`{"second":{"kind":2}}`)
	warned.warnings = []string{"w"}
	if got := compareVerdicts(warned, both); len(got) == 0 {
		t.Error("the other fault with a warning: nothing is told")
	}
}

// TestMergeFaults checks that a merged object that does not fit the versions of
// several managers may be reported for any of them.
func TestMergeFaults(t *testing.T) {
	version := func(name, properties string) string {
		return `{"name":"` + name + `","served":true,"storage":` + strconv.FormatBool(name == "v1") + `,"schema":{"openAPIV3Schema":{"type":"object","properties":` + properties + `}}}`
	}
	definition, err := crdsem.Parse([]byte(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"foos.g.example.com"},"spec":{
		"group":"g.example.com","scope":"Namespaced","names":{"plural":"foos","singular":"foo","kind":"Foo","listKind":"FooList"},"versions":[`+
		version("v1", `{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"}}`)+","+version("v2", `{"b":{"type":"integer"},"c":{"type":"integer"}}`)+","+
		version("v3", `{"a":{"type":"integer"},"c":{"type":"integer"}}`)+`]}}`), apply.Server())
	if err != nil {
		t.Fatal(err)
	}
	entry := func(version string) string {
		return `{"manager":"x","operation":"Update","apiVersion":"g.example.com/` + version + `","fieldsType":"FieldsV1","fieldsV1":{"f:c":{}}}`
	}
	judged, err := (&facadeResource{definition}).write(&write{
		version:   "v1",
		namespace: "default",
		patch:     true,
		media:     mediaApply,
		applier:   applier{manager: "m"},
		body:      []byte(`{"apiVersion":"g.example.com/v1","kind":"Foo","metadata":{"name":"n"},"a":1,"b":2}`),
		old: []byte(`{"apiVersion":"g.example.com/v1","kind":"Foo","metadata":{"name":"n","namespace":"default","managedFields":[` +
			entry("v1") + "," + entry("v2") + "," + entry("v3") + `]},"c":1}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	const first = "failed to convert new object: .a: field not declared in schema"
	const second = "failed to convert new object: .b: field not declared in schema"
	if judged.message != first || !slices.Equal(judged.faults, []string{first, second}) {
		t.Fatalf("told %q of %q", judged.message, judged.faults)
	}
	for message, same := range map[string]bool{
		first:                                 true,
		second:                                true,
		strings.Replace(first, ".a", ".c", 1): false,
	} {
		server := *judged
		server.message = message
		if got := compareVerdicts(&server, judged); same != (len(got) == 0) {
			t.Errorf("%s: told %q", message, got)
		}
	}
}
