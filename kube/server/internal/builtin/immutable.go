package builtin

import (
	_ "embed"
	"reflect"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The record of the fields that no update changes. Its head describes the
// lines.
//
//go:embed immutable.txt
var immutable string

// lasting is a field that no update changes.
type lasting struct {
	path   []string // [] is each item, # the number of the items
	reason field.ErrorType
	at     *field.Path
	detail string
}

// lastings returns the lines of the record by their kinds.
var lastings = sync.OnceValue(func() map[string][]lasting {
	all := map[string][]lasting{}
	for line := range strings.Lines(immutable) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 5)
		if len(parts) < 4 || parts[0] == "#" {
			continue
		}
		path := strings.NewReplacer("[]", ".[]", "#", ".#").Replace(parts[1])
		l := lasting{
			path: strings.Split(path, "."), reason: field.ErrorType("FieldValue" + parts[2]),
			at: pathOf(parts[3]),
		}
		if len(parts) == 5 {
			l.detail = parts[4]
		}
		all[parts[0]] = append(all[parts[0]], l)
	}
	return all
})

// pathOf returns a path as errors have it. An item of a list is the first one.
func pathOf(text string) *field.Path {
	var at *field.Path
	for name := range strings.SplitSeq(text, ".") {
		name, isItem := strings.CutSuffix(name, "[]")
		if at == nil {
			at = field.NewPath(name)
		} else {
			at = at.Child(name)
		}
		if isItem {
			at = at.Index(0)
		}
	}
	return at
}

// ValidateChange returns the errors of an update that changes what no update
// changes: by the record, and where that depends on the object. The record says
// nothing of fields that had no value, nor of a Service of another type.
func (m *Model) ValidateChange(object, old map[string]any) (errs field.ErrorList) {
	told := map[string]bool{}
	isOther := m.Kind.Kind == "Service" && !isSameAt(object, old, []string{"spec", "type"})
	for _, l := range lastings()[m.Kind.Kind] {
		if isOther || isNothing(valueAt(old, l.path)) || isSameAt(object, old, l.path) ||
			told[l.at.String()+l.detail] {
			continue
		}
		told[l.at.String()+l.detail] = true
		err := field.Forbidden(l.at, l.detail)
		if l.reason == field.ErrorTypeInvalid {
			err = field.Invalid(l.at, valueAt(object, l.path), l.detail)
		}
		errs = append(errs, err)
	}
	return append(errs, m.conditional(object, old)...)
}

// isSameAt reports whether two values are the same at a path. Nothing, null and
// what is empty are the same.
func isSameAt(a, b any, path []string) bool {
	if len(path) == 0 {
		return isNothing(a) && isNothing(b) || reflect.DeepEqual(a, b)
	}
	switch path[0] {
	case "#":
		one, _ := a.([]any)
		other, _ := b.([]any)
		return len(one) == len(other)
	case "[]":
		one, _ := a.([]any)
		other, _ := b.([]any)
		for i := range min(len(one), len(other)) {
			if !isSameAt(one[i], other[i], path[1:]) {
				return false
			}
		}
		return true
	}
	one, _ := a.(map[string]any)
	other, _ := b.(map[string]any)
	return isSameAt(one[path[0]], other[path[0]], path[1:])
}

func isNothing(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// valueAt returns the value at a path, that of the first item of a list.
func valueAt(value any, path []string) any {
	for _, name := range path {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			if name == "#" || len(v) == 0 {
				return value
			}
			value = v[0]
		default:
			return nil
		}
	}
	return value
}

// conditional returns the errors of changes that only some objects refuse: of
// the data of a Secret or a ConfigMap that is immutable, and of the address of
// a Service that has one; and of selectors, which the record has not, because
// an object with another one needs another template.
func (m *Model) conditional(object, old map[string]any) (errs field.ErrorList) {
	switch m.Kind.Kind {
	case "ConfigMap", "Secret":
		const text = "field is immutable when `immutable` is set"
		if old["immutable"] != true {
			return nil
		}
		for _, name := range []string{"immutable", "data", "binaryData"} {
			if !isSameAt(object, old, []string{name}) {
				errs = append(errs, field.Forbidden(field.NewPath(name), text))
			}
		}
	case "DaemonSet", "StatefulSet", "Job":
		if !isSameAt(object, old, []string{"spec", "selector"}) {
			errs = append(errs, field.Invalid(field.NewPath("spec", "selector"),
				below(object, "spec")["selector"], "field is immutable"))
		}
	case "Service":
		next, before := below(object, "spec"), below(old, "spec")
		const external = "ExternalName"
		address, _ := before["clusterIP"].(string)
		if next["type"] == external || before["type"] == external || address == "" ||
			next["clusterIP"] == address {
			return nil
		}
		errs = append(errs, field.Invalid(field.NewPath("spec", "clusterIPs").Index(0),
			next["clusterIPs"], "may not change once set"))
	}
	return errs
}
