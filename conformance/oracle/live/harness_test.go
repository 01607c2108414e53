package live

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kit/columns"
)

// admittedObject is an object as the server returns it.
func admittedObject(t *testing.T, text string) *verdict {
	t.Helper()
	value, err := decodeJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &verdict{
		stage:    stageAdmitted,
		returned: value,
		stored:   []byte(text),
		warnings: []string{"w"},
	}
}

// TestCompareVerdicts checks that differences are reported, except in fields
// that the server owns.
func TestCompareVerdicts(t *testing.T) {
	const object = `{"kind":"K","metadata":{"name":"n","uid":"1","resourceVersion":"5"},"spec":{"list":[1,2],"n":1}}`
	refused := &verdict{
		stage: stageInvalid,
		errors: []finding{
			{"FieldValueInvalid", "spec.a", "no"},
			{"FieldValueInvalid", "spec.a", "no"},
		},
	}
	tests := []struct {
		name           string
		server, judged *verdict
		want           string // part of the report; an empty one means no report
	}{
		{"same", admittedObject(t, object), admittedObject(t, object), ""},
		{"server-owned metadata", admittedObject(t, object), admittedObject(t, strings.Replace(object, `"uid":"1",`, "", 1)), ""},
		{"name", admittedObject(t, object), admittedObject(t, strings.Replace(object, `"n",`, `"m",`, 1)), `returned object.metadata.name: server "n", judge "m"`},
		{"value", admittedObject(t, object), admittedObject(t, strings.Replace(object, `"n":1`, `"n":1.5`, 1)), "returned object.spec.n: server 1, judge 1.5"},
		{"missing", admittedObject(t, object), admittedObject(t, strings.Replace(object, `,"n":1`, "", 1)), "returned object.spec.n: only the server's: 1"},
		{"more", admittedObject(t, object), admittedObject(t, strings.Replace(object, `"n":1`, `"n":1,"o":2`, 1)), "returned object.spec.o: only the judge's: 2"},
		{"list", admittedObject(t, object), admittedObject(t, strings.Replace(object, `[1,2]`, `[1]`, 1)), "returned object.spec.list: server [1,2], judge [1]"},
		{"stage", admittedObject(t, object), refused, "stage: server admitted"},
		{"warnings", admittedObject(t, object), &verdict{stage: stageAdmitted}, "warning, only the server's: w"},
		{"message", &verdict{stage: stageDecode, message: "a"}, &verdict{stage: stageDecode, message: "b"}, "message:"},
		{"reason", &verdict{stage: stageDecode, code: 409, reason: "Conflict"}, &verdict{stage: stageDecode, code: 400, reason: "BadRequest"},
			"status: server 409 Conflict, judge 400 BadRequest"},
		{"message of errors", &verdict{stage: stageInvalid, code: 422, reason: "Invalid", message: "a"}, &verdict{stage: stageInvalid, code: 422, reason: "Invalid"}, "message:"},
		{"random map", &verdict{stage: stageInvalid, message: "valueUnstructured: a=1b=2"},
			&verdict{stage: stageInvalid, message: "valueUnstructured: b=2a=1"}, ""},
		{"generated name", &verdict{stage: stageInvalid, message: `K "made-x1y2z"`}, &verdict{stage: stageInvalid, code: 0, message: `K "made-00000"`}, ""},
		{"error twice", refused, &verdict{stage: stageInvalid, errors: refused.errors[:1]}, "error, only the server's: FieldValueInvalid spec.a: no"},
		{"other error", &verdict{stage: stageInvalid, errors: refused.errors[:1]}, &verdict{stage: stageInvalid,
			errors: []finding{{"FieldValueInvalid", "spec.b", "no"}}}, "error, only the judge's: FieldValueInvalid spec.b: no"},
		{"random type name", &verdict{stage: stageInvalid, errors: []finding{{"T", "f", "type selfType123"}}},
			&verdict{stage: stageInvalid, errors: []finding{{"T", "f", "type selfType"}}}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(compareVerdicts(test.server, test.judged), "\n")
			if (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
				t.Errorf("told %q, want %q", got, test.want)
			}
		})
	}
}

