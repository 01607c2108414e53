package judge

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/nearest"
	"github.com/crdsem/crdsem/kit/advice/lint"
	"github.com/crdsem/crdsem/kit/manifest"
)

// linted returns the findings of package lint about a definition, nil if the
// context has ended.
func (j *Judge) linted(
	ctx context.Context, d *Definition, f *Finder, object map[string]any,
) []verdict.Finding {
	found, err := lint.Definition(ctx, d.Compiled().Model(), object)
	if err != nil {
		return nil
	}
	found = append(found, lint.Keys(object, func(path string) (string, bool) {
		return f.Document.Find(path).PlainKey()
	})...)
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	everywhere, _ := annotations[ignoreAnnotation].(string)
	out := misnamed(f, everywhere)
	for _, l := range found {
		severity, place := j.Lint.Of(l.Check), f.Document.Find(l.Path)
		if severity == lint.Off || names(everywhere, l.Check) ||
			ignored(f.Document, place, l.Check) {
			continue
		}
		at := place.Value
		if l.Check == "LINT-boolean" {
			at = place.Key
		}
		finding := f.at(verdict.Severity(severity), at, l.Path+": "+l.Text)
		finding.Field, finding.Rule, finding.Hint = l.Path, l.Check, l.Hint
		for _, e := range l.Edits {
			finding.Edits = append(finding.Edits, verdict.Edit(e))
		}
		out = append(out, finding)
	}
	return out
}

// misnamed warns of comments, and of the annotation of a definition, which name
// checks that lint does not have.
func misnamed(f *Finder, everywhere string) (warnings []verdict.Finding) {
	add := func(at manifest.Position, id string) {
		if isLint(id) && !lint.Has(id) {
			warnings = append(warnings, f.at(verdict.Warning, at,
				fmt.Sprintf("no check is named %s: docs/lint.md lists them", id)))
		}
	}
	for _, id := range ruleID.FindAllString(everywhere, -1) {
		add(f.Document.Find("metadata.annotations["+ignoreAnnotation+"]").Value, id)
	}
	if f.Document.Item == "" && bytes.Contains(f.Document.Data, []byte(ignoreComment)) {
		for c := range comments(f.Document) {
			add(manifest.Position{File: f.Document.File, Line: c.Line, Column: 1}, c.ID)
		}
	}
	return warnings
}

// What leaves out findings: a comment at the place, and an annotation of the
// definition. The ids of checks follow.
const (
	ignoreComment    = "crdsem:ignore"
	ignoreAnnotation = "crdsem/ignore"
)

// ignored reports whether a comment leaves out a check: on the lines of the
// place, or on the lines above it that are comments.
func ignored(doc *manifest.Document, at manifest.Place, check string) bool {
	return ignoredBy(doc, at.Value.Line, check) > 0 || ignoredBy(doc, at.Key.Line, check) > 0
}

// ignoredBy returns the line of the comment that leaves out findings of an id
// on a line: that line itself, or one of the comments right above it. It is 0
// without one.
func ignoredBy(doc *manifest.Document, line int, id string) int {
	for at := line; at > 0; at-- {
		text := doc.LineText(at)
		if at < line && !strings.HasPrefix(strings.TrimSpace(text), "#") {
			return 0
		}
		if names(ignoredIn(text), id) {
			return at
		}
	}
	return 0
}

// ignoredIn returns what follows crdsem:ignore in the comment of a line.
func ignoredIn(line string) (ids string) {
	_, comment, _ := strings.Cut(line, "#")
	_, ids, _ = strings.Cut(comment, ignoreComment)
	return ids
}

// names reports whether a list of ids has a check.
func names(list, check string) bool {
	return slices.Contains(strings.FieldsFunc(list, func(r rune) bool {
		return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), check)
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
