package merge_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/utils/ptr"

	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// recordedFile has sequences of requests with the answers of the field manager
// of every minor.
const recordedFile = "testdata/minors.jsonl"

var recordAnswers = flag.Bool("record", false,
	"write the recorded sequences anew, with the answers of the programs of -minors")

// recordedSequence is a line of the file.
type recordedSequence struct {
	CRD     string           `json:"crd"`
	Live    map[string]any   `json:"live,omitempty"` // before the first step
	Steps   []recordedStep   `json:"steps"`
	Answers []recordedAnswer `json:"answers"`
}

// recordedStep is a request.
type recordedStep struct {
	Version     string         `json:"version"`
	Manager     string         `json:"manager"`
	Apply       bool           `json:"apply,omitempty"`
	Force       bool           `json:"force,omitempty"`
	Subresource string         `json:"subresource,omitempty"`
	Object      map[string]any `json:"object"`
}

// recordedAnswer is what some minors answer to the steps.
type recordedAnswer struct {
	Minors  []minors.Minor   `json:"minors"`
	Results []recordedResult `json:"results"`
}

// recordedResult is the object after a step, or its error.
type recordedResult struct {
	Object map[string]any `json:"object,omitempty"`
	Error  string         `json:"error,omitempty"`
}

// wide is a CRD of two versions with a status, and with lists and maps of every
// kind.
func wide() *apiextensionsv1.CustomResourceDefinition {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name, crd.Spec.Group = "wides.g.io", "g.io"
	crd.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{
		Kind: "Wide", ListKind: "WideList", Plural: "wides", Singular: "wide",
	}
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	texts := func(listType *string) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "array", XListType: listType,
			Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &text}}
	}
	fields := func(last string) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{
			Type: "object",
			Properties: map[string]apiextensionsv1.JSONSchemaProps{
				"set": texts(ptr.To("set")), "atomic": texts(ptr.To("atomic")), "list": texts(nil),
				"map": {Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{
					Allows: true, Schema: &text}},
				"port": {XIntOrString: true}, "null": {Type: "string", Nullable: true},
				"any":   {Type: "object", XPreserveUnknownFields: ptr.To(true)},
				"items": keyed(apiextensionsv1.JSONSchemaProps{Type: "integer"}, "k"),
				last:    text,
			},
		}
	}
	for _, version := range []string{"v1", "v2"} {
		status := map[string]apiextensionsv1.JSONSchemaProps{
			"n": {Type: "integer"}, "texts": texts(ptr.To("set")),
		}
		object := &apiextensionsv1.JSONSchemaProps{
			Type: "object",
			Properties: map[string]apiextensionsv1.JSONSchemaProps{
				"spec": fields(version), "status": {Type: "object", Properties: status},
			},
		}
		v := apiextensionsv1.CustomResourceDefinitionVersion{
			Name: version, Served: true, Storage: version == "v1",
			Subresources: &apiextensionsv1.CustomResourceSubresources{
				Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: object},
		}
		crd.Spec.Versions = append(crd.Spec.Versions, v)
	}
	return crd
}

// recordedCRDs are the definitions of the recorded sequences.
func recordedCRDs() []*apiextensionsv1.CustomResourceDefinition {
	return []*apiextensionsv1.CustomResourceDefinition{pairs(), wide()}
}

// recordedWorlds returns the worlds of the definitions by their names.
func recordedWorlds(t *testing.T, minor minors.Minor) map[string]*world {
	t.Helper()
	all := map[string]*world{}
	for _, crd := range recordedCRDs() {
		all[crd.Name] = newWorld(t, crd, structural.Kubernetes(minor))
	}
	return all
}

// readRecorded reads the recorded sequences.
func readRecorded(t *testing.T) []recordedSequence {
	t.Helper()
	text, err := os.ReadFile(recordedFile)
	if err != nil {
		t.Fatal(err)
	}
	var all []recordedSequence
	for line := range bytes.Lines(text) {
		var s recordedSequence
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		s.Live, _ = integral(s.Live).(map[string]any)
		for i := range s.Steps {
			s.Steps[i].Object, _ = integral(s.Steps[i].Object).(map[string]any)
		}
		all = append(all, s)
	}
	return all
}

// integral returns a value of JSON with the integers that a server reads.
func integral(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var out any
	if err := utiljson.Unmarshal(text, &out); err != nil {
		return err
	}
	return out
}

// play takes the steps of a sequence by one side.
func (s *recordedSequence) play(
	w *world, run func(live map[string]any, s step) (map[string]any, error),
) (results []recordedResult, errs []error) {
	live := s.Live
	for _, r := range s.Steps {
		object, err := run(live, r.step(w.crd))
		errs = append(errs, err)
		if err != nil {
			results = append(results, recordedResult{Error: err.Error()})
			continue
		}
		live = object
		results = append(results, recordedResult{Object: withoutTime(object)})
	}
	return results, errs
}

// withoutTime returns an object as masked does, without the times.
func withoutTime(object map[string]any) map[string]any {
	out := masked(object)
	metadata, _ := out["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	for _, item := range list {
		delete(item.(map[string]any), "time")
	}
	return out
}

// step returns the step of the random sequences.
func (r recordedStep) step(crd *apiextensionsv1.CustomResourceDefinition) step {
	s := step{apply: r.Apply, force: r.Force, manager: r.Manager, subresource: r.Subresource,
		object: cloneMap(r.Object)}
	for _, v := range crd.Spec.Versions {
		if v.Name == r.Version {
			s.version = v
		}
	}
	return s
}

