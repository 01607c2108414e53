package builtin_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem/kube/server/internal/builtin"
)

// others are fields that the defaulting of Kubernetes leaves alone and
// something else sets when an object is created.
var others = []string{
	"Pod.spec.serviceAccountName",             // admission
	"Secret.data",                             // the strategy, from stringData
	"Secret.stringData",                       // the same
	"Service.spec.ipFamilies",                 // the allocator of addresses
	"Service.spec.ipFamilyPolicy",             // the same
	"DeviceTaintRule.spec.taint",              // the time of the request
	"ResourceSlice.spec.devices.taints",       // the same
	"ResourceSlice.spec.devices.basic.taints", // the same
	// An empty list is absent in what a server answers, and not the same.
	"HorizontalPodAutoscaler.spec.behavior.scaleDown.policies",
	"HorizontalPodAutoscaler.spec.behavior.scaleUp.policies",
}

// What is filled in is what the code of Kubernetes fills in, in objects of all
// kinds with each field alone and some with several.
func TestRecordedDefaults(t *testing.T) {
	file, err := os.Open("testdata/defaults.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	const shown, fewest, longest = 20, 20_000, 1 << 20
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, longest)
	objects, failed := 0, 0
	for ; lines.Scan(); objects++ {
		var line struct {
			Object    json.RawMessage
			Defaulted map[string]any
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		differ := differences(withDefaults(t, line.Object), line.Defaulted,
			fmt.Sprint(line.Defaulted["kind"]))
		if len(differ) == 0 {
			continue
		}
		if failed++; failed < shown {
			t.Errorf("%s: %v", line.Object, differ)
		}
	}
	if err := lines.Err(); err != nil || objects < fewest {
		t.Errorf("%d objects: %v", objects, err)
	}
	if failed > 0 {
		t.Errorf("%d of %d objects differ", failed, objects)
	}
}

// withDefaults decodes an object and fills in the defaults. The record has the
// statuses of nodes only.
func withDefaults(t *testing.T, body []byte) (out any) {
	t.Helper()
	var head runtime.TypeMeta
	if err := json.Unmarshal(body, &head); err != nil {
		t.Fatal(err)
	}
	of := schema.FromAPIVersionAndKind(head.APIVersion, head.Kind)
	r, ok := builtin.Find(of.GroupKind())
	if !ok {
		t.Fatalf("no resource of %s", of)
	}
	m := builtin.NewModel(r, of.Version)
	object, _, err := builtin.Decode(body, runtime.ContentTypeJSON, m.Kind)
	if err != nil {
		t.Fatal(err)
	}
	m.Default(object)
	if head.Kind != "Node" {
		delete(object, "status")
	}
	text, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(text, &out) // numbers as the record has them
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// differences lists the fields below a path that differ, without those that
// something else sets.
func differences(got, want any, at string) (all []string) {
	if slices.Contains(others, at) {
		return nil
	}
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			break
		}
		keys := maps.Clone(w)
		maps.Copy(keys, g)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			_, inGot := g[key]
			_, inWant := w[key]
			if inGot != inWant && !slices.Contains(others, at+"."+key) {
				all = append(all,
					fmt.Sprintf("%s.%s is there: %t, want %t", at, key, inGot, inWant))
				continue
			}
			all = append(all, differences(g[key], w[key], at+"."+key)...)
		}
		return all
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			break
		}
		for i := range w {
			all = append(all, differences(g[i], w[i], at)...)
		}
		return all
	}
	if !reflect.DeepEqual(got, want) {
		all = append(all, fmt.Sprintf("%s is %v, want %v", at, got, want))
	}
	return all
}
