package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/internal/app/coverage"
	"github.com/crdsem/crdsem/internal/app/mutation"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/crdtest"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
)

// testHelp describes the command.
const testHelp = `test runs tests of definitions. Each PATH is a file or a folder with

  *.crdtest.yaml    suites of crdsem
  OpenShift suites  documents with crdName and tests
  manifests         each is created; it must be admitted, unless a field _err, a
                    file next to it (FILE.err) or a folder named invalid or
                    invalid-... states otherwise. PRE.pre.yaml is updated to
                    PRE.post.yaml

A PATH named - is the standard input; paths in its suites begin at the current
folder. Suites that name no definitions are run with the definitions of --crd,
or else with the definitions in PATH. A case about a kind without a definition
is skipped, but fails in a suite that names definitions. A definition that a
server refuses to create fails as a separate case. The exit code is 1 if a case
fails, and 3 if no case was run, e.g. because all are for other minors; -v says
why.

With --kubernetes, each case is run with each of the minors; suites that name
minors are run with the minors that both name. The output has a table of the
cases whose outcome depends on the minor.

A case with convert takes an object to each other served version and back. Where
a conversion webhook converts, --webhook asks it; a case that needs it fails
without.

A file that cannot be read, and a folder without tests, is a failed case; the
others are run.

With --init, each PATH has definitions, and a first suite of each is written next
to it, e.g. crontabs.crdtest.yaml: the smallest object, the defaults, and each
rule kept and broken. All of its cases pass. A comment names what no case was
found for.

With --update, a warning on the standard error names each request that was to be
admitted and is now stated to be refused, or the other way round.

JSON and YAML are one document with results and summary; --cover and --mutate
add coverage and mutation to it. With the other formats for machines, their text
goes to the standard error.`

func newTestCommand() *cobra.Command {
	c := &tests{}
	cmd := &cobra.Command{
		Use:   "test PATH...",
		Short: "run tests of definitions; report coverage and mutation score",
		Long:  testHelp,
		RunE:  runs(c.run),
	}
	crdFlag(cmd, &c.crds)
	kubernetesFlag(cmd, &c.minors)
	webhookFlags(cmd, &c.webhook)
	flags := cmd.Flags()
	flags.StringVar(&c.match, "run", "", "run only cases whose SUITE/CASE matches `REGEXP`")
	flags.BoolVarP(&c.verbose, "verbose", "v", false,
		"list the cases that pass or are skipped, too")
	flags.BoolVar(&c.update, "update", false,
		"write the outcomes into the files of *.crdtest.yaml suites")
	flags.BoolVar(&c.init, "init", false,
		"write a first suite next to each definition in PATH, and run nothing")
	flags.BoolVar(&c.watch, "watch", false, "run again whenever a file changes")
	flags.StringVar(&c.junit, "junit", "", "write a report in the XML of JUnit to `FILE`")
	flags.BoolVar(&c.cover, "cover", false, "print what of the definitions the cases cover")
	flags.StringVar(&c.coverHTML, "cover-html", "", "write the coverage as a page to `FILE`")
	flags.StringVar(&c.coverJSON, "cover-json", "", "write the coverage as JSON to `FILE`")
	flags.BoolVar(&c.mutate, "mutate", false,
		"change the definitions, and print which changes no case notices")
	flags.Float64Var(&c.failUnder, "fail-under", 0,
		"exit with 1 if the score of --cover or of --mutate is below `PERCENT`")
	flags.StringVar(&c.mutateJSON, "mutate-json", "", "write all changes as JSON to `FILE`")
	outputFlag(cmd, &c.output, output.Formats()...)
	return cmd
}

// tests is one run of the command.
type tests struct {
	crds                        []string
	match, output               string
	verbose, update, watch      bool
	init                        bool
	cover, mutate               bool
	junit, coverHTML, coverJSON string
	mutateJSON                  string
	failUnder                   float64 // percent, 0 without a least score
	minors                      []minors.Minor
	webhook                     webhookChoice

	hook    conversion.Webhook
	pattern *regexp.Regexp
	paths   []string
	stdin   []byte   // the standard input, if it is one of the paths
	used    []string // definitions that suites name
	below   []string // scores that are below failUnder
}

func (c *tests) run(ctx context.Context, args []string, std streams) (int, error) {
	if len(args) == 0 {
		return 0, errUsage("no suite given")
	}
	if c.failUnder != 0 && !c.isMeasured() {
		return 0, errUsage("--fail-under needs --cover or --mutate")
	}
	if c.failUnder < 0 || c.failUnder > 100 {
		return 0, errUsage("--fail-under: it is no percentage")
	}
	var err error
	if c.pattern, err = regexp.Compile(c.match); err != nil {
		return 0, errUsage("--run: " + err.Error())
	}
	if c.paths, err = manifest.Expand(args); err != nil {
		return 0, err
	}
	if c.init {
		return c.writeFirst(ctx, std)
	}
	hook, stop, err := c.webhook.open()
	if err != nil {
		return 0, err
	}
	defer stop()
	c.hook = hook
	if std.in, err = c.keepStdin(std.in); err != nil {
		return 0, err
	}
	if c.watch {
		return c.watchFiles(ctx, std)
	}
	return c.once(ctx, std)
}

