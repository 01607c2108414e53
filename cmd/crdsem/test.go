package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/crdtest"
)

func newTestCommand() *cobra.Command {
	c := &tests{}
	cmd := &cobra.Command{
		Use:   "test PATH...",
		Short: "run tests of definitions; say what they cover and which changes they notice",
		Long: `test runs tests of definitions. Each PATH is a file or a folder with

  *.crdtest.yaml    suites of crdsem
  OpenShift suites  documents with crdName and tests
  manifests         each is created; it must be admitted, unless a field _err, a
                    file next to it (FILE.err) or a folder named invalid states
                    otherwise. PRE.pre.yaml is updated to PRE.post.yaml

Suites that name no definitions are run with those of --crd, or else with those
that are in PATH. The exit code is 1 if a case is not as stated.`,
		RunE: runs(c.run),
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&c.crds, "crd", nil,
		"read definitions from a `PATH`; may be given more than once")
	flags.StringVar(&c.match, "run", "", "run only cases whose SUITE/CASE matches `REGEXP`")
	flags.BoolVarP(&c.verbose, "verbose", "v", false, "list the cases that pass, too")
	flags.BoolVar(&c.update, "update", false,
		"write the outcomes into the files of *.crdtest.yaml suites")
	flags.BoolVar(&c.watch, "watch", false, "run again whenever a file changes")
	flags.StringVar(&c.junit, "junit", "", "write a report in the XML of JUnit to `FILE`")
	flags.BoolVar(&c.cover, "cover", false, "print what of the definitions the cases cover")
	flags.StringVar(&c.coverHTML, "cover-html", "", "write the coverage as a page to `FILE`")
	flags.StringVar(&c.coverJSON, "cover-json", "", "write the coverage as JSON to `FILE`")
	flags.BoolVar(&c.mutate, "mutate", false,
		"change the definitions, and print which changes no case notices")
	flags.StringVar(&c.mutateJSON, "mutate-json", "", "write all changes as JSON to `FILE`")
	outputFlag(cmd, &c.output, "text", "json")
	return cmd
}

// tests is one run of the command.
type tests struct {
	crds                        []string
	match, output               string
	verbose, update, watch      bool
	cover, mutate               bool
	junit, coverHTML, coverJSON string
	mutateJSON                  string

	pattern *regexp.Regexp
	paths   []string
	used    []string // definitions that suites name
}

func (c *tests) run(ctx context.Context, args []string, std streams) (int, error) {
	if len(args) == 0 {
		return 0, errUsage("no suite given")
	}
	var err error
	if c.pattern, err = regexp.Compile(c.match); err != nil {
		return 0, errUsage("--run: " + err.Error())
	}
	c.paths = args
	if c.watch {
		return c.watchFiles(ctx, std)
	}
	return c.once(ctx, std)
}

// once runs the suites once.
func (c *tests) once(ctx context.Context, std streams) (int, error) {
	crds, suites, err := c.read()
	if err != nil {
		return 0, err
	}
	if c.update {
		return exitOK, c.rewrite(ctx, std.out, crds, suites)
	}
	results, err := crdtest.Execute(ctx, crds, suites)
	if err != nil {
		return 0, err
	}
	code := exitOK
	for i := range results {
		if results[i].Err != nil {
			code = exitRefused
		}
	}
	if err := c.print(std.out, results); err != nil {
		return 0, err
	}
	if err := c.writeTo(c.junit, func(out io.Writer) error {
		return crdtest.WriteJUnit(out, results)
	}); err != nil {
		return 0, err
	}
	if err := c.reportCoverage(ctx, std.out, crds, suites); err != nil {
		return 0, err
	}
	return code, c.reportMutation(ctx, std.out, crds, suites)
}

// read reads the definitions and the suites.
func (c *tests) read() ([]*crdtest.CRD, []*crdtest.Suite, error) {
	var crds []*crdtest.CRD
	var err error
	if len(c.crds) > 0 {
		crds, err = crdtest.ReadCRDs(c.crds...)
	} else {
		crds, err = c.definitionsInPaths()
	}
	if err != nil {
		return nil, nil, err
	}
	suites, err := crdtest.ReadSuites(c.paths...)
	if err != nil {
		return nil, nil, err
	}
	c.used = nil
	for _, suite := range suites {
		c.used = append(c.used, suite.CRDFiles...)
	}
	if suites = crdtest.Filter(suites, c.pattern); len(suites) == 0 {
		return nil, nil, fmt.Errorf("no case matches --run %s", c.match)
	}
	return crds, suites, nil
}

// definitionsInPaths reads the definitions in the paths of the suites.
func (c *tests) definitionsInPaths() ([]*crdtest.CRD, error) {
	var crds []*crdtest.CRD
	for _, path := range c.paths {
		found, err := crdtest.ReadCRDs(path)
		if err != nil && !errors.Is(err, crdtest.ErrNoCRD) {
			return nil, err
		}
		crds = append(crds, found...)
	}
	return crds, nil
}

