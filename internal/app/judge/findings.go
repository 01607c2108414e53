package judge

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/kit/placeholder"
	"github.com/crdsem/crdsem/internal/kit/yaml11"
	"github.com/crdsem/crdsem/kit/manifest"
)

// NewResult returns a result for a document, with its place and its name. The
// object may be nil.
func NewResult(doc *manifest.Document, object map[string]any) *verdict.Result {
	r := &verdict.Result{Item: doc.Item, Verdict: verdict.Accepted}
	start := doc.Start()
	r.File, r.Line, r.Column = start.File, start.Line, start.Column
	r.APIVersion = textOf(object, "apiVersion")
	r.Kind = textOf(object, "kind")
	metadata, _ := object["metadata"].(map[string]any)
	r.Namespace = textOf(metadata, "namespace")
	r.Name = textOf(metadata, "name")
	if base, _ := metadata["generateName"].(string); r.Name == "" && base != "" {
		r.Name = base + "*"
	}
	return r
}

// textOf returns a copy of a string, which is a part of the document's text:
// the result outlives that.
func textOf(object map[string]any, key string) string {
	text, _ := object[key].(string)
	return strings.Clone(text)
}

// NewUnreadable returns a result for a document that cannot be read. The error
// is usually a *[manifest.Error].
func NewUnreadable(file string, err error) *verdict.Result {
	at, text := position(file, err)
	r := &verdict.Result{File: at.File, Line: at.Line, Column: at.Column}
	r.Verdict = verdict.Unreadable
	r.Findings = []verdict.Finding{{
		Severity: verdict.Error, Line: at.Line, Column: at.Column, Text: text,
	}}
	return r
}

// Finder makes findings about one document.
type Finder struct {
	Document *manifest.Document
	// Hint returns the hint on a field error, and TextHint that on a message.
	// Both return "" if there is nothing to add.
	Hint     func(*field.Error) string
	TextHint func(string) string
	// V1 is set for a definition of apiextensions.k8s.io/v1. The server names
	// fields of its internal form, some of which are elsewhere in the file.
	V1 bool

	line   int    // of the last finding
	source string // its text
}

// helper gives hints on the errors of a document.
type helper interface {
	Hint(ctx context.Context, err *field.Error) string
	Warning(ctx context.Context, text string) string
}

// newFinder returns a finder for a document.
func newFinder(ctx context.Context, doc *manifest.Document, help helper) *Finder {
	return &Finder{
		Document: doc,
		Hint:     func(err *field.Error) string { return help.Hint(ctx, err) },
		TextHint: func(text string) string { return help.Warning(ctx, text) },
	}
}

// Errors returns the findings about field errors.
func (f *Finder) Errors(severity verdict.Severity, list field.ErrorList) []verdict.Finding {
	out := make([]verdict.Finding, len(list))
	for i, text := range protocol.FieldErrors(list) {
		located := *list[i]
		out[i] = verdict.Finding{
			Severity: severity, Type: text.Type, Field: text.Field, Detail: text.Detail,
			Text: text.Text, Rule: text.Rule, Hint: f.Hint(list[i]),
		}
		if out[i].Field == noPath {
			out[i].Field = junctorPath(text.Detail)
		}
		if path := schemapath.V1(located.Field); f.V1 && path != located.Field {
			located.Field, out[i].Path = path, path
		}
		if list[i].Origin == numberFormatRule {
			located.Field = afterLast(" in "+located.Detail, " in ")
			out[i].Field = located.Field
		}
		f.place(&out[i], f.Document.Locate(&located))
	}
	return out
}

// noPath is the field of an error of a server that names none.
const noPath = "<nil>"

// junctorPath returns the path that the detail of an error of anyOf, oneOf,
// allOf or not begins with, in quotes.
func junctorPath(detail string) string {
	quoted, err := strconv.QuotedPrefix(detail)
	if err != nil || quoted[0] != '"' {
		return ""
	}
	path, _ := strconv.Unquote(quoted) // a quoted prefix is valid
	return path
}

// foldUnchecked removes the finding that other errors kept rules from being
// checked, and notes it at the first of those.
func foldUnchecked(r *verdict.Result) {
	isUnchecked := func(f verdict.Finding) bool { return strings.HasPrefix(f.Detail, unchecked) }
	if !slices.ContainsFunc(r.Findings, isUnchecked) {
		return
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Severity == verdict.Error && f.Type != "" && !isUnchecked(*f) {
			f.RulesUnchecked = true
			r.Findings = slices.DeleteFunc(r.Findings, isUnchecked)
			return
		}
	}
}

// unchecked begins the detail of the error that rules were not checked.
const unchecked = "some validation rules were not checked"

// numberFormatRule is the rule about the formats of numbers. Its errors name
// the field in the detail only.
const numberFormatRule = "VAL-054"

// afterLast returns what follows the last separator, which the text has.
func afterLast(text, separator string) string {
	return text[strings.LastIndex(text, separator)+len(separator):]
}

