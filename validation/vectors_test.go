package validation_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/objectmeta"
	"github.com/crdsem/crdsem/internal/unstructured"
	"github.com/crdsem/crdsem/prune"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// vector is a line of conformance/vectors/stages/objects.jsonl.
type vector struct {
	ID, Rule, Op           string
	Schema                 json.RawMessage
	Object, Old, Defaulted json.RawMessage
	Scale                  any
	DecodeError            string
	Errors                 []outcome
	Unordered              bool
}

// outcome is an error as vectors show it.
type outcome struct{ Type, Field, Detail, Text string }

func outcomes(errs field.ErrorList) []outcome {
	out := []outcome{}
	for _, err := range errs {
		out = append(out, outcome{string(err.Type), err.Field, err.Detail, err.Error()})
	}
	return out
}

func sorted(out []outcome) []outcome {
	return slices.SortedFunc(slices.Values(out), func(a, b outcome) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Text, b.Text))
	})
}

func vectors(t testing.TB) []vector {
	t.Helper()
	file, err := os.Open("../conformance/vectors/stages/objects.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []vector
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func object(t testing.TB, data []byte) map[string]any {
	t.Helper()
	if data == nil {
		return nil
	}
	o, _, err := unstructured.DecodeObject(data)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// stored brings an object into the form in which the server reads it from storage.
func stored(t *testing.T, o map[string]any, schema *structural.Schema) map[string]any {
	t.Helper()
	if o == nil {
		return nil
	}
	root, err := objectmeta.CoerceRoot(o, objectmeta.Drop)
	if err != nil {
		t.Fatal(err)
	}
	prune.Resource(o, schema)
	if root.HasMetadata {
		o["metadata"] = root.Metadata.Metadata
	}
	defaulting.DropNulls(o, schema)
	prune.RepairMetadata(o, schema)
	defaulting.Default(o, schema)
	return o
}

// Every vector of objects: the object as defaulting left it, through this package and the checks of the root's own metadata.
func TestVectors(t *testing.T) {
	ran := 0
	for _, v := range vectors(t) {
		schema, err := structural.Parse(v.Schema)
		if err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		if v.DecodeError != "" || v.Scale != nil || schema.HasRules() {
			continue // other packages' subjects
		}
		ran++
		t.Run(v.ID+" "+v.Rule, func(t *testing.T) {
			got := outcomes(run(t, v, schema))
			want := v.Errors
			if v.Unordered {
				got, want = sorted(got), sorted(want)
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("schema %s\nobject %s\nold %s\n(-want +got)\n%s", v.Schema, v.Defaulted, v.Old, diff)
			}
		})
	}
	if ran < 850 {
		t.Errorf("only %d vectors ran", ran)
	}
}

func run(t *testing.T, v vector, schema *structural.Schema) field.ErrorList {
	o, old := object(t, v.Defaulted), stored(t, object(t, v.Old), schema)
	val := validation.Compile(schema)
	errs := objectmeta.ValidateType(o, "K", "g.io/v1")
	typeFailed := len(errs) > 0
	var values field.ErrorList
	switch v.Op {
	case "create":
		errs = append(errs, unless(typeFailed, objectmeta.ValidateCreate(o, objectmeta.Namespaced, objectmeta.Subdomain()))...)
		values = val.Values(nil, o)
	case "update":
		errs = append(errs, unless(typeFailed, objectmeta.ValidateUpdate(o, old))...)
		values, _ = val.ValuesUpdate(o, old)
	case "statusUpdate":
		errs = append(errs, unless(typeFailed, objectmeta.ValidateUpdate(o, old))...)
		values, _ = val.StatusValuesUpdate(o, old)
	default:
		t.Fatalf("operation %q", v.Op)
	}
	errs = append(errs, unless(typeFailed, values)...)
	if v.Op == "create" {
		errs = append(errs, val.EmbeddedResources(nil, o)...)
		return append(errs, val.ListTypes(o)...)
	}
	if v.Op == "update" {
		errs = append(errs, val.EmbeddedResources(nil, o)...)
	}
	lists, _ := val.ListTypesUpdate(o, old)
	return append(errs, lists...)
}

func unless(failed bool, errs field.ErrorList) field.ErrorList {
	if failed {
		return nil
	}
	return errs
}
