package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// most are the bytes that a module's zip may have.
const most = 5_000_000

// Rehearse makes the release in a clone of the repository and uses it.
func (r *Release) Rehearse(ctx context.Context) (err error) {
	work, err := os.MkdirTemp("", "crdsem-rehearsal-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	from, err := filepath.Abs(r.Dir)
	if err != nil {
		return err
	}
	made := *r
	made.Dir = filepath.Join(work, "clone")
	sh := shell{dir: work}
	if _, err := sh.run(ctx, "git", "clone", "--quiet", from, made.Dir); err != nil {
		return err
	}
	if err := made.Make(ctx); err != nil {
		return err
	}
	for _, folder := range released {
		m := versionOf(folder, r.Version)
		if err := tellZip(r.Proxy.Zip(m), m.String()); err != nil {
			return err
		}
	}
	stranger := &stranger{work: work, version: r.Version, sh: sh.with(r.Proxy.Environment()...).
		with("GOMODCACHE="+filepath.Join(work, "modules"), "GOFLAGS=-modcacherw")}
	if err := stranger.sums(ctx, made.Dir); err != nil {
		return err
	}
	if err := stranger.asks(ctx, made.Dir); err != nil {
		return err
	}
	for _, toolchain := range r.Toolchains {
		if err := stranger.tries(ctx, toolchain); err != nil {
			return fmt.Errorf("with %s: %w", toolchain, err)
		}
	}
	return nil
}

// compressed is the extension of records that programs embed as they are.
const compressed = ".gz"

// tellZip prints the folders of a module's zip, and refuses what no reader of
// Go needs.
func tellZip(name, module string) (err error) {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, z.Close()) }()
	files, packed := map[string]int{}, map[string]uint64{}
	for _, f := range z.File {
		text, err := content(f)
		if err != nil {
			return err
		}
		if bytes.IndexByte(text, 0) >= 0 && path.Ext(f.Name) != compressed {
			return fmt.Errorf("%s is no text", f.Name)
		}
		folder := "."
		if top, _, found := strings.Cut(strings.TrimPrefix(f.Name, module+"/"), "/"); found {
			folder = top
		}
		files[folder]++
		packed[folder] += f.CompressedSize64
	}
	fmt.Printf("%-60s %5d files %8d bytes\n", module, len(z.File), info.Size())
	for _, folder := range slices.Sorted(maps.Keys(files)) {
		fmt.Printf("  %-58s %5d files %8d bytes\n", folder, files[folder], packed[folder])
	}
	if info.Size() > most {
		return fmt.Errorf("%s has %d bytes, at most %d", name, info.Size(), most)
	}
	return nil
}

func content(f *zip.File) ([]byte, error) {
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(in)
}

// A stranger has Go, and nothing else.
type stranger struct {
	work, version string
	sh            shell
}

// sums compares the sums of the packed modules with those that go computes from
// the tags, as the checksum database will.
func (s *stranger) sums(ctx context.Context, clone string) error {
	direct := s.sh.with("GOPROXY=direct", "GOMODCACHE="+filepath.Join(s.work, "direct"),
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://"+clone+".insteadOf",
		"GIT_CONFIG_VALUE_0=https://"+root, "GOVCS=*:git")
	for _, folder := range released {
		m := versionOf(folder, s.version)
		var found [2]struct{ Sum string }
		for i, sh := range []shell{s.sh, direct} {
			out, err := sh.run(ctx, "go", "mod", "download", "-json", m.String())
			if err != nil {
				return err
			}
			if err := json.Unmarshal([]byte(out), &found[i]); err != nil {
				return err
			}
		}
		if found[0] != found[1] {
			return fmt.Errorf("%s: packed %s, from the tag %s", m, found[0].Sum, found[1].Sum)
		}
		fmt.Printf("%-60s %s\n", m, found[0].Sum)
	}
	return nil
}

const gorelease = "golang.org/x/exp/cmd/gorelease@v0.0.0-20261113113407-e3970619a1a4"

// asks has gorelease compare each module of the clone with the packed one. It
// knows no difference, and would take the tag for the next patch version.
func (s *stranger) asks(ctx context.Context, clone string) error {
	sh := s.sh.in(clone)
	if _, err := sh.run(ctx, "git", "checkout", "--quiet", s.version); err != nil {
		return err
	}
	next := semver.MajorMinor(s.version) + ".99999"
	for _, folder := range released {
		out, err := timed(ctx, sh.in(filepath.Join(clone, folder)).with("GOWORK=off"),
			"go", "run", gorelease, "-base="+s.version, "-version="+next)
		if err != nil {
			return err
		}
		if strings.Contains(out, "changes") {
			return fmt.Errorf("gorelease finds changes in %s:\n%s", versionOf(folder, next), out)
		}
	}
	return nil
}

