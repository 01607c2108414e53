package crdsem_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/test/requests"
	"github.com/crdsem/crdsem/kit/generate"
)

// metadatas are what stored objects and requests have as metadata.
var metadatas = []string{
	`{"name":"n"}`, `{"name":"n","namespace":"x","generation":4,"uid":"u","resourceVersion":"7","creationTimestamp":"2020-01-01T00:00:00Z"}`,
	`{"name":"n","labels":{}}`, `{"name":"n","unknown":1,"labels":{"a":"b"}}`, `{"name":"n","deletionTimestamp":"0001-01-01T00:00:00Z"}`,
	`{"name":"n","managedFields":[{"manager":"m","operation":"Update","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:a":{}}}}]}`,
	`{"name":"n","creationTimestamp":null}`, `{"name":"n","generation":"1"}`, `{"name":5}`, `null`, `"x"`,
}

func generatedVersion(t *testing.T, schema map[string]any) (*crdsem.Definition, *crdsem.Version) {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	d := requests.Parse(t, fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Namespaced","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},
"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":%s}}]}}`, text))
	v, err := d.Version("v1")
	if err != nil {
		return nil, nil
	}
	return d, v
}

// asResource gives an object a type and one of the metadatas.
func asResource(t *testing.T, content any, meta string) map[string]any {
	t.Helper()
	out, _ := jsonvalue.DeepCopy(content).(map[string]any)
	if out == nil {
		out = map[string]any{}
	}
	out["apiVersion"], out["kind"] = "g.io/v1", "K"
	out["metadata"] = requests.Object(t, `{"m":`+meta+`}`)["m"]
	return out
}

// readStepByStep reads a stored object without any shortcut: decoded,
// converted, decoded.
func readStepByStep(
	d *crdsem.Definition, v *crdsem.Version, stored map[string]any,
) (map[string]any, error) {
	const (
		shared  = normalize.Prune | normalize.ResourceRoot | normalize.DropNulls
		decode  = shared | normalize.RepairMetadata | normalize.Default
		convert = shared | normalize.CoerceMetadata
	)
	out, err := decodeOnce(v, stored, metadata.Drop, decode)
	if err != nil {
		return nil, err
	}
	if meta, _ := out["metadata"].(map[string]any); hasKey(stored, "metadata") {
		if n, _ := meta["generation"].(int64); n == 0 {
			meta = maps.Clone(meta)
			meta["generation"] = int64(1)
			out = maps.Clone(out)
			out["metadata"] = meta
		}
	}
	if out, err = d.Convert(context.Background(), out, v.APIVersion()); err != nil {
		return nil, err
	}
	return decodeOnce(v, out, metadata.Strict, convert)
}

func hasKey(object map[string]any, key string) bool {
	_, ok := object[key]
	return ok
}

func decodeOnce(
	v *crdsem.Version, object map[string]any, mode metadata.Mode, steps normalize.Steps,
) (map[string]any, error) {
	root, err := metadata.CoerceRoot(object, mode)
	if err != nil {
		return nil, err
	}
	if root.Metadata.Changed {
		object = maps.Clone(object)
		object["metadata"] = root.Metadata.Metadata
	}
	out, _, bad := normalize.Unlimited.Copy(object, v.Schema(), steps)
	if bad != nil {
		return nil, bad
	}
	return out, nil
}

// A stored object is read as it is step by step.
func TestReadStepByStep(t *testing.T) {
	read, refused := 0, 0
	for seed := range uint64(300) {
		r := generate.NewRand(seed)
		tree := generate.Schema(r, generate.SchemaConfig{})
		d, v := generatedVersion(t, tree)
		if v == nil {
			continue
		}
		for i := range 2 * len(metadatas) {
			content := generate.Wild(r, v.Schema())
			if i%3 > 0 {
				content = generate.Mutate(r, content)
			}
			old := asResource(t, content, metadatas[(int(seed)+i)%len(metadatas)])
			want, wantErr := readStepByStep(d, v, old)
			got := v.Read(t.Context(), old)
			if got.Stage == crdsem.StageDecode {
				if fmt.Sprint(wantErr) != fmt.Sprint(got.Err()) {
					t.Errorf("%v, want %v", got.Err(), wantErr)
				}
				refused++
				continue
			}
			read++
			if diff := cmp.Diff(want, got.Object); diff != "" || wantErr != nil {
				t.Errorf("%v: %v %s", old, wantErr, diff)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if read < 300 || refused == 0 {
		t.Errorf("%d were read, %d were refused", read, refused)
	}
}

// An update is judged alike whether its objects share or not.
func TestSharingDoesNotMatter(t *testing.T) {
	admitted := 0
	for seed := range uint64(300) {
		r := generate.NewRand(seed)
		tree := generate.Schema(r, generate.SchemaConfig{Rules: 0.2})
		_, v := generatedVersion(t, tree)
		if v == nil {
			continue
		}
		for i := range metadatas {
			content := generate.Object(r, v.Schema())
			old := asResource(t, content, metadatas[i])
			object := old
			if i%2 == 0 {
				object = asResource(t, nil, metadatas[1])
				for key, value := range old {
					if key != "metadata" {
						object[key] = value
					}
				}
				object["more"] = "x"
			}
			apart := jsonvalue.DeepCopyMap(object)
			shared, separate := v.Update(context.Background(), object, old), v.Update(
				context.Background(),
				apart,
				old,
			)
			if diff := cmp.Diff(verdict(shared), verdict(separate)); diff != "" {
				t.Fatalf("seed %d: %s", seed, diff)
			}
			if shared.Admitted() {
				admitted++
			}
		}
	}
	if admitted < 300 {
		t.Errorf("only %d were admitted", admitted)
	}
}

// verdict is all that a result tells.
func verdict(r *crdsem.Result) any {
	return []any{
		r.Stage,
		r.Object,
		r.Pruned,
		r.Defaulted,
		r.Provenance,
		fmt.Sprint(r.Errors),
		fmt.Sprint(r.Ratcheted),
		fmt.Sprint(r.Err()),
		r.Warnings,
		r.Cost,
	}
}

// Values that no JSON has are refused wherever they are, in the object and in
// the old one, with the path as text.
func TestForeignValues(t *testing.T) {
	_, v := generatedVersion(t, requests.Object(t, `{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}`))
	good := func() map[string]any {
		return asResource(t, requests.Object(t, `{"spec":{"a":"x"}}`), metadatas[1])
	}
	for path, plant := range map[string]func(map[string]any, any){
		"spec.a":               func(o map[string]any, v any) { o["spec"].(map[string]any)["a"] = v },
		"spec.unknown":         func(o map[string]any, v any) { o["spec"].(map[string]any)["unknown"] = v },
		"unknown":              func(o map[string]any, v any) { o["unknown"] = v },
		"metadata.unknown":     func(o map[string]any, v any) { o["metadata"].(map[string]any)["unknown"] = v },
		"metadata.name":        func(o map[string]any, v any) { o["metadata"].(map[string]any)["name"] = v },
		"metadata.labels.a":    func(o map[string]any, v any) { o["metadata"].(map[string]any)["labels"] = map[string]any{"a": v} },
		"metadata":             func(o map[string]any, v any) { o["metadata"] = v },
		"kind":                 func(o map[string]any, v any) { o["kind"] = v },
		"apiVersion":           func(o map[string]any, v any) { o["apiVersion"] = v },
		"metadata.generation":  func(o map[string]any, v any) { o["metadata"].(map[string]any)["generation"] = v },
		"metadata.annotations": func(o map[string]any, v any) { o["metadata"].(map[string]any)["annotations"] = v },
	} {
		for _, foreign := range []any{7, math.NaN(), []string{"x"}} {
			bad := good()
			plant(bad, foreign)
			var refused *crdsem.ValueError
			want := jsonvalue.Check(bad).Error()
			for name, r := range map[string]*crdsem.Result{
				"create": v.Create(context.Background(), bad), "update": v.Update(context.Background(), bad, good()),
				"old": v.Update(context.Background(), good(), bad), "read": v.Read(context.Background(), bad),
			} {
				if !errors.As(r.Err(), &refused) || refused.Error() != want {
					t.Errorf("%s %s: %v, want %s", name, path, r.Err(), want)
				}
			}
		}
	}
}

// A default that holds a null is settled by the second decoding of a read, in
// an object that got the default as in others (DEF-030).
func TestReadOfNullDefaults(t *testing.T) {
	d, v := generatedVersion(t, requests.Object(t, `{"type":"object","properties":{"spec":{"type":"object","properties":{
		"a":{"type":"object","default":{"b":null,"c":null},"x-kubernetes-preserve-unknown-fields":true,
			"properties":{"b":{"type":"string","default":"x"},"c":{"type":"string","nullable":true}}},
		"z":{"type":"string","default":"z"}}}}}`))
	if v == nil {
		t.Fatal("the definition is refused")
	}
	for _, spec := range []string{`{}`, `{"a":{"b":"y"}}`, `{"a":{}}`, `{"a":null}`} {
		old := asResource(t, requests.Object(t, `{"spec":`+spec+`}`), metadatas[0])
		want, err := readStepByStep(d, v, old)
		if diff := cmp.Diff(want, v.Read(t.Context(), old).Object); diff != "" || err != nil {
			t.Errorf("%s: %v %s", spec, err, diff)
		}
	}
}

// A read defaults by the stored version, converts, and prunes by the requested
// one; what is malformed is repaired (PIPE-022, META-007).
func TestRead(t *testing.T) {
	stored := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","labels":{"a":1}},"spec":{"replicas":2,"junk":1}}`
	r := requests.Version(t, "v1beta1").Read(context.Background(), requests.Object(t, stored))
	want := requests.Object(t, `{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n","generation":1},"spec":{"a":"d"}}`)
	if diff := cmp.Diff(want, r.Object); diff != "" || r.Stage != crdsem.StageRead {
		t.Errorf("stage %s %v: %s", r.Stage, r.Err(), diff)
	}
	if diff := cmp.Diff([]string{"spec.junk", "spec.replicas"}, r.Pruned); diff != "" {
		t.Error(diff)
	}
	back := requests.Version(t, "v1").Read(context.Background(), r.Object)
	if diff := cmp.Diff("only in v1beta1", nested(r.Object, "spec", "b")); diff == "" {
		t.Error("the requested version's default was filled in on read")
	}
	if nested(back.Object, "apiVersion") != "g.io/v1" {
		t.Errorf("read back in %v", nested(back.Object, "apiVersion"))
	}
}

