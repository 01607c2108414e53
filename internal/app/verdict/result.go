package verdict

import (
	"cmp"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
)

// Verdict is the outcome for one document.
type Verdict string

// The verdicts.
const (
	// Accepted: the server would store it.
	Accepted Verdict = "accepted"
	// Refused: the server would refuse it. A finding has the reason.
	Refused Verdict = "refused"
	// NotJudged: nothing is known about it. Reason has the reason.
	NotJudged Verdict = "notJudged"
	// Unreadable: the text is not a document. A finding has the reason.
	Unreadable Verdict = "unreadable"
)

// Reason is the reason why a document was not judged.
type Reason string

// The reasons.
const (
	// NoDefinition: no definition of its kind was given.
	NoDefinition Reason = "noDefinition"
	// BuiltIn: its kind is built into the server.
	BuiltIn Reason = "builtIn"
	// NoObject: it is not meant for a server, e.g. the values of a chart.
	NoObject Reason = "noObject"
	// Template: another program makes manifests of it.
	Template Reason = "template"
	// ToolFile: a program reads it from a file, e.g. kustomize.
	ToolFile Reason = "toolFile"
	// Patch: a kustomization names it as a patch, so it is part of an object.
	Patch Reason = "patch"
	// Patched: Flux or Argo CD changes or deletes it in a way that is not
	// followed here.
	Patched Reason = "patched"
	// Undelivered: nothing delivers the object, and what may do so later can
	// bring what it lacks.
	Undelivered Reason = "undelivered"
	// Skipped: the configuration leaves it out.
	Skipped Reason = "skipped"
	// DefinitionRefused: the server would refuse the definition of its kind.
	DefinitionRefused Reason = "definitionRefused"
	// WebhookDecides: a conversion webhook, which was not asked, decides.
	WebhookDecides Reason = "webhookDecides"
)

// Severity is how much a finding counts.
type Severity string

// The severities.
const (
	// Error is a reason to refuse the document.
	Error Severity = "error"
	// Warning is a warning of the server, or of this program.
	Warning Severity = "warning"
	// Tolerated is an error that does not fail an update, because the value is
	// unchanged.
	Tolerated Severity = "tolerated"
	// Style is a finding of lint about what works, but is not good.
	Style Severity = "style"
)

// Result is the outcome for one document: an object, a definition, or a text
// that could not be read.
type Result struct {
	// File, Line and Column are the place of the document. Line is 0 for a
	// whole file. Item is the path of an item in a list, e.g. items[3].
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Item   string `json:"item,omitempty"`

	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
	// Definition is set if the document is a CustomResourceDefinition.
	Definition bool `json:"definition,omitempty"`

	Verdict Verdict `json:"verdict"`
	Reason  Reason  `json:"reason,omitempty"`
	// Template is the language of a template, e.g. Helm.
	Template string `json:"template,omitempty"`
	// ByStructure is set for an object of a kind that is built into Kubernetes:
	// it was validated by the structure of its kind, not by Kubernetes' own
	// validation, which refuses more.
	ByStructure bool `json:"byStructure,omitempty"`
	// Request is what was asked of the server: create, update or updateStatus.
	// It is stored for a definition whose status says that it is established.
	Request string `json:"request,omitempty"`
	// Version is the version that the request was sent to, e.g. v1.
	Version string `json:"version,omitempty"`
	// Refusal is the server's answer to a request that it refuses before
	// validation. The findings say the same by field.
	Refusal  string    `json:"refusal,omitempty"`
	Findings []Finding `json:"findings,omitempty"`

	// Changes are what decoding removed and filled in. RulesCost is the cost of
	// the rules.
	Changes      []crdsem.Change     `json:"changes,omitempty"`
	Rules        crdsem.RulesOutcome `json:"rules,omitempty"`
	RulesCost    int64               `json:"rulesCost,omitempty"`
	Explanations []Explanation       `json:"explanations,omitempty"`
	// Object is the object as it is stored, in the storage version, and Lost
	// what the conversion to that version removed. Answer is what the client of
	// the request is answered, if that is another object. Reads are what the
	// clients of the other served versions read.
	Object map[string]any  `json:"object,omitempty"`
	Lost   []crdsem.Change `json:"lost,omitempty"`
	Answer map[string]any  `json:"answer,omitempty"`
	Reads  []Read          `json:"reads,omitempty"`
	// Webhook is set if a conversion webhook, which was not asked, decides what
	// is stored.
	Webhook bool `json:"webhook,omitempty"`
	// Unjudged are the values that are not judged, if they were asked for.
	Unjudged []Unjudged `json:"unjudged,omitempty"`
	// Notes are facts about the request, e.g. an assumption.
	Notes []string `json:"notes,omitempty"`

	// Minors are the verdicts of several minors of Kubernetes, the oldest
	// first, and Turns the minors where the verdict changes. Verdict is then
	// the worst of them, and the details are those of the newest. Both are
	// empty if one minor was asked for.
	Minors []MinorVerdict `json:"minors,omitempty"`
	Turns  []Turn         `json:"turns,omitempty"`

	// Rendered is set if a program made the object, e.g. kustomize.
	Rendered bool `json:"-"`
	// Errors are the errors of fields among the findings.
	Errors field.ErrorList `json:"-"`
}

