package main

import (
	"maps"
	"math/rand/v2"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/engine"
	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/kit/advice/lint"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/minors"
)

// lspConfig is what a server is started with.
type lspConfig struct {
	// Version is that of the program.
	Version string
	// Kubernetes are the minors whose servers judge. Without any it is what the
	// configuration of the workspace says.
	Kubernetes []minors.Minor
	// Definitions are files and folders with definitions, next to those of the
	// workspace.
	Definitions []string
	// Link returns the address of a rule's text, empty without one.
	Link func(rule string) string
}

// lspSettings are the configuration of a workspace, as validate, check and lint
// use it.
type lspSettings struct {
	edit.Settings
	repo *engine.Repo
	crds []string
}

// settingsOf reads the configuration of the folders of a workspace. If there is
// an error, the settings are those without a configuration.
func (c *lspConfig) settingsOf(folders []string) (*lspSettings, error) {
	file, err := config.Read("", folders)
	if err != nil {
		file = &config.File{}
	}
	l := &linter{}
	checker := &engine.Engine{}
	validate, check := &cobra.Command{}, &cobra.Command{}
	validateFlags(validate, &l.Engine, new(string))
	verdictFlags(check, checker, "Warn", "Strict", "Ignore")
	keep := func(problem error) {
		if err == nil {
			err = problem
		}
	}
	keep(setFlags(validate.Flags(), file, file.Validate))
	delete(file.Check, "old")
	keep(setFlags(check.Flags(), file, file.Check))
	l.Config = file
	keep(l.AddVendored())
	l.Judge.Lint = lint.Settings{}
	keep(l.apply(&file.Lint))
	s := &lspSettings{repo: &l.Repo, crds: append(l.CRDs, c.Definitions...)}
	s.repo.Config = file
	s.Settings = edit.Settings{
		Kubernetes:  l.Minors,
		Objects:     crdsem.Strictness(l.FieldValidation),
		Definitions: crdsem.Strictness(checker.FieldValidation),

		RequireDefinitions: l.RequireDefinitions, StrictFiles: l.Repo.StrictFiles,
		Lint: map[string]string{}, Fields: file.Skip.Fields, Substitute: file.Substitute,
		Skips: file.Skip.Skips, Root: l.Repo.Root, Admitted: admitted,
		Ignores: func(f edit.Finding) bool {
			return file.Ignores(config.Finding{
				Rule: f.Rule, File: f.File, Group: f.Group, Kind: f.Kind,
				Namespace: f.Namespace, Name: f.Name, Field: f.Field,
			}) >= 0
		},
	}
	if l.BuiltIn == engine.ByStructure {
		s.BuiltIn = judge.ByStructure
	}
	if len(c.Kubernetes) > 0 {
		s.Kubernetes = c.Kubernetes
	}
	for check, severity := range maps.All(l.Judge.Lint) {
		s.Lint[check] = string(severity)
	}
	return s, err
}

// admitted makes an object that the server admits, always the same.
func admitted(def *crdsem.Definition, version string) (map[string]any, error) {
	made, err := generate.NewResources(def, version)
	if err != nil {
		return nil, err
	}
	return made.Valid(rand.New(rand.NewPCG(1, 2)))
}

// skips reports whether a file is not judged.
func (s *lspSettings) skips(path string) bool {
	if s == nil || !filepath.IsAbs(path) {
		return false
	}
	return s.repo.Config.SkipsFile(path) || filepath.Base(path) == config.Name
}