// tries installs the commands, and uses the modules in fresh ones.
func (s *stranger) tries(ctx context.Context, toolchain string) error {
	home := filepath.Join(s.work, toolchain)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	sh := s.sh.in(home).with("GOTOOLCHAIN="+toolchain, "GOBIN="+filepath.Join(home, "bin"))
	for _, command := range installed {
		_, err := timed(ctx, sh, "go", "install", path.Join(root, command)+"@"+s.version)
		if err != nil {
			return err
		}
	}
	line, err := sh.run(ctx, filepath.Join(home, "bin", "crdsem"), "version")
	if err != nil {
		return err
	}
	if !strings.Contains(line, s.version) {
		return fmt.Errorf("crdsem version prints %q, without %s", line, s.version)
	}
	fmt.Println(line)
	for _, folder := range []string{"", "kube/server", "kube"} {
		if err := s.imports(ctx, sh, folder); err != nil {
			return err
		}
	}
	return s.programs(ctx, sh)
}

// imports runs the Examples of a module where it was unpacked, and builds a
// fresh module that requires it.
func (s *stranger) imports(ctx context.Context, sh shell, folder string) error {
	m := versionOf(folder, s.version)
	dir := filepath.Join(sh.dir, "uses", path.Base(m.Path))
	program := "package main\n\nimport _ \"" + m.Path + "\"\n\nfunc main() {}\n"
	if err := fresh(dir, program); err != nil {
		return err
	}
	if err := sh.in(dir).all(ctx,
		[]string{"go", "mod", "init", "example.com/uses"},
		[]string{"go", "get", m.String()},
		[]string{"go", "mod", "tidy"},
		[]string{"go", "vet", "./..."},
	); err != nil {
		return err
	}
	unpacked := s.unpacked(folder)
	_, err := timed(ctx, sh.in(unpacked), "go", "test", "-vet=off", "-run", "^Example", "./...")
	if err != nil {
		return err
	}
	_, err = sh.in(unpacked).run(ctx, "go", "doc", "-all", ".")
	return err
}

func (s *stranger) unpacked(folder string) string {
	m := versionOf(folder, s.version)
	return filepath.Join(s.work, "modules", filepath.FromSlash(m.Path)+"@"+m.Version)
}

var goBlock = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")

// programs runs every whole Go program of the README and the docs.
func (s *stranger) programs(ctx context.Context, sh shell) error {
	module := s.unpacked("")
	pages, err := filepath.Glob(filepath.Join(module, "docs", "*.md"))
	if err != nil {
		return err
	}
	ran := 0
	for _, page := range append(pages, filepath.Join(module, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		for _, block := range goBlock.FindAllStringSubmatch(string(text), -1) {
			if !strings.HasPrefix(block[1], "package main") {
				continue
			}
			ran++
			if err := s.program(ctx, sh, block[1], ran); err != nil {
				return fmt.Errorf("%s: %w", filepath.Base(page), err)
			}
		}
	}
	if ran == 0 {
		return errors.New("no program in README.md and docs")
	}
	fmt.Println(ran, "programs of the docs ran")
	return nil
}

// program builds a program in a fresh module and runs it in the folder of the
// module.
func (s *stranger) program(ctx context.Context, sh shell, text string, n int) error {
	dir := filepath.Join(sh.dir, fmt.Sprintf("program%d", n))
	if err := fresh(dir, text); err != nil {
		return err
	}
	if err := sh.in(dir).all(ctx,
		[]string{"go", "mod", "init", "example.com/program"},
		[]string{"go", "get", versionOf("", s.version).String()},
		[]string{"go", "mod", "tidy"},
		[]string{"go", "vet", "."},
		[]string{"go", "build", "-o", "program", "."},
	); err != nil {
		return err
	}
	_, err := sh.in(s.unpacked("")).run(ctx, filepath.Join(dir, "program"))
	return err
}

func fresh(dir, program string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o644)
}

func timed(ctx context.Context, sh shell, name string, args ...string) (string, error) {
	start := time.Now()
	out, err := sh.run(ctx, name, args...)
	fmt.Printf("%6.1f s  %s %s\n", time.Since(start).Seconds(), name, strings.Join(args, " "))
	return out, err
}
