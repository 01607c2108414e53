package syntax_test

import (
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestParseCorpus compares the parsers on the rules and messages of real CRDs.
func TestParseCorpus(t *testing.T) {
	root := os.Getenv("CRDSEM_CORPUS")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "crds", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no corpus")
	}
	texts := map[string]bool{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var crd any
		if yaml.Unmarshal(content, &crd) == nil {
			collect(crd, texts)
		}
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

// collect finds rules and messageExpressions.
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
