package repository

import (
	"cmp"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/base/yamljson"
	ph "github.com/crdsem/crdsem/internal/kit/placeholder"
)

// Cause says which values are not known. The empty cause is none.
type Cause string

// The causes, as a note names them.
const (
	Variables    Cause = "variables, which Flux replaces"
	Encrypted    Cause = "values that SOPS encrypted"
	Placeholders Cause = "placeholders of argocd-vault-plugin"
	Fields       Cause = "fields that the configuration skips"
)

// Hidden are the places of values that are not known, e.g. spec.values[0]. The
// zero value is none.
type Hidden struct {
	below map[string]*Hidden // by the next key or index
	here  Cause
	first Cause // of those below

	// Places are those of [Reveal], in the order of the keys.
	Places []HiddenPlace
}

// HiddenPlace is the place of a value that is not known, e.g. spec.values[0].
type HiddenPlace struct {
	Path  string
	Cause Cause
}

// Add adds the places of values that are skipped, by their paths in errors.
func (h *Hidden) Add(paths ...string) {
	for _, path := range paths {
		h.join(plainPath(path), &Hidden{here: Fields})
		h.Places = append(h.Places, HiddenPlace{path, Fields})
	}
}

// steps yields the parts of a plain path.
func steps(path string) iter.Seq[string] {
	if path == "" {
		return func(func(string) bool) {}
	}
	return strings.SplitSeq(path, ".")
}

// encrypted starts a value that SOPS encrypted.
const encrypted = "ENC[AES256_GCM,"

// Annotations by which an object is treated otherwise.
const (
	// disabledBy leaves the variables of an object as they are.
	disabledBy = flux + "/substitute"
	// vaultPath lets the plugin argocd-vault-plugin replace <name>.
	vaultPath = "avp.kubernetes.io/path"
)

// placeholder is a value that argocd-vault-plugin puts in: <path:secret#key>,
// and <key> where an annotation names the path.
var (
	placeholder      = regexp.MustCompile(`<path:[^<>]+#[^<>]+>`)
	plainPlaceholder = regexp.MustCompile(`<[A-Za-z][\w .|-]*>`)
)

// Reveal returns an object as a server will get it, as far as that is known:
// without the data of SOPS, and with the values of variables, unless values is
// nil. As by Flux, a text whose variables are replaced is read as YAML again:
// ${N} may be a number. The object is not changed.
func Reveal(object map[string]any, values map[string]string) (map[string]any, Hidden) {
	r := revealer{values: values, placeholder: placeholder}
	metadata, _ := object["metadata"].(map[string]any)
	marks := texts(metadata["annotations"])
	maps.Copy(marks, texts(metadata["labels"]))
	r.isDisabled = marks[disabledBy] == "disabled"
	if marks[vaultPath] != "" {
		r.placeholder = plainPlaceholder
	}
	out := object
	if sops, ok := object["sops"].(map[string]any); ok && sops["mac"] != nil {
		out = maps.Clone(object)
		delete(out, "sops")
	}
	shown := r.value(out, &r.hidden).(map[string]any)
	return shown, r.hidden
}

func (h *Hidden) isNone() bool { return h.here == "" && len(h.below) == 0 }

// maxAdded bounds what the values of variables add to an object, in bytes. The
// texts that would be longer are not known. A server takes 3 MiB.
const maxAdded = 8 << 20

// nested matches a variable whose default has a variable, e.g. ${A:-${B}}.
var nested = regexp.MustCompile(`\$\{[^{}]*\$\{`)

type revealer struct {
	values      map[string]string
	added       int
	placeholder *regexp.Regexp
	isDisabled  bool // variables are left as they are
	hidden      Hidden
}

// value returns a value with its variables replaced. What is hidden in it is
// added to its place.
func (r *revealer) value(value any, at *Hidden) any {
	switch v := value.(type) {
	case string:
		shown, cause := r.text(v)
		at.hide(cause)
		return shown
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			index := strconv.Itoa(i)
			out[i] = r.child(at, index, "["+index+"]", item)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if strings.Contains(key, "${") {
				at.hide(Variables)
			}
			out[key] = r.child(at, plainPath(key), keyPath(key), v[key])
		}
		return out
	}
	return value
}

// child returns the value of a member or an item. step is its part of a path.
func (r *revealer) child(at *Hidden, path, step string, value any) any {
	var own Hidden
	shown := r.value(value, &own)
	if !own.isNone() {
		at.join(path, &own)
	}
	for _, place := range own.Places {
		at.Places = append(at.Places, HiddenPlace{step + place.Path, place.Cause})
	}
	return shown
}