func (c *tests) rewrite(
	ctx context.Context, out io.Writer, crds []*crdtest.CRD, suites []*crdtest.Suite,
) error {
	changed, err := crdtest.Rewrite(ctx, crds, suites)
	for _, file := range changed {
		fmt.Fprintf(out, "%s: updated\n", file)
	}
	return err
}

// testResult is the output of test for one case.
type testResult struct {
	Suite   string `json:"suite"`
	Case    string `json:"case"`
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Passed  bool   `json:"passed"`
	Failure string `json:"failure,omitempty"`
	Skipped string `json:"skipped,omitempty"`
}

// print prints the results.
func (c *tests) print(out io.Writer, results []crdtest.Result) error {
	if c.output == "json" {
		list := make([]testResult, len(results))
		for i, r := range results {
			list[i] = testResult{r.Suite, r.Case, r.File, r.Line, r.Err == nil && r.Skipped == "",
				"", r.Skipped}
			if r.Err != nil {
				list[i].Failure = r.Err.Error()
			}
		}
		return writeJSON(out, list)
	}
	var b strings.Builder
	failed, skipped := 0, 0
	for i := range results {
		r := &results[i]
		switch {
		case r.Err != nil:
			failed++
			text := strings.ReplaceAll(strings.TrimSpace(r.Err.Error()), "\n", "\n    ")
			fmt.Fprintf(&b, "FAIL %s\n    %s\n", r.Name(), text)
		case r.Skipped != "":
			skipped++
			if c.verbose {
				fmt.Fprintf(&b, "skip %s: %s\n", r.Name(), r.Skipped)
			}
		case c.verbose:
			fmt.Fprintf(&b, "ok   %s\n", r.Name())
		}
	}
	fmt.Fprintf(&b, "%d cases: %d as stated, %d not, %d skipped\n", len(results),
		len(results)-failed-skipped, failed, skipped)
	_, err := io.WriteString(out, b.String())
	return err
}

func (c *tests) reportCoverage(
	ctx context.Context, out io.Writer, crds []*crdtest.CRD, suites []*crdtest.Suite,
) error {
	if !c.cover && c.coverHTML == "" && c.coverJSON == "" {
		return nil
	}
	coverage, err := crdtest.Cover(ctx, crds, suites)
	if err != nil {
		return err
	}
	if c.cover {
		if err := coverage.WriteText(out); err != nil {
			return err
		}
	}
	return errors.Join(c.writeTo(c.coverHTML, coverage.WriteHTML),
		c.writeTo(c.coverJSON, coverage.WriteJSON))
}

func (c *tests) reportMutation(
	ctx context.Context, out io.Writer, crds []*crdtest.CRD, suites []*crdtest.Suite,
) error {
	if !c.mutate && c.mutateJSON == "" {
		return nil
	}
	mutation, err := crdtest.Mutate(ctx, crds, suites)
	if err != nil {
		return err
	}
	if c.mutate {
		if err := mutation.WriteText(out); err != nil {
			return err
		}
	}
	return c.writeTo(c.mutateJSON, mutation.WriteJSON)
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

// watchInterval is the time between two looks at the files.
const watchInterval = 300 * time.Millisecond

// watchFiles runs the suites, and again whenever a file changes, until the
// context ends. Errors are printed.
func (c *tests) watchFiles(ctx context.Context, std streams) (int, error) {
	var known []string // what the snapshot knows of c.used
	for {
		before := c.snapshot()
		if _, err := c.once(ctx, std); err != nil {
			fmt.Fprintf(std.err, "crdsem test: %v\n", err)
		}
		if !slices.Equal(c.used, known) {
			known, before = c.used, c.snapshot()
		}
		fmt.Fprintln(std.out, "watching; press Ctrl-C to end")
		for c.snapshot() == before {
			select {
			case <-ctx.Done():
				return exitOK, nil
			case <-time.After(watchInterval):
			}
		}
	}
}

// snapshot names all files with their sizes and times. The reports in JSON that
// the command writes are left out.
func (c *tests) snapshot() string {
	var b strings.Builder
	for _, path := range slices.Concat(c.paths, c.crds, c.used) {
		_ = filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !isInput(at) ||
				at == c.coverJSON || at == c.mutateJSON {
				return nil
			}
			if info, err := entry.Info(); err == nil {
				fmt.Fprintln(&b, at, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return b.String()
}

// isInput reports whether the tests can depend on a file.
func isInput(file string) bool {
	switch filepath.Ext(file) {
	case ".yaml", ".yml", ".json", ".err", ".tx_err":
		return true
	}
	return false
}
