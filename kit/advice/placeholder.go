package advice

import (
	"fmt"

	ph "github.com/crdsem/crdsem/internal/kit/placeholder"
)

// placeholder returns the hint on a text in which a value is not filled in yet,
// "" for any other text.
func placeholder(text string) string {
	if found := ph.Variable.FindString(text); found != "" {
		return fmt.Sprintf("%s is a variable, e.g. of Flux: judge the text in which it is replaced",
			code(cut(found)))
	}
	action, engine := ph.Action(text)
	switch engine {
	case "":
		return ""
	case ph.Helm:
		return fmt.Sprintf("%s is of a Helm template: judge what it renders, the output of "+
			"`helm template`", code(cut(action)))
	}
	return fmt.Sprintf("%s is of a template (%s): judge what it renders", code(cut(action)), engine)
}
