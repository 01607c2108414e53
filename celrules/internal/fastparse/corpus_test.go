package fastparse_test

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/test/corpus"
)

// TestParseCorpus compares the parsers on the rules and messages of real CRDs.
func TestParseCorpus(t *testing.T) {
	files, texts := corpus.Definitions(t), map[string]bool{}
	for _, file := range files {
		var crd any
		if err := yaml.Unmarshal(file.Text, &crd); err != nil {
			t.Fatalf("%s: %v", file.Name(), err)
		}
		collect(crd, texts)
	}
	w, fast := newTwins(t), 0
	for text := range texts {
		if w.compare(t, text) {
			fast++
		}
	}
	t.Logf("%d of %d expressions of %d files", fast, len(texts), len(files))
	if len(texts) == 0 || fast < len(texts)*9/10 {
		t.Error("too few")
	}
}

// collect finds the texts of rules and of messageExpressions.
func collect(v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range []string{"rule", "messageExpression"} {
			if text, ok := v[key].(string); ok {
				into[text] = true
			}
		}
		for _, each := range v {
			collect(each, into)
		}
	case []any:
		for _, each := range v {
			collect(each, into)
		}
	}
}
