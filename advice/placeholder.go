package advice

import (
	"fmt"
	"regexp"
)

// What stands in texts for values that a tool fills in later.
var (
	variable = regexp.MustCompile(`\$\{[A-Za-z_][^{}]*\}`)
	template = regexp.MustCompile(`\{\{[^{}]*\}\}`)
)

// placeholder returns the hint on a text in which a value is not filled in yet,
// "" for any other text.
func placeholder(text string) string {
	if found := variable.FindString(text); found != "" {
		return fmt.Sprintf("%s is a variable, e.g. of Flux: judge the text in which it is replaced",
			code(cut(found)))
	}
	if found := template.FindString(text); found != "" {
		return fmt.Sprintf("%s is of a template: judge what the template renders, e.g. the output "+
			"of `helm template`", code(cut(found)))
	}
	return ""
}
