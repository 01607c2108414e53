package repository

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Hidden are the paths of values that are not known, in the form of errors,
// e.g. spec.values[0].
type Hidden []string

// variable is a variable of a text, as Flux and envsubst replace them: ${NAME},
// with a default ${NAME:=default} and the like.
var variable = regexp.MustCompile(`\$\{ *([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-=])([^{}]*))?[^{}]*\}`)

// encrypted starts a value that SOPS encrypted.
const encrypted = "ENC[AES256_GCM,"

// Reveal returns an object as a server will get it, as far as that is known:
// without the data of SOPS, and with the values of variables, unless values is
// nil. Variables are replaced in texts that do not consist of one; those may
// stand for a value of any type. The object is not changed.
func Reveal(object map[string]any, values map[string]string) (map[string]any, Hidden) {
	r := revealer{values: values}
	out := object
	if sops, ok := object["sops"].(map[string]any); ok && sops["mac"] != nil {
		out = maps.Clone(object)
		delete(out, "sops")
	}
	shown := r.value(out, "").(map[string]any)
	if len(r.hidden) == 0 && !r.replaced {
		return out, nil
	}
	return shown, r.hidden
}

type revealer struct {
	values   map[string]string
	hidden   Hidden
	replaced bool
}

// value returns a value with its variables replaced.
func (r *revealer) value(value any, path string) any {
	switch v := value.(type) {
	case string:
		return r.text(v, path)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = r.value(item, path+"["+strconv.Itoa(i)+"]")
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			at := strings.TrimPrefix(path+"."+key, ".")
			if strings.Contains(key, "${") {
				r.hidden = append(r.hidden, path)
			}
			out[key] = r.value(v[key], at)
		}
		return out
	}
	return value
}

func (r *revealer) text(text, path string) any {
	if strings.HasPrefix(text, encrypted) {
		r.hidden = append(r.hidden, path)
		return text
	}
	if !strings.Contains(text, "${") || !variable.MatchString(text) {
		return text
	}
	if variable.FindString(text) == text {
		r.hidden = append(r.hidden, path)
		return text
	}
	known := r.values != nil
	replaced := variable.ReplaceAllStringFunc(text, func(use string) string {
		parts := variable.FindStringSubmatch(use)
		value, ok := r.values[parts[1]]
		if !ok && parts[2] == "" {
			known = false
			return use
		}
		if !ok || value == "" && parts[2] != "" && parts[2][0] == ':' {
			value = parts[3]
		}
		return value
	})
	if !known {
		r.hidden = append(r.hidden, path)
		return text
	}
	r.replaced = true
	return replaced
}

// Covers reports whether a finding of a rule at a path may be about a hidden
// value: the path is that of one or below it. Some rules read what is below
// their path, too.
func (h Hidden) Covers(path, rule string) bool {
	path = plainPath(path)
	for _, hidden := range h {
		hidden = plainPath(hidden)
		if within(path, hidden) || within(hidden, path) && readsBelow.MatchString(rule) {
			return true
		}
	}
	return false
}

// readsBelow matches the rules about values below their path: rules in CEL,
// labels, items of sets and keys of maps, enums of objects, junctors.
var readsBelow = regexp.MustCompile(`^(CEL|COST|META|LST)-|^VAL-(06|09|100)`)

// plainPath returns a path whose keys and indexes are all written alike.
func plainPath(path string) string {
	return strings.TrimPrefix(brackets.Replace(path), ".")
}

var brackets = strings.NewReplacer("[", ".", "]", "")

// within reports whether a path is another one or below it.
func within(path, top string) bool {
	rest, ok := strings.CutPrefix(path, top)
	return ok && (rest == "" || top == "" || rest[0] == '.')
}
