package judge

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/yaml11"
	"github.com/crdsem/crdsem/kit/manifest"
)

// mayBeBoolean matches texts that may have a key that YAML 1.1 reads as a
// boolean, e.g. y or on.
var mayBeBoolean = regexp.MustCompile(
	`(?m)(?:^|[\s{,])(?:[yY]|[nN]|[yY]es|YES|[nN]o|NO|[oO]n|ON|[oO]ff|OFF)\s*:(?:\s|$)`)

// warnOfBooleanKeys warns of keys that YAML 1.1 reads as booleans: a server
// gets them as "true" or "false". Those that are findings already are left out.
func warnOfBooleanKeys(r *verdict.Result, o manifest.Object) {
	if !hasBooleanKey(o.Content) || !mayBeBoolean.Match(o.Data) {
		return
	}
	told := map[string]bool{}
	for i := range r.Findings {
		told[r.Findings[i].Field] = true
	}
	f := &Finder{Document: o.Document}
	eachBoolean(o.Content, "", func(path string) {
		place := o.Find(path)
		text, isPlain := place.PlainKey()
		value, isBool := yaml11.Bool(text)
		if !isPlain || !isBool || text == value || told[path] {
			return
		}
		finding := f.at(verdict.Warning, place.Key, fmt.Sprintf(
			"the key `%s` is the boolean %s in YAML 1.1: it becomes %q", text, value, value))
		finding.Field, finding.Hint = path, fmt.Sprintf("write it in quotes: `%q`", text)
		r.Findings = append(r.Findings, finding)
	})
}

// hasBooleanKey reports whether there is a key true or false in a value.
func hasBooleanKey(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for key, below := range v {
			if key == "true" || key == "false" || hasBooleanKey(below) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasBooleanKey)
	}
	return false
}

// eachBoolean calls a function with the paths of the keys true and false.
func eachBoolean(value any, path string, do func(path string)) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range jsonvalue.SortedKeys(v) {
			below := key
			if path != "" {
				below = path + "." + key
			}
			if key == "true" || key == "false" {
				do(below)
			}
			eachBoolean(v[key], below, do)
		}
	case []any:
		for i, item := range v {
			eachBoolean(item, fmt.Sprintf("%s[%d]", path, i), do)
		}
	}
}
