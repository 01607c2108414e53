package judge

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/advice/lint"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/nearest"
)

// linted returns the findings of package lint about a definition, nil if the
// context has ended.
func linted(
	ctx context.Context, d *Definition, f *Finder, object map[string]any,
) []verdict.Finding {
	found, err := lint.Definition(ctx, d.compiled.Model(), object)
	if err != nil {
		return nil
	}
	found = append(found, lint.Keys(object, func(path string) (string, bool) {
		return f.Document.Find(path).PlainKey()
	})...)
	out := make([]verdict.Finding, len(found))
	for i, l := range found {
		place := f.Document.Find(l.Path)
		at := place.Value
		if l.Check == lint.Boolean {
			at = place.Key
		}
		out[i] = f.at(verdict.Warning, at, l.Path+": "+l.Text)
		out[i].Field, out[i].Rule, out[i].Hint = l.Path, l.Check, l.Hint
	}
	return out
}

// formatWarning starts the server's warnings about formats. They name no field.
const formatWarning = `unrecognized format "`

// locateFormats gives each of these warnings the place of a format, and a hint.
func locateFormats(r *verdict.Result, f *Finder, object map[string]any) {
	var places map[string][]string // the paths of each format
	for i := range r.Findings {
		finding := &r.Findings[i]
		rest, ok := strings.CutPrefix(finding.Text, formatWarning)
		if !ok {
			continue
		}
		if places == nil {
			places = map[string][]string{}
			spec, _ := object["spec"].(map[string]any)
			addFormats(places, "spec", spec)
		}
		format := strings.TrimSuffix(rest, `"`)
		if len(places[format]) > 0 {
			path := places[format][0]
			places[format] = places[format][1:]
			finding.Field = path
			f.place(finding, f.Document.Find(path).Value)
		}
		finding.Hint = "the server ignores the format; a pattern or a rule can check the value"
		if near := nearest.Name(format, knownFormats); near != "" {
			finding.Hint = fmt.Sprintf("did you mean `%s`? The server ignores this one", near)
		}
	}
}

// addFormats adds the paths of the formats below a value, in the order of keys.
func addFormats(places map[string][]string, at string, value any) {
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			addFormats(places, fmt.Sprintf("%s[%d]", at, i), item)
		}
	case map[string]any:
		if format, ok := value["format"].(string); ok && isSchema(value) {
			places[format] = append(places[format], at+".format")
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			path := at + "." + key
			if strings.HasSuffix(at, ".properties") {
				path = at + "[" + key + "]"
			}
			addFormats(places, path, value[key])
		}
	}
}

// isSchema reports whether a map with a format is a schema, not an example or a
// map of properties of which one is named format.
func isSchema(value map[string]any) bool {
	_, isString := value["type"].(string)
	return isString
}

// knownFormats are the formats of strings and numbers (CRD-350).
var knownFormats = []string{
	"bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3",
	"uuid4", "uuid5", "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor",
	"byte", "password", "date", "duration", "date-time", "k8s-short-name", "k8s-long-name",
	"int32", "int64", "float", "double",
}
