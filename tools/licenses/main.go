package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A binary is a program that is given away.
type binary struct {
	folder    string // relative to the root, e.g. "cmd/crdsem"
	platforms []string
}

// fileOf is the file with the licenses, in the folder of the binary.
const fileOf = "THIRD_PARTY_LICENSES"

// binaries are all that a release contains.
var binaries = []binary{
	{"cmd/crdsem", []string{"linux/amd64", "darwin/arm64", "windows/amd64"}},
	{"kube/server/cmd/crdsem-server", []string{"linux/amd64", "darwin/arm64", "windows/amd64"}},
}

func main() {
	for _, b := range binaries {
		var out bytes.Buffer
		err := b.write(&out, ".")
		if err == nil {
			err = os.WriteFile(filepath.Join(b.folder, fileOf), out.Bytes(), 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "licenses:", err)
			os.Exit(1)
		}
	}
}

// write writes the licenses of a binary below root.
func (b binary) write(w io.Writer, root string) error {
	modules := map[string]*module{}
	for _, platform := range b.platforms {
		if err := linked(filepath.Join(root, b.folder), platform, modules); err != nil {
			return err
		}
	}
	var list []*module
	for _, m := range modules {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *module) int { return cmp.Compare(a.Path, b.Path) })
	texts := map[string]*text{}
	for _, m := range list {
		if err := m.read(texts); err != nil {
			return fmt.Errorf("%s: %w", m.Path, err)
		}
	}
	return writeTexts(w, list, texts)
}

// A module is one that a binary links packages of.
type module struct {
	Path, Version, Dir string
	Main               bool

	folders  map[string]bool // of its packages, and the folders around them
	licenses []string        // e.g. "Apache-2.0"
}

// title names the module and its version. The version of Go is that of the
// release's toolchain.
func (m *module) title() string { return strings.TrimSpace(m.Path + " " + m.Version) }

// linked adds the modules of a command for a platform, e.g. "linux/amd64".
func linked(folder, platform string, modules map[string]*module) error {
	system, arch, _ := strings.Cut(platform, "/")
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Standard,Module", ".")
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list for %s: %w", platform, err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	standard := module{Path: "Go's standard library", Dir: strings.TrimSpace(string(root))}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir      string
			Standard bool
			Module   *module
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch {
		case p.Standard:
			add(standard, standard.Dir, modules)
		case p.Module != nil && !p.Module.Main:
			add(*p.Module, p.Dir, modules)
		}
	}
}

// add notes that a package of the module is linked. Modules of this repository
// are left out: its own license is LICENSE.
func add(m module, folder string, modules map[string]*module) {
	if strings.HasPrefix(m.Path+"/", "github.com/crdsem/crdsem/") {
		return
	}
	known := modules[m.Path]
	if known == nil {
		known = &m
		known.folders = map[string]bool{}
		modules[m.Path] = known
	}
	for ; strings.HasPrefix(folder, m.Dir); folder = filepath.Dir(folder) {
		known.folders[folder] = true
	}
}

// A text is the text of a license, with the modules that it belongs to.
type text struct {
	text    string
	modules []string
}

// fileName matches the names of files with licenses.
var fileName = regexp.MustCompile(`(?i)^(LICEN[CS]E|COPYING|NOTICE|PATENTS)(\.(md|txt|rst))?$`)

// read reads the module's texts.
func (m *module) read(texts map[string]*text) error {
	for folder := range m.folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if entry.IsDir() || !fileName.MatchString(entry.Name()) {
				continue
			}
			if err := m.readFile(filepath.Join(folder, entry.Name()), texts); err != nil {
				return err
			}
		}
	}
	if len(m.licenses) == 0 {
		return errors.New("no license found")
	}
	slices.Sort(m.licenses)
	m.licenses = slices.Compact(m.licenses)
	return nil
}

func (m *module) readFile(path string, texts map[string]*text) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	body := strings.ReplaceAll(string(content), "\r\n", "\n")
	if !strings.Contains(strings.ToUpper(filepath.Base(path)), "NOTICE") &&
		!strings.Contains(strings.ToUpper(filepath.Base(path)), "PATENTS") {
		names := identify(body)
		if len(names) == 0 {
			return fmt.Errorf("%s is none of the accepted licenses", path)
		}
		m.licenses = append(m.licenses, names...)
	}
	if texts[body] == nil {
		texts[body] = &text{text: body}
	}
	if !slices.Contains(texts[body].modules, m.title()) {
		texts[body].modules = append(texts[body].modules, m.title())
	}
	return nil
}

// accepted are the licenses that a dependency may have, by words of each. What
// they ask of binaries is met by giving their texts away with them.
var accepted = []struct{ name, words string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"BSD-3-Clause", "used to endorse or promote products derived from this software"},
	{"BSD-2-Clause", "Redistributions in binary form must reproduce"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software"},
}

// identify returns the SPDX names of the licenses in a text.
func identify(body string) (names []string) {
	words := strings.Join(strings.Fields(body), " ")
	for _, license := range accepted {
		if strings.Contains(words, license.words) {
			names = append(names, license.name)
		}
	}
	if slices.Contains(names, "BSD-3-Clause") { // which has the words of the shorter one
		names = slices.DeleteFunc(names, func(name string) bool { return name == "BSD-2-Clause" })
	}
	return names
}

// line separates texts.
var line = strings.Repeat("=", 80) + "\n"

func writeTexts(w io.Writer, modules []*module, texts map[string]*text) error {
	var out strings.Builder
	out.WriteString("The binary contains code of other projects, under these licenses.\n\n")
	for _, m := range modules {
		fmt.Fprintf(&out, "%s: %s\n", m.title(), strings.Join(m.licenses, ", "))
	}
	var list []*text
	for _, t := range texts {
		slices.Sort(t.modules)
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *text) int {
		return cmp.Or(slices.Compare(a.modules, b.modules), cmp.Compare(a.text, b.text))
	})
	for _, t := range list {
		fmt.Fprintf(&out, "\n%s%s\n%s\n%s\n", line, strings.Join(t.modules, "\n"), line,
			strings.TrimRight(t.text, "\n"))
	}
	_, err := io.WriteString(w, out.String())
	return err
}
