package specsite

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestWrite(t *testing.T) {
	book := fstest.MapFS{
		"README.md": {Data: []byte("# Contents\n\n| [One](one.md) | A | first |\n")},
		"one.md": {Data: []byte("# One\n\n<a id=\"A-001\"></a>\n### A-001: First\n\n" +
			"See [A-002](one.md#A-002) and [code](../prune/).\n\n" +
			"<!-- example a-001 -->\n<details><summary>Example</summary>\n\n</details>\n" +
			"<!-- end -->\n")},
	}
	examples := map[string]json.RawMessage{
		"a-001": []byte(`{"object": {"a": 1.0, "b": "</script>"}}`),
	}
	folder := t.TempDir()
	if err := Write(folder, book, examples); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "one.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<title>One · crdsem specification</title>`, `<a id="A-001"></a>`,
		`href="one.html#A-002" class="id"`, `href="https://github.com/crdsem/crdsem/blob/main/prune/"`,
		`<h2 id="a-001-first" class="rule">`, `<a href="one.html" aria-current="page">One</a>`,
		`<script type="application/json">{"object":{"a":1.0,"b":"\u003c/script\u003e"}}</script>`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "index.html")); err != nil {
		t.Error(err)
	}
}

func TestFiles(t *testing.T) {
	files, err := Files([]Rule{{"A", "one.md"}, {"A", "one.md"}, {"B", "two.md"}})
	if err != nil || files["A"] != "one.html" || files["B"] != "two.html" {
		t.Error(files, err)
	}
	if _, err := Files([]Rule{{"A", "one.md"}, {"A", "two.md"}}); err == nil {
		t.Error("rules of one prefix in two chapters")
	}
}
