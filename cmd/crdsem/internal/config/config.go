// Package config reads the configuration of the command: .crdsem.yaml, which is
// found upwards from the paths that the command is given.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"go.yaml.in/yaml/v3"

	"github.com/crdsem/crdsem/internal/kit/nearest"
)

// Name is the name of the file.
const Name = ".crdsem.yaml"

// File is a configuration.
type File struct {
	// Path is the file itself, empty if none applies.
	Path string `yaml:"-"`

	// Skip is what is not judged, and Ignore the findings that are left out.
	Skip   Skip     `yaml:"skip" doc:"what is not judged"`
	Ignore []Ignore `yaml:"ignore" doc:"findings that are left out, each with its reason"`
	// Substitute has the values of variables, e.g. of ${DOMAIN}.
	Substitute map[string]string `yaml:"substitute" doc:"values of variables, e.g. of ${DOMAIN}"`
	// Validate, Check and Upgrade have values of flags of these commands by
	// their names.
	Validate Flags `yaml:"validate" doc:"flags of crdsem validate"`
	Check    Flags `yaml:"check" doc:"flags of crdsem check"`
	Upgrade  Flags `yaml:"upgrade" doc:"flags of crdsem upgrade"`
	Lint     Lint  `yaml:"lint" doc:"what crdsem lint finds"`
	// Definitions are what crdsem vendor writes, and other commands read.
	Definitions Definitions `yaml:"definitions" doc:"what crdsem vendor copies"`

	text  []byte
	skips *patterns
	git   map[string]*patterns // of .gitignore, by folder
}

// Flags are values of flags by their names: texts, or lists for flags that may
// be given more than once.
type Flags map[string]yaml.Node

// Lint is what lint finds. Checks are named by their ids, or all.
type Lint struct {
	Disable  []string          `yaml:"disable" doc:"checks that are left out, or all"`
	Enable   []string          `yaml:"enable" doc:"checks that are made all the same"`
	Severity map[string]string `yaml:"severity" doc:"error, warning, style or off, by check"`
	// FailOn is the least severity for which the exit code is 1.
	FailOn string `yaml:"failOn" doc:"the least severity that fails" enum:"error warning style"`

	// The other flags of lint.
	Kubernetes      yaml.Node `yaml:"kubernetes"`
	FieldValidation yaml.Node `yaml:"field-validation"`
	Output          yaml.Node `yaml:"output"`
	Go              yaml.Node `yaml:"go"`
}

// Flags returns the flags of lint that are set.
func (l *Lint) Flags() Flags {
	flags := Flags{}
	for name, node := range map[string]yaml.Node{
		"kubernetes": l.Kubernetes, "field-validation": l.FieldValidation, "output": l.Output,
		"go": l.Go,
	} {
		if !node.IsZero() {
			flags[name] = node
		}
	}
	return flags
}

// Definitions are where crdsem vendor reads and writes definitions.
type Definitions struct {
	// Folder is where definitions are written, relative to the configuration;
	// .crdsem if it is empty.
	Folder string `yaml:"folder" doc:"the folder that they are copied into; default .crdsem"`
	// Sources are texts such as github:owner/name@v1.2.3//config/crd.
	Sources []string `yaml:"sources" doc:"e.g. github:owner/name@v1.2.3//config/crd"`
}

// Read reads a configuration. Without a path it is the one that is found, if
// any.
func Read(path string, inputs []string) (*File, error) {
	f := &File{}
	if path == "" {
		var err error
		if path, err = find(inputs); path == "" {
			return f, err
		}
	}
	text, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	f.text = text
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(f); err != nil && !errors.Is(err, io.EOF) {
		return nil, placed(path, err)
	}
	if err := decoder.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: there is more than one document", path)
	}
	if f.Path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	if err := f.prepare(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// maxFile is the size of the largest configuration, in bytes.
const maxFile = 4 << 20

// readSmall reads a file that is written by hand.
func readSmall(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s: more than %d bytes", path, maxFile)
	}
	return text, errors.Join(err, file.Close())
}

var unknownKey = regexp.MustCompile(`^line (\d+): field (.*) not found in type .*$`)

// placed returns an error with its place.
func placed(path string, err error) error {
	mistyped, ok := errors.AsType[*yaml.TypeError](err)
	if !ok {
		return fmt.Errorf("%s: %w", path, err)
	}
	var all []error
	for _, text := range mistyped.Errors {
		if m := unknownKey.FindStringSubmatch(text); m != nil {
			meant := ""
			if near := nearest.Name(m[2], keys(Schema(nil))); near != "" {
				meant = fmt.Sprintf("; did you mean %q?", near)
			}
			all = append(all, fmt.Errorf("%s:%s: unknown key %q%s", path, m[1], m[2], meant))
		} else {
			all = append(all, fmt.Errorf("%s: %s", path, text))
		}
	}
	return errors.Join(all...)
}

// find returns the one configuration of all inputs, empty without one.
func find(inputs []string) (string, error) {
	found := ""
	for _, input := range inputs {
		path, err := above(input)
		switch {
		case err != nil:
			return "", err
		case path != "" && found != "" && path != found:
			return "", fmt.Errorf("%s and %s both apply: choose one by --config", found, path)
		case path != "":
			found = path
		}
	}
	return found, nil
}

// above returns the nearest configuration in the folder of an input or above
// it, up to the root of the repository. Outside of a repository, it is that of
// the folder.
func above(input string) (string, error) {
	places, err := Places(input)
	if err != nil {
		return "", err
	}
	for _, path := range places {
		if info, err := os.Stat(path); err == nil {
			if info.Mode().IsRegular() {
				return path, nil
			}
			// A pipe would be waited for.
			return "", fmt.Errorf("%s: expected a file, found %s", path, describe(info.Mode()))
		}
		if _, err := os.Lstat(path); err == nil {
			return "", fmt.Errorf("%s: expected a file, found a link to nothing", path)
		}
	}
	return "", nil
}

// Places returns the paths at which the configuration of an input may be, the
// nearest first.
func Places(input string) (paths []string, err error) {
	folder, err := filepath.Abs(input)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		folder = filepath.Dir(folder)
	}
	for {
		paths = append(paths, filepath.Join(folder, Name))
		switch {
		case exists(filepath.Join(folder, ".git")):
			return paths, nil
		case filepath.Dir(folder) == folder:
			return paths[:1], nil
		}
		folder = filepath.Dir(folder)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// isFile reports whether a path is a file. A pipe in a folder would be waited
// for.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// describe names what a path is that is no file.
func describe(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}

// Sections returns the top-level keys of the file with their values.
func (f *File) Sections() (map[string]*yaml.Node, error) {
	sections := map[string]*yaml.Node{}
	var document struct {
		Sections map[string]yaml.Node `yaml:",inline"`
	}
	err := yaml.Unmarshal(f.text, &document)
	for name, node := range document.Sections {
		sections[name] = &node
	}
	return sections, err
}
