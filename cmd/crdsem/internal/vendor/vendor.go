// Package vendor copies definitions from where they are published into a
// folder, with a lock file that says what came from where.
//
//	staged, err := vendor.New(dir).Stage(ctx, definitions, vendor.Locked)
//	...                         // staged.Folder has the new files
//	err = staged.Commit()       // in the place of the old folder
//
// Only HTTPS is spoken. Sizes, times and redirects are bounded. No name that
// comes from a source is a path that is written.
package vendor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
)

// LockName is the name of the lock file in the folder of the definitions.
const LockName = "crdsem.lock"

// Lock is what a folder of definitions holds.
type Lock struct {
	Sources []LockedSource `yaml:"sources"`
}

// LockedSource is a source as it was read.
type LockedSource struct {
	// Source is the text of the configuration, and Version the source that it
	// stood for, e.g. with the tag of the latest release.
	Source  string `yaml:"source"`
	Version string `yaml:"version"`
	// Definitions has the SHA-256 of each file by the name of the definition.
	Definitions map[string]string `yaml:"definitions"`
}

// Mode says which version of a source is read.
type Mode uint8

const (
	// Locked reads what the lock file names. Sources that it does not name are
	// read as they are now.
	Locked Mode = iota
	// Update reads all sources as they are now.
	Update
)

// Staged is a folder of definitions that is not yet in its place.
type Staged struct {
	// Folder is the new folder, and Target its place. Old reports whether there
	// is a folder that it replaces.
	Folder, Target string
	Old            bool
	// Lock is the new lock file.
	Lock Lock
}

// path returns the folder of the definitions.
func (c *Client) path(d config.Definitions) (string, error) {
	folder := d.Folder
	if folder == "" {
		folder = DefaultFolder
	}
	if !filepath.IsLocal(folder) || filepath.Clean(folder) == "." {
		return "", fmt.Errorf("definitions.folder: %q is not below the configuration's folder",
			folder)
	}
	return filepath.Join(c.Dir, folder), nil
}

// Folder returns the folder that definitions are written to, "" if it has no
// lock file.
func (c *Client) Folder(d config.Definitions) (string, error) {
	folder, err := c.path(d)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(folder, LockName)); err != nil {
		return "", nil
	}
	return folder, nil
}

// readLock returns the lock file of a folder, and whether there is one. A
// folder that has other files is an error.
func readLock(folder string) (lock Lock, exists bool, err error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return lock, false, nil
	}
	if err != nil {
		return lock, false, err
	}
	name := filepath.Join(folder, LockName)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return lock, false, fmt.Errorf("%s has files, but no %s: "+
			"it was not written by crdsem vendor, and is left as it is", folder, LockName)
	}
	if err != nil {
		return lock, false, err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&lock); err != nil {
		return lock, true, fmt.Errorf("%s: %w", name, err)
	}
	known := map[string]bool{LockName: true}
	for _, s := range lock.Sources {
		for name := range s.Definitions {
			if !crdName.MatchString(name) {
				return lock, true, fmt.Errorf("%s: %q is no name of a definition", folder, name)
			}
			known[name+".yaml"] = true
		}
	}
	for _, entry := range entries {
		if !known[entry.Name()] {
			return lock, true, fmt.Errorf("%s: the lock file does not have this file",
				filepath.Join(folder, entry.Name()))
		}
	}
	return lock, true, nil
}

// Stage reads the sources into a new folder next to that of the definitions.
// The caller ends it by Commit or Discard. The error names all
// sources that cannot be read.
func (c *Client) Stage(ctx context.Context, d config.Definitions, mode Mode) (*Staged, error) {
	target, err := c.path(d)
	if err != nil {
		return nil, err
	}
	lock, exists, err := readLock(target)
	if err != nil {
		return nil, err
	}
	staged := &Staged{Target: target, Old: exists}
	var failed []error
	all := newSet()
	for _, text := range d.Sources {
		i := slices.IndexFunc(lock.Sources, func(s LockedSource) bool { return s.Source == text })
		var locked *LockedSource
		if i >= 0 && mode == Locked {
			locked = &lock.Sources[i]
		}
		found, version, err := c.source(ctx, text, target, locked)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", loginIn.ReplaceAllString(text, "//"), err))
			continue
		}
		for name := range found.texts {
			if before, ok := all.from[name]; ok {
				return nil, fmt.Errorf("%s: %s also comes from %s: name a path or leave one out",
					text, name, before)
			}
			all.texts[name], all.from[name] = found.texts[name], text
		}
		staged.Lock.Sources = append(staged.Lock.Sources,
			LockedSource{Source: text, Version: version, Definitions: found.sums()})
	}
	if len(failed) > 0 {
		return nil, errors.Join(failed...)
	}
	return staged, staged.write(all)
}

