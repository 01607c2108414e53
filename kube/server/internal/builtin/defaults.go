package builtin

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The table of defaults. Its head describes the lines.
//
//go:embed defaults.txt
var defaults string

// rule is a line of the table.
type rule struct {
	path   []string
	value  any
	isZero bool   // whether a zero value counts as absent
	part   string // the name of the part that the field is of
	check  string // required
	beside string // the field of the condition
	equal  any    // its value, nil if it only has to be there
}

// rules returns the lines by the kind or the name of the part.
var rules = sync.OnceValue(func() map[string][]rule {
	all, of := map[string][]rule{}, ""
	for line := range strings.Lines(defaults) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			of = strings.Trim(line, "[]")
		default:
			all[of] = append(all[of], parseRule(line))
		}
	}
	return all
})

// parseRule returns the rule of a line. A value that is no JSON is left nil,
// which a test refuses.
func parseRule(line string) rule {
	path, value, _ := strings.Cut(line, " ")
	value, condition, _ := strings.Cut(value, " if ")
	path, isZero := strings.CutSuffix(path, "!")
	r := rule{path: strings.Split(strings.ReplaceAll(path, "[]", ".[]"), "."), isZero: isZero}
	switch {
	case value == "required":
		r.check = value
	case strings.HasPrefix(value, "@"):
		r.part = value
	default:
		r.value = parseValue(value)
	}
	beside, equal, compares := strings.Cut(condition, "=")
	if r.beside = beside; compares {
		r.equal = parseValue(equal)
	}
	return r
}

func parseValue(text string) any {
	var value any
	_ = json.Unmarshal([]byte(text), &value) // nil for what is no JSON
	if number, ok := value.(float64); ok {
		return int64(number)
	}
	return value
}

// Default fills the defaults of the kind into an object.
func (m *Model) Default(object map[string]any) {
	fill(object, m.Kind.Kind)
	fill(object, m.Kind.GroupVersion().String()+" "+m.Kind.Kind)
}

// fill fills in the defaults of a kind or a part.
func fill(object map[string]any, of string) {
	if f := derived[of]; f != nil {
		f(object)
	}
	for _, r := range rules()[of] {
		r.each(object, r.path, func(at map[string]any, key string) {
			switch value, has := at[key]; {
			case r.part != "":
				if below, ok := value.(map[string]any); ok {
					fill(below, r.part)
				}
			case r.check == "" && r.isAbsent(value, has) && r.applies(at):
				at[key] = runtime.DeepCopyJSONValue(r.value)
			}
		})
	}
}

// isAbsent reports whether a field is filled in. An absent pointer may be null.
func (r *rule) isAbsent(value any, has bool) bool {
	isZero := value == "" || value == int64(0)
	return !has || value == nil || r.isZero && isZero
}

// applies reports whether the condition of a rule holds next to its field.
func (r *rule) applies(at map[string]any) bool {
	value, has := at[r.beside]
	return r.beside == "" || has && value != "" && (r.equal == nil || value == r.equal)
}

// each calls do for each place of a path, with the object of its last field. A
// default makes the objects on its way, unless it has a condition.
func (r *rule) each(at map[string]any, path []string, do func(map[string]any, string)) {
	key, rest := path[0], path[1:]
	if len(rest) == 0 {
		do(at, key)
		return
	}
	if rest[0] == "[]" {
		items, _ := at[key].([]any)
		for _, item := range items {
			if below, ok := item.(map[string]any); ok && len(rest) == 1 {
				do(map[string]any{key: below}, key)
			} else if ok {
				r.each(below, rest[1:], do)
			}
		}
		return
	}
	key, optional := strings.CutSuffix(key, "?")
	below, ok := at[key].(map[string]any)
	if !ok {
		if at[key] != nil || r.value == nil || r.beside != "" || optional {
			return
		}
		below = map[string]any{}
		at[key] = below
	}
	r.each(below, rest, do)
}

// lacks returns the fields that a part of the table wants and an object lacks.
func lacks(object map[string]any, of string, under *field.Path) (errs field.ErrorList) {
	for _, r := range rules()[of] {
		if r.part == "" && r.check != "required" {
			continue
		}
		at := under.Child(r.path[0], r.path[1:]...)
		r.each(object, r.path, func(holder map[string]any, key string) {
			value := holder[key]
			if below, ok := value.(map[string]any); ok && r.part != "" {
				errs = append(errs, lacks(below, r.part, at)...)
			}
			list, isList := value.([]any)
			if r.part == "" && (value == nil || isList && len(list) == 0) {
				errs = append(errs, field.Required(at, ""))
			}
		})
	}
	return errs
}
