package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/hints"
)

// report is the output of admit for one object.
type report struct {
	At           string          `json:"at"`
	Kind         string          `json:"kind"`
	Name         string          `json:"name"`
	Version      string          `json:"version"`
	Accepted     bool            `json:"accepted"`
	Stage        crdsem.Stage    `json:"stage"`
	Refusal      string          `json:"refusal,omitempty"`
	Rule         string          `json:"rule,omitempty"` // that refused
	Errors       []hinted        `json:"errors,omitempty"`
	Ratcheted    []finding       `json:"ratcheted,omitempty"`
	Warnings     []string        `json:"warnings,omitempty"`
	Changes      []crdsem.Change `json:"changes,omitempty"`
	Rules        crdsem.Rules    `json:"rules,omitempty"`
	RulesCost    int64           `json:"rulesCost,omitempty"`
	Explanations []explanation   `json:"explanations,omitempty"`
	Object       map[string]any  `json:"object,omitempty"`
	// Hints has the hints on the refusal and on warnings.
	Hints textHints `json:"hints,omitempty"`
}

func newReport(
	in inputObject, version string, result *crdsem.Result, help *hints.Object,
) report {
	kind, _ := in.object["kind"].(string)
	r := report{
		At: in.at, Kind: kind, Name: nameOf(in.object), Version: version,
		Accepted: result.Admitted(), Stage: result.Stage,
		Errors:    withHints(result.Errors, help.Hint),
		Ratcheted: findings(result.Ratcheted),
		Warnings:  result.Warnings, Changes: result.Provenance,
		Rules: result.Rules, RulesCost: result.Cost,
		Object: result.Object,
	}
	if result.Stage == crdsem.StageDecode {
		r.refuse(result.Err(), help)
	}
	r.Hints = append(r.Hints, hintTexts(help.Warning, r.Warnings...)...)
	return r
}

// refuse sets the refusal, its rule and its hint.
func (r *report) refuse(err error, help *hints.Object) {
	r.Refusal = err.Error()
	if status := (*crdsem.StatusError)(nil); errors.As(err, &status) {
		r.Rule = status.Rule
	}
	r.Hints = hintTexts(func(text string) string {
		return help.Hint(&field.Error{Detail: text, Origin: r.Rule})
	}, r.Refusal)
}

func nameOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	if base, _ := metadata["generateName"].(string); name == "" && base != "" {
		return base + "*"
	}
	return name
}

// writeReports prints the reports as text, json or yaml.
func writeReports(out io.Writer, format string, reports []report) error {
	switch format {
	case "json":
		return writeJSON(out, reports)
	case "yaml":
		return writeYAML(out, reports)
	}
	return writeText(out, reports)
}

func writeJSON[T any](out io.Writer, value T) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

func writeYAML[T any](out io.Writer, value T) error {
	text, err := yaml.Marshal(value)
	if err == nil {
		_, err = out.Write(text)
	}
	return err
}

func writeText(out io.Writer, reports []report) error {
	var b strings.Builder
	accepted := 0
	for i := range reports {
		if reports[i].Accepted {
			accepted++
		}
		reports[i].text(&b)
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%d accepted, %d refused\n", accepted, len(reports)-accepted)
	_, err := io.WriteString(out, b.String())
	return err
}

// indent is the column of hints in the text output.
const indent = "             "

// text writes the report for people: the verdict, the errors and warnings, the
// changes, and the object that would be stored.
func (r *report) text(b *strings.Builder) {
	verdict := "accepted"
	if !r.Accepted {
		verdict = "REFUSED"
	}
	fmt.Fprintf(b, "%s %s (%s), %s: %s\n", r.Kind, quoteName(r.Name), r.Version, r.At, verdict)
	if r.Refusal != "" {
		fmt.Fprintf(b, "  error      %s\n", r.Refusal)
		refusal := hinted{finding: finding{Rule: r.Rule}, Hint: r.Hints.of(r.Refusal)}
		refusal.hintText(b, indent)
	}
	for _, e := range r.Errors {
		fmt.Fprintf(b, "  error      %s\n", e.Text)
		e.hintText(b, indent)
	}
	for _, e := range r.Ratcheted {
		fmt.Fprintf(b, "  tolerated  %s (unchanged since it was stored)\n", e.Text)
	}
	for _, w := range r.Warnings {
		if !slices.ContainsFunc(r.Ratcheted, func(e finding) bool { return e.Text == w }) {
			fmt.Fprintf(b, "  warning    %s\n", w)
			hintText(b, indent, r.Hints.of(w))
		}
	}
	for _, c := range r.Changes {
		fmt.Fprintf(b, "  %-10s %s (%s)\n", words[c.Action], c.Path, c.Schema)
	}
	for i := range r.Explanations {
		explanationText(b, &r.Explanations[i])
	}
	if r.Rules == crdsem.RulesEvaluated {
		fmt.Fprintf(b, "  rules      cost %d\n", r.RulesCost)
	}
	if r.Accepted {
		b.WriteString("  stored as\n")
		indentYAML(b, r.Object)
	}
}

// words are the words of the text output for changes.
var words = map[crdsem.Action]string{
	crdsem.Pruned: "pruned", crdsem.MetadataPruned: "pruned", crdsem.MetadataCoerced: "coerced",
	crdsem.NullDropped: "null", crdsem.Defaulted: "defaulted",
}

func quoteName(name string) string {
	if name == "" {
		return "without a name"
	}
	return fmt.Sprintf("%q", name)
}

func explanationText(b *strings.Builder, e *explanation) {
	fmt.Fprintf(b, "  because    %s: %s\n", e.Field, e.Rule)
	for _, t := range e.Terms {
		fmt.Fprintf(b, "             %d:%d  %s = %s\n", t.Line, t.Column, t.Text, t.Value)
	}
}

func indentYAML(b *strings.Builder, object map[string]any) {
	text, err := yaml.Marshal(object)
	if err != nil {
		fmt.Fprintf(b, "    (%v)\n", err)
		return
	}
	for line := range strings.Lines(string(text)) {
		b.WriteString("    " + line)
	}
}
