package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
)

// lintedCRD has a finding of each severity: the rule reads an optional list
// that has no list type and no bound.
var lintedCRD = strings.NewReplacer(
	"self.used <= self.capacity", "self.books.all(b, b.name != 'x')",
	"                maxItems: 50\n                x-kubernetes-list-type: map\n"+
		"                x-kubernetes-list-map-keys: [isbn]\n", "",
	"isbn", "name", "self == oldSelf", "self != 'travel'").Replace(shelfCRD)

// Checks are left out or get another severity by the command line, by the
// configuration, and by comments and annotations.
func TestLintSettings(t *testing.T) {
	ignore := func(text, before, comment string) string {
		return strings.Replace(text, before, comment+before, 1)
	}
	const books, rule = "\n              books:", "\n            - rule: self.books"
	for _, c := range []struct{ name, args, configuration, text, found string }{
		{"nothing", "", "", lintedCRD, "1 LINT-bound style, LINT-has error, LINT-listtype warning"},
		{"disabled", "--disable LINT-has,lint-bound", "", lintedCRD, "0 LINT-listtype warning"},
		{"enabled", "--disable all --enable LINT-bound", "", lintedCRD, "0 LINT-bound style"},
		{"another severity", "--severity LINT-has=style,LINT-bound=off", "", lintedCRD, "0 LINT-has style, LINT-listtype warning"},
		{"warnings fail", "--disable LINT-has --fail-on warning", "", lintedCRD, "1 LINT-bound style, LINT-listtype warning"},
		{"style fails", "--disable all --enable LINT-bound --fail-on style", "", lintedCRD, "1 LINT-bound style"},
		{"style does not", "--disable all --enable LINT-bound --fail-on warning", "", lintedCRD, "0 LINT-bound style"},
		{
			"a configuration", "", "lint: {disable: [LINT-has], severity: {all: error, LINT-bound: style}}", lintedCRD,
			"1 LINT-bound style, LINT-listtype error",
		},
		{"failOn", "", "lint: {disable: [LINT-has, LINT-bound], failOn: warning}", lintedCRD, "1 LINT-listtype warning"},
		{"failOn of both", "--fail-on error", "lint: {disable: [LINT-has, LINT-bound], failOn: warning}", lintedCRD, "0 LINT-listtype warning"},
		{"of both", "--enable LINT-has", "lint: {disable: [all]}", lintedCRD, "1 LINT-has error"},
		{"a comment on the line", "", "", ignore(lintedCRD, "\n                type: array", " # crdsem:ignore LINT-listtype, LINT-bound: meant"), "1 LINT-has error"},
		{"comments above", "", "", ignore(lintedCRD, books, "\n  # crdsem:ignore LINT-listtype LINT-bound\n  # meant"), "1 LINT-has error"},
		{"a comment above a rule", "", "", ignore(lintedCRD, rule, "\n# crdsem:ignore LINT-has"), "0 LINT-bound style, LINT-listtype warning"},
		{"another check", "", "", ignore(lintedCRD, rule, "\n# crdsem:ignore LINT-bound"), "1 LINT-bound style, LINT-has error, LINT-listtype warning"},
		{"a blank line between", "", "", ignore(lintedCRD, rule, "\n# crdsem:ignore LINT-has\n"), "1 LINT-bound style, LINT-has error, LINT-listtype warning"},
		{
			"an annotation", "", "",
			strings.Replace(lintedCRD, "example.org}", `example.org, annotations: {crdsem/ignore: "LINT-has,LINT-bound"}}`, 1),
			"0 LINT-listtype warning",
		},
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, "crd.yaml")
		write(t, path, c.text)
		if c.configuration != "" {
			write(t, filepath.Join(folder, config.Name), c.configuration)
		}
		code, out, errs := execute(t, "", append(strings.Fields("lint -o json "+c.args), path)...)
		if got := lintFound(t, code, out); got != c.found {
			t.Errorf("%s: %s, want %s %s", c.name, got, c.found, errs)
		}
	}
}

// What is wrong with settings is an error.
func TestLintSettingsRefused(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "crd.yaml")
	write(t, path, lintedCRD)
	for _, c := range []struct{ args, configuration, err string }{
		{"--disable LINT-none", "", `no check is named "LINT-none"`},
		{"--severity LINT-has", "", "write CHECK=SEVERITY"},
		{"--severity LINT-has=grave", "", `severity "grave"`},
		{"--fail-on tolerated", "", "it is error, warning or style"},
		{"--config " + folder + "/none", "", "no such file"},
		{"", "lint: {enable: [LINT-none]}", `no check is named "LINT-none"`},
		{"", "lint: {failOn: never}", `failOn "never"`},
		{"", "\nlinter: {}", config.Name + `:2: unknown key "linter"`},
	} {
		write(t, filepath.Join(folder, config.Name), c.configuration)
		code, _, errs := execute(t, "", append(strings.Fields("lint "+c.args), path)...)
		if code != exitFailed || !strings.Contains(errs, c.err) {
			t.Errorf("%s %s: exit code %d, %s", c.args, c.configuration, code, errs)
		}
	}
}

// lintFound returns the exit code, and the checks of the findings with their
// severities.
func lintFound(t *testing.T, code int, out string) string {
	t.Helper()
	var printed struct {
		Results []struct {
			Findings []struct{ Rule, Severity string }
		}
	}
	if err := json.Unmarshal([]byte(out), &printed); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var found []string
	for _, f := range printed.Results[0].Findings {
		found = append(found, f.Rule+" "+f.Severity)
	}
	slices.Sort(found)
	return fmt.Sprint(code, " ", strings.Join(slices.Compact(found), ", "))
}
