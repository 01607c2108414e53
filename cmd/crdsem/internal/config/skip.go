package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Skip is what is not judged.
type Skip struct {
	// Paths are patterns of files in the form of .gitignore, relative to the
	// configuration.
	Paths []string `yaml:"paths"`
	// Kinds have their group or not, e.g. Application.argoproj.io, and Names
	// their namespace or not, e.g. default/web.
	Kinds  []string `yaml:"kinds"`
	Groups []string `yaml:"groups"`
	Names  []string `yaml:"names"`
	// Fields are paths of values that are not judged, e.g. spec.template.
	Fields []string `yaml:"fields"`
	// Git says what is done about .gitignore: respect (the default) or not.
	Git string `yaml:"gitignore"`
}

// Skips reports whether objects of a kind and name are left out.
func (s *Skip) Skips(group, kind, namespace, name string) bool {
	return slices.Contains(s.Kinds, kind) || slices.Contains(s.Kinds, kind+"."+group) ||
		slices.Contains(s.Groups, group) || slices.Contains(s.Names, name) ||
		slices.Contains(s.Names, namespace+"/"+name)
}

// Ignore is a finding that is left out. Fields that are empty fit all.
type Ignore struct {
	Rule   string `yaml:"rule"`   // e.g. VAL-050
	Path   string `yaml:"path"`   // a pattern of files, as in skip
	Kind   string `yaml:"kind"`   // of the object
	Name   string `yaml:"name"`   // of the object
	Reason string `yaml:"reason"` // why, which must be said

	files *patterns
}

func (i *Ignore) String() string {
	var parts []string
	for _, part := range []string{i.Rule, i.Path, i.Kind, i.Name} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}

// Ignores returns the index of the first entry that leaves out a finding, -1
// without one.
func (f *File) Ignores(rule, file, kind, name string) int {
	fits := func(want, value string) bool { return want == "" || want == value }
	return slices.IndexFunc(f.Ignore, func(i Ignore) bool {
		return fits(i.Rule, rule) && fits(i.Kind, kind) && fits(i.Name, name) &&
			(i.Path == "" || i.files.skip(file))
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
			return fmt.Errorf("ignore[%d] fits every finding: name a rule, path, kind or name", n)
		case i.Reason == "":
			return fmt.Errorf("ignore[%d] (%s) has no reason", n, i)
		}
		if i.files, err = parsePatterns(folder, []string{i.Path}); err != nil {
			return fmt.Errorf("ignore[%d]: %w", n, err)
		}
	}
	return nil
}

// SkipsFile reports whether a file is left out: by the paths to skip, or by a
// .gitignore in its folder or above it, up to the root of the repository.
func (f *File) SkipsFile(file string) (bool, error) {
	if f.skips != nil && f.skips.skip(file) {
		return true, nil
	}
	if f.Skip.Git == "ignore" {
		return false, nil
	}
	skips := false
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		p, err := f.gitignore(folder)
		if err != nil {
			return false, err
		}
		skips = skips || p != nil && p.skip(file)
		if exists(filepath.Join(folder, ".git")) {
			return skips, nil
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