// Unjudged is a value of a document that is not judged, e.g. a variable.
type Unjudged struct {
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Field is the path of the value, and Cause the reason in words.
	Field string `json:"field"`
	Cause string `json:"cause"`
}

// Read is what the clients of a version read of a stored object.
type Read struct {
	Version string         `json:"version"`
	Object  map[string]any `json:"object,omitempty"`
	// Error is the server's answer if the object cannot be read. Webhook is set
	// if a conversion webhook, which was not asked, decides what is read.
	Error   string `json:"error,omitempty"`
	Webhook bool   `json:"webhook,omitempty"`
}

// MinorVerdict is the verdict of one minor of Kubernetes, e.g. 1.33.
type MinorVerdict struct {
	Kubernetes string  `json:"kubernetes"`
	Verdict    Verdict `json:"verdict"`
}

// Turn is a minor whose verdict is another one than that of the minor before.
type Turn struct {
	MinorVerdict
	// Before is the minor before, if others between both were not judged.
	Before string `json:"before,omitempty"`
	// Reason is the first error that only one of both minors has, and Rule the
	// rule that it breaks.
	Reason string `json:"reason,omitempty"`
	Rule   string `json:"rule,omitempty"`
	// Changes are the changes since the minor before that may be the cause.
	Changes []Change `json:"changes,omitempty"`
	// Final is set if the verdict changes only here.
	Final bool `json:"final,omitempty"`
}

// Change is a difference between a minor and the one before it. The rules are
// those of the specification that describe it.
type Change struct {
	ID      string   `json:"id"`
	Rules   []string `json:"rules"`
	Summary string   `json:"summary"`
}

// Subject returns the kind and name of the document, e.g. "Widget prod/w1", or
// an empty string if it has neither.
func (r *Result) Subject() string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + cmp.Or(name, "?")
	}
	switch {
	case r.Kind == "":
		return name
	case name == "":
		return r.Kind
	default:
		return r.Kind + " " + name
	}
}

// Failed reports whether the document is refused or unreadable.
func (r *Result) Failed() bool { return r.Verdict == Refused || r.Verdict == Unreadable }

// FileOf returns the file that has a finding.
func (r *Result) FileOf(f *Finding) string { return cmp.Or(f.File, r.File) }

// Finding is one thing that is wrong or doubtful.
type Finding struct {
	Severity Severity `json:"severity"`
	// File is the file of the place, if it is not that of the result, e.g. that
	// of a patch. Line and Column are the place in the file, from 1. A column
	// counts characters.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Type is the type of a field error, e.g. FieldValueInvalid. Field is its
	// path as the server names it, and Path the path in the file if the server
	// names another one.
	Type   string `json:"type,omitempty"`
	Field  string `json:"field,omitempty"`
	Path   string `json:"path,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Text is the whole message.
	Text string `json:"text"`
	// Rule is the id of the rule of the specification that is broken, e.g.
	// STR-047.
	Rule string `json:"rule,omitempty"`
	// Hint says how to fix it.
	Hint string `json:"hint,omitempty"`
	// RulesUnchecked is set for the first error of an object whose rules in CEL
	// were not checked because of its errors.
	RulesUnchecked bool `json:"rulesUnchecked,omitempty"`
	// Edits are the hint as edits of the document, if it has that form.
	Edits []Edit `json:"edits,omitempty"`
	// Kubernetes are the minors that have the finding, unless it is all that
	// were asked for.
	Kubernetes []string `json:"kubernetes,omitempty"`

	// Source is the line of the file, for people.
	Source string `json:"-"`
}

// Edit sets a keyword at a path of the document, e.g. maxLength of a node of a
// schema.
type Edit struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Value   any    `json:"value"`
}

// Explanation says why a rule failed: the values of its sub-expressions.
type Explanation struct {
	Field string `json:"field"`
	Rule  string `json:"rule"`
	Terms []Term `json:"terms"`
}

// Term is a sub-expression with its value or, if it failed, its error. Offset
// counts from 0; Line and Column count from 1 within the rule.
type Term struct {
	Text   string `json:"text"`
	Offset int    `json:"offset"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Value  string `json:"value"`
	Failed bool   `json:"failed,omitempty"`
}

