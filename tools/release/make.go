package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// A Release is a version of all modules, made in a clone.
type Release struct {
	Dir     string // the clone's root
	Version string
	Test    string // a command of the shell that must pass
	Proxy   Proxy  // gets the modules
	// Toolchains are the versions of Go that it is rehearsed with.
	Toolchains []string
}

// Make commits and tags the release, and takes the branch back to work.
// The clone is left as it was if something is refused.
func (r *Release) Make(ctx context.Context) error {
	sh := shell{dir: r.Dir}
	if err := r.check(ctx, sh); err != nil {
		return err
	}
	start, err := sh.run(ctx, "git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	if err := r.write(ctx, sh, start); err != nil {
		_, back := sh.run(context.WithoutCancel(ctx), "git", "reset", "--quiet", "--hard", start)
		return fmt.Errorf("%w\n(the clone is as before: %v)", err, back == nil)
	}
	for _, folder := range released {
		fmt.Println("tagged", tag(folder, r.Version))
	}
	return nil
}

// check refuses what must not be released.
func (r *Release) check(ctx context.Context, sh shell) error {
	changed, err := sh.run(ctx, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("the tree has changes:\n%s", changed)
	}
	tags, err := sh.run(ctx, "git", "tag", "--list", "v*")
	if err != nil {
		return err
	}
	last := latest(strings.Fields(tags))
	var gone, added []string
	if last != "" {
		if gone, added, err = r.names(ctx, sh, last); err != nil {
			return err
		}
	}
	if err := next(last, r.Version, gone, added); err != nil {
		return err
	}
	_, err = sh.run(ctx, "sh", "-c", r.Test)
	return err
}

func latest(tags []string) string {
	semver.Sort(tags)
	if len(tags) == 0 {
		return ""
	}
	return tags[len(tags)-1]
}

// names compares the exported names of all modules with those of a version.
func (r *Release) names(
	ctx context.Context, sh shell, last string,
) (gone, added []string, err error) {
	list, err := sh.run(ctx, "git", "ls-files", "tools/api/*.txt")
	if err != nil {
		return nil, nil, err
	}
	for _, file := range strings.Fields(list) {
		after, err := os.ReadFile(filepath.Join(r.Dir, file))
		if err != nil {
			return nil, nil, err
		}
		before, err := sh.run(ctx, "git", "show", last+":"+file)
		if err != nil { // the module is new
			continue
		}
		g, a := difference(before+"\n", string(after))
		gone, added = append(gone, g...), append(added, a...)
	}
	return gone, added, nil
}

// write makes the commits and the tags. The second commit takes the modules'
// requirements back to those of the commit start.
func (r *Release) write(ctx context.Context, sh shell, start string) error {
	changelog := func(change func(string) (string, error)) error {
		return rewrite(filepath.Join(r.Dir, "CHANGELOG.md"), change)
	}
	err := changelog(func(text string) (string, error) {
		return setHeading(text, r.Version, time.Now().UTC())
	})
	if err != nil {
		return err
	}
	for _, name := range packages {
		if err := rewrite(filepath.Join(r.Dir, name), setPackage(r.Version)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if _, err := sh.run(ctx, "git", "commit", "--quiet", "-am", "Release "+r.Version); err != nil {
		return err
	}
	modules, end, err := r.emptyCache(ctx, sh)
	if err != nil {
		return err
	}
	defer end()
	for _, folder := range released {
		if err := r.require(ctx, modules, folder); err != nil {
			return err
		}
		if err := r.Proxy.Add(r.Dir, folder, versionOf(folder, r.Version)); err != nil {
			return err
		}
	}
	for _, folder := range released {
		name := tag(folder, r.Version)
		if _, err := sh.run(ctx, "git", "tag", "-am", name, name); err != nil {
			return err
		}
	}
	err = changelog(func(text string) (string, error) { return openHeading(text), nil })
	if err != nil {
		return err
	}
	return sh.all(ctx,
		append([]string{"git", "checkout", "--quiet", start, "--"}, moduleFiles()...),
		[]string{"git", "commit", "--quiet", "-am", "Back to work after " + r.Version},
	)
}

// emptyCache returns a shell whose go command has an empty module cache: that
// of the user may have the version from a rehearsal. Other modules come from
// there.
func (r *Release) emptyCache(ctx context.Context, sh shell) (shell, func(), error) {
	users, err := sh.run(ctx, "go", "env", "GOMODCACHE")
	if err != nil {
		return sh, nil, err
	}
	dir, err := os.MkdirTemp("", "crdsem-modules-")
	env := r.Proxy.Environment("file://" + filepath.ToSlash(users) + "/cache/download")
	env = append(env, "GOMODCACHE="+dir, "GOFLAGS=-modcacherw")
	return sh.with(env...), func() { _ = os.RemoveAll(dir) }, err
}

// require sets a module's requirements of the others and adds it to the commit.
func (r *Release) require(ctx context.Context, sh shell, folder string) error {
	if folder == "" {
		return nil
	}
	dir := filepath.Join(r.Dir, filepath.FromSlash(folder))
	err := rewrite(filepath.Join(dir, "go.mod"), func(text string) (string, error) {
		return setRequirements(text, r.Version)
	})
	if err != nil {
		return err
	}
	if _, err := sh.in(dir).run(ctx, "go", "mod", "tidy"); err != nil {
		return err
	}
	return sh.all(ctx,
		[]string{"git", "add", path.Join(folder, "go.mod"), path.Join(folder, "go.sum")},
		[]string{"git", "commit", "--quiet", "--amend", "--no-edit"},
	)
}

// setRequirements sets the versions of the project's modules in a go.mod.
func setRequirements(text, version string) (string, error) {
	file, err := modfile.Parse("go.mod", []byte(text), nil)
	if err != nil {
		return "", err
	}
	for _, required := range file.Require {
		if p := required.Mod.Path; p == root || strings.HasPrefix(p, root+"/") {
			if err := file.AddRequire(p, version); err != nil {
				return "", err
			}
		}
	}
	out, err := file.Format()
	return string(out), err
}

// packages describe the package of the npm registry and the extension of VS
// Code.
var packages = []string{"web/npm/package.json", "cmd/crdsem/editors/vscode/package.json"}

// setPackage sets the version of a package.json.
func setPackage(version string) func(string) (string, error) {
	return func(text string) (string, error) {
		before, rest, found := strings.Cut(text, `"version": "0.0.0"`)
		if !found {
			return "", errors.New("there is no version 0.0.0")
		}
		return before + `"version": "` + strings.TrimPrefix(version, "v") + `"` + rest, nil
	}
}

func moduleFiles() []string {
	files := slices.Clone(packages)
	for _, folder := range released[1:] {
		files = append(files, path.Join(folder, "go.mod"), path.Join(folder, "go.sum"))
	}
	return files
}

func rewrite(file string, change func(string) (string, error)) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	changed, err := change(string(text))
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(changed), 0o644)
}
