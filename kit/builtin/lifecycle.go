package builtin

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/internal/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
)

// Lifecycle says in which minors a kind is served in one version. An empty
// minor is no bound, or one before the first that this module knows.
type Lifecycle struct {
	// Since is the first minor that serves it, and Until the last one.
	Since, Until string // e.g. 1.21
	// Deprecated is the minor since which servers warn of it, and Removed the
	// minor that is announced to serve it no more.
	Deprecated, Removed string
	// Instead is the type that replaces it; the zero value if there is none.
	Instead manifest.Type
}

// LifecycleOf returns the lifecycle of a type. ok is false for a type that no
// minor has served. Also types that were removed before the oldest minor are
// known, e.g. extensions/v1beta1 Ingress.
func LifecycleOf(t manifest.Type) (l Lifecycle, ok bool) {
	known := builtin.Find(t.APIVersion(), t.Kind)
	if known == nil {
		return Lifecycle{}, false
	}
	l = Lifecycle{
		Since: known.Since, Until: known.Until,
		Deprecated: known.Deprecated, Removed: known.Removed,
	}
	instead, kind := known.Instead, known.InsteadKind
	if instead == "" && known.Until != "" {
		instead, kind = builtin.Current(t.Group, t.Kind), t.Kind
	}
	if instead != "" {
		l.Instead = manifest.TypeOf(map[string]any{"apiVersion": instead, "kind": kind})
	}
	return l, true
}

// NotServedError is the error of a type that a minor does not serve.
type NotServedError struct {
	Type  manifest.Type
	Minor minors.Minor
	// Lifecycle is set for a type that other minors serve or have served.
	Lifecycle *Lifecycle
}

func notServed(t manifest.Type, m minors.Minor) *NotServedError {
	err := &NotServedError{Type: t, Minor: m}
	if l, ok := LifecycleOf(t); ok {
		err.Lifecycle = &l
	}
	return err
}

// Error names the type and the minor, and the minors that serve the type.
func (e *NotServedError) Error() string {
	text := fmt.Sprintf("Kubernetes %v does not serve %v", e.Minor, e.Type)
	switch l := e.Lifecycle; {
	case l == nil:
		return text
	case l.Until != "":
		return text + ", which was removed after " + l.Until
	case l.Since != "":
		return text + ", which is served since " + l.Since
	}
	return text
}

// Hint says which type to write instead. It is empty if there is none.
func (e *NotServedError) Hint() string {
	if e.Lifecycle == nil {
		return ""
	}
	return e.Lifecycle.hint(e.Type)
}

func (l *Lifecycle) hint(t manifest.Type) string {
	switch {
	case l.Instead == manifest.Type{}:
		return ""
	case l.Instead.Kind == t.Kind:
		return fmt.Sprintf("write `%s`", l.Instead.APIVersion())
	}
	return fmt.Sprintf("write `%s`", l.Instead)
}

// Deprecation returns the warning with which a server of the kind's minor
// answers a request, "" if the version is not deprecated.
func (k *Kind) Deprecation() string {
	l, ok := LifecycleOf(k.Type)
	if !ok || l.Deprecated == "" || number(k.minor.String()) < number(l.Deprecated) {
		return ""
	}
	text := fmt.Sprintf("%s is deprecated in v%s+", k.Type, l.Deprecated)
	switch {
	case l.Until != "":
		text += ", unavailable in v" + following(l.Until) + "+"
	case l.Removed != "":
		text += ", unavailable in v" + l.Removed + "+"
	}
	if l.Instead != (manifest.Type{}) {
		text += "; use " + l.Instead.String()
	}
	return text
}

// number returns the number of a minor, e.g. 31 of 1.31.
func number(minor string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(minor, "1.")) // a minor is one of the table
	return n
}

// following returns the minor after another, e.g. 1.32 after 1.31.
func following(minor string) string { return "1." + strconv.Itoa(number(minor)+1) }
