package output_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/internal/app/verdict"
)

// results are one result of every kind, with every member set somewhere.
func results() []*verdict.Result {
	return []*verdict.Result{
		{
			File: "crd.yaml", Line: 1, Column: 1, Definition: true, Verdict: verdict.Refused,
			APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition",
			Name: "widgets.example.com", Request: "create",
			Findings: []verdict.Finding{{
				Severity: verdict.Error, Line: 20, Column: 24, Type: "FieldValueInvalid",
				Field: "spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule",
				Path:  "spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule",
				Detail: "compilation failed: ERROR: <input>:1:6: undefined field 'x'\n" +
					" | self.x > 1\n | ....^",
				Text: "spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule: " +
					"Invalid value: {" + strings.Repeat(`"Rule":"ä",`, 50) + "}: " +
					"compilation failed: ERROR: <input>:1:6: undefined field 'x'\n" +
					" | self.x > 1\n | ....^",
				Rule: "CRD-210", Hint: "did you mean `y`?",
				Source:     "\t  - rule: self.x > 1\r",
				Kubernetes: []string{"1.31"},
			}},
			Minors: []verdict.MinorVerdict{
				{Kubernetes: "1.31", Verdict: verdict.Refused},
				{Kubernetes: "1.32", Verdict: verdict.Accepted},
			},
			Turns: []verdict.Turn{{
				MinorVerdict: verdict.MinorVerdict{Kubernetes: "1.32", Verdict: verdict.Accepted},
				Reason:       "undefined field", Rule: "CRD-210", Final: true,
				Changes: []verdict.Change{{
					ID: "32-format-new", Rules: []string{"LIB-060"},
					Summary: "New expressions have the library of named formats.",
				}},
			}},
		},
		{
			File: "dir/a b:c,d.yaml", Line: 7, Column: 3, Item: "items[3]", Verdict: verdict.Accepted,
			APIVersion: "example.com/v1", Kind: "Widget", Namespace: "prod", Name: "w1",
			Request: "update", Version: "v1",
			Findings: []verdict.Finding{
				{Severity: verdict.Warning, Line: 9, Column: 5, Text: "50% <odd>"},
				{Severity: verdict.Tolerated, Text: "spec.mode: Unsupported value: \"z\"", Rule: "VAL-060"},
			},
			Changes:   []crdsem.Change{{Action: crdsem.Defaulted, Path: "spec.n", Schema: "x"}},
			Rules:     crdsem.RulesEvaluated,
			RulesCost: 12,
			Explanations: []verdict.Explanation{{Field: "spec", Rule: "self.a\n&& self.b", Terms: []verdict.Term{
				{Text: "self.a", Line: 1, Column: 1, Value: "false"},
				{Text: "self.b", Offset: 10, Line: 2, Column: 4, Value: "no such key", Failed: true},
			}}},
			Object: map[string]any{"kind": "Widget"},
			Lost:   []crdsem.Change{{Action: crdsem.Pruned, Path: "spec.old", Schema: "x"}},
			Answer: map[string]any{"kind": "Widget", "spec": map[string]any{}},
			Reads: []verdict.Read{
				{Version: "v1", Object: map[string]any{"kind": "Widget"}, Webhook: true},
				{Version: "v2", Error: "conversion failed"},
			},
			Webhook: true,
			Notes:   []string{"taken as established"},
			Minors: []verdict.MinorVerdict{
				{Kubernetes: "1.31", Verdict: verdict.NotJudged},
				{Kubernetes: "1.32", Verdict: verdict.Accepted},
			},
		},
		{File: "dir/a b:c,d.yaml", Line: 30, Column: 1, Verdict: verdict.NotJudged, Reason: verdict.BuiltIn, APIVersion: "v1", Kind: "Service", Name: "s"},
		{File: "dir/a b:c,d.yaml", Line: 40, Column: 1, Verdict: verdict.NotJudged, Reason: verdict.NoObject},
		{
			File: "dir/a b:c,d.yaml", Line: 50, Column: 1, Verdict: verdict.Accepted, ByStructure: true,
			APIVersion: "v1", Kind: "Pod", Name: "p",
		},
		{
			File: "bad.yaml", Line: 1, Column: 1, Verdict: verdict.Unreadable,
			Findings: []verdict.Finding{{Severity: verdict.Error, Line: 2, Text: "yaml: no"}},
		},
		{
			File: "/gone.yaml", Verdict: verdict.Unreadable,
			Findings: []verdict.Finding{{Severity: verdict.Error, Text: "no such file"}},
		},
	}
}

func printAll(d *output.Documents, p output.Printer, results []*verdict.Result) error {
	var s verdict.Summary
	for _, r := range results {
		s.Add(r)
		if err := p.Print(d.Item(r)); err != nil {
			return err
		}
	}
	return d.End(p, &s)
}