// stdinPath is the path that stands for the standard input.
const stdinPath = "-"

// keepStdin keeps the standard input if it is one of the paths, because it is
// read for definitions and for suites. It returns what the rest of the command
// reads.
func (c *tests) keepStdin(in io.Reader) (io.Reader, error) {
	if !slices.Contains(c.paths, stdinPath) {
		return in, nil
	}
	if c.update || c.watch {
		return nil, errUsage("--update and --watch need files, not the standard input")
	}
	var err error
	if c.stdin, err = io.ReadAll(in); err != nil {
		return nil, err
	}
	return bytes.NewReader(c.stdin), nil
}

// once runs the suites once.
func (c *tests) once(ctx context.Context, std streams) (int, error) {
	c.below = nil
	crds, suites, unread, err := c.read(std.in)
	if err != nil {
		return 0, err
	}
	warnOfDuplicates(crds, std)
	if c.update {
		return exitOK, errors.Join(c.rewrite(ctx, std, crds, suites), unread)
	}
	results, err := crdtest.Execute(ctx, crds, suites)
	if err != nil {
		return 0, err
	}
	results = append(unreadable(unread), results...)
	out, err := output.New(c.output, output.Config{
		Out: std.out, Err: std.err, Rule: rules.Describe,
	})
	if err != nil {
		return 0, err
	}
	if err := c.print(out, results); err != nil {
		return 0, err
	}
	if err := c.writeTo(c.junit, func(file io.Writer) error {
		return crdtest.WriteJUnit(file, results)
	}); err != nil {
		return 0, err
	}
	if err := c.reportCoverage(ctx, out, crds, suites); err != nil {
		return 0, err
	}
	if err := c.reportMutation(ctx, out, crds, suites); err != nil {
		return 0, err
	}
	code := summaryOf(results).exitCode()
	for _, score := range c.below {
		fmt.Fprintln(std.err, score)
		code = exitRefused
	}
	return code, out.Close()
}

// isMeasured reports whether --cover or --mutate, or a file of one of them, is
// asked for.
func (c *tests) isMeasured() bool {
	return c.cover || c.mutate || c.coverHTML != "" || c.coverJSON != "" || c.mutateJSON != ""
}

// demand notes a score that is below --fail-under.
func (c *tests) demand(what string, score crdtest.Score) {
	if score.Percent() < c.failUnder {
		c.below = append(c.below, fmt.Sprintf("%s: %s, less than --fail-under %g", what, score,
			c.failUnder))
	}
}

// read reads the definitions and the suites. unread joins the errors of the
// files that cannot be read, if others can.
func (c *tests) read(
	stdin io.Reader,
) (crds []*crdtest.CRD, suites []*crdtest.Suite, unread, err error) {
	if len(c.crds) > 0 {
		if crds, err = givenCRDs(c.crds, stdin); err != nil {
			return nil, nil, nil, err
		}
	} else {
		crds = c.definitionsInPaths()
	}
	if suites, unread = c.readSuites(); len(suites) == 0 {
		return nil, nil, nil, unread
	}
	if suites, err = c.matching(suites); err != nil {
		return nil, nil, nil, err
	}
	for _, suite := range suites {
		suite.Webhook = c.hook
	}
	if !slices.Equal(c.minors, []minors.Minor{minors.Newest()}) {
		suites, err = crdtest.WithMinors(suites, c.minors)
	}
	return crds, suites, unread, err
}

// unreadable returns a failed result for each of the joined errors.
func unreadable(unread error) (results []crdtest.Result) {
	joined, ok := unread.(interface{ Unwrap() []error })
	if !ok {
		return nil
	}
	for _, err := range joined.Unwrap() {
		r := crdtest.Result{Suite: "files", Case: "can be read", Err: err}
		if at, ok := errors.AsType[*manifest.Error](err); ok {
			r.File, r.Line = at.File, at.Line
		}
		results = append(results, r)
	}
	return results
}

// readSuites reads the suites in the paths. The error joins those of files that
// cannot be read.
func (c *tests) readSuites() ([]*crdtest.Suite, error) {
	isStdin := func(path string) bool { return path == stdinPath }
	suites, err := crdtest.ReadSuites(slices.DeleteFunc(slices.Clone(c.paths), isStdin)...)
	if slices.ContainsFunc(c.paths, isStdin) {
		found, stdinErr := crdtest.ParseSuites(manifest.Stdin, c.stdin)
		suites, err = append(suites, found...), errors.Join(err, stdinErr)
	}
	return suites, err
}