// source returns the definitions of a source: those that are locked, from the
// folder if they are there, otherwise from the source.
func (c *Client) source(
	ctx context.Context, text, folder string, locked *LockedSource,
) (*set, string, error) {
	s, err := parseSource(text)
	if err != nil {
		return nil, "", err
	}
	if locked == nil {
		if s, err = c.resolve(ctx, s); err != nil {
			return nil, "", err
		}
		found, err := c.read(ctx, s)
		return found, s.String(), err
	}
	if found := fromFolder(folder, locked); found != nil {
		return found, locked.Version, nil
	}
	if s, err = parseSource(locked.Version); err != nil {
		return nil, "", err
	}
	found, err := c.read(ctx, s)
	if err == nil && !maps.Equal(found.sums(), locked.Definitions) {
		err = fmt.Errorf("%s differs from the lock file: --update accepts what it has now", s)
	}
	return found, locked.Version, err
}

// fromFolder returns the definitions of a source if the folder has them as they
// are locked, nil otherwise.
func fromFolder(folder string, locked *LockedSource) *set {
	found := newSet()
	for name, want := range locked.Definitions {
		text, err := os.ReadFile(filepath.Join(folder, name+".yaml"))
		if err != nil || sum(text) != want {
			return nil
		}
		found.texts[name] = text
	}
	return found
}

// write writes the new folder.
func (s *Staged) write(all *set) error {
	if err := os.MkdirAll(filepath.Dir(s.Target), 0o755); err != nil {
		return err
	}
	folder, err := os.MkdirTemp(filepath.Dir(s.Target), ".crdsem-new-")
	if err != nil {
		return err
	}
	s.Folder = folder
	lock, err := yaml.Marshal(s.Lock)
	if err == nil {
		err = os.Chmod(folder, 0o755)
	}
	all.texts[LockName] = append([]byte("# Written by crdsem vendor.\n"), lock...)
	for name, text := range all.texts {
		if name != LockName {
			name += ".yaml"
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), text, 0o644)
		}
	}
	if err != nil {
		s.Discard()
	}
	return err
}

// Discard removes the new folder. After Commit it does nothing.
func (s *Staged) Discard() { _ = os.RemoveAll(s.Folder) }

// Commit puts the new folder in its place. If that fails, the old one stays.
func (s *Staged) Commit() error {
	old := s.Folder + ".old"
	err := os.Rename(s.Target, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(s.Folder, s.Target); err != nil {
		return errors.Join(err, os.Rename(old, s.Target))
	}
	return os.RemoveAll(old)
}

// Check compares the folder with its lock file, and the lock file with the
// configuration. It uses no network. The error has all differences.
func (c *Client) Check(d config.Definitions) error {
	folder, err := c.path(d)
	if err != nil {
		return err
	}
	lock, exists, err := readLock(folder)
	switch {
	case err != nil:
		return err
	case !exists:
		return fmt.Errorf("%s does not exist: run crdsem vendor", folder)
	}
	var all []error
	var sources []string
	for _, s := range lock.Sources {
		sources = append(sources, s.Source)
		for _, name := range slices.Sorted(maps.Keys(s.Definitions)) {
			file := filepath.Join(folder, name+".yaml")
			text, err := os.ReadFile(file)
			if err == nil && sum(text) != s.Definitions[name] {
				err = fmt.Errorf("%s differs from the lock file", file)
			}
			all = append(all, err)
		}
	}
	if !slices.Equal(sources, d.Sources) {
		want := loginIn.ReplaceAllString(strings.Join(d.Sources, ", "), "//")
		all = append(all, fmt.Errorf("the configuration has other sources than the lock file: "+
			"%s, and not %s", want, strings.Join(sources, ", ")))
	}
	return errors.Join(all...)
}
