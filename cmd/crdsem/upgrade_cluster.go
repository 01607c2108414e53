package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/screen"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/parallel"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// clusterDefinition is the output for one definition in a cluster's upgrade.
type clusterDefinition struct {
	Name string `json:"name"`
	File string `json:"file"`
	// Error is why the definition is not compared.
	Error string `json:"error,omitempty"`
	*upgrade.ClusterReport

	document *manifest.Document
}

// clusterObject is the output for an object in a cluster's upgrade, or for a
// document that cannot be read.
type clusterObject struct {
	Definition string `json:"definition,omitempty"`
	At         string `json:"at"`
	Name       string `json:"name,omitempty"`
	// Error is why the document cannot be read.
	Error string `json:"error,omitempty"`
	*upgrade.ClusterJudgement

	result *verdict.Result
	other  string // the kind, if no definition of it is compared
	err    error  // of the context
}

// runCluster prints what an upgrade of the cluster does to the definitions and
// the objects in some paths.
func (u *upgrading) runCluster(ctx context.Context, args []string, std streams) (int, error) {
	if len(args) == 0 {
		return 0, errUsage("takes definitions and objects")
	}
	list := manifest.Find(args, std.in)
	defer closeSources(list)
	show := screen.New(std.out, std.err)
	printer, err := output.New(u.output, output.Config{
		Rule: rules.Describe, Out: show, Err: std.err, First: "definitions",
		Title: fmt.Sprintf("Kubernetes %s to %s", u.minors[0], u.minors[len(u.minors)-1]),
	})
	if err != nil {
		return 0, err
	}
	judging, err := u.compareCluster(ctx, list, std, printer)
	if err != nil {
		return 0, err
	}
	if judging.count == 0 {
		return 0, errors.New("no definition found")
	}
	if err := u.judgeCluster(ctx, judging, list, printer, show); err != nil {
		return 0, err
	}
	if err := u.summary.end(printer); err != nil {
		return 0, err
	}
	return u.exitCode(), show.Close()
}

// clusterJudge judges objects in a cluster's upgrade.
type clusterJudge struct {
	compared manifest.Kinds[*clusterDefinition]
	count    int // of definitions
	verbose  bool
}

// compareCluster prints what happens to the definitions of some sources.
func (u *upgrading) compareCluster(
	ctx context.Context, list []*manifest.Source, std streams, printer output.Printer,
) (*clusterJudge, error) {
	judging := &clusterJudge{verbose: u.verbose}
	u.summary.Objects = map[string]map[upgrade.Fate]int{}
	seen := map[string]*manifest.Document{}
	for o, err := range manifest.Objects(list) {
		if err != nil || !manifest.IsDefinition(o.Content) {
			continue // objects are judged later, and what cannot be read
		}
		_, name := typemeta.Name(o.Content)
		if before, has := seen[name]; has {
			std.warnOfDuplicate(name, before, o.Document)
			continue
		}
		seen[name] = o.Document
		c := &clusterDefinition{Name: name, File: o.File, document: o.Document}
		c.ClusterReport, err = upgrade.CompareMinors(ctx, o.Content, u.minors,
			upgrade.Tries(u.tries))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		judging.count++
		if err != nil {
			c.Error = err.Error()
			u.summary.Unreadable++
		} else {
			judging.compared.Add(manifest.NamesOf(o.Content), c)
			u.summary.Objects[name] = map[upgrade.Fate]int{}
			u.failed = u.failed || u.fails(c.Most())
		}
		if err := printer.Print(u.clusterItem(c, o.Content)); err != nil {
			return nil, err
		}
	}
	return judging, nil
}

// judgeCluster prints what happens to the objects of some sources.
func (u *upgrading) judgeCluster(
	ctx context.Context, judging *clusterJudge, list []*manifest.Source, printer output.Printer,
	show *screen.Screen,
) error {
	read := 0
	for o := range parallel.InOrder(clusterJobs(list), func(j clusterJob) *clusterObject {
		return judging.judge(ctx, j)
	}) {
		if o.err != nil {
			return o.err
		}
		u.countCluster(o)
		if o.Error != "" || o.ClusterJudgement != nil && (len(o.Effects) > 0 || u.verbose) {
			if err := printer.Print(u.clusterObjectItem(o)); err != nil {
				return err
			}
		}
		read++
		show.Advance(read, "objects")
	}
	return ctx.Err()
}

// clusterJob is an object that is no definition, or its error.
type clusterJob struct {
	manifest.Object
	err error
}

func clusterJobs(list []*manifest.Source) iter.Seq[clusterJob] {
	return func(yield func(clusterJob) bool) {
		for o, err := range manifest.Objects(list) {
			if (err != nil || !manifest.IsDefinition(o.Content)) && !yield(clusterJob{o, err}) {
				return
			}
		}
	}
}

func (q *clusterJudge) judge(ctx context.Context, j clusterJob) *clusterObject {
	if j.err != nil {
		r := judge.NewUnreadable("", j.err)
		if j.Document != nil {
			r = judge.Unreadable(j.Document, j.err)
		}
		return &clusterObject{Error: j.err.Error(), result: r}
	}
	of := manifest.TypeOf(j.Content)
	c, known := q.compared.Kind(of.GroupKind)
	if !known {
		return &clusterObject{other: of.String()}
	}
	judgement, err := c.Judge(ctx, j.Content)
	if err != nil {
		return &clusterObject{err: err}
	}
	o := &clusterObject{Definition: c.Name, ClusterJudgement: judgement}
	if len(o.Effects) > 0 || q.verbose {
		o.result = judge.NewResult(j.Document, j.Content)
		o.At, o.Name = j.Start().String(), o.result.Subject()
		for i := range o.Effects {
			o.result.Findings = append(o.result.Findings, effectFinding(j.Document, &o.Effects[i]))
		}
	}
	return o
}

// countCluster adds an object to the summary, by its fate in the newest minor.
func (u *upgrading) countCluster(o *clusterObject) {
	switch {
	case o.Error != "":
		u.count(&judgedObject{result: o.result, Judgement: &upgrade.Judgement{}})
	case o.ClusterJudgement == nil:
		u.count(&judgedObject{other: o.other})
	default:
		u.count(&judgedObject{Definition: o.Definition, Judgement: &upgrade.Judgement{
			Fate: o.Fates[len(o.Fates)-1].Fate, Severity: o.Severity,
		}})
	}
}
