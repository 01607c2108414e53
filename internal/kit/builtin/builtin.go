// Package builtin knows the API groups and kinds that are part of Kubernetes.
package builtin

import (
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// kindsText has the kinds of each group and version, in lines like
// "batch/v1: CronJob Job@30". Command tools/kinds writes it.
//
//go:embed kinds.txt
var kindsText string

// Kind says which minors serve a kind in one version of its group. An empty
// minor is no bound.
type Kind struct {
	Since, Until string // e.g. 1.30
	// Deprecated is the minor since which servers warn of it, and Removed the
	// minor that is announced to serve it no more. They are empty without.
	Deprecated, Removed string
	// Instead is the apiVersion that replaces one that is deprecated or no
	// longer served, and InsteadKind the kind in it.
	Instead, InsteadKind string
}

// ServedBy reports whether a minor serves the kind, e.g. 1.30. An empty minor
// is the newest one.
func (k *Kind) ServedBy(minor string) bool {
	if k != nil && minor == "" {
		return k.Until == ""
	}
	return k != nil && number(k.Since) <= number(minor) &&
		(k.Until == "" || number(k.Until) >= number(minor))
}

func number(minor string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(minor, "1."))
	return n
}

type table struct {
	versions map[string]map[string]*Kind // by apiVersion and kind
	groups   map[string][]string         // the kinds of each group
}

var kinds = sync.OnceValue(func() table {
	t := table{map[string]map[string]*Kind{}, map[string][]string{}}
	for line := range strings.Lines(kindsText) {
		apiVersion, list, _ := strings.Cut(line, ": ") // a comment lists nothing
		group, _, hasGroup := strings.Cut(apiVersion, "/")
		if !hasGroup {
			group = ""
		}
		versions := map[string]*Kind{}
		for _, text := range strings.Fields(list) {
			name, k := parse(text)
			versions[name] = k
			if !slices.Contains(t.groups[group], name) {
				t.groups[group] = append(t.groups[group], name)
			}
		}
		t.versions[apiVersion] = versions
	}
	return t
})

// parse reads a kind, e.g. DeviceClass@31-33=resource.k8s.io/v1beta1.
func parse(text string) (name string, k *Kind) {
	k = &Kind{}
	text, k.Instead, _ = strings.Cut(text, "=")
	for _, part := range []struct {
		sign  string
		minor *string
	}{{"^", &k.Removed}, {"~", &k.Deprecated}, {"-", &k.Until}, {"@", &k.Since}} {
		var number string
		if text, number, _ = strings.Cut(text, part.sign); number != "" {
			*part.minor = "1." + number
		}
	}
	k.Instead, k.InsteadKind, _ = strings.Cut(k.Instead, ",")
	if k.Instead != "" && k.InsteadKind == "" {
		k.InsteadKind = text
	}
	return text, k
}

// Find returns the kind of an apiVersion, e.g. apps/v1 Deployment, or nil. A
// list of a kind is found like the kind, e.g. DeploymentList.
func Find(apiVersion, kind string) *Kind {
	if apiVersion == "v1" && kind == "List" {
		return &Kind{}
	}
	return kinds().versions[apiVersion][strings.TrimSuffix(kind, "List")]
}

// Current returns the apiVersion in which the newest minor serves a kind of a
// group, or an empty string. Stable versions come before others, and later ones
// before earlier ones.
func Current(group, kind string) string {
	best, bestIsStable := "", false
	all := kinds().versions
	for _, apiVersion := range slices.Sorted(maps.Keys(all)) {
		of, version, hasGroup := strings.Cut(apiVersion, "/")
		if !hasGroup {
			of, version = "", apiVersion
		}
		if of != group || !all[apiVersion][kind].ServedBy("") {
			continue
		}
		if isStable := !strings.ContainsAny(version, "ab"); isStable || !bestIsStable {
			best, bestIsStable = apiVersion, isStable
		}
	}
	return best
}

// HasGroup reports whether a group is part of Kubernetes, e.g. apps.
func HasGroup(group string) bool { return kinds().groups[group] != nil }

// GroupsOf returns the groups of Kubernetes that have a kind, in their order.
func GroupsOf(kind string) (all []string) {
	for group, of := range kinds().groups {
		if slices.Contains(of, kind) {
			all = append(all, group)
		}
	}
	slices.Sort(all)
	return all
}

// Kinds returns the kinds of a group of Kubernetes. It must not be changed.
func Kinds(group string) []string { return kinds().groups[group] }
