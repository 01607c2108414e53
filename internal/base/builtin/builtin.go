// Package builtin knows the API groups and kinds that are part of Kubernetes.
package builtin

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// kindsText has the kinds of each group, in lines like "batch: CronJob Job".
//
//go:embed kinds.txt
var kindsText string

// kinds returns the kinds by their groups.
var kinds = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(kindsText) {
		group, list, ok := strings.Cut(line, ": ")
		if ok && line[0] != '#' {
			out[group] = strings.Fields(list)
		}
	}
	return out
})

// HasGroup reports whether a group is part of Kubernetes, e.g. apps.
func HasGroup(group string) bool { return kinds()[group] != nil }

// HasKind reports whether a kind is part of Kubernetes, e.g. Deployment of the
// group apps. So is the list of such a kind, e.g. DeploymentList.
func HasKind(group, kind string) bool {
	return slices.Contains(kinds()[group], strings.TrimSuffix(kind, "List")) ||
		group == "" && kind == "List"
}

// Kinds returns the kinds of a group of Kubernetes. It must not be changed.
func Kinds(group string) []string { return kinds()[group] }
