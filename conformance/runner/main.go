// Command runner runs the conformance vectors against any program that speaks
// the evaluation protocol.
//
//	go run ./conformance/runner [flags] -- COMMAND [ARG...]
//
// It starts the program once, sends it the request of every vector and prints
// the outcomes by group. The exit code is 0 if all vectors passed or are
// excused by the lists given, 1 if not, and 2 if the run could not be made.
//
// # Terms
//
// Those of [github.com/crdsem/crdsem/internal/test/suite].
//
// # Specification
//
// conformance/vectors/README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/crdsem/crdsem/internal/test/suite"
)

func main() {
	ok, err := runVectors(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "runner:", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

// settings are the command's flags.
type settings struct {
	vectors, notYet, known, groups string
	coverage, minor, profile       string
	json                           bool
	most                           int
	timeout, patience              time.Duration
	command                        []string
}

func parse(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{}
	flags := flag.NewFlagSet("runner", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.vectors, "vectors", "conformance/vectors/eval",
		"the `folder` of the vectors' files")
	flags.StringVar(&s.notYet, "not-yet", "", "a `file` of the ids of vectors not yet passing")
	flags.StringVar(&s.known, "known-differences", "", "a YAML `file` of vectors meant to differ")
	flags.StringVar(&s.groups, "groups", "", "run these groups only, separated by commas")
	flags.StringVar(&s.profile, "profile", "",
		"run the parts of this `profile` only and count by part: "+profileNames())
	flags.StringVar(&s.minor, "kubernetes", suite.Newest(),
		"ask for the answers of this `minor`")
	flags.StringVar(&s.coverage, "coverage", "",
		"run nothing: count the vectors of each rule that this `file` lists")
	flags.BoolVar(&s.json, "json", false, "print the report as JSON")
	flags.IntVar(&s.most, "most", 20, "print at most `N` findings")
	flags.DurationVar(&s.timeout, "timeout", 10*time.Minute, "end the program after this `time`")
	flags.DurationVar(&s.patience, "patience", time.Minute,
		"end the program where one answer takes this `time`")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if s.command = flags.Args(); len(s.command) == 0 && s.coverage == "" {
		return nil, errors.New("no command given: runner [flags] -- COMMAND [ARG...]")
	}
	return s, nil
}

// runVectors reports whether the run succeeded.
func runVectors(args []string, stdout, stderr io.Writer) (bool, error) {
	s, err := parse(args, stderr)
	if err != nil {
		return false, err
	}
	if s.coverage != "" {
		return writeCoverage(stdout, s)
	}
	vectors, lists, err := load(s)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	program, err := suite.Start(ctx, suite.Command{
		Name:     s.command[0],
		Args:     s.command[1:],
		Stderr:   stderr,
		Patience: s.patience,
	})
	if err != nil {
		return false, err
	}
	report, err := suite.Run(ctx, vectors, program, lists)
	if err != nil {
		return false, err
	}
	if err := program.Close(); err != nil && report.Stopped == "" {
		report.Stopped = err.Error()
	}
	report.Target = program.Name()
	if s.json {
		return report.OK(), report.WriteJSON(stdout)
	}
	err = report.WriteText(stdout, s.most)
	if s.profile != "" {
		fmt.Fprintln(stdout)
		err = errors.Join(err, report.WriteParts(stdout))
	}
	return report.OK(), err
}

// writeCoverage reports whether every rule has vectors or a reason to have
// none. It reads the vectors of the folder and the cases of its neighbor other.
func writeCoverage(w io.Writer, s *settings) (bool, error) {
	list, err := os.ReadFile(s.coverage)
	if err != nil {
		return false, err
	}
	rules, err := suite.ParseRules(list)
	if err != nil {
		return false, err
	}
	var shown []string
	for _, folder := range []string{s.vectors, filepath.Join(filepath.Dir(s.vectors), "other")} {
		more, err := suite.RulesShown(os.DirFS(folder))
		if err != nil {
			return false, err
		}
		shown = append(shown, more...)
	}
	return suite.WriteCoverage(w, suite.Coverage(rules, shown))
}

// load reads vectors and lists.
func load(s *settings) ([]suite.Vector, suite.Lists, error) {
	var lists suite.Lists
	vectors, err := suite.Load(os.DirFS(s.vectors))
	if err != nil {
		return nil, lists, err
	}
	if len(vectors) == 0 {
		return nil, lists, fmt.Errorf("%s: no vectors", s.vectors)
	}
	if vectors, err = suite.Under(s.minor, vectors); err != nil {
		return nil, lists, err
	}
	if s.notYet != "" {
		doc, err := os.ReadFile(s.notYet)
		if err != nil {
			return nil, lists, err
		}
		if lists.NotYet, err = suite.ParseNotYet(doc); err != nil {
			return nil, lists, fmt.Errorf("%s: %w", s.notYet, err)
		}
	}
	if s.known != "" {
		doc, err := os.ReadFile(s.known)
		if err != nil {
			return nil, lists, err
		}
		if lists.Known, err = suite.ParseKnownDifferences(doc); err != nil {
			return nil, lists, fmt.Errorf("%s: %w", s.known, err)
		}
		lists.Known = lists.Known.Under(s.minor)
	}
	kept, err := chosen(s, vectors)
	return kept, without(lists, vectors, kept), err
}

// profileNames lists the names of the profiles.
func profileNames() string {
	var names []string
	for _, p := range suite.Profiles() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// chosen returns the vectors of the groups and of the profile that are asked
// for.
func chosen(s *settings, vectors []suite.Vector) (kept []suite.Vector, err error) {
	if kept = vectors; s.groups != "" {
		if kept, err = inGroups(vectors, strings.Split(s.groups, ",")); err != nil {
			return nil, err
		}
	}
	if s.profile != "" {
		return suite.InProfile(s.profile, kept)
	}
	return kept, nil
}

// inGroups returns the vectors of some groups.
func inGroups(vectors []suite.Vector, groups []string) (kept []suite.Vector, err error) {
	for _, group := range groups {
		if !slices.ContainsFunc(vectors, func(v suite.Vector) bool { return v.Group == group }) {
			return nil, fmt.Errorf("there is no group %q", group)
		}
	}
	for _, v := range vectors {
		if slices.Contains(groups, v.Group) {
			kept = append(kept, v)
		}
	}
	return kept, nil
}

// without returns the lists without the entries that are about vectors which
// are not kept.
func without(lists suite.Lists, all, kept []suite.Vector) suite.Lists {
	is := map[string]bool{}
	for _, v := range kept {
		is[v.ID] = true
	}
	var others []suite.Vector
	for _, v := range all {
		if !is[v.ID] {
			others = append(others, v)
		}
	}
	for _, v := range others {
		delete(lists.NotYet, v.ID)
	}
	lists.Known = slices.DeleteFunc(lists.Known, func(d suite.KnownDifference) bool {
		matches := func(v suite.Vector) bool { return suite.KnownDifferences{d}.Find(v.ID) >= 0 }
		return slices.ContainsFunc(others, matches) && !slices.ContainsFunc(kept, matches)
	})
	return lists
}
