package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/repository"
)

// Skip is what is not judged.
type Skip struct {
	// Paths are patterns of files in the form of .gitignore, relative to the
	// configuration.
	Paths []string `yaml:"paths" doc:"patterns of files, as in .gitignore"`
	// Kinds have their group or not, e.g. Application.argoproj.io, and Names
	// their namespace or not, e.g. default/web.
	Kinds  []string `yaml:"kinds" doc:"e.g. Application.argoproj.io or HelmChart"`
	Groups []string `yaml:"groups" doc:"API groups"`
	Names  []string `yaml:"names" doc:"names of objects, e.g. web or default/web"`
	// Fields are paths of values that are not judged, e.g. spec.template.
	Fields []string `yaml:"fields" doc:"values at and below them, e.g. spec.template"`
	// Git says what is done about .gitignore: respect (the default) or not.
	Git string `yaml:"gitignore" doc:"what is done about .gitignore" enum:"respect ignore"`
}

// Skips reports whether objects of a kind and name are left out.
func (s *Skip) Skips(group, kind, namespace, name string) bool {
	return slices.Contains(s.Kinds, kind) || slices.Contains(s.Kinds, kind+"."+group) ||
		slices.Contains(s.Groups, group) || slices.Contains(s.Names, name) ||
		slices.Contains(s.Names, namespace+"/"+name)
}

// Ignore is a finding that is left out. Fields that are empty fit all.
type Ignore struct {
	Rule   string `yaml:"rule" doc:"e.g. VAL-050"`
	Path   string `yaml:"path" doc:"a pattern of files, as in .gitignore"`
	Kind   string `yaml:"kind" doc:"of the object, e.g. CronTab or CronTab.example.com"`
	Name   string `yaml:"name" doc:"of the object, e.g. web or default/web"`
	Field  string `yaml:"field" doc:"findings at and below it, e.g. spec.template"`
	Reason string `yaml:"reason" doc:"why" required:"true"`

	files *patterns
	at    repository.Hidden // the field
}

func (i *Ignore) String() string {
	var parts []string
	for _, part := range []string{i.Rule, i.Path, i.Kind, i.Name, i.Field} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}

// Finding is where a finding is: the file, the object and the field.
type Finding struct{ Rule, File, Group, Kind, Namespace, Name, Field string }

// Ignores returns the index of the first entry that leaves out a finding, -1
// without one.
func (f *File) Ignores(x Finding) int {
	fits := func(want string, values ...string) bool {
		return want == "" || slices.Contains(values, want)
	}
	return slices.IndexFunc(f.Ignore, func(i Ignore) bool {
		return fits(i.Rule, x.Rule) && fits(i.Kind, x.Kind, x.Kind+"."+x.Group) &&
			fits(i.Name, x.Name, x.Namespace+"/"+x.Name) &&
			(i.Path == "" || i.files.skip(x.File)) &&
			(i.Field == "" || i.at.Covers(x.Field, ""))
	})
}

// prepare reads the patterns.
func (f *File) prepare() (err error) {
	folder := filepath.Dir(f.Path)
	if f.skips, err = parsePatterns(folder, f.Skip.Paths); err != nil {
		return err
	}
	if git := f.Skip.Git; git != "" && git != "respect" && git != "ignore" {
		return fmt.Errorf("skip.gitignore: %q is neither respect nor ignore", git)
	}
	for n := range f.Ignore {
		i := &f.Ignore[n]
		switch {
		case i.String() == "":
			return fmt.Errorf("ignore[%d] fits every finding: "+
				"name a rule, path, kind, name or field", n)
		case i.Reason == "":
			return fmt.Errorf("ignore[%d] (%s) has no reason", n, i)
		}
		if i.files, err = parsePatterns(folder, []string{i.Path}); err != nil {
			return fmt.Errorf("ignore[%d]: %w", n, err)
		}
		i.at.Add(i.Field)
	}
	return nil
}

// SkipsFile reports whether the paths to skip leave out a file.
func (f *File) SkipsFile(file string) bool { return f.skips != nil && f.skips.skip(file) }

// GitIgnores reports whether .gitignore files leave out a file: that of its
// folder, and those above up to the root of the repository. The nearest one
// with a pattern that matches counts. What is in a folder that is left out is
// left out.
func (f *File) GitIgnores(file string) (bool, error) {
	if f.Skip.Git == "ignore" {
		return false, nil
	}
	var all []*patterns // the nearest first
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		p, err := f.gitignore(folder)
		if err != nil {
			return false, err
		}
		if p != nil {
			all = append(all, p)
		}
		if exists(filepath.Join(folder, ".git")) {
			return anyOnTheWay(all, file), nil
		}
		if folder == filepath.Dir(folder) {
			return false, nil // not in a repository
		}
	}
}

// gitignore returns the patterns of the .gitignore of a folder.
func (f *File) gitignore(folder string) (*patterns, error) {
	if p, known := f.git[folder]; known {
		return p, nil
	}
	p, err := gitignore(folder)
	if f.git == nil {
		f.git = map[string]*patterns{}
	}
	f.git[folder] = p
	return p, err
}
