package main

import (
	"strings"
	"testing"
)

// A file that several paths name is read once.
func TestPathsOverlap(t *testing.T) {
	writeFiles(t, map[string]string{"d/crd.yaml": widgets, "d/w.yaml": widget})
	for args, once := range map[string]string{
		"validate d d":                               "1 object: 1 accepted",
		"validate d/*.yaml d ./d/w.yaml":             "1 object: 1 accepted",
		"validate -v --crd d ./d/crd.yaml":           "accepted: CustomResourceDefinition",
		"check d d":                                  "1 definition: 1 accepted",
		"cost d d/crd.yaml":                          "widgets.example.com v1: 0 rules",
		"api d d":                                    "widgets",
		"get --crd d --crd d/crd.yaml d d/w.yaml":    "\nw ",
		"convert --crd d --crd d --to v1 d d/w.yaml": "name: w",
		"upgrade d d d/w.yaml d":                     "1 object: 1 unaffected",
	} {
		code, out, errs := execute(t, "", strings.Fields(args)...)
		if code != exitOK || strings.Count(out, once) != 1 || errs != "" {
			t.Errorf("%s: exit code %d, %q is not there once\n%s%s", args, code, once, out, errs)
		}
	}
}

// A cluster without definitions is an empty list. An empty file is a mistake.
func TestEmptyLists(t *testing.T) {
	writeFiles(t, map[string]string{"crd.yaml": widgets, "empty.yaml": "", "w.yaml": widget})
	const (
		list  = "apiVersion: v1\nkind: List\nitems: []\n"
		typed = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\n" +
			"items: []\n"
	)
	for _, c := range []struct {
		args, stdin, want string
		code              int
	}{
		{"check --old - crd.yaml", list, "1 definition: 1 accepted", exitOK},
		{"check --old - crd.yaml", typed, "1 definition: 1 accepted", exitOK},
		{"check --old - crd.yaml", "", "stdin: the file holds no document", exitFailed},
		{"check --old empty.yaml crd.yaml", "", "the file holds no document", exitFailed},
		{"check --old w.yaml crd.yaml", "", "no CustomResourceDefinition", exitFailed},
		{"upgrade - crd.yaml", list, "widgets.example.com: added", exitOK},
		{"upgrade - crd.yaml", typed, "widgets.example.com: added", exitOK},
		{"upgrade - crd.yaml", "", "stdin: the file holds no document", exitFailed},
		{"upgrade missing.yaml crd.yaml", "", "missing.yaml: ", exitFailed},
	} {
		code, out, errs := execute(t, c.stdin, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: exit code %d, no %q in\n%s%s", c.args, code, c.want, out, errs)
		}
	}
}

// A file of comments or nulls is empty, which is no error. An empty pipe is an
// error.
func TestFilesWithoutObject(t *testing.T) {
	writeFiles(t, map[string]string{
		"crd.yaml": widgets, "comment.yaml": "# nothing\n", "null.yaml": "---\nnull\n--- ~\n",
		"mixed.yaml": "null\n---\n" + widget + "---\n~ # nothing\n",
	})
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"validate --crd crd.yaml comment.yaml", "comment.yaml: warning: the file holds no document", exitNotJudged},
		{"validate --crd crd.yaml null.yaml", "null.yaml: warning: the file holds no document", exitNotJudged},
		{"validate --crd crd.yaml comment.yaml mixed.yaml", "1 accepted, 0 refused, 1 not judged", exitOK},
		{"check comment.yaml", "comment.yaml: warning: the file holds no document", exitNotJudged},
		{"validate --crd crd.yaml -", "stdin: error: the file holds no document", exitFailed},
	} {
		code, out, errs := execute(t, "# nothing\n", strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit code %d, no %q in\n%s%s", c.args, code, c.want, out, errs)
		}
	}
}
