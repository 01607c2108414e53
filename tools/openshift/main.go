// Command openshift runs the suites of a checkout of openshift/api, and writes
// the outcome into docs/testing.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/kit/crdtest"
	"github.com/crdsem/crdsem/minors"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./tools/openshift CHECKOUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], filepath.Join("docs", "testing.md")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs the suites of a checkout and writes the report into a page.
func run(checkout, page string) error {
	folders, err := filepath.Glob(filepath.Join(checkout, "*", "v*", "tests"))
	if err != nil {
		return err
	}
	if len(folders) == 0 {
		return fmt.Errorf("%s: has no folder GROUP/VERSION/tests", checkout)
	}
	slices.Sort(folders)
	suites, err := crdtest.ReadSuites(folders...)
	if err != nil {
		return err
	}
	results, err := crdtest.Execute(context.Background(), nil, suites)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	written, err := replaced(string(text), report(suites, results))
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	return os.WriteFile(page, []byte(written), 0o644)
}

// The lines between which the report is.
const (
	begin = "<!-- written by tools/openshift -->\n"
	end   = "<!-- end -->\n"
)

// replaced returns a page with another report.
func replaced(page, report string) (string, error) {
	before, rest, found := strings.Cut(page, begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return "", errors.New("has no place for the report")
	}
	return before + begin + report + end + after, nil
}

// costly is the error of a definition whose rule is over its limit.
var costly = regexp.MustCompile(
	`refused: (\S+): Forbidden: (estimated rule cost exceeds budget [^(]*?)[ .]*\(`)

// report says what passes, and which definitions are refused.
func report(suites []*crdtest.Suite, results []crdtest.Result) string {
	tests, passed := 0, 0
	for _, s := range suites {
		tests += len(s.Cases)
	}
	var refused, others []string
	for i := range results {
		r := &results[i]
		switch {
		case r.Err == nil:
			passed++
		case costly.MatchString(r.Err.Error()):
			m := costly.FindStringSubmatch(r.Err.Error())
			refused = append(refused, fmt.Sprintf("| `%s` | `%s` | %s |\n", filepath.Base(r.File),
				strings.TrimPrefix(m[1], "spec.validation.openAPIV3Schema."), m[2]))
		default:
			others = append(others, fmt.Sprintf("- `%s`", filepath.Base(r.File)))
		}
	}
	var b strings.Builder
	const head = "\n%d tests of openshift/api are %d cases with all variants of the definitions. " +
		"%d pass.\n"
	fmt.Fprintf(&b, head, tests, len(results), passed)
	slices.Sort(refused)
	slices.Sort(others)
	fmt.Fprintf(&b, "\nA server of Kubernetes %s refuses to create %d definitions:\n\n"+
		"| definition | rule | error |\n| --- | --- | --- |\n%s", minors.Newest(), len(refused),
		strings.Join(refused, ""))
	fmt.Fprintf(&b, "\nOther cases that fail, by file:\n\n%s\n\n",
		strings.Join(slices.Compact(others), "\n"))
	return b.String()
}