// Texts returns the findings about messages of the server, e.g. warnings. Lines
// within a message become those of the file.
func (f *Finder) Texts(severity verdict.Severity, rule string, texts ...string) []verdict.Finding {
	out := make([]verdict.Finding, len(texts))
	for i, text := range texts {
		out[i] = verdict.Finding{
			Severity: severity, Field: fieldIn(text), Text: f.Document.FileLines(text), Rule: rule,
			Hint: f.TextHint(text),
		}
		f.place(&out[i], f.Document.LocateText(text))
		f.mistyped(&out[i], text)
		f.booleanKey(&out[i])
	}
	return out
}

// mistyped completes a finding about a value of a wrong type, whose message
// names neither indexes nor keys.
func (f *Finder) mistyped(finding *verdict.Finding, message string) {
	path := f.Document.Mistyped(message)
	if path == "" {
		return
	}
	place := f.Document.Find(path)
	f.place(finding, place.Value)
	finding.Field = path
	finding.Hint = mistypedHint(path, place, message)
}

// mistypedHint returns a hint on a message about the value at a path.
func mistypedHint(path string, place manifest.Place, message string) string {
	text, isPlain := place.Plain()
	_, goType, _ := strings.Cut(message, " of type ")
	goType, _, _ = strings.Cut(goType, " ")
	switch {
	case goType == "string" && isPlain:
		return fmt.Sprintf("`%s` is a string; write it in quotes: `%q`", path, text)
	case strings.Contains(message, "unmarshal string into") && !isPlain && isScalar(goType):
		return fmt.Sprintf("`%s` is no string; write it without quotes", path)
	}
	return fmt.Sprintf("the error is about the value of `%s`", path)
}

// isScalar reports whether a Go type is that of a number or a boolean.
func isScalar(goType string) bool {
	return slices.Contains([]string{"bool", "float64", "int32", "int64"}, goType)
}

// booleanKey gives a finding about an unknown or duplicate field another hint
// if YAML 1.1 reads its key as a boolean.
func (f *Finder) booleanKey(finding *verdict.Finding) {
	text, isPlain := f.Document.Find(finding.Field).PlainKey()
	value, isBool := yaml11.Bool(text)
	if isPlain && isBool && text != value && fieldIn(finding.Text) != "" {
		finding.Hint = fmt.Sprintf("`%s` is the boolean %s in YAML 1.1; write it in quotes: `%q`",
			text, value, text)
	}
}

// fieldIn returns the field that a message of the strict decoder names.
func fieldIn(text string) string {
	for _, start := range []string{`unknown field "`, `duplicate field "`} {
		if rest, ok := strings.CutPrefix(text, start); ok {
			return strings.TrimSuffix(rest, `"`)
		}
	}
	return ""
}

// at returns a finding of this program.
func (f *Finder) at(severity verdict.Severity, at manifest.Position, text string) verdict.Finding {
	finding := verdict.Finding{Severity: severity, Text: text}
	f.place(&finding, at)
	return finding
}

func (f *Finder) place(finding *verdict.Finding, at manifest.Position) {
	finding.Line, finding.Column = at.Line, at.Column
	if f.line != at.Line { // all findings of a line share its text
		f.line, f.source = at.Line, f.Document.LineText(at.Line)
	}
	finding.Source = f.source
}

// Unreadable returns a result for a document whose text or object is malformed.
func Unreadable(doc *manifest.Document, err error) *verdict.Result {
	r := NewUnreadable(doc.File, err)
	start := doc.Start()
	r.Item, r.Line, r.Column = doc.Item, start.Line, start.Column
	f := &r.Findings[0]
	if at, ok := templateIn(doc); ok && f.Line == start.Line && f.Column == start.Column {
		f.Line, f.Column = at.Line, at.Column
	}
	f.Source = doc.LineText(f.Line)
	f.Hint = textHint(doc.Data)
	return r
}

// templateIn returns the position of the first action of a Go template.
func templateIn(doc *manifest.Document) (at manifest.Position, found bool) {
	before, _, found := bytes.Cut(doc.Data, []byte("{{"))
	lines := bytes.Count(before, []byte("\n"))
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return manifest.Position{File: doc.File, Line: doc.Line + lines, Column: column}, found
}

// textHint returns a hint on a text that is neither YAML nor JSON.
func textHint(text []byte) string {
	switch {
	case bytes.Contains(text, []byte("{{")), bytes.Contains(text, []byte("{%")):
		if _, engine := placeholder.Action(string(text)); engine == placeholder.Helm {
			return "the file is a Helm template: render it first, with helm template"
		} else if engine != "" {
			return fmt.Sprintf("the file looks like a template (%s): render it first", engine)
		}
		return "the file looks like a template: render it first"
	case bytes.IndexByte(text, 0) >= 0:
		return "the file is binary, or in another encoding than UTF-8"
	case !utf8.Valid(text):
		return "the file is not in UTF-8"
	case bytes.Contains(text, []byte("\n\t")), bytes.HasPrefix(text, []byte("\t")):
		return "YAML is indented by spaces, not by tabs"
	}
	return ""
}