// hide notes why a value is not known, unless it is.
func (h *Hidden) hide(cause Cause) {
	if cause == "" || h.here != "" {
		return
	}
	h.here = cause
	h.Places = append(h.Places, HiddenPlace{"", cause})
}

// keyPath returns the part of a path that is a key, e.g. .spec or [a.b/c].
func keyPath(key string) string {
	if strings.ContainsAny(key, ".[]") {
		return "[" + key + "]"
	}
	return "." + key
}

// join adds what is hidden below a path.
func (h *Hidden) join(path string, own *Hidden) {
	for step := range steps(path) {
		if h.below == nil {
			h.below = map[string]*Hidden{}
		}
		if h.below[step] == nil {
			h.below[step] = &Hidden{}
		}
		h.first = cmp.Or(h.first, own.here, own.first)
		h = h.below[step]
	}
	h.here, h.first = cmp.Or(h.here, own.here), cmp.Or(h.first, own.first)
	if len(h.below) == 0 {
		h.below = own.below
		return
	}
	for step, inner := range own.below {
		h.join(step, inner)
	}
}

// text returns a text with its variables replaced, and why it is not known: it
// is encrypted, or has a variable without a value.
func (r *revealer) text(text string) (shown any, unknown Cause) {
	switch {
	case strings.HasPrefix(text, encrypted):
		return text, Encrypted
	case r.placeholder.MatchString(text):
		return text, Placeholders
	case r.isDisabled || !ph.Variable.MatchString(text):
		return text, ""
	case nested.MatchString(text):
		return text, Variables
	}
	known := r.values != nil
	replaced := ph.Variable.ReplaceAllStringFunc(text, func(use string) string {
		parts := ph.Variable.FindStringSubmatch(use)
		value, ok := r.values[parts[1]]
		if !ok && parts[2] == "" {
			known = false
			return use
		}
		if r.added += len(value); r.added > maxAdded {
			known = false
			return use
		}
		if !ok || value == "" && parts[2] != "" && parts[2][0] == ':' {
			value = parts[3]
		}
		return value
	})
	if !known {
		return text, Variables
	}
	return readAgain(text, replaced)
}

// readAgain returns the value of a text whose variables were replaced. Flux
// replaces them in YAML that kustomize wrote, in which a text has quotes only
// if it needs them, whatever the file has. It takes line breaks out of values.
func readAgain(text, replaced string) (value any, unknown Cause) {
	written, err := yaml.Marshal(text)
	if err != nil || string(written) != text+"\n" {
		return replaced, "" // in quotes, it stays a text
	}
	const key = "value"
	document, _, err := yamljson.Decode([]byte(key + ": " + strings.ReplaceAll(replaced, "\n", "")))
	object, ok := document.(map[string]any)
	if err != nil || !ok || len(object) != 1 {
		return text, Variables
	}
	return object[key], ""
}

// Covers reports whether a finding of a rule at a path may be about a hidden
// value.
func (h Hidden) Covers(path, rule string) bool { return h.Cause(path, rule) != "" }

// Cause returns why the value at a path is not known, "" if it is: the path is
// that of a hidden value or below it. Some rules read what is below their path,
// too. The rule about keys does not depend on values: a misspelt key is one
// whatever its value is.
func (h Hidden) Cause(path, rule string) Cause {
	if rule == keyRule {
		return h.keyCause(path)
	}
	at := &h
	for step := range steps(plainPath(path)) {
		if at.here != "" {
			return at.here
		}
		if at = at.below[step]; at == nil {
			return ""
		}
	}
	if at.here == "" && readsBelow.MatchString(rule) {
		return at.first
	}
	return at.here
}

// keyRule is the rule about unknown and duplicate keys.
const keyRule = "PIPE-006"

// keyCause returns why it is not known whether an object has a key: the key has
// a variable itself, or the configuration skips the field.
func (h Hidden) keyCause(path string) Cause {
	at := &h
	for step := range steps(plainPath(path)) {
		if at.here == Variables && strings.Contains(step, "${") {
			return Variables
		}
		if at = at.below[step]; at == nil {
			return ""
		}
		if at.here == Fields {
			return Fields
		}
	}
	return ""
}

// readsBelow matches the rules about values below their path: rules in CEL,
// labels, items of sets and keys of maps, enums of objects, junctors.
var readsBelow = regexp.MustCompile(`^(CEL|COST|META|LST)-|^VAL-(06|09|100)`)

// plainPath returns a path whose keys and indexes are all written alike.
func plainPath(path string) string {
	return strings.TrimPrefix(brackets.Replace(path), ".")
}

var brackets = strings.NewReplacer("[", ".", "]", "")
