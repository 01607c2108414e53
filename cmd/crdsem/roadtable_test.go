package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/app/verdict"
)

// roadRow is a row of examples/versions/table.json: what crdsem-server stored
// and answered over HTTP, which a test of module kube/server compares again.
type roadRow struct {
	Name    string                    `json:"name"`
	Request string                    `json:"request"`
	Version string                    `json:"version"`
	Refused string                    `json:"refused,omitempty"`
	Stored  map[string]any            `json:"stored,omitempty"`
	Answer  map[string]any            `json:"answer,omitempty"`
	Reads   map[string]map[string]any `json:"reads,omitempty"`
}

const versionsFolder = "../../examples/versions"

func roadTable(t *testing.T) (table []roadRow) {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(versionsFolder + "/table.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	return table
}

// fill fills in what an output leaves out because it is like something else:
// the answer is stored as it is, and so the clients of the storage version and
// those of the version of the request read what is stored and answered.
func (r *roadRow) fill() {
	for _, o := range []map[string]any{r.Stored, r.Answer} {
		if o != nil {
			ownFields(o)
		}
	}
	for _, o := range r.Reads {
		ownFields(o)
	}
	if r.Stored == nil {
		return
	}
	if r.Answer == nil {
		r.Answer = r.Stored
	}
	if r.Reads == nil {
		r.Reads = map[string]map[string]any{}
	}
	for _, like := range []map[string]any{r.Answer, r.Stored} {
		_, version, _ := strings.Cut(like["apiVersion"].(string), "/")
		if r.Reads[version] == nil {
			r.Reads[version] = like
		}
	}
}

// ownFields removes what a server generates.
func ownFields(object map[string]any) {
	metadata := object["metadata"].(map[string]any)
	for _, name := range []string{"uid", "generation", "managedFields"} {
		delete(metadata, name)
	}
}

// compareRoad compares the rows of an output with those of the server.
func compareRoad(t *testing.T, of string, want, got []roadRow) {
	t.Helper()
	for i := range got {
		got[i].fill()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s differs from the server:\n%s", of, diff)
	}
}

func admitArgs(format string) []string {
	folder := filepath.FromSlash(versionsFolder)
	return []string{"admit", "-o", format, "--crd", filepath.Join(folder, "crd.yaml"), "--old",
		filepath.Join(folder, "stored.yaml"), filepath.Join(folder, "objects.yaml")}
}

// JSON and text say of the example of versions what the server stores, answers
// and lets read.
func TestRoadOfAdmit(t *testing.T) {
	_, out, errs := execute(t, "", admitArgs("json")...)
	var report struct{ Results []verdict.Result }
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err, errs)
	}
	var rows []roadRow
	for i := range report.Results {
		r := &report.Results[i]
		row := roadRow{Name: r.Name, Request: r.Request, Version: r.Version, Refused: r.Refusal,
			Stored: r.Object, Answer: r.Answer}
		for _, read := range r.Reads {
			row.read(read.Version, read.Object)
		}
		rows = append(rows, row)
	}
	compareRoad(t, "JSON", roadTable(t), rows)
	_, out, _ = execute(t, "", admitArgs("text")...)
	compareRoad(t, "text", roadTable(t), textRows(t, out))
}

func (r *roadRow) read(version string, object map[string]any) {
	if r.Reads == nil {
		r.Reads = map[string]map[string]any{}
	}
	r.Reads[version] = object
}

var (
	roadVerdict = regexp.MustCompile(`(?m)^\S+: (accepted|refused): Shop default/(\w+) \((\w+), (\w+)\)\n`)
	roadError   = regexp.MustCompile(`: error: Shop default/(\w+): (.*)\n`)
	roadBlock   = regexp.MustCompile(`^  (stored as|answered as|read as)(?: example.com/(\w+): the same)?\n$`)
)

