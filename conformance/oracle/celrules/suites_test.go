package celrules_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/corpus"
)

// registry finds the versions of the corpus' CRDs by apiVersion and kind. Of
// the variants of one CRD it holds the first in the order of suffix.
type registry map[string]*entry

type entry struct {
	*crdsem.Version
	crd []byte
}

func newRegistry(t *testing.T, project, suffix string) registry {
	t.Helper()
	out := registry{}
	for _, file := range corpus.Manifests(t, project, "crds") {
		variant := strings.Contains(file.Name(), "--")
		if variant && (suffix == "" || !strings.HasSuffix(file.Name(), suffix)) {
			continue
		}
		definition, err := crdsem.Parse(file.Text)
		if err != nil {
			continue // some files of the corpus are not valid CRDs
		}
		schemas, err := file.Schemas()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range schemas {
			if version, err := definition.Version(s.Version); err == nil &&
				(variant || out[kindOf(s)] == nil) {
				out[kindOf(s)] = &entry{version, file.Text}
			}
		}
	}
	return out
}

func documents(t *testing.T, file corpus.File) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, document := range strings.Split("\n"+string(file.Text), "\n---") {
		converted, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			t.Fatalf("%s: %v", file.Path, err)
		}
		var object map[string]any
		if utiljson.Unmarshal(converted, &object) == nil && object["kind"] != nil {
			out = append(out, object)
		}
	}
	return out
}

func (r registry) of(object map[string]any) *entry {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	return r[apiVersion+" "+kind]
}

func verdictText(result *crdsem.Result) string {
	if result.Stage == crdsem.StageDecode {
		return result.Err().Error()
	}
	return lines(result)
}

func lines(result *crdsem.Result) string {
	texts := make([]string, len(result.Errors))
	for i, e := range result.Errors {
		texts[i] = e.Error()
	}
	return strings.Join(texts, "\n")
}

// real returns the errors of the real code for a create.
func (e *entry) real(t *testing.T, object map[string]any) string {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	result, err := kube.New()(context.Background(), &protocol.Request{
		Op:      protocol.OpAdmit,
		CRD:     protocol.TextInput(string(e.crd)),
		Version: e.Name(),
		Object:  protocol.JSONInput(text),
	})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, e := range result.(protocol.Admitted).Errors {
		texts = append(texts, e.Text)
	}
	return strings.Join(texts, "\n")
}

// The invalid examples of Gateway API and of network-policy-api are rejected,
// the valid ones are accepted.
func TestSuitesByFolder(t *testing.T) {
	cases := 0
	for _, s := range []struct {
		project, folder, suffix string
		admitted                bool
	}{
		{"gateway-api", "suite/examples/standard", "--crd-standard.yaml", true},
		{"gateway-api", "suite/examples/standard", "", true},
		{"gateway-api", "suite/examples/experimental", "", true},
		{"gateway-api", "suite/invalid-examples/standard", "--crd-standard.yaml", false},
		{"gateway-api", "suite/invalid-examples/experimental", "", false},
		{"network-policy-api", "suite/valid", "", true},
		{"network-policy-api", "suite/invalid", "", false},
	} {
		known := newRegistry(t, s.project, s.suffix)
		for _, file := range corpus.Manifests(t, s.project, s.folder) {
			refused := ""
			checked := 0
			for _, object := range documents(t, file) {
				version := known.of(object)
				if version == nil {
					continue // of a core kind
				}
				checked++
				if result := version.Create(context.Background(), object); !result.Admitted() {
					refused += verdictText(result)
				}
			}
			if checked == 0 {
				continue
			}
			cases++
			if (refused == "") != s.admitted {
				t.Errorf("%s (%s): refused with %q", file.Path, s.suffix, refused)
			}
		}
	}
	t.Logf("%d files", cases)
}

// wordsOf returns the message that an expectation names for a rule's failure,
// without the value that older servers print.
func wordsOf(expectation string) []string {
	var out []string
	for _, part := range strings.Split(expectation, "Invalid value:") {
		part = strings.TrimSpace(part)
		for _, typ := range []string{`"object":`, `"string":`, `"array":`, `"integer":`, `"boolean":`} {
			part = strings.TrimSpace(strings.TrimPrefix(part, typ))
		}
		if part != "" {
			out = append(out, part)
		}
	}
	return out
}

func says(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// Istio's documents name the expected errors.
func TestSuiteOfIstio(t *testing.T) {
	known := newRegistry(t, "istio", "")
	cases, invalid, odd := 0, 0, 0
	for _, file := range corpus.Manifests(t, "istio", "suite") {
		for i, object := range documents(t, file) {
			expected, _ := object["_err"].(string)
			delete(object, "_err")
			version := known.of(object)
			if version == nil {
				t.Errorf("%s[%d]: no CRD", file.Path, i)
				continue
			}
			cases++
			result := version.Create(context.Background(), object)
			if expected != "" {
				invalid++
			}
			got := verdictText(result)
			if result.Admitted() != (expected == "") {
				t.Errorf("%s[%d]: expected %q, got %q", file.Name(), i, expected, got)
			}
			// The project validates against the schema alone; a server drops
			// nulls first.
			if !says(got, wordsOf(expected)) {
				odd++
				if real := version.real(t, object); real != got {
					t.Errorf("%s[%d]: the server says %q, got %q", file.Name(), i, real, got)
				}
			}
		}
	}
	t.Logf("%d documents, %d of them invalid, %d refused by a server with other words than stated",
		cases, invalid, odd)
}

// The creates and updates of external-snapshotter fail with the text in the
// file next to them, or succeed.
func TestSuiteOfSnapshotter(t *testing.T) {
	known := newRegistry(t, "external-snapshotter", "")
	creates, updates := 0, 0
	expectation := func(file string) (string, bool) {
		text, err := os.ReadFile(file)
		return strings.TrimSpace(string(text)), err == nil
	}
	for _, file := range corpus.Manifests(t, "external-snapshotter", "suite") {
		if strings.HasSuffix(file.Path, ".post.yaml") {
			continue
		}
		object := documents(t, file)[0]
		version := known.of(object)
		if version == nil {
			t.Errorf("%s: no CRD", file.Path)
			continue
		}
		result := version.Create(context.Background(), object)
		want, fails := expectation(file.Path + ".err")
		creates++
		if result.Admitted() == fails || !says(verdictText(result), wordsOf(want)) {
			t.Errorf("%s: expected %q, got %q", file.Name(), want, verdictText(result))
		}
		stem, isPair := strings.CutSuffix(file.Path, ".pre.yaml")
		if !isPair {
			continue
		}
		post := corpus.File{Path: stem + ".post.yaml"}
		var err error
		if post.Text, err = os.ReadFile(post.Path); err != nil {
			t.Fatal(err)
		}
		updates++
		old := result.Object
		result = version.Update(context.Background(), documents(t, post)[0], old)
		want, fails = expectation(post.Path + ".tx_err")
		if result.Admitted() == fails || !says(verdictText(result), wordsOf(want)) {
			t.Errorf("%s: expected %q, got %q", post.Name(), want, verdictText(result))
		}
	}
	t.Logf("%d creates, %d updates", creates, updates)
}
