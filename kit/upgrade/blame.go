package upgrade

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// unevaluated is the rule of the error that rules were not checked, because
// something else is wrong.
const unevaluated = "PIPE-012"

// blame says which findings are those of a keyword: their rules begin with one
// of the prefixes, and their details contain the text.
type blame struct {
	rules []string
	text  string
}

// blames are the findings by keyword. Findings of other keywords are not told
// apart.
var blames = map[string]blame{
	"maxLength":        {rules: []string{"VAL-040"}, text: "more than"},
	"minLength":        {rules: []string{"VAL-04"}, text: "at least"},
	"pattern":          {rules: []string{"VAL-042", "VAL-043"}},
	"format":           {rules: []string{"FMT-", "VAL-05", "VAL-02"}},
	"maximum":          {rules: []string{"VAL-05"}, text: "less than"},
	"exclusiveMaximum": {rules: []string{"VAL-05"}, text: "less than"},
	"minimum":          {rules: []string{"VAL-05"}, text: "greater than"},
	"exclusiveMinimum": {rules: []string{"VAL-05"}, text: "greater than"},
	"multipleOf":       {rules: []string{"VAL-053"}},
	"enum":             {rules: []string{"VAL-060", "VAL-024"}},
	"required":         {rules: []string{"VAL-081"}},
	"maxItems":         {rules: []string{"VAL-070"}, text: "at most"},
	"minItems":         {rules: []string{"VAL-070"}, text: "at least"},
	"uniqueItems":      {rules: []string{"VAL-071"}},
	"maxProperties":    {rules: []string{"VAL-080"}, text: "at most"},
	"minProperties":    {rules: []string{"VAL-080"}, text: "at least"},
	"default":          {rules: []string{"VAL-081", "VAL-02"}},

	"allOf": {rules: []string{"VAL-09"}},
	"anyOf": {rules: []string{"VAL-09"}},
	"oneOf": {rules: []string{"VAL-09"}},
	"not":   {rules: []string{"VAL-09"}},

	"x-kubernetes-list-type":     {rules: []string{"LST-"}},
	"x-kubernetes-list-map-keys": {rules: []string{"LST-"}},
	rulesKeyword:                 {rules: []string{"CEL-", "MIX-", "COST-"}},
}

var junctors = []string{"allOf", "anyOf", "oneOf", "not"}

// isAbout reports whether a finding can be that of a keyword.
func isAbout(keyword string, err *field.Error) bool {
	b, ok := blames[keyword]
	if !ok {
		return !strings.HasPrefix(err.Origin, "CEL-")
	}
	return strings.Contains(err.Error(), b.text) &&
		slices.ContainsFunc(b.rules, func(rule string) bool {
			return strings.HasPrefix(err.Origin, rule)
		})
}