func TestCompareWarningsCut(t *testing.T) {
	long, longer := strings.Repeat("a", 3000), strings.Repeat("b", 3000)
	cut := []string{long[:256], longer[:256]}
	if got := compareWarnings(cut, []string{long, longer, long}); len(got) > 0 {
		t.Errorf("cut warnings differ: %q", got)
	}
	if got := compareWarnings([]string{"other"}, []string{long, longer}); len(got) != 1 {
		t.Errorf("a foreign warning among cut ones: told %q", got)
	}
}

func TestVerdictOf(t *testing.T) {
	refusal := `{"reason":"Invalid","message":"m","details":{"causes":[{"reason":"FieldValueRequired","message":"Required value","field":"spec.x"}]}}`
	got, err := verdictOf(&exchange{Status: 422, Response: refusal})
	want := &verdict{
		stage:   stageInvalid,
		code:    422,
		reason:  "Invalid",
		message: "m",
		errors:  []finding{{"FieldValueRequired", "spec.x", "Required value"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("422: %+v, %v; want %+v", got, err, want)
	}
	got, err = verdictOf(&exchange{Status: 400, Response: `{"reason":"BadRequest","message":"m"}`})
	want = &verdict{stage: stageDecode, code: 400, reason: "BadRequest", message: "m"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("400: %+v, %v; want %+v", got, err, want)
	}
	for _, x := range []*exchange{{Status: 409, Response: `{"reason":"AlreadyExists"}`}, {Status: 500, Response: "oops"}, {Status: 201, Response: "[]"}} {
		if got, err := verdictOf(x); err == nil {
			t.Errorf("%d: verdict %+v, want an error", x.Status, got)
		}
	}
}

// TestListFailure checks the three parts of the message: the first object, the
// reason, of any length, and the number of other objects.
func TestListFailure(t *testing.T) {
	const frame = "failed to read one or more albums.live.example.com from the storage: " +
		"StorageError: corrupt object, Code: 7, " +
		"Key: /registry/crdsem.live/live.example.com/albums/default/live-17, " +
		"ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=24: "
	tests := []struct{ message, name, reason, more string }{
		{frame + "a (b) c (and 7 more)", "live-17", "a (b) c", "7"},
		{frame + "a\nb", "live-17", "a\nb", ""},
	}
	for _, test := range tests {
		if got := listFailure.FindStringSubmatch(test.message); got == nil || got[1] != test.name ||
			got[2] != test.reason ||
			got[4] != test.more {
			t.Errorf("%q is read as %q", test.message, got)
		}
	}
	if got := listFailure.FindStringSubmatch("Internal error occurred: no"); got != nil {
		t.Errorf("another failure is read as %q", got)
	}
}

func TestWarningText(t *testing.T) {
	if got, err := warningText(`299 - "a \"b\" \\ c"`); err != nil || got != `a "b" \ c` {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := warningText(`199 host "x"`); err == nil {
		t.Errorf("another code: %q, want an error", got)
	}
}

func TestEncodeWritesDuplicates(t *testing.T) {
	document := map[string]any{
		"b": duplicated{first: nil, last: []any{json.Number("1.0")}},
		"a": "<&>",
	}
	if got, want := string(encode(document)), `{"a":"<&>","b":null,"b":[1.0]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestMutationsRepeat checks that the same seed gives the same bytes and
// another seed gives others. Every kind of document stays encodable.
func TestMutationsRepeat(t *testing.T) {
	resources, err := loadResources(ownFolders())
	if err != nil {
		t.Fatal(err)
	}
	changed := func(seed uint64) string {
		var all strings.Builder
		rng := rand.New(rand.NewPCG(seed, 0))
		for _, r := range resources {
			for range 50 {
				crd := copyValue(r.object).(map[string]any)
				(&crdMutator{mutator{rng}}).mutate(crd)
				all.Write(encode(crd))
				object := (&sampler{rng}).object(r, r.versions[0])
				(&mutator{rng}).object(object)
				all.Write(encode(object))
			}
		}
		return all.String()
	}
	first := changed(1)
	if again := changed(1); again != first {
		t.Error("the same seed gives other documents")
	}
	if changed(2) == first {
		t.Error("another seed gives the same documents")
	}
}

// TestLoadResources checks that the repository's own CRDs are found, with their
// objects.
func TestLoadResources(t *testing.T) {
	resources, err := loadResources(ownFolders())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*resource{}
	for _, r := range resources {
		found[r.name] = r
	}
	gadget := found["gadgets.live.example.com"]
	if gadget == nil || found["crontabs.stable.example.com"] == nil {
		t.Fatalf("found %d CRDs of the repository; the gadget or the CronTab is missing",
			len(found))
	}
	if len(gadget.objects) != 4 || len(gadget.served()) != 3 || !gadget.namespaced ||
		gadget.kind != "Gadget" {
		t.Errorf("the gadget is read as %d objects, %d served versions, %+v", len(gadget.objects),
			len(gadget.served()), gadget.kind)
	}
	got := gadget.path("v1", "x")
	if got != "/apis/live.example.com/v1/namespaces/default/gadgets/x" {
		t.Errorf("its path is %s", got)
	}
	v1 := gadget.versions[2]
	if !v1.storage || !v1.status || !v1.scale || text(v1.schema, "type") != "object" {
		t.Errorf("its version v1 is read as %+v", v1)
	}
}

// TestTranslatedRevisions checks that a revision is translated, but not the
// digits that a uid begins with.
func TestTranslatedRevisions(t *testing.T) {
	pair := &twins{revisions: map[string]string{"614": "57"}}
	for text, want := range map[string]string{
		`{"resourceVersion":"614"}`:                        `{"resourceVersion":"57"}`,
		`resourceVersion=0614&watch=1`:                     `resourceVersion=057&watch=1`,
		`{"resourceVersion":"615"}`:                        `{"resourceVersion":"615"}`,
		`{"resourceVersion":"614f8dfb-cc"`:                 `{"resourceVersion":"614f8dfb-cc"`,
		`"/metadata/resourceVersion","value":"614"`:        `"/metadata/resourceVersion","value":"57"`,
		`"/metadata/resourceVersion","value":"614f8dfb-cc`: `"/metadata/resourceVersion","value":"614f8dfb-cc`,
	} {
		if got := pair.translated(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// A message that has a document is compared without the times in it: the two
// servers may delete an object in different seconds.
func TestTimesOfMessages(t *testing.T) {
	at := func(second string) string {
		return `patch: Invalid value: "{\"deletionTimestamp\":\"2026-11-29T21:08:` + second +
			`Z\",\"resourceVersion\":\"7\"}"`
	}
	if one, other := withoutNumbers(at("01")), withoutNumbers(at("02")); one != other {
		t.Errorf("%s, %s", one, other)
	}
	if withoutNumbers(at("01")) == withoutNumbers(strings.Replace(at("01"), "deletion", "x", 1)) {
		t.Error("names do not count")
	}
}

// Ages of a table are the server's if each is ours at some instant while it was
// rendered. Others are ours, and so are all other cells.
func TestTableWithin(t *testing.T) {
	crd, _, err := definition.Parse([]byte(`{"apiVersion":"apiextensions.k8s.io/v1",
		"kind":"CustomResourceDefinition","metadata":{"name":"as.g.io"},"spec":{"group":"g.io",
		"scope":"Cluster","names":{"plural":"as","kind":"A"},"versions":[{"name":"v1","served":true,
		"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	model, err := definition.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	born := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(name string, after time.Duration) any {
		return map[string]any{"metadata": map[string]any{
			"name": name, "creationTimestamp": born.Add(after).Format(time.RFC3339Nano),
		}}
	}
	list := map[string]any{"items": []any{
		at("a", 0), at("b", 0), at("c", time.Second/2), at("d", 0),
	}}
	row := func(cells ...any) any { return map[string]any{"cells": cells} }
	server := map[string]any{"rows": []any{
		row("a", "10s"), row("b", "12s"), row("other", "9s"), row("d", "13s"),
	}}
	start := born.Add(10*time.Second + 100*time.Millisecond)
	table, err := tableWithin(columns.New(model.Version("v1")), list, start,
		start.Add(2*time.Second), server)
	if err != nil {
		t.Fatal(err)
	}
	var got []any
	for _, row := range table.Rows {
		got = append(got, row.Cells...)
	}
	if want := "[a 10s b 12s c 9s d 10s]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}