// Explanations returns explanations in the form of the output.
func Explanations(list []celrules.Explanation) []Explanation {
	var out []Explanation
	for _, e := range list {
		terms := make([]Term, len(e.Terms))
		for i, t := range e.Terms {
			terms[i] = Term{t.Text, t.Offset, t.Line, t.Column, t.Value, t.Failed}
		}
		out = append(out, Explanation{e.Field, e.Rule, terms})
	}
	return out
}

// Counts are numbers of results by verdict.
type Counts struct {
	Accepted   int `json:"accepted"`
	Refused    int `json:"refused"`
	NotJudged  int `json:"notJudged"`
	Unreadable int `json:"unreadable"`
}

// Summary has the numbers of all results.
type Summary struct {
	// Documents counts all documents, definitions and unreadable ones included.
	Documents   int    `json:"documents"`
	Definitions Counts `json:"definitions"`
	Objects     Counts `json:"objects"`
	Errors      int    `json:"errors"`
	Warnings    int    `json:"warnings"`
	Style       int    `json:"style,omitempty"`
	// Ignored counts findings that the configuration or a comment leaves out.
	Ignored int `json:"ignored,omitempty"`
	// SkippedFiles counts files that the configuration leaves out.
	SkippedFiles int `json:"skippedFiles,omitempty"`
	// ByStructure counts objects of kinds that are built into Kubernetes and
	// were validated by the structure of their kind.
	ByStructure int `json:"byStructure,omitempty"`
	// NotJudged counts the kinds that were not judged, e.g. Service.v1.
	NotJudged map[Reason]map[string]int `json:"notJudgedKinds,omitempty"`
	// Webhook counts the accepted objects of which a conversion webhook, which
	// was not asked, decides what is stored.
	Webhook int `json:"webhook,omitempty"`
	// FieldValidation is what was done about unknown and duplicate fields, e.g.
	// Strict.
	FieldValidation string `json:"fieldValidation,omitempty"`
	// Unread counts the inputs that could not be read, e.g. a missing file.
	Unread int `json:"unread,omitempty"`
	// Kubernetes are the minors whose servers judge, the oldest first.
	Kubernetes []string `json:"kubernetes,omitempty"`
	// Minors has the numbers of each minor, if there are several.
	Minors []MinorSummary `json:"minors,omitempty"`
}

// MinorSummary has the numbers of documents by the verdict of one minor.
// Documents that could not be read are left out.
type MinorSummary struct {
	Kubernetes  string `json:"kubernetes"`
	Definitions Counts `json:"definitions"`
	Objects     Counts `json:"objects"`
}

// Add counts a result.
func (s *Summary) Add(r *Result) {
	counts := &s.Objects
	if r.Definition {
		counts = &s.Definitions
	}
	switch {
	case r.Verdict == Unreadable && r.Line == 0: // a whole input
		s.Unread++
	default:
		s.Documents++
		counts.add(r.Verdict)
	}
	if r.Verdict == NotJudged {
		s.notJudged(r)
	} else if r.Webhook {
		s.Webhook++
	} else if r.ByStructure {
		s.ByStructure++
	}
	s.addMinors(r)
	for i := range r.Findings {
		switch r.Findings[i].Severity {
		case Error:
			s.Errors++
		case Warning:
			s.Warnings++
		case Style:
			s.Style++
		}
	}
}

// add counts a verdict.
func (c *Counts) add(v Verdict) {
	switch v {
	case Accepted:
		c.Accepted++
	case Refused:
		c.Refused++
	case Unreadable:
		c.Unreadable++
	case NotJudged:
		c.NotJudged++
	}
}

// addMinors counts the verdicts of several minors.
func (s *Summary) addMinors(r *Result) {
	if len(s.Minors) == 0 {
		for _, v := range r.Minors {
			s.Minors = append(s.Minors, MinorSummary{Kubernetes: v.Kubernetes})
		}
	}
	for i, v := range r.Minors {
		if r.Definition {
			s.Minors[i].Definitions.add(v.Verdict)
		} else {
			s.Minors[i].Objects.add(v.Verdict)
		}
	}
}

func (s *Summary) notJudged(r *Result) {
	if s.NotJudged == nil {
		s.NotJudged = map[Reason]map[string]int{}
	}
	if s.NotJudged[r.Reason] == nil {
		s.NotJudged[r.Reason] = map[string]int{}
	}
	kind := strings.TrimSpace(r.APIVersion + " " + r.Kind)
	switch {
	case r.Reason == Template:
		kind = r.Template
	case r.Reason == NoObject && r.Kind == "" && r.APIVersion != "": // e.g. Chart.yaml
		kind = filepath.Base(r.File)
	}
	s.NotJudged[r.Reason][kind]++
}
