package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/hints"
	"github.com/crdsem/crdsem/internal/base/yamljson"
)

func newCheckCommand() *cobra.Command {
	c := &checks{}
	cmd := &cobra.Command{
		Use: "check CRD...",
		Short: "say whether the server accepts definitions, and what it objects to, " +
			"with the place in the text",
		RunE: runs(c.run),
	}
	cmd.Flags().StringArrayVar(&c.olds, "old", nil,
		"read the stored definitions from `FILE`: one found there is updated, not created")
	outputFlag(cmd, &c.output, "text", "json")
	return cmd
}

// checks is one run of the command.
type checks struct {
	olds   []string
	output string

	stored map[string]*definition.CRD
}

// verdict is the output of check for one definition.
type verdict struct {
	At       string      `json:"at"`
	Name     string      `json:"name"`
	Accepted bool        `json:"accepted"`
	Refusal  string      `json:"refusal,omitempty"`
	Findings []violation `json:"errors,omitempty"`
	Warnings []string    `json:"warnings,omitempty"`
	// Hints has the hints on the refusal and on warnings.
	Hints textHints `json:"hints,omitempty"`
	// Silent has hints on keywords that the server drops without a warning.
	Silent []string `json:"silent,omitempty"`

	file string
}

// violation is a finding with its line and column.
type violation struct {
	hinted
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
}

func (c *checks) run(_ context.Context, args []string, std streams) (int, error) {
	if len(args) == 0 {
		return 0, errUsage("no definition given")
	}
	if err := c.readStored(std.in); err != nil {
		return 0, err
	}
	docs, err := readDefinitionTexts(args, std.in)
	if err != nil {
		return 0, err
	}
	code := exitOK
	verdicts := make([]verdict, len(docs))
	for i, doc := range docs {
		verdicts[i] = c.check(doc)
		if !verdicts[i].Accepted {
			code = exitRefused
		}
	}
	if c.output == "json" {
		return code, writeJSON(std.out, verdicts)
	}
	return code, writeVerdicts(std.out, verdicts)
}

func (c *checks) readStored(stdin io.Reader) error {
	c.stored = map[string]*definition.CRD{}
	if len(c.olds) == 0 {
		return nil
	}
	docs, err := readDefinitionTexts(c.olds, stdin)
	if err != nil {
		return err
	}
	for _, doc := range docs {
		crd, _, err := definition.Decode(doc.data)
		if err != nil {
			return fmt.Errorf("%s: %w", doc.name(), err)
		}
		c.stored[crd.Name()] = crd
	}
	return nil
}

// check validates one definition: as an update if it is stored, otherwise as a
// new one.
func (c *checks) check(doc document) verdict {
	v := verdict{At: doc.name(), file: doc.file}
	crd, strict, err := definition.Decode(doc.data)
	help := hintsOf(doc)
	if err != nil {
		v.Refusal = err.Error()
		v.Hints = hintTexts(help.Warning, v.Refusal)
		return v
	}
	v.Name = crd.Name()
	var found definition.Result
	if old := c.stored[crd.Name()]; old != nil {
		stored, update := definition.Revise(old, crd)
		found = definition.ValidateUpdate(context.Background(), update, stored)
	} else {
		found = definition.Validate(context.Background(), crd.ForCreate())
	}
	for _, err := range strict {
		v.Warnings = append(v.Warnings, err.Error())
	}
	v.Accepted = len(found.Errors) == 0
	if v.Accepted {
		v.Warnings = append(v.Warnings, found.Warnings...)
	}
	v.Findings = violations(doc, found.Errors, help)
	v.Hints, v.Silent = hintTexts(help.Warning, v.Warnings...), help.Silent()
	return v
}

// hintsOf reads the definition as its author wrote it.
func hintsOf(doc document) *hints.Definition {
	value, _, _ := yamljson.Decode(doc.data) // nil if the text is malformed
	object, _ := value.(map[string]any)
	return &hints.Definition{Document: object}
}

func violations(doc document, errs field.ErrorList, help *hints.Definition) []violation {
	if len(errs) == 0 {
		return nil
	}
	var source *definition.Source // nil: no lines and columns
	if doc.item == "" {
		source, _ = definition.NewSource(doc.data) // nil if the text cannot be read as YAML
	}
	out := make([]violation, len(errs))
	for i, text := range withHints(errs, help.Hint) {
		out[i].hinted = text
		if source == nil {
			continue
		}
		if at, ok := source.Position(text.Field); ok {
			out[i].Line, out[i].Column = at.Line+doc.line-1, at.Column
		}
	}
	return out
}

func writeVerdicts(out io.Writer, verdicts []verdict) error {
	var b strings.Builder
	accepted := 0
	for i := range verdicts {
		if verdicts[i].Accepted {
			accepted++
		}
		verdicts[i].text(&b)
	}
	fmt.Fprintf(&b, "%d accepted, %d refused\n", accepted, len(verdicts)-accepted)
	_, err := io.WriteString(out, b.String())
	return err
}

// text writes the verdict as compilers do. The line of a finding begins with
// its place, e.g. crd.yaml:7:3.
func (v *verdict) text(b *strings.Builder) {
	switch {
	case v.Refusal != "":
		fmt.Fprintf(b, "%s: %s\n", v.At, v.Refusal)
	case v.Accepted:
		fmt.Fprintf(b, "%s: %s accepted\n", v.At, v.Name)
	default:
		fmt.Fprintf(b, "%s: %s REFUSED, %s\n", v.At, cmp.Or(v.Name, "definition without a name"),
			count(len(v.Findings), "error"))
	}
	for _, f := range v.Findings {
		place := v.At
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", v.file, f.Line, f.Column)
		}
		fmt.Fprintf(b, "%s: %s\n", place, f.Text)
		f.hintText(b, "    ")
	}
	hintText(b, "    ", v.Hints.of(v.Refusal))
	for _, w := range v.Warnings {
		fmt.Fprintf(b, "    warning: %s\n", w)
		hintText(b, "      ", v.Hints.of(w))
	}
	for _, s := range v.Silent {
		hintText(b, "    ", s)
	}
}
