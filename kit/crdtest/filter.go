package crdtest

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/minors"
)

// Filter returns the suites with the cases whose names match, as in
// "CronTab/replicas are bounded". Suites without such a case are left out. The
// arguments are not changed.
func Filter(suites []*Suite, run *regexp.Regexp) []*Suite {
	var all []*Suite
	for _, suite := range suites {
		kept := *suite
		kept.Cases = nil
		for i := range suite.Cases {
			if run.MatchString(suite.Name + "/" + suite.Cases[i].Name) {
				kept.Cases = append(kept.Cases, suite.Cases[i])
			}
		}
		if len(kept.Cases) > 0 {
			all = append(all, &kept)
		}
	}
	return all
}

// WithMinors returns the suites to be run with minors, the oldest first. A
// suite that names minors is run with those of both; if there are none, its
// cases are skipped. The arguments are not changed. The error is about a suite
// whose minors are not known.
func WithMinors(suites []*Suite, in []minors.Minor) ([]*Suite, error) {
	var all []*Suite
	for _, suite := range suites {
		own, err := minorsOf(suite.Kubernetes)
		if err != nil {
			return nil, suite.errorf("%w", err)
		}
		both := slices.DeleteFunc(slices.Clone(in), func(m minors.Minor) bool {
			return own != nil && !slices.Contains(own, m)
		})
		kept := *suite
		if len(both) > 0 {
			kept.Kubernetes = rangeOf(both)
		} else {
			kept.skip = fmt.Sprintf("its suite is for Kubernetes %s, and it is run with %s",
				suite.Kubernetes, rangeOf(in))
		}
		all = append(all, &kept)
	}
	return all, nil
}

// rangeOf returns the text of minors, the oldest first, e.g. 1.31-1.33 or
// 1.30,1.32.
func rangeOf(all []minors.Minor) string {
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.String()
	}
	if len(all) < 2 {
		return cmp.Or(strings.Join(names, ""), "no minor")
	}
	text := names[0] + "-" + names[len(names)-1]
	if whole, err := minors.ParseRange(text); err == nil && len(whole) == len(all) {
		return text
	}
	return strings.Join(names, ",")
}
