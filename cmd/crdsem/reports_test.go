package main

import (
	"strings"
	"testing"
)

// reportCase is a case as people report it: files, a command, and what it
// prints.
type reportCase struct {
	name  string
	files map[string]string
	// command is a command line. Its words that name files are paths of them.
	command string
	code    int
	want    []string
	not     []string
}

// run runs the command in a folder with the files, and those that all cases of
// a report share.
func (c *reportCase) run(t *testing.T, shared map[string]string) {
	t.Helper()
	files := map[string]string{}
	for _, some := range []map[string]string{shared, c.files} {
		for name, text := range some {
			files[name] = text
		}
	}
	in := folder(t, files)
	args := strings.Fields(c.command)
	for i, arg := range args {
		if _, isFile := files[arg]; isFile {
			args[i] = in(arg)
		}
	}
	code, out, errs := execute(t, "", args...)
	all := out + errs
	for _, want := range c.want {
		if !strings.Contains(all, want) {
			t.Errorf("%s: %q is missing in\n%s", c.name, want, all)
		}
	}
	for _, not := range c.not {
		if strings.Contains(all, not) {
			t.Errorf("%s: %q is in\n%s", c.name, not, all)
		}
	}
	if code != c.code {
		t.Errorf("%s: exit code %d, want %d\n%s", c.name, code, c.code, all)
	}
}

func runReports(t *testing.T, shared map[string]string, cases []reportCase) {
	t.Helper()
	for i := range cases {
		t.Run(cases[i].name, func(t *testing.T) { cases[i].run(t, shared) })
	}
}

// unserved makes a version of a definition one that is not served.
func unserved(crd, version string) string {
	return strings.Replace(crd, "name: "+version+"\n    served: true",
		"name: "+version+"\n    served: false", 1)
}

// named gives an object another name.
func named(object, name string) string {
	return strings.Replace(object, "name: a,", "name: "+name+",", 1)
}
