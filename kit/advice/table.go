package advice

import (
	"cmp"
	_ "embed"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// hint returns what to say about an error of a rule.
type hint func(*finding) string

// hintsText has the hints that are the same for all errors of a rule.
//
//go:embed hints.txt
var hintsText string

// table has the hint of each rule that can refuse something. The hints are
// static data, and the table is made when it is first asked.
var table = sync.OnceValue(func() map[string]hint {
	all := map[string]hint{}
	add := func(rules string, h hint) {
		for rule := range strings.FieldsSeq(rules) {
			all[rule] = h
		}
	}
	texts, refusals, _ := strings.Cut(hintsText, "[refused]")
	eachText(texts, func(rules, text string) {
		add(rules, func(*finding) string { return text })
	})
	eachText(refusals, func(rules, text string) {
		add(rules, func(f *finding) string { return cmp.Or(f.warning(), text) })
	})
	for _, w := range written() {
		add(w.rules, w.hint)
	}
	for name := range formatExamples() {
		add("FMT-"+name, format)
	}
	return all
})

// eachText calls a function with the lines of hints.txt, e.g. "STR-004: `items`
// is one schema".
func eachText(lines string, do func(rules, text string)) {
	for line := range strings.Lines(lines) {
		rules, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if line[0] != '#' {
			do(rules, text)
		}
	}
}

// written returns the hints that depend on the error, with their rules.
func written() []ruleHint {
	return []ruleHint{
		{unsupportedKeyword, "STR-011 STR-012 STR-013 STR-014 STR-015 STR-016 STR-017 CRD-152"},
		{missingType, "STR-046 STR-047"},
		{outside, "STR-070 STR-071 STR-073 STR-074 STR-075 STR-076 STR-077 " +
			"STR-078 STR-079 STR-080 STR-081 STR-082 CRD-213 CEL-060"},
		{undeclaredField, "STR-090 STR-091 STR-095"},
		{definitionName, "CRD-020"},
		{metadata, "CRD-021 CRD-022 META-001 META-009 META-021 META-032"},
		{preserveUnknown, "CRD-036 CRD-037 CRD-130"},
		{repeatedVersion, "CRD-041"},
		{storageVersions, "CRD-042"},
		{topOrVersions, "CRD-045 CRD-046"},
		{definitionNames, "CRD-051"},
		{scalePath, "CRD-060"},
		{writing, "PIPE-019"},
		{schemaPath, "CRD-080 CRD-085 CRD-205 CEL-071 CEL-083 CEL-080"},
		{storedVersions, "CRD-110 CRD-112 CRD-422"},
		{withStatus, "CRD-141"},
		{unknownType, "CRD-151"},
		{bothProperties, "CRD-155"},
		{listType, "CRD-157 CRD-158"},
		{listMap, "CRD-161"},
		{listMapKey, "CRD-162"},
		{inDefault, "CRD-300 CRD-301 CRD-320 CRD-307 DEF-052 DEF-053 DEF-051"},
		{unknownInDefault, "CRD-302 DEF-056"},
		{reason, "CRD-204"},
		{compiling, "CRD-210 CRD-211 CRD-212 CEL-010 CEL-012 CEL-074"},
		{uncorrelated, "CRD-214 CEL-075"},
		{expensive, "CRD-221 CRD-222 CRD-224 COST-020 COST-022"},
		{wrongType, "VAL-020 VAL-025"},
		{noFraction, "VAL-021"},
		{format, "VAL-022"},
		{length, "VAL-040 VAL-041"},
		{pattern, "VAL-042 META-024"},
		{bounds, "VAL-050 VAL-051"},
		{multiple, "VAL-053"},
		{enum, "VAL-060"},
		{items, "VAL-070"},
		{properties, "VAL-080"},
		{required, "VAL-081"},
		{forbiddenProperty, "VAL-082"},
		{anyOf, "VAL-091"},
		{oneOf, "VAL-092"},
		{repeated, "LST-010 LST-020 LST-024"},
		{served, "META-020 PIPE-018"},
		{uncompiled, "CEL-090"},
		{evaluating, "CEL-091"},
		{failed, "CEL-092"},
		{overBudget, "CEL-095 COST-002 COST-003"},
	}
}

// ruleHint is the hint of some rules.
type ruleHint struct {
	hint  hint
	rules string
}

// warning returns the hint on the text of a refusal before validation, which
// says more than its rule.
func (f *finding) warning() string {
	if f.object != nil {
		return f.object.Warning(f.ctx, f.err.Detail)
	}
	return f.definition.Warning(f.ctx, f.err.Detail)
}

// inDefault gives the hint of the keyword that a default breaks.
func inDefault(f *finding) string {
	switch f.err.Type {
	case field.ErrorTypeTypeInvalid:
		if f.at.schema.Values().Format != "" && kindOf(f.at.value) == "string" {
			return format(f)
		}
		return wrongType(f)
	case field.ErrorTypeNotSupported:
		return enum(f)
	case field.ErrorTypeRequired:
		return required(f)
	case field.ErrorTypeTooLong:
		return length(f)
	case field.ErrorTypeDuplicate:
		return repeated(f)
	}
	for _, hint := range []func(*finding) string{bounds, length} {
		if text := hint(f); strings.Contains(text, " is ") {
			return text
		}
	}
	return "a default must be valid: change it, or the schema next to it"
}

// scalePath gives hints on the paths of the scale subresource.
func scalePath(f *finding) string {
	below := ".spec"
	switch f.lastKey() {
	case "statusReplicasPath":
		below = ".status"
	case "labelSelectorPath":
		return "write a path below `.spec` or `.status`, e.g. `.status.selector`"
	}
	return "write a path below " + code(below) + ", e.g. " + code(below+".replicas")
}

// definitionNames gives hints on spec.names.
func definitionNames(f *finding) string {
	given, _ := f.err.BadValue.(string)
	if strings.HasSuffix(strings.ToLower(f.err.Field), "kind") {
		if strings.Contains(f.err.Detail, "may not be the same") {
			return "leave `listKind` out, or append `List` to the kind"
		}
		return "a kind is written like `CronTab`: letters, digits and dashes"
	}
	if p := proposed(given); p != "" && p != given {
		return "did you mean " + code(p) + "?"
	}
	return "names are lower-case letters, digits and dashes, and start with a letter"
}

// evaluating says what to do about a rule that ended in an error.
func evaluating(f *finding) string {
	switch {
	case strings.Contains(f.err.Detail, "no such key"):
		return "the rule reads a field that the object lacks: set it; the rule should ask first, " +
			"e.g. `!has(self.a) || …`"
	case strings.Contains(f.err.Detail, "cost limit exceeded"):
		return overBudget(f)
	}
	return failed(f)
}

func overBudget(*finding) string {
	return "the rules cost too much on this object: make its lists, maps and strings smaller, or " +
		"simplify the rules"
}
