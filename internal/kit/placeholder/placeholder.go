// Package placeholder finds what stands in a text for a value that a program
// fills in before a server gets the text.
//
// # Terms
//
//   - variable: ${NAME}, which Flux and envsubst replace.
//   - action: what a template engine replaces, e.g. {{ .Values.name }} of Helm.
package placeholder

import "regexp"

// Variable matches a variable: ${NAME}, with a default ${NAME:=default} and the
// like. Its groups are the name, the operator and the default.
var Variable = regexp.MustCompile(
	`\$\{ *([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-=])([^{}]*))?[^{}]*\}`)

// Engine names the language of a template.
type Engine string

// The engines. Argo's workflows and application sets write actions as Jinja
// does.
const (
	Helm  Engine = "Helm"
	Go    Engine = "Go"
	Jinja Engine = "Jinja"
	Other Engine = "Jinja or Argo"
)

var (
	anyAction = regexp.MustCompile(`\{\{[^{}]*\}\}|\{%[^{}]*%\}`)
	ofHelm    = regexp.MustCompile(`^\{\{.*(\.(Values|Release|Chart|Capabilities|Files)\b|` +
		`\b(include|tpl|toYaml|n?indent)\b)`)
	ofGo = regexp.MustCompile("^\\{\\{-? *([.$(\"`/]|" +
		`(if|else|end|with|range|define|template|block|printf?|quote|default)\b)`)
)

// maxActions is how many actions of a text are looked at.
const maxActions = 1000

// Action returns the first action in a text, and the engine that the actions
// are written for. Both are empty if there is no action.
func Action(text string) (first string, engine Engine) {
	for _, action := range anyAction.FindAllString(text, maxActions) {
		found := engineOf(action)
		if first == "" {
			first, engine = action, found
		}
		if found == Helm || found == Jinja {
			return first, found
		}
	}
	return first, engine
}

func engineOf(action string) Engine {
	switch {
	case action[1] == '%':
		return Jinja
	case ofHelm.MatchString(action):
		return Helm
	case ofGo.MatchString(action):
		return Go
	}
	return Other
}
