package apply_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/merge/apply"
	"github.com/crdsem/crdsem/minors"
)

// stored returns an object that is stored, with more metadata.
func stored(t *testing.T, metadata map[string]any) map[string]any {
	t.Helper()
	object := requests.Object(t, `{`+requests.Head+`,"spec":{"a":"x"},"status":{"phase":"Ready"}}`)
	maps.Copy(object["metadata"].(map[string]any), metadata)
	return object
}

// owners returns the managers of an object with what they own, a line each.
func owners(t *testing.T, object map[string]any) (lines []string) {
	t.Helper()
	entries, err := merge.ManagedFields(object)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		lines = append(lines, fmt.Sprintf("%s %s %s%s %s", e.Manager, e.Operation,
			e.Time.Format(time.DateOnly), e.Subresource, e.Fields.Paths()))
	}
	return lines
}

// A write makes its manager the owner of what it changes, at the time of the
// request (MRG-017, MRG-019). An object that is stored without owners stays so.
func TestTrack(t *testing.T) {
	v := requests.Version(t, "v1")
	first := map[string]any{"manager": "first", "operation": "Apply", "apiVersion": "g.io/v1",
		"fieldsType": "FieldsV1", "fieldsV1": requests.Object(t, `{"f:spec":{"f:a":{}}}`)}
	owned := stored(t, map[string]any{"uid": "u", "managedFields": []any{first}})
	body := []byte(`{` + requests.Head + `,"spec":{"a":"y","replicas":1}}`)
	const (
		kept    = "first Apply 0001-01-01 [.spec.a]"
		both    = "second Update 1970-01-01 [.spec.a .spec.replicas]"
		created = "second Update 1970-01-01 [.spec .spec.a .spec.replicas]"
	)
	for name, c := range map[string]struct {
		request crdsem.Request
		want    []string
	}{
		"create":               {crdsem.Request{Body: body}, []string{created}},
		"create, null":         {crdsem.Request{Verb: crdsem.VerbCreate, Body: body, OldBody: []byte(" null")}, []string{created}},
		"no owners":            {crdsem.Request{Body: body, Old: stored(t, nil)}, []string{both}},
		"stored, no owners":    {crdsem.Request{Body: body, Old: stored(t, map[string]any{"uid": "u"})}, nil},
		"stored with an owner": {crdsem.Request{Body: body, Old: owned}, []string{both}},
		"an object":            {crdsem.Request{Object: requests.Object(t, string(body)), Old: owned}, []string{both}},
		"a patch": {crdsem.Request{Verb: crdsem.VerbPatch, PatchType: crdsem.MergePatch,
			Body: []byte(`{"spec":{"replicas":2}}`), Old: owned},
			[]string{kept, "second Update 1970-01-01 [.spec.replicas]"}},
		"a status": {crdsem.Request{Subresource: crdsem.SubresourceStatus, Old: owned,
			Body: []byte(`{` + requests.Head + `,"spec":{"a":"no"},"status":{"replicas":1}}`)},
			[]string{kept, "second Update 1970-01-01status [.status.replicas]"}},
		"a patch of a status": {crdsem.Request{Verb: crdsem.VerbPatch, PatchType: crdsem.MergePatch,
			Subresource: crdsem.SubresourceStatus, Body: []byte(`{"status":{"replicas":1}}`), Old: owned},
			[]string{kept, "second Update 1970-01-01status [.status.replicas]"}},
		"managers are reset": {crdsem.Request{Old: owned, Verb: crdsem.VerbPatch,
			PatchType: crdsem.MergePatch, Body: []byte(`{"metadata":{"managedFields":[{}]}}`)}, nil},
	} {
		request := c.request
		request.FieldManager = "second"
		ctx := apply.WithTime(t.Context(), time.Unix(0, 0))
		result := v.Do(ctx, request)
		if err := result.Err(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		tracked, err := apply.NewTracker(v).Track(ctx, request, result.Object)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, owners(t, tracked.Object)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What a manager sees has the status that was sent, although the write ignores
// it. Without a time in the context, entries have none.
func TestSeen(t *testing.T) {
	v, old := requests.Version(t, "v1"), stored(t, nil)
	request := crdsem.Request{FieldManager: "m", Old: old,
		Body: []byte(`{` + requests.Head + `,"spec":{"a":"y"},"status":{"replicas":1}}`)}
	result := v.Do(t.Context(), request)
	tracked, err := apply.NewTracker(v).Track(t.Context(), request, result.Object)
	if err != nil {
		t.Fatal(err)
	}
	status := map[string]any{"replicas": int64(1)}
	for name, pair := range map[string][2]any{
		"seen":   {status, tracked.Seen["status"]},
		"sent":   {status, tracked.Sent["status"]},
		"object": {old["status"], tracked.Object["status"]},
		"live":   {map[string]any{"a": "x"}, tracked.Live["spec"]},
	} {
		if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	entry := tracked.Object["metadata"].(map[string]any)["managedFields"].([]any)[0]
	if at, present := entry.(map[string]any)["time"]; present {
		t.Errorf("a request without a time is tracked at %v", at)
	}
}

// An object that does not fit the schema keeps its managers, up to 1.36 none.
func TestUntracked(t *testing.T) {
	for minor, want := range map[minors.Minor][]string{
		"1.36": nil, "1.37": {"first Update 0001-01-01 [.spec]"},
	} {
		def, err := crdsem.Parse([]byte(requests.DefinitionText), crdsem.Kubernetes(minor))
		if err != nil {
			t.Fatal(err)
		}
		v, err := def.Version("v1")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, untracked(t, v)); diff != "" {
			t.Errorf("%s: %s", minor, diff)
		}
	}
}

// untracked returns the managers of an object that does not fit the schema.
func untracked(t *testing.T, v *crdsem.Version) []string {
	t.Helper()
	first := map[string]any{"manager": "first", "operation": "Update", "apiVersion": "g.io/v1",
		"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": map[string]any{}}}
	request := crdsem.Request{
		FieldManager: "m", Old: stored(t, map[string]any{"managedFields": []any{first}}),
		Object: requests.Object(t, `{`+requests.Head+`,"spec":"no object"}`),
	}
	tracked, err := apply.NewTracker(v).Track(t.Context(), request, request.Object)
	if err != nil {
		t.Fatal(err)
	}
	return owners(t, tracked.Object)
}

func TestTrackFails(t *testing.T) {
	tracker := apply.NewTracker(requests.Version(t, "v1"))
	object := stored(t, nil)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, request := range map[string]crdsem.Request{
		"an unreadable object": {Object: object, OldBody: []byte("{")},
		"no object":            {Body: []byte("[]")},
		"a wrong patch":        {Verb: crdsem.VerbPatch, PatchType: crdsem.JSONPatch, Body: []byte("{}"), Old: object},
	} {
		if _, err := tracker.Track(t.Context(), request, object); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	_, err := tracker.Track(ended, crdsem.Request{Object: object}, object)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
