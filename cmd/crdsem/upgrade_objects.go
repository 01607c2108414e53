package main

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/screen"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/parallel"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// judgedObject is the output for a stored object, or for a document that cannot
// be read.
type judgedObject struct {
	Definition string `json:"definition,omitempty"`
	At         string `json:"at"`
	Name       string `json:"name,omitempty"`
	*upgrade.Judgement
	Findings []verdict.Finding `json:"findings,omitempty"`

	result *verdict.Result // the place and the name
	other  string          // the kind, if no definition of it is compared
	err    error           // of the context
}

// judgeObjects judges every stored object by the report of its definition, and
// prints those that are affected. It holds a bounded number of them.
func (u *upgrading) judgeObjects(
	ctx context.Context, all []*comparison, list []*manifest.Source, printer output.Printer,
	show *screen.Screen,
) error {
	u.summary.Objects = map[string]map[upgrade.Fate]int{}
	judging := objectJudge{verbose: u.verbose}
	for _, c := range all {
		if c.Report != nil {
			judging.compared.Add(c.names, c)
			u.summary.Objects[c.Name] = map[upgrade.Fate]int{}
		}
	}
	read := 0
	for o := range parallel.InOrder(objectsOf(list), func(j objectJob) *judgedObject {
		return judging.judge(ctx, j)
	}) {
		if o.err != nil {
			return o.err
		}
		u.count(o)
		if u.prints(o) {
			if err := printer.Print(u.objectItem(o)); err != nil {
				return err
			}
		}
		read++
		show.Advance(read, "objects")
	}
	return ctx.Err()
}

// objectJob is one object that was read, or its error.
type objectJob struct {
	input *manifest.Source
	doc   *manifest.Document
	err   error
}

func objectsOf(list []*manifest.Source) iter.Seq[objectJob] {
	return func(yield func(objectJob) bool) {
		for _, in := range list {
			for doc, err := range in.Objects() {
				if !yield(objectJob{in, doc, err}) {
					return
				}
			}
		}
	}
}

// objectJudge judges objects. It is safe for concurrent use.
type objectJudge struct {
	compared manifest.Kinds[*comparison]
	verbose  bool
}

func (q *objectJudge) judge(ctx context.Context, j objectJob) *judgedObject {
	if j.err != nil {
		return unreadableObject(judge.NewUnreadable(j.input.Name, j.err))
	}
	object, _, err := j.doc.Object()
	if err != nil {
		return unreadableObject(judge.Unreadable(j.doc, err))
	}
	of := manifest.TypeOf(object)
	c, known := q.compared.Kind(of.GroupKind)
	if !known {
		return &judgedObject{other: of.String()}
	}
	judgement, err := c.Judge(ctx, object)
	if err != nil {
		return &judgedObject{err: err}
	}
	o := &judgedObject{Definition: c.Name, Judgement: judgement}
	if judgement.Fate != upgrade.Unaffected || q.verbose {
		o.Findings = findingsOf(j.doc, judgement)
		o.result = judge.NewResult(j.doc, object)
		o.At, o.Name = j.doc.Start().String(), o.result.Subject()
	}
	return o
}

// unreadableObject returns the output for a document that cannot be read.
func unreadableObject(r *verdict.Result) *judgedObject {
	at := manifest.Position{File: r.File, Line: r.Line, Column: r.Column}
	return &judgedObject{
		At: at.String(), Findings: r.Findings, result: r,
		Judgement: &upgrade.Judgement{
			Fate: upgrade.Unreadable, Before: upgrade.Unreadable, Severity: upgrade.Breaking,
		},
	}
}

// levels are the severities of findings by those of objects.
var levels = map[upgrade.Severity]verdict.Severity{
	upgrade.Breaking: verdict.Error, upgrade.Notable: verdict.Warning, upgrade.Fine: verdict.Tolerated,
}

// findingsOf returns the findings of a judgement with their places.
func findingsOf(doc *manifest.Document, j *upgrade.Judgement) []verdict.Finding {
	var found []verdict.Finding
	for _, f := range j.Findings() {
		finding := verdict.Finding{
			Severity: levels[j.Severity], Field: f.Path, Rule: f.Rule, Text: f.String(),
		}
		at := doc.Start()
		switch {
		case f.Err != nil:
			at = doc.Locate(f.Err)
			finding.Type, finding.Detail = string(f.Err.Type), f.Err.Detail
		case f.Path != "":
			at = doc.Find(f.Path).Key
		}
		finding.Line, finding.Column = at.Line, at.Column
		found = append(found, finding)
	}
	return found
}

// maxOtherKinds bounds the kinds that are counted apart.
const maxOtherKinds = 1000

// count adds an object to the summary.
func (u *upgrading) count(o *judgedObject) {
	s := &u.summary
	switch {
	case !o.isJudged():
		if s.NotJudged == nil {
			s.NotJudged = map[string]int{}
		}
		kind := cmp.Or(o.other, "without apiVersion and kind")
		if _, known := s.NotJudged[kind]; !known && len(s.NotJudged) >= maxOtherKinds {
			kind = "of other kinds"
		}
		s.NotJudged[kind]++
	case o.Definition == "" && o.result.Line == 0:
		s.Unread++
	case o.Definition == "":
		s.Unreadable++
	default:
		s.Objects[o.Definition][o.Fate]++
		u.failed = u.failed || u.fails(o.Severity)
	}
}

// isJudged reports whether the document was to be judged: it is of a kind that
// a definition has, or it cannot be read.
func (o *judgedObject) isJudged() bool { return o.other == "" && o.Judgement != nil }

// prints reports whether an object is printed.
func (u *upgrading) prints(o *judgedObject) bool {
	isSame := o.isJudged() && (o.Fate == upgrade.Unaffected ||
		o.Fate == upgrade.WebhookDecides && o.Severity == upgrade.Fine)
	return o.isJudged() && (u.verbose || o.Definition == "" || !isSame)
}

// countFates returns the counts of a definition's objects, e.g. "3 objects: 1
// pruned, 2 unaffected".
func countFates(fates map[upgrade.Fate]int) string {
	total := 0
	var parts []string
	for _, fate := range upgrade.Fates() {
		if n := fates[fate]; n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, fate))
		}
	}
	return strings.TrimSuffix(count(total, "object")+": "+strings.Join(parts, ", "), ": ")
}
