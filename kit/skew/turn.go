package skew

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
)

// Turn is a minor at which the verdict changes. Before is the verdict of the
// minor before it, among those that were asked.
type Turn struct {
	Before, After Verdict
	// Reason is the first error that only one of them has. It is nil if the
	// refusal is not about a field.
	Reason *field.Error
	// Changes are the changes since the minor before that affect verdicts. If
	// some of them are about the rule of the reason, or about the library of a
	// function that it names, the others are left out.
	Changes []minors.Change
}

// Turns returns where the verdict changes, the oldest minor first.
func (v Verdicts) Turns() []Turn {
	var turns []Turn
	for i := 1; i < len(v); i++ {
		before, after := v[i-1], v[i]
		if before.Accepted() == after.Accepted() {
			continue
		}
		turn := Turn{Before: before, After: after}
		if refused := append(before.Errors, after.Errors...); len(refused) > 0 {
			turn.Reason = refused[0] // one of the two has no errors
		}
		turn.Changes = turn.changes()
		turns = append(turns, turn)
	}
	return turns
}

// changes returns the changes that may be why the reason came or went.
func (t *Turn) changes() []minors.Change {
	var all []minors.Change
	for _, c := range between(t.Before.Kubernetes, t.After.Kubernetes) {
		if !c.TextOnly {
			all = append(all, c)
		}
	}
	if exact := about(all, t.Reason); len(exact) > 0 {
		return exact
	}
	return all
}

// Causes returns the changes since a minor, up to a later one, that are about
// the rule of an error, or about the library of a function that it names. There
// may be none.
func Causes(since, until minors.Minor, reason *field.Error) []minors.Change {
	return about(between(since, until), reason)
}

// between returns the changes since a minor, up to a later one.
func between(since, until minors.Minor) []minors.Change {
	return slices.DeleteFunc(minors.Changes(), func(c minors.Change) bool {
		return !since.Before(c.Since) || until.Before(c.Since)
	})
}

// about returns the changes that are about an error.
func about(changes []minors.Change, reason *field.Error) (exact []minors.Change) {
	for _, c := range changes {
		rules := rulesBehind(c.Since, reason)
		if slices.ContainsFunc(c.Rules, func(rule string) bool {
			return slices.Contains(rules, rule)
		}) {
			exact = append(exact, c)
		}
	}
	return exact
}

// undeclared matches what CEL says about a function that it does not know.
var undeclared = regexp.MustCompile(
	`(?:undeclared reference to|no matching overload for) '([^']+)'`)

// rulesBehind returns the rule that an error breaks, and the rules about the
// libraries that declare the functions that it names since a minor.
func rulesBehind(minor minors.Minor, reason *field.Error) []string {
	if reason == nil {
		return nil
	}
	rules := []string{reason.Origin}
	if strings.HasPrefix(reason.Origin, "COST-02") { // over a limit
		rules = append(rules, "COST-010", "COST-011", "COST-102")
	}
	at := library.Version(profile.Named(string(minor)).Minor)
	if strings.Contains(reason.Detail, undefined) {
		rules = append(rules, "CEL-022")
	}
	for _, named := range undeclared.FindAllStringSubmatch(reason.Detail, -1) {
		for _, lib := range library.Libraries() {
			if slices.ContainsFunc(lib.Functions(), func(f library.Function) bool {
				isNamed := f.Name == named[1] || strings.HasPrefix(f.Name, named[1]+".")
				return isNamed && isNew(lib, f, at)
			}) {
				rules = append(rules, lib.Rule)
			}
		}
	}
	return rules
}

// undefined is what CEL says about a field that it does not find. The schema is
// the same for all minors: the field is named like a reserved word.
const undefined = "undefined field '"

// isNew reports whether new or stored expressions have a function of a library
// since a minor.
func isNew(lib library.Library, f library.Function, at library.Version) bool {
	for _, kind := range []library.Expressions{
		library.NewExpressions, library.StoredExpressions,
	} {
		if lib.In(at, kind) && !lib.In(at-1, kind) {
			return true
		}
	}
	return slices.ContainsFunc(f.Overloads, func(o library.Overload) bool {
		return o.Introduced == at
	})
}
