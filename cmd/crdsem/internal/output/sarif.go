package output

import (
	"cmp"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/verdict"
)

// sarifPrinter prints the Static Analysis Results Interchange Format 2.1.0:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. The rules
// come first, so that it prints at the end.
type sarifPrinter struct {
	rest
	out     io.Writer
	results []sarifResult
	find    func(id string) (Rule, bool)
	rules   map[string]Rule
}

func newSARIF(c Config) Printer {
	return &sarifPrinter{
		rest: rest{c.Err}, out: c.Out,
		results: []sarifResult{}, find: c.Rule, rules: map[string]Rule{},
	}
}

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/" +
	"sarif-schema-2.1.0.json"

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string       `json:"id"`
	ShortDescription sarifMessage `json:"shortDescription"`
	Help             sarifMessage `json:"help"`
	HelpURI          string       `json:"helpUri"`
}

type sarifMessage struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId,omitempty"`
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
}

func (p *sarifPrinter) Print(item *Item) error {
	r := item.Result
	if r == nil {
		return nil
	}
	for i := range r.Findings {
		p.add(r, &r.Findings[i], level(r.Findings[i].Severity))
	}
	for i := range r.Turns {
		p.add(r, &verdict.Finding{Text: r.Turns[i].Text()}, "note")
	}
	return nil
}

func (p *sarifPrinter) add(r *verdict.Result, f *verdict.Finding, level string) {
	p.describe(f.Rule)
	p.results = append(p.results, sarifResult{
		RuleID: f.Rule, Level: level, Message: sarifMessage{Text: sarifText(r, f)},
		Locations: []sarifLocation{{
			Physical: sarifPhysical{sarifArtifact{fileURI(r.FileOf(f))}, region(r, f)},
			Logical:  logical(r, f),
		}},
	})
}

// describe adds the description of a rule, if it has one.
func (p *sarifPrinter) describe(id string) {
	if _, known := p.rules[id]; known || p.find == nil {
		return
	}
	if rule, ok := p.find(id); ok && rule.ID == id {
		p.rules[id] = rule
	}
}

func level(s verdict.Severity) string {
	if s == verdict.Tolerated || s == verdict.Style {
		return "note"
	}
	return string(s)
}

func sarifText(r *verdict.Result, f *verdict.Finding) string {
	text := f.Text + holds(r, f)
	if subject := r.Subject(); subject != "" {
		text = subject + ": " + text
	}
	if f.Hint != "" {
		text += " (hint: " + f.Hint + ")"
	}
	return text
}

func region(r *verdict.Result, f *verdict.Finding) *sarifRegion {
	if f.Line > 0 {
		return &sarifRegion{f.Line, f.Column}
	}
	if r.Line > 0 {
		return &sarifRegion{r.Line, r.Column}
	}
	return nil
}

func logical(r *verdict.Result, f *verdict.Finding) []sarifLogical {
	name := strings.Trim(r.Subject()+" "+f.Field, " ")
	if name == "" {
		return nil
	}
	return []sarifLogical{{name}}
}

// fileURI returns a path as a relative URI, or an absolute path as one with the
// scheme file.
func fileURI(file string) string {
	path := filepath.ToSlash(file)
	if filepath.IsAbs(file) {
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
	}
	return (&url.URL{Path: path}).String()
}

func (p *sarifPrinter) Close() error {
	described := make([]sarifRule, 0, len(p.rules))
	for _, id := range slices.Sorted(maps.Keys(p.rules)) {
		rule := p.rules[id]
		described = append(described, sarifRule{
			ID: id, ShortDescription: sarifMessage{Text: rule.Title},
			Help: sarifMessage{
				Text: cmp.Or(rule.Statement, rule.Title), Markdown: rule.Statement,
			},
			HelpURI: rule.Link,
		})
	}
	return JSON(p.out, &sarifLog{
		Schema:  sarifSchema,
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool: sarifTool{sarifDriver{
				Name: "crdsem", InformationURI: "https://github.com/crdsem/crdsem",
				Rules: described,
			}},
			ColumnKind: "unicodeCodePoints",
			Results:    p.results,
		}},
	})
}
