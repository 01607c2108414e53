package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/edit"
)

// Errors come before others, and all keep their order.
func TestForemost(t *testing.T) {
	var found []edit.Diagnostic
	for i, severity := range strings.Fields("style error style warning error style error") {
		found = append(found, edit.Diagnostic{Severity: severity, Message: fmt.Sprint(i)})
	}
	for n, want := range []string{"", "1", "1 4", "1 4 6", "0 1 4 6", "0 1 2 4 6", "0 1 2 3 4 6",
		"0 1 2 3 4 5 6", "0 1 2 3 4 5 6"} {
		var got []string
		for _, d := range foremost(found, n) {
			got = append(got, d.Message)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%d: %q, want %q", n, text, want)
		}
	}
}

// Of very many findings the first ones are sent, and how many there are.
func TestManyDiagnostics(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "crd.yaml"), []byte(lspCRD), 0o600); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("apiVersion: example.com/v1\nkind: Tab\nmetadata:\n  name: a\nspec:\n")
	for i := range 3000 {
		fmt.Fprintf(&text, "  unknown%d: 1\n", i)
	}
	text.WriteString("  size: x\n")
	s := startLSP(t, `{}`, folder)
	const said = "3001 findings, of which 1000 are shown, errors first"
	uri := "file://" + filepath.ToSlash(folder) + "/x.yaml"
	s.notify("textDocument/didOpen", `{"textDocument":{"uri":"`+uri+`","version":1,`+
		`"languageId":"yaml","text":`+jsonText(text.String())+`}}`)
	got := s.wait(said) // there are none before the definitions are read
	var sent struct {
		Diagnostics []struct {
			Severity int
			Message  string
			Range    struct{ Start struct{ Line int } }
		}
	}
	if err := json.Unmarshal([]byte(got), &sent); err != nil {
		t.Fatal(err)
	}
	all := sent.Diagnostics
	if len(all) != mostDiagnostics+1 {
		t.Fatalf("%d diagnostics", len(all))
	}
	if last := all[mostDiagnostics-1]; last.Range.Start.Line != 1004 {
		t.Errorf("they are not the first ones: %+v", last)
	}
	if text := all[mostDiagnostics].Message; text != said {
		t.Errorf("%q", text)
	}
}