// matching returns suites with the cases of --run.
func (c *tests) matching(suites []*crdtest.Suite) ([]*crdtest.Suite, error) {
	c.used = nil
	for _, suite := range suites {
		c.used = append(c.used, suite.CRDFiles...)
	}
	if c.match == "" {
		return suites, nil
	}
	if suites = crdtest.Filter(suites, c.pattern); len(suites) == 0 {
		return nil, fmt.Errorf("no case matches --run %s", c.match)
	}
	return suites, nil
}

// givenCRDs reads the definitions of --crd.
func givenCRDs(paths []string, stdin io.Reader) ([]*crdtest.CRD, error) {
	var crds []*crdtest.CRD
	for o, err := range manifest.Definitions(paths, stdin) {
		if err != nil {
			return nil, err
		}
		crd, err := crdtest.NewCRD(o.Document)
		if err != nil {
			return nil, err
		}
		crds = append(crds, crd)
	}
	return crds, nil
}

// warnOfDuplicates warns of definitions of one kind in different places.
func warnOfDuplicates(crds []*crdtest.CRD, std streams) {
	var known manifest.Kinds[*crdtest.CRD]
	for _, crd := range crds {
		names, at := manifest.NamesOf(crd.Object()), crd.Document()
		for _, before := range known.Add(names, crd) {
			if before.Document().Start() != at.Start() {
				std.warnOfDuplicate(names.String(), before.Document(), at)
			}
		}
	}
}

// definitionsInPaths reads the definitions in the paths of the suites. What
// cannot be read is an error of the suites.
func (c *tests) definitionsInPaths() (crds []*crdtest.CRD) {
	for _, path := range c.paths {
		read := func() ([]*crdtest.CRD, error) { return crdtest.ReadCRDs(path) }
		if path == stdinPath {
			read = func() ([]*crdtest.CRD, error) {
				return crdtest.ParseCRDs(manifest.Stdin, c.stdin)
			}
		}
		found, _ := read()
		crds = append(crds, found...)
	}
	return crds
}

// rewrite writes the outcomes into the files, which it lists. Its warnings go
// to the standard error.
func (c *tests) rewrite(
	ctx context.Context, std streams, crds []*crdtest.CRD, suites []*crdtest.Suite,
) error {
	changed, err := crdtest.Rewrite(ctx, crds, suites)
	for _, r := range changed {
		visible.Printf(c.words(std), "%s: updated\n", r.File)
		for _, warning := range r.Warnings {
			visible.Printf(std.err, "%s: warning: %s\n", r.File, warning)
		}
	}
	return err
}

func (c *tests) reportCoverage(
	ctx context.Context, out output.Printer, crds []*crdtest.CRD, suites []*crdtest.Suite,
) error {
	if !c.cover && c.coverHTML == "" && c.coverJSON == "" {
		return nil
	}
	report, err := coverage.Measure(ctx, crds, suites)
	if err != nil {
		return err
	}
	if c.cover {
		names := 6
		if c.verbose {
			names = math.MaxInt
		}
		write := func(to io.Writer) error { return report.WriteText(to, names) }
		if err := addWritten(out, "coverage", report, write); err != nil {
			return err
		}
	}
	c.demand("coverage", report.Score())
	return errors.Join(c.writeTo(c.coverHTML, report.WriteHTML),
		c.writeTo(c.coverJSON, report.WriteJSON))
}

func (c *tests) reportMutation(
	ctx context.Context, out output.Printer, crds []*crdtest.CRD, suites []*crdtest.Suite,
) error {
	if !c.mutate && c.mutateJSON == "" {
		return nil
	}
	report, err := mutation.Run(ctx, crds, suites)
	if err != nil {
		return err
	}
	if c.mutate {
		if err := addWritten(out, "mutation", report, report.WriteText); err != nil {
			return err
		}
	}
	c.demand("mutants noticed", report.Score())
	return c.writeTo(c.mutateJSON, report.WriteJSON)
}

// writeTo writes a report to a file, unless the name of the file is empty.
func (c *tests) writeTo(file string, write func(io.Writer) error) error {
	if file == "" {
		return nil
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(write(out), out.Close())
}

// watchFiles runs the suites, and again whenever a file changes, until the
// context ends. Errors are printed.
func (c *tests) watchFiles(ctx context.Context, std streams) (int, error) {
	w := watching{
		paths: slices.Concat(c.paths, c.crds), words: c.words(std),
		isInput: func(file string) bool {
			return isInput(file) && file != c.coverJSON && file != c.mutateJSON
		},
		once: func() []string {
			if _, err := c.once(ctx, std); err != nil {
				visible.Printf(std.err, "crdsem test: %v\n", err)
			}
			return c.used
		},
	}
	return exitOK, w.run(ctx)
}

// isInput reports whether the tests can depend on a file.
func isInput(file string) bool {
	ext := filepath.Ext(file)
	return isManifest(file) || ext == ".err" || ext == ".tx_err"
}