// An object with a list of items is stored, but the server takes it for a list
// when it shows it, and fails (PIPE-022).
func TestReadOfWhatLooksLikeAList(t *testing.T) {
	def := requests.Parse(t, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},"spec":{"group":"g.io",
		"scope":"Namespaced","names":{"plural":"ks","kind":"K"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{
		"type":"object","properties":{"items":{"x-kubernetes-preserve-unknown-fields":true}}}}}]}}`)
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		items string
		fails bool
	}{{`[]`, true}, {`[{"a":1}]`, true}, {`{}`, false}, {`"x"`, false}} {
		stored := requests.Object(t, `{`+requests.Head+`,"items":`+c.items+`}`)
		if r := v.Create(context.Background(), stored); !r.Admitted() {
			t.Errorf("items %s: refused: %v %v", c.items, r.Err(), r.Errors)
		}
		r := v.Read(context.Background(), stored)
		failure := statusOf(r)
		if (failure != nil) != c.fails || r.Stage != crdsem.StageRead || r.Object["items"] == nil {
			t.Fatalf("items %s: %s, %v", c.items, r.Stage, r.Err())
		}
		const noList = "*unstructured.Unstructured is not a list: no Items field in this object"
		if c.fails && (failure.Code != 500 || failure.Message != noList) {
			t.Errorf("items %s: %+v", c.items, failure)
		}
	}
}

func nested(object map[string]any, keys ...string) any {
	var at any = object
	for _, key := range keys {
		fields, _ := at.(map[string]any)
		at = fields[key]
	}
	return at
}

// What is stored of an object of another version is pruned by the storage
// version (PIPE-021).
func TestStore(t *testing.T) {
	def := requests.Parse(t, requests.DefinitionText)
	r := def.Store(context.Background(), requests.Object(t, `{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n"},"spec":{"a":"x","b":"y"}}`))
	want := requests.Object(t, `{`+requests.Head+`,"spec":{"a":"x"}}`)
	if diff := cmp.Diff(want, r.Object); diff != "" {
		t.Errorf("%v %s", r.Err(), diff)
	}
}