// textRows reads the rows of the output as text.
func textRows(t *testing.T, out string) (rows []roadRow) {
	t.Helper()
	refusals := map[string]string{}
	for _, m := range roadError.FindAllStringSubmatch(out, -1) {
		refusals[m[1]] = m[2]
	}
	found := roadVerdict.FindAllStringSubmatchIndex(out, -1)
	for i, m := range found {
		end := len(out)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		row := roadRow{Name: out[m[4]:m[5]], Request: out[m[6]:m[7]], Version: out[m[8]:m[9]]}
		row.Refused = refusals[row.Name]
		row.blocks(t, slices.Collect(strings.Lines(out[m[1]:end])))
		rows = append(rows, row)
	}
	return rows
}

// blocks reads the objects below the titles in lines.
func (r *roadRow) blocks(t *testing.T, lines []string) {
	t.Helper()
	for i, line := range lines {
		m := roadBlock.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		text := ""
		for _, below := range lines[i+1:] {
			inside, isBelow := strings.CutPrefix(below, "    ")
			if !isBelow {
				break
			}
			text += inside
		}
		object := decoded(t, text)
		if m[2] != "" {
			object = decoded(t, jsonText(r.Stored))
			object["apiVersion"] = "example.com/" + m[2]
		}
		r.set(m[1], object)
	}
}

func (r *roadRow) set(title string, object map[string]any) {
	switch title {
	case "stored as":
		r.Stored = object
	case "answered as":
		r.Answer = object
	case "read as":
		_, version, _ := strings.Cut(object["apiVersion"].(string), "/")
		r.read(version, object)
	}
}

func decoded(t *testing.T, text string) (object map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	return object
}

// The editor shows of each object that is created what the server stores,
// answers and lets read, and underlines what is lost.
func TestRoadOfEditor(t *testing.T) {
	crd := readFiles(t, filepath.FromSlash(versionsFolder+"/crd.yaml"))
	text := readFiles(t, filepath.FromSlash(versionsFolder+"/objects.yaml"))
	table := roadTable(t)
	s := startLSP(t, `{}`, folderOf(t, map[string]string{"crd.yaml": crd}))
	s.notify("textDocument/didOpen", `{"textDocument":{"uri":"file:///objects.yaml","version":1,`+
		`"languageId":"yaml","text":`+jsonText(text)+`}}`)
	s.wait("spec.owner is not stored: the storage version v1 does not have it")
	var rows []roadRow
	for _, want := range table {
		if want.Request != "create" {
			continue // an editor knows no stored objects
		}
		line := strings.Count(text[:strings.Index(text, "name: "+want.Name)], "\n")
		params := `{"command":"crdsem.stored","arguments":["file:///objects.yaml",` +
			jsonText(line) + `]}`
		row := roadRow{Name: want.Name, Request: want.Request, Version: want.Version}
		answer, err := s.Call(t.Context(), "workspace/executeCommand", json.RawMessage(params))
		if err != nil {
			_, row.Refused, _ = strings.Cut(err.Error(), "is not stored: ")
		} else {
			var shown string
			if err := answer.UnmarshalResult(&shown); err != nil {
				t.Fatal(err)
			}
			row.documents(t, shown)
		}
		rows = append(rows, row)
	}
	table = slices.DeleteFunc(table, func(r roadRow) bool { return r.Request != "create" })
	compareRoad(t, "the editor", table, rows)
}

// documents reads the objects of a text of YAML. A comment before each says
// what it is.
func (r *roadRow) documents(t *testing.T, text string) {
	t.Helper()
	for document := range strings.SplitSeq(text, "---\n") {
		title, _, _ := strings.Cut(document, "\n")
		object := decoded(t, document)
		switch {
		case strings.HasPrefix(title, "# read"):
			r.set("read as", object)
		case strings.HasPrefix(title, "# answered"):
			r.set("answered as", object)
		default:
			r.set("stored as", object)
		}
	}
}