// compareRecorded replays the recorded sequences by our field manager of a
// minor, and by the real one if it is that of the newest minor.
func compareRecorded(t *testing.T, minor minors.Minor) {
	t.Helper()
	all := readRecorded(t)
	worlds := recordedWorlds(t, minor)
	tally := map[string]int{}
	for i, s := range all {
		w := worlds[s.CRD]
		want := s.answer(minor)
		if want == nil {
			t.Fatalf("line %d: no answer of %s", i+1, minor)
		}
		got, errs := s.play(w, w.runOurs)
		if diff := compareResults(want, got, errs, tally); diff != "" {
			t.Fatalf("line %d: %s", i+1, diff)
		}
		if minor != minors.Newest() {
			continue
		}
		real, errs := s.play(w, func(live map[string]any, s step) (map[string]any, error) {
			return w.runReal(t, live, s)
		})
		if diff := compareResults(want, real, errs, tally); diff != "" {
			t.Fatalf("line %d: the real code now answers %s", i+1, diff)
		}
	}
	t.Logf("%d sequences: %v", len(all), tally)
	expectTally(t, tally, "object", "conflict", "bad object")
}

// answer returns the results of a minor, nil for a minor without an answer.
func (s *recordedSequence) answer(minor minors.Minor) []recordedResult {
	for _, a := range s.Answers {
		for _, m := range a.Minors {
			if m == minor {
				return a.Results
			}
		}
	}
	return nil
}

func compareResults(
	want, got []recordedResult, errs []error, tally map[string]int,
) string {
	for i := range want {
		var wantErr error
		if want[i].Error != "" {
			wantErr = errors.New(want[i].Error)
		}
		if diff := compareErrors(wantErr, errs[i], tally); diff != "" {
			return fmt.Sprintf("step %d: %s", i+1, diff)
		}
		a, b := asJSON(want[i].Object), asJSON(got[i].Object)
		if wantErr == nil && a != b {
			return fmt.Sprintf("step %d:\nwant %s\ngot  %s", i+1, a, b)
		}
		tally["object"] += btoi(wantErr == nil)
	}
	return ""
}

// recordSequences writes the recorded sequences: random requests to the
// definitions, and applies to objects with random managed fields.
func recordSequences(t *testing.T, chosen []minors.Minor) {
	t.Helper()
	asked := map[minors.Minor]map[string]*world{}
	for _, minor := range chosen {
		asked[minor] = recordedWorlds(t, minor)
		for _, w := range asked[minor] {
			w.ask = asker(t, minor)
		}
	}
	const each = 150
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	lines.SetEscapeHTML(false)
	for seed := range each {
		g := &generator{rand.New(rand.NewPCG(uint64(seed), 9))}
		made := []recordedSequence{malformedSequence(g)}
		for _, crd := range recordedCRDs() {
			made = append(made, randomSequence(t, g, asked[minors.Newest()][crd.Name]))
		}
		for _, s := range made {
			if !s.ask(t, asked) {
				continue // the order of its problems is random
			}
			if err := lines.Encode(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(recordedFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// randomSequence makes a sequence by the newest real field manager.
func randomSequence(t *testing.T, g *generator, w *world) recordedSequence {
	t.Helper()
	out := recordedSequence{CRD: w.crd.Name}
	var live map[string]any
	var previous *step
	for range 2 + g.IntN(3) {
		s := w.step(g, live, previous)
		metadata, _ := s.object["metadata"].(map[string]any)
		if entries, _ := metadata["managedFields"].([]any); len(entries) > 0 {
			delete(metadata, "managedFields") // those of another minor are other ones
		}
		out.Steps = append(out.Steps, recordedStep{s.version.Name, s.manager, s.apply, s.force,
			s.subresource, s.object})
		previous = &s
		if object, err := w.runReal(t, live, s); err == nil {
			live = object
		}
	}
	return out
}

// malformedSequence makes an apply to an object whose managed fields are
// random.
func malformedSequence(g *generator) recordedSequence {
	s, live := malformedStep(g)
	return recordedSequence{CRD: pairs().Name, Live: live,
		Steps: []recordedStep{{"v1", s.manager, s.apply, s.force, "", s.object}}}
}

// ask asks the minors twice, the oldest first. It reports whether each gave the
// same answers.
func (s *recordedSequence) ask(t *testing.T, asked map[minors.Minor]map[string]*world) bool {
	t.Helper()
	for _, minor := range minors.All() {
		if asked[minor] == nil {
			continue
		}
		w := asked[minor][s.CRD]
		run := func(live map[string]any, s step) (map[string]any, error) {
			return w.runReal(t, live, s)
		}
		first, _ := s.play(w, run)
		second, _ := s.play(w, run)
		if !reflect.DeepEqual(first, second) {
			return false
		}
		s.add(minor, first)
	}
	return true
}

// add adds the answer of a minor.
func (s *recordedSequence) add(minor minors.Minor, results []recordedResult) {
	for i := range s.Answers {
		if asJSON(s.Answers[i].Results) == asJSON(results) {
			s.Answers[i].Minors = append(s.Answers[i].Minors, minor)
			return
		}
	}
	s.Answers = append(s.Answers, recordedAnswer{[]minors.Minor{minor}, results})
}
