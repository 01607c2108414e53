package manifest

import (
	"cmp"
	"fmt"

	"github.com/crdsem/crdsem/internal/kit/builtin"
	"github.com/crdsem/crdsem/internal/kit/nearest"
)

// UnknownKindError is the error of an object of a kind without a definition.
type UnknownKindError struct {
	Type Type
	// BuiltIn is set for a type of Kubernetes itself that the newest minor
	// serves, e.g. apps/v1 Deployment. ServedBy answers for each minor.
	BuiltIn bool
	// Meant is the kind that was probably meant: one of the group with a
	// similar name, or of another group with the same name. The zero value
	// says that no kind is similar.
	Meant GroupKind

	builtIn *builtin.Kind // nil for a type of other makers
	current string        // the apiVersion in which Kubernetes serves the kind
}

// ServedBy reports whether the type is built into a minor of Kubernetes, e.g.
// flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema into 1.31. An empty minor is
// the newest one.
func (e *UnknownKindError) ServedBy(minor string) bool { return e.builtIn.ServedBy(minor) }

// Instead returns the apiVersion in which Kubernetes serves the kind, if no
// minor has ever served it in the one of the type, e.g. batch/v1 for batch/v2
// CronJob. Otherwise it is empty.
func (e *UnknownKindError) Instead() string {
	if e.builtIn != nil {
		return ""
	}
	return e.current
}

// Error names the type, and says what was probably meant.
func (e *UnknownKindError) Error() string {
	if e.Type.Group == "" && e.Type.Version == "" || e.Type.Kind == "" {
		return fmt.Sprintf("apiVersion %q and kind %q name no custom resource",
			e.Type.APIVersion(), e.Type.Kind)
	}
	if e.BuiltIn {
		return fmt.Sprintf("%v is built into Kubernetes", e.Type)
	}
	text := fmt.Sprintf("no definition of %v was given", e.Type)
	if hint := e.Hint(); hint != "" {
		text += "; " + hint
	}
	return text
}

// Hint asks whether Meant was meant, or says which minors serve the type. It is
// empty if nothing is similar.
func (e *UnknownKindError) Hint() string {
	switch {
	case e.builtIn != nil && e.builtIn.Until != "":
		text := "Kubernetes serves it until " + e.builtIn.Until
		if e.current != "" {
			text += fmt.Sprintf(": write `%s`", e.current)
		}
		return text
	case e.builtIn != nil && e.builtIn.Since != "":
		return "Kubernetes serves it since " + e.builtIn.Since
	case e.Instead() != "":
		return fmt.Sprintf("did you mean the apiVersion `%s`?", e.current)
	case e.Meant == GroupKind{}:
		return ""
	case e.Meant.Group == e.Type.Group:
		return fmt.Sprintf("did you mean `%s`?", e.Meant.Kind)
	default:
		return fmt.Sprintf("did you mean the group `%s`?", e.Meant.Group)
	}
}

// Of returns the value for an object's kind. The error is an
// *[UnknownKindError].
func (k *Kinds[T]) Of(object map[string]any) (T, error) { return k.OfType(TypeOf(object)) }

// OfType is like Of for the type of an object.
func (k *Kinds[T]) OfType(t Type) (T, error) {
	value, ok := k.Kind(t.GroupKind)
	if ok {
		return value, nil
	}
	err := &UnknownKindError{Type: t, builtIn: builtin.Find(t.APIVersion(), t.Kind)}
	err.BuiltIn = err.ServedBy("")
	err.current = builtin.Current(t.Group, t.Kind)
	if err.builtIn != nil {
		err.current = cmp.Or(err.builtIn.Instead, err.current)
	}
	if err.current == "" && t.Kind != "" {
		err.Meant = k.meant(t.GroupKind)
	}
	return value, err
}

// meant returns the kind that was probably meant: first one whose group differs
// by a letter.
func (k *Kinds[T]) meant(unknown GroupKind) GroupKind {
	kinds := append([]string{}, builtin.Kinds(unknown.Group)...)
	groups := builtin.GroupsOf(unknown.Kind)
	var elsewhere GroupKind
	for names := range k.All() {
		switch {
		case names.Group == unknown.Group:
			kinds = append(kinds, names.Kind)
		case names.Kind == unknown.Kind:
			groups = append(groups, names.Group)
			if elsewhere.Kind == "" {
				elsewhere = names.GroupKind
			}
		}
	}
	for _, group := range groups {
		if unknown.Group != "" && nearest.IsTypo(unknown.Group, group) {
			return GroupKind{group, unknown.Kind}
		}
	}
	if elsewhere.Kind != "" {
		return elsewhere
	}
	if near := nearest.Name(unknown.Kind, kinds); near != "" {
		return GroupKind{unknown.Group, near}
	}
	return GroupKind{}
}
