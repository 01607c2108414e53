package merge_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/crdsem/crdsem/merge"
)

// TestExtract extracts from random objects what each manager has applied, as
// the server's client library does.
func TestExtract(t *testing.T) {
	list := crds(t)
	extracted := 0
	for i := 0; i < len(list); i += 9 {
		w := newWorld(t, list[i])
		for seed := range 40 {
			g := &generator{rand.New(rand.NewPCG(uint64(seed), uint64(i)))}
			v := w.crd.Spec.Versions[g.IntN(len(w.crd.Spec.Versions))]
			live, err := w.runOurs(nil,
				step{version: v, apply: true, manager: "a", object: g.resource(w.crd, v)})
			if err != nil {
				continue
			}
			live, err = w.runOurs(
				live,
				step{
					version: v,
					apply:   true,
					force:   true,
					manager: "b",
					object:  g.resource(w.crd, v),
				},
			)
			if err != nil {
				continue
			}
			owners, err := merge.ManagedFields(live)
			if err != nil {
				t.Fatal(err)
			}
			for _, owner := range owners {
				extracted++
				want, got := w.extract(t, live, owner), mustExtract(t, ourType(t, v), live, owner)
				if !reflect.DeepEqual(want, got) {
					t.Fatalf("%s, seed %d, %s\nof   %s\nwant %s\ngot  %s", list[i].Name, seed,
						owner.Fields.Paths(), asJSON(live), asJSON(want), asJSON(got))
				}
			}
		}
	}
	t.Logf("%d extracts", extracted)
	if extracted < 500 {
		t.Errorf("only %d extracts", extracted)
	}
}

func mustExtract(
	t *testing.T, typ *merge.Type, live map[string]any, owner merge.ManagedFieldsEntry,
) map[string]any {
	t.Helper()
	out, err := typ.Extract(live, owner.Fields)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (w *world) extract(
	t *testing.T, live map[string]any, owner merge.ManagedFieldsEntry,
) map[string]any {
	t.Helper()
	value, err := w.convert.ObjectToTyped(&unstructured.Unstructured{Object: cloneMap(live)})
	if err != nil {
		t.Fatal(err)
	}
	fields, err := owner.Fields.FieldsV1()
	if err != nil {
		t.Fatal(err)
	}
	set := &fieldpath.Set{}
	if err := set.FromJSON(bytes.NewReader([]byte(asJSON(fields)))); err != nil {
		t.Fatal(err)
	}
	out, _ := value.ExtractItems(set.Leaves(),
		typed.WithAppendKeyFields()).AsValue().Unstructured().(map[string]any)
	return out
}
