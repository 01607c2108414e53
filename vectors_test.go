package crdsem

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/unstructured"
	"github.com/crdsem/crdsem/structural/normalize"
)

// vector is a line of the vectors of objects: what the server's functions make of one object.
type vector struct {
	ID, Rule, Op                            string
	Schema, Object, Old                     json.RawMessage
	Scale                                   *struct{ SpecReplicasPath, StatusReplicasPath, LabelSelectorPath string }
	Pruned, NullsPruned, Coerced, Defaulted json.RawMessage
	UnknownFields, MetaUnknownFields        []string
	StrictDecodeErrors                      []string
	DropInvalidMetadata                     bool
	DecodeError, PruneDefaultsError         string
	Errors                                  []finding
}

type finding struct{ Type, Field, Detail, Text string }

func findings(errs field.ErrorList) []finding {
	out := []finding{}
	for _, e := range errs {
		out = append(out, finding{string(e.Type), e.Field, e.Detail, e.Error()})
	}
	slices.SortFunc(out, func(a, b finding) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	return out
}

func vectors(t *testing.T) []vector {
	t.Helper()
	data, err := os.ReadFile("conformance/vectors/stages/objects.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	for line := range bytes.Lines(data) {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// version compiles a definition of kind K around the vector's schema.
func (v *vector) version() (*Version, error) {
	subresources := map[string]any{}
	if v.Op == "statusUpdate" {
		subresources["status"] = map[string]any{}
	}
	if s := v.Scale; s != nil {
		scale := map[string]any{"specReplicasPath": s.SpecReplicasPath, "statusReplicasPath": s.StatusReplicasPath}
		if s.LabelSelectorPath != "" {
			scale["labelSelectorPath"] = s.LabelSelectorPath
		}
		subresources["scale"] = scale
	}
	more, _ := json.Marshal(subresources) // maps of strings only
	def, err := Parse(fmt.Appendf(nil, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},"spec":{
		"group":"g.io","scope":"Namespaced","names":{"plural":"ks","kind":"K"},
		"versions":[{"name":"v1","served":true,"storage":true,"subresources":%s,"schema":{"openAPIV3Schema":%s}}]}}`, more, v.Schema))
	if err != nil {
		return nil, err
	}
	return def.Version("v1")
}

// served returns nil for vectors whose defaults keep the version from being served, as they must (DEF-044).
func (v *vector) served(t *testing.T) *Version {
	t.Helper()
	version, err := v.version()
	switch {
	case v.PruneDefaultsError != "":
		if err == nil || !strings.HasSuffix(err.Error(), v.PruneDefaultsError) {
			t.Errorf("%s: error %v, want %s", v.ID, err, v.PruneDefaultsError)
		}
		return nil
	case err != nil:
		t.Errorf("%s: %v", v.ID, err)
	}
	return version
}

func (v *vector) origin() origin {
	if v.DropInvalidMetadata {
		return fromStorage
	}
	return fromRequest
}

func decodeText(t *testing.T, text []byte) map[string]any {
	t.Helper()
	object, _, err := unstructured.DecodeObject(text)
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// The decode step gives the recorded object, unknown fields and errors (PRN, DEF, META and PIPE-010).
func TestDecodeVectors(t *testing.T) {
	for _, v := range vectors(t) {
		version := v.served(t)
		if version == nil {
			continue
		}
		object := decodeText(t, v.Object)
		out, err := version.def.coerce(object, v.origin())
		if v.DecodeError != "" {
			if err == nil || err.Error() != v.DecodeError {
				t.Errorf("%s: error %v, want %s", v.ID, err, v.DecodeError)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		if v.Defaulted != nil {
			if diff := cmp.Diff(decodeText(t, v.Defaulted), out.object); diff != "" && !v.DropInvalidMetadata {
				t.Errorf("%s %s: %s", v.ID, v.Rule, diff)
			}
		}
		if diff := cmp.Diff(decodeText(t, v.Object), object); diff != "" {
			t.Errorf("%s: the argument was changed: %s", v.ID, diff)
		}
		pruned := normalize.Paths(out.changes, Pruned)
		if !slices.Equal(pruned, v.UnknownFields) {
			t.Errorf("%s %s: unknown fields %q, want %q", v.ID, v.Rule, pruned, v.UnknownFields)
		}
		meta := normalize.Paths(out.changes, MetadataPruned)
		slices.Sort(meta)
		if !slices.Equal(meta, v.MetaUnknownFields) {
			t.Errorf("%s %s: unknown metadata fields %q, want %q", v.ID, v.Rule, meta, v.MetaUnknownFields)
		}
	}
}

// Validation of the decoded objects gives the recorded errors.
func TestValidateVectors(t *testing.T) {
	for _, v := range vectors(t) {
		if v.DecodeError != "" {
			continue
		}
		version := v.served(t)
		if version == nil {
			continue
		}
		errs, err := v.validate(t, version)
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		want := slices.Clone(v.Errors)
		slices.SortFunc(want, func(a, b finding) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		if diff := cmp.Diff(want, findings(errs)); diff != "" && len(want)+len(errs) > 0 {
			t.Errorf("%s %s: %s", v.ID, v.Rule, diff)
		}
	}
}

func (v *vector) validate(t *testing.T, version *Version) (field.ErrorList, error) {
	out, err := version.def.coerce(decodeText(t, v.Object), v.origin())
	if err != nil {
		return nil, err
	}
	a := &admission{Version: version, draft: draft{object: out.object}}
	if v.Old != nil {
		old, err := version.def.coerce(decodeText(t, v.Old), fromStorage)
		if err != nil {
			return nil, fmt.Errorf("old: %w", err)
		}
		a.old = old.object
		if text := decodeText(t, v.Old); generationOf(text) == 0 { // the vectors were made without the repair of generations
			without := draft{object: a.old}
			without.removeMeta("generation")
			a.old = without.object
		}
	}
	ctx := context.Background()
	switch v.Op {
	case "create":
		return a.validateCreate(ctx), nil
	case "update":
		return a.validateUpdate(ctx), nil
	case "statusUpdate":
		return a.validateStatusUpdate(ctx), nil
	}
	return nil, errors.New("unknown op " + v.Op)
}
