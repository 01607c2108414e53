package placeholder_test

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/kit/placeholder"
)

func TestAction(t *testing.T) {
	for text, want := range map[string]struct {
		action string
		engine placeholder.Engine
	}{
		"a {{ .Values.x }}-{{ .y }}":         {"{{ .Values.x }}", placeholder.Helm},
		"{{- if .x }}{{ toYaml .y }}{{end}}": {"{{- if .x }}", placeholder.Helm},
		"{{ .y }}{{ a }}":                    {"{{ .y }}", placeholder.Go},
		"{{ $labels.pod }}":                  {"{{ $labels.pod }}", placeholder.Go},
		"{{- end }}":                         {"{{- end }}", placeholder.Go},
		"{{ values }}":                       {"{{ values }}", placeholder.Other},
		"{{inputs.parameters.a}}":            {"{{inputs.parameters.a}}", placeholder.Other},
		"{% if a %}{{ b }}":                  {"{% if a %}", placeholder.Jinja},
		"{{ b }}{% if a %}":                  {"{{ b }}", placeholder.Jinja},
		"{{ toYaml .y }}{% a %}":             {"{{ toYaml .y }}", placeholder.Helm},
		// The first 1000 actions are looked at.
		strings.Repeat("{{ a }}", 999) + "{{ tpl }}":  {"{{ a }}", placeholder.Helm},
		strings.Repeat("{{ a }}", 1000) + "{{ tpl }}": {"{{ a }}", placeholder.Other},
		"{{ open": {}, "{a}": {}, "": {}, "{% {{ }": {},
	} {
		action, engine := placeholder.Action(text)
		if action != want.action || engine != want.engine {
			t.Errorf("%q: %q of %q", text, action, engine)
		}
	}
}

func TestVariable(t *testing.T) {
	for text, want := range map[string]string{
		"a-${APP}-b": "${APP}", "${ APP }": "${ APP }", "${A:=b}": "${A:=b}", "${A-}": "${A-}",
		"$APP": "", "{APP}": "", "${}": "", "${1}": "", "${{ a }}": "",
	} {
		if got := placeholder.Variable.FindString(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
