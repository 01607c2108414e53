package crdtest

import "regexp"

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
