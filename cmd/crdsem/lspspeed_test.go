package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem/internal/test/corpus"
)

var groupLine = regexp.MustCompile(`(?m)^  group: "?([\w.-]+)`)

// fiveHundred writes the definitions of the corpus, and copies of them in other
// groups, into a folder.
func fiveHundred(b *testing.B, folder string) {
	b.Helper()
	write := func(name, text string) {
		path := filepath.Join(folder, name+".yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	definitions := corpus.Definitions(b)
	written := len(definitions)
	for i, f := range definitions {
		write(strconv.Itoa(i), string(f.Text))
		group := groupLine.FindStringSubmatch(string(f.Text))
		if written < 500 && group != nil {
			write("x"+strconv.Itoa(i), strings.ReplaceAll(string(f.Text), group[1], "x."+group[1]))
			written++
		}
	}
}

// A client changes a document of a thousand lines next to 500 definitions, and
// asks: the time from the request to the answer. The document is an object with
// findings, or a definition with rules.
func BenchmarkServer(b *testing.B) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		return string(text)
	}
	object := strings.Replace(read("../../internal/app/edit/testdata/long.yaml"),
		"- name: service-40\n", "- nama: service-40\n", 1)
	definition := read(filepath.Join(corpus.Folder(b), "external-snapshotter", "crds",
		"volumegroupsnapshotcontents.groupsnapshot.storage.k8s.io.yaml"))
	folder := b.TempDir()
	fiveHundred(b, folder)
	s := startLSP(b, `{"window":{"workDoneProgress":true},"textDocument":{"diagnostic":{}}}`, folder)
	s.wait(`"kind":"end"`)
	for name, c := range map[string]struct{ text, at string }{
		"object": {object, "nama"}, "definition": {definition, "self.v"},
	} {
		b.Run(name, func(b *testing.B) {
			before, _, _ := strings.Cut(c.text, c.at)
			line := strings.Count(before, "\n")
			s.benchmark(b, "file:///"+name+".yaml", c.text, lspPosition{
				line, len(before) - strings.LastIndexByte(before, '\n') - 1 + len("self.")})
		})
	}
}

// benchmark measures the answers about a position of a text.
func (s *lspSession) benchmark(b *testing.B, uri, text string, at lspPosition) {
	doc := `"textDocument":{"uri":"` + uri + `","version":2}`
	s.notify("textDocument/didOpen", `{"textDocument":{"uri":"`+uri+`","version":1,`+
		`"languageId":"yaml","text":`+jsonText(text)+`}}`)
	place := fmt.Sprintf(`{"line":%d,"character":%d}`, at.Line, at.Character)
	for method, params := range map[string]string{
		"completion": `"position":` + place, "hover": `"position":` + place,
		"definition": `"position":` + place, "diagnostic": `"x":0`,
		"documentSymbol": `"x":0`, "foldingRange": `"x":0`,
		"inlayHint": `"range":{"start":{"line":0,"character":0},"end":{"line":999,"character":0}}`,
		"codeAction": `"range":{"start":` + place + `,"end":` + place + `},` +
			`"context":{"diagnostics":[]}`,
	} {
		b.Run(method, func(b *testing.B) {
			s.call("textDocument/"+method, "{"+doc+","+params+"}")
			times := []time.Duration{}
			for b.Loop() {
				s.notify("textDocument/didChange", "{"+doc+`,"contentChanges":[{"text":"#",`+
					`"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}},`+
					`{"text":"","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}]}`)
				start := time.Now()
				s.call("textDocument/"+method, "{"+doc+","+params+"}")
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "median-ms")
			b.ReportMetric(float64(times[len(times)-1].Microseconds())/1000, "worst-ms")
		})
	}
}
