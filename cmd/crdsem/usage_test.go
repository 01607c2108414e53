package main

import (
	"strings"
	"testing"
)

// What a person may type wrong is an error that says what to type.
func TestWrongUsage(t *testing.T) {
	other := strings.ReplaceAll(widgets, "example.com", "example.org")
	writeFiles(t, map[string]string{"a.yaml": widgets, "b.yaml": other, "w/w.yaml": widget})
	for args, want := range map[string]string{
		"validate --crds a.yaml":                      "unknown flag: --crds (did you mean --crd?)",
		"check --kubernets 1.31":                      "(did you mean --kubernetes?)",
		"validate -crd a.yaml":                        "(did you mean --crd?)",
		"validate --frobnicate":                       "unknown flag: --frobnicate\n",
		"check --kubernetes 1.28.3 a.yaml":            `unknown Kubernetes minor "1.28"`,
		"generate":                                    "no definition given",
		"get w":                                       "no definition given: name one among the paths",
		"generate --crd a.yaml -n -1":                 "-n is not negative",
		"generate --crd a.yaml --crd b.yaml":          "--kind with one of Widget.example.com, Widget.example.org",
		"generate --crd . --kind Widget":              "--kind with one of Widget.example.com, Widget.example.org",
		"generate --crd . --kind Gadget":              "no definition of kind Gadget was given",
		"completion foo":                              `unknown command "foo" for "crdsem completion"`,
		"help foo":                                    `unknown command "foo" for "crdsem"`,
		"help diff foo":                               `unknown command "diff foo"`,
		"help completion foo":                         `unknown command "completion foo"`,
		"validate --field-validation stricter a.yaml": "it is Strict, Warn or Ignore",
	} {
		code, out, errs := execute(t, "", strings.Fields(args)...)
		if code != exitFailed || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d, no %q in\n%s%s", args, code, want, out, errs)
		}
	}
}

// Some values have several forms.
func TestForms(t *testing.T) {
	other := strings.ReplaceAll(widgets, "example.com", "example.org")
	writeFiles(t, map[string]string{
		"a.yaml": widgets, "b.yaml": other, "w.yaml": widget,
	})
	for args, want := range map[string]string{
		"generate --crd . --kind Widget.example.org": "apiVersion: example.org/v1",
		"generate a.yaml":                                    "apiVersion: example.com/v1",
		"get a.yaml w.yaml":                                  "NAME",
		"convert --to v1 a.yaml w.yaml":                      "kind: Widget",
		"check --kubernetes v1.31.4 a.yaml":                  "Kubernetes: 1.31\n",
		"check --kubernetes 1.33,1.30-1.31 a.yaml":           "Kubernetes: 1.30, 1.31, 1.33\n",
		"validate --field-validation strict a.yaml":          "field validation: Strict",
		"admit --crd a.yaml --version v1 w.yaml":             "(create, v1)",
		"admit --crd a.yaml --version example.com/v1 w.yaml": "(create, v1)",
		"admit --crd a.yaml --version example.org/v9 w.yaml": "(create, v1)",
		"convert --crd a.yaml --to example.com/v1 w.yaml":    "apiVersion: example.com/v1",
		"help completion bash":                               "bash shell",
		"completion":                                         "crdsem completion [command]",
		"completion bash":                                    "# bash completion",
	} {
		code, out, errs := execute(t, "", strings.Fields(args)...)
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("%s: exit code %d, no %q in\n%s%s", args, code, want, out, errs)
		}
	}
}
