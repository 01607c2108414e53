package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/creachadair/mds/mdiff"
	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/engine"
	"github.com/crdsem/crdsem/kit/manifest"
)

// repairing is what is done with edits of files: they are written, or printed
// as one patch.
type repairing struct{ fix, patch bool }

// flags declares --fix and --patch.
func (r *repairing) flags(cmd *cobra.Command, what string) {
	cmd.Flags().BoolVar(&r.fix, "fix", false, "write "+what+" into the files")
	cmd.Flags().BoolVar(&r.patch, "patch", false, "print "+what+" as a patch, and write nothing")
}

// on reports whether edits are wanted.
func (r *repairing) on() bool { return r.fix || r.patch }

// editedFile is the text of a file, before and after its edits.
type editedFile struct {
	name, path    string // as the user writes it, and the whole one
	before, after string
	mode          os.FileMode
}

// read returns the files with definitions in some paths that the configuration
// does not skip.
func (r *repairing) read(paths []string, skips *config.File) ([]editedFile, error) {
	if slices.Contains(paths, "-") {
		return nil, errUsage("--fix edits files: the standard input is none")
	}
	var all []editedFile
	for _, s := range manifest.Find(paths, strings.NewReader("")) {
		if s.Err != nil {
			return nil, s.Err
		}
		if skips != nil && s.InFolder {
			ignored, err := skips.GitIgnores(s.Path())
			if err != nil {
				return nil, err
			}
			if ignored || skips.SkipsFile(s.Path()) {
				continue
			}
		}
		info, err := os.Stat(s.Path())
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(s.Path())
		if err != nil {
			return nil, err
		}
		if strings.Contains(string(text), "CustomResourceDefinition") {
			all = append(all, editedFile{s.Name, s.Path(), string(text), string(text), info.Mode()})
		}
	}
	return all, nil
}

// patch prints the edits of a file in the format of git apply and patch -p1.
func (f *editedFile) patch(out io.Writer) error {
	const context = 3
	name := strings.TrimPrefix(filepath.ToSlash(f.patchName()), "/")
	diff := mdiff.New(patchLines(f.before), patchLines(f.after)).AddContext(context).Unify()
	return diff.Format(out, mdiff.Unified,
		&mdiff.FileInfo{Left: "a/" + name, Right: "b/" + name})
}

// patchName returns the path of the file for git apply: from the root of its
// repository, else from the working folder. Elsewhere it is the whole path.
func (f *editedFile) patchName() string {
	root := engine.RootOf(filepath.Dir(f.path))
	if root == "" {
		var err error
		if root, err = os.Getwd(); err != nil {
			return f.path
		}
	}
	if name, err := filepath.Rel(root, f.path); err == nil && filepath.IsLocal(name) {
		return name
	}
	return f.path
}

// patchLines returns the lines of a text. A last line without its end has the
// line below it that patches mark it by.
func patchLines(text string) []string {
	lines := strings.Split(text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	} else {
		lines[last] += "\n\\ No newline at end of file"
	}
	return lines
}

// finish writes the files that changed, or prints the patch. A file that is not
// as it was read is left alone.
func (r *repairing) finish(all []editedFile, std streams) error {
	var errs []error
	for _, f := range all {
		if f.before == f.after {
			continue
		}
		if r.patch {
			if err := f.patch(std.out); err != nil {
				return err
			}
			continue
		}
		now, err := os.ReadFile(f.path)
		if err == nil && string(now) != f.before {
			err = errors.New("the file changed meanwhile")
		}
		if err == nil {
			err = os.WriteFile(f.path, []byte(f.after), f.mode.Perm())
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", f.name, err))
		}
	}
	return errors.Join(errs...)
}