func printed(t *testing.T, format string, style output.Style, list []*verdict.Result) string {
	t.Helper()
	var b bytes.Buffer
	p, err := output.New(format, output.Config{Out: &b, Rule: rules.Describe})
	if err != nil {
		t.Fatal(err)
	}
	documents := &output.Documents{Style: style}
	if err := printAll(documents, p, list); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every format has a golden file: CRDSEM_GOLDEN=write go test writes them. That
// of SARIF would hold chapters of the specification; its schema checks it.
func TestFormats(t *testing.T) {
	styles := map[string]output.Style{
		"text": {}, "text-verbose": {Verbose: true, Sources: true},
		"text-terminal": {Sources: true, Colors: true},
	}
	for _, format := range []string{"json", "yaml", "markdown", "junit", "github", "gitlab"} {
		styles[format] = output.Style{}
	}
	for name, style := range styles {
		t.Run(name, func(t *testing.T) {
			format, _, _ := strings.Cut(name, "-")
			got := printed(t, format, style, results())
			file := "testdata/" + name + ".golden"
			if os.Getenv("CRDSEM_GOLDEN") == "write" {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, err := output.New("pdf", output.Config{Out: io.Discard}); err == nil {
		t.Error("there is a format pdf")
	}
}

// validate checks a JSON text by a JSON Schema.
func validate(t *testing.T, schema []byte, text string) {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(value); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestJSONIsAsItsSchemaSays(t *testing.T) {
	for _, list := range [][]*verdict.Result{results(), nil} {
		validate(t, output.Schema, printed(t, "json", output.Style{}, list))
	}
}

// Every member of the output is in the schema, and the other way round.
func TestSchemaHasEveryMember(t *testing.T) {
	var schema struct {
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(output.Schema, &schema); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Results []map[string]any `json:"results"`
		Summary map[string]any   `json:"summary"`
	}
	text := printed(t, "json", output.Style{}, results())
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	seen := map[string]map[string]any{
		"result": {}, "finding": {}, "turn": {}, "summary": got.Summary,
	}
	got.Summary["fieldValidation"] = "Strict" // the commands set both
	got.Summary["kubernetes"] = []string{"1.31", "1.32"}
	got.Summary["style"] = 1 // of lint
	got.Summary["ignored"], got.Summary["skippedFiles"] = 1, 1
	for _, r := range got.Results {
		for name, value := range r {
			seen["result"][name] = value
		}
		for list, of := range map[string]string{"findings": "finding", "turns": "turn"} {
			elements, _ := r[list].([]any)
			for _, e := range elements {
				for name, value := range e.(map[string]any) {
					seen[of][name] = value
				}
			}
		}
	}
	seen["result"]["refusal"] = ""           // a refusal before validation
	seen["result"]["template"] = ""          // a file of a chart
	seen["finding"]["rulesUnchecked"] = true // an object with rules in CEL
	seen["result"]["unjudged"] = nil         // with --not-judged
	seen["turn"]["before"] = ""              // between minors that do not follow each other
	seen["finding"]["edits"] = ""            // of lint
	for name, members := range seen {
		for member := range schema.Defs[name].Properties {
			if _, ok := members[member]; !ok {
				t.Errorf("%s.%s is in the schema only", name, member)
			}
		}
	}
}

// YAML holds the same values as JSON.
func TestYAMLIsTheJSON(t *testing.T) {
	for _, list := range [][]*verdict.Result{results(), nil} {
		var fromYAML, fromJSON any
		text := printed(t, "yaml", output.Style{}, list)
		if err := yaml.Unmarshal([]byte(text), &fromYAML); err != nil {
			t.Fatal(err)
		}
		text = printed(t, "json", output.Style{}, list)
		if err := json.Unmarshal([]byte(text), &fromJSON); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fromJSON, fromYAML); diff != "" {
			t.Error(diff)
		}
	}
}

// The schema is that of OASIS.
func TestSARIFIsAsItsSchemaSays(t *testing.T) {
	schema, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]*verdict.Result{results(), nil} {
		validate(t, schema, printed(t, "sarif", output.Style{}, list))
	}
	text := printed(t, "sarif", output.Style{}, results())
	for _, want := range []string{
		`"uri": "dir/a%20b:c,d.yaml"`, `"uri": "file:///gone.yaml"`, `"ruleId": "CRD-210"`,
		`conformance/spec/definitions.md#CRD-210`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}

// Whatever has an id is described once, with a link.
func TestSARIFDescribesIDs(t *testing.T) {
	for id, want := range map[string][2]string{
		"CRD-210":          {"spine nodes", "conformance/spec/definitions.md#CRD-210"},
		"LINT-bound":       {"crdsem cost", "docs/lint.md#lint-bound"},
		"stricter/maximum": {"maximum", "docs/upgrade.md#changes"},
		"elsewhere":        {},
	} {
		finding := verdict.Finding{Severity: verdict.Error, Text: "no", Rule: id}
		text := printed(t, "sarif", output.Style{}, []*verdict.Result{
			{File: "a.yaml", Findings: []verdict.Finding{finding, finding}},
		})
		var report struct {
			Runs []struct {
				Tool struct {
					Driver struct {
						Rules []struct {
							ID      string
							Help    struct{ Text string }
							HelpURI string
						}
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(text), &report); err != nil {
			t.Fatal(err)
		}
		rules := report.Runs[0].Tool.Driver.Rules
		if want == [2]string{} {
			if len(rules) != 0 {
				t.Errorf("%s is described: %+v", id, rules)
			}
			continue
		}
		if len(rules) != 1 || rules[0].ID != id || !strings.Contains(rules[0].Help.Text, want[0]) ||
			!strings.HasSuffix(rules[0].HelpURI, want[1]) {
			t.Errorf("%s: %+v", id, rules)
		}
	}
}

// The numbers of a JUnit report are those of its cases.
func TestJUnit(t *testing.T) {
	type testcase struct {
		Name    string    `xml:"name,attr"`
		Failure *struct{} `xml:"failure"`
		Error   *struct{} `xml:"error"`
		Skipped *struct{} `xml:"skipped"`
	}
	type numbers struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	var report struct {
		XMLName xml.Name `xml:"testsuites"`
		numbers
		Suites []struct {
			Name string `xml:"name,attr"`
			numbers
			Cases []testcase `xml:"testcase"`
		} `xml:"testsuite"`
	}
	text := printed(t, "junit", output.Style{}, results())
	if err := xml.Unmarshal([]byte(text), &report); err != nil {
		t.Fatal(err)
	}
	var all numbers
	for _, suite := range report.Suites {
		var n numbers
		names := map[string]bool{}
		for _, c := range suite.Cases {
			n.Tests++
			if c.Failure != nil {
				n.Failures++
			}
			if c.Error != nil {
				n.Errors++
			}
			if c.Skipped != nil {
				n.Skipped++
			}
			if names[c.Name] {
				t.Errorf("suite %s has two cases %s", suite.Name, c.Name)
			}
			names[c.Name] = true
		}
		if n != suite.numbers {
			t.Errorf("suite %s says %+v and has %+v", suite.Name, suite.numbers, n)
		}
		all.Tests += n.Tests
		all.Failures += n.Failures
		all.Errors += n.Errors
		all.Skipped += n.Skipped
	}
	if want := (numbers{7, 1, 2, 2}); all != want || report.numbers != want {
		t.Errorf("%+v, says %+v, want %+v", all, report.numbers, want)
	}
}

// refused returns a result with errors.
func refused(errs ...verdict.Finding) *verdict.Result {
	for i := range errs {
		errs[i].Severity = verdict.Error
	}
	return &verdict.Result{File: "f", Line: 1, Verdict: verdict.Refused, Findings: errs}
}

// Text of a file does not reach the terminal as escape sequences.
func TestControlCharacters(t *testing.T) {
	list := []*verdict.Result{refused(verdict.Finding{
		Line: 1, Column: 4, Text: "a\x1b[1mb\u009b", Source: "a:\x00 \x1b[2J",
	})}
	list[0].Kind = "W\x1b[2J"
	for _, style := range []output.Style{{}, {Sources: true}, {Verbose: true, Sources: true}} {
		if got := printed(t, "text", style, list); strings.ContainsAny(got, "\x00\x1b\u009b") {
			t.Errorf("%q", got)
		}
	}
}

// A long value is cut in text, and whole in JSON.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("ä", 20000)
	list := []*verdict.Result{refused(
		verdict.Finding{
			Field: "spec", Detail: "is odd", Text: "spec: Invalid value: \"" + long + "\": is odd",
		},
		verdict.Finding{Text: long},
	)}
	text := printed(t, "text", output.Style{}, list)
	if len(text) > 2000 || strings.Count(text, ": is odd\n") != 1 {
		t.Errorf("%d bytes: %s", len(text), text)
	}
	if got := printed(t, "json", output.Style{}, list); strings.Count(got, long) != 2 {
		t.Error("JSON has less than the text")
	}
}

// A text is not cut if that makes it longer.
func TestBarelyLong(t *testing.T) {
	for n := 590; n < 640; n++ {
		text := printed(t, "text", output.Style{}, []*verdict.Result{
			refused(verdict.Finding{Text: strings.Repeat("a", n) + "z"}),
		})
		if cut := strings.Contains(text, "more characters"); cut != (n+1 > 624) {
			t.Errorf("%d characters: %s", n+1, text)
		}
	}
}

// An error of the output is an error of every format.
func TestOutputFails(t *testing.T) {
	for _, format := range output.Formats() {
		p, err := output.New(format, output.Config{Out: failing{}})
		if err != nil {
			t.Fatal(err)
		}
		documents := &output.Documents{Style: output.Style{Verbose: true}}
		if err := printAll(documents, p, results()); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

var errFull = errors.New("the disk is full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }
