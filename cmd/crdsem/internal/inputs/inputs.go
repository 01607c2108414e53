// Package inputs finds and reads the files that a command line names: files,
// folders, globs, pipes and the standard input.
package inputs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/manifest"
)

// Stdin is the name of the standard input in results. Its argument is "-".
const Stdin = "stdin"

// Input is one file, a pipe or the standard input. It can be read more than
// once.
type Input struct {
	// Name is the path as the user would write it.
	Name string
	// Err is the error of a path that cannot be read, with its place.
	Err error
	// InFolder is set for a file that was found in a folder.
	InFolder bool

	stream io.Reader // of the standard input, until it was read
	kept   *spool    // of a pipe, after it was read
}

// Path returns the absolute path of a file, which is the same for all ways to
// write its name. The standard input has its name only.
func (in *Input) Path() string {
	if in.stream != nil {
		return in.Name
	}
	if path, err := filepath.Abs(in.Name); err == nil {
		return path
	}
	return filepath.Clean(in.Name) // without a working directory
}

// IsStream reports whether the input is a pipe or the standard input. It is
// known after the input was read.
func (in *Input) IsStream() bool { return in.stream != nil || in.kept != nil }

// Find returns the inputs of a command line. A folder stands for the files
// below it that end in .yaml, .yml or .json, in byte order of paths. Folders
// whose name starts with a dot, and links to folders, are left out. A glob
// stands for what it matches. A path that cannot be read is an Input with an
// Err.
//
// A path that is named twice is read once.
func Find(paths []string, stdin io.Reader) []*Input {
	f := finder{stdin: stdin, seen: map[string]bool{}}
	for _, path := range paths {
		f.path(path)
	}
	return f.inputs
}

type finder struct {
	stdin  io.Reader
	inputs []*Input
	seen   map[string]bool
	named  int // files so far, also those that were seen before
}

func (f *finder) add(in *Input) {
	f.named++
	if path := in.Path(); !f.seen[path] {
		f.seen[path] = true
		f.inputs = append(f.inputs, in)
	}
}

func (f *finder) fail(path string, err error) {
	f.add(&Input{Name: path, Err: placed(path, err)})
}

// placed returns an error with the path as its position. The operation and the
// path in errors of the file system say the same.
func placed(path string, err error) error {
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		err = inner.Err
	}
	if placed := (*manifest.Error)(nil); errors.As(err, &placed) {
		return placed
	}
	return &manifest.Error{Position: manifest.Position{File: path}, Err: err}
}

func (f *finder) path(path string) {
	if path == "-" {
		f.add(&Input{Name: Stdin, stream: f.stdin})
		return
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		f.folder(path)
	case err == nil:
		f.add(&Input{Name: path})
	case errors.Is(err, fs.ErrNotExist) && isGlob(path):
		f.glob(path)
	default:
		f.fail(path, err)
	}
}

func (f *finder) glob(pattern string) {
	matches, err := matching(pattern)
	if err != nil {
		f.fail(pattern, err)
	}
	for _, match := range matches {
		f.path(match)
	}
}

// matching returns the paths that a glob stands for. It fails if none match.
func matching(pattern string) ([]string, error) {
	matches, err := filepath.Glob(pattern)
	if err == nil && len(matches) == 0 {
		err = errors.New("no file matches")
	}
	return matches, err
}

// Expand returns some paths with what globs match in their place. A path that
// exists is no glob.
func Expand(paths []string) ([]string, error) {
	var all []string
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil || !isGlob(path) {
			all = append(all, path)
			continue
		}
		matches, err := matching(path)
		if err != nil {
			return nil, placed(path, err)
		}
		all = append(all, matches...)
	}
	return all, nil
}

func isGlob(path string) bool { return strings.ContainsAny(path, "*?[") }

// extensions are those of manifests in a folder.
var extensions = []string{".yaml", ".yml", ".json"}

func (f *finder) folder(root string) {
	before := f.named
	// A link to a folder is followed if it was named, with its slash.
	walked := filepath.Join(root, ".") + string(filepath.Separator)
	err := filepath.WalkDir(walked, func(path string, entry fs.DirEntry, err error) error {
		name := filepath.Join(root, strings.TrimPrefix(path, walked))
		switch {
		case err != nil:
			f.fail(name, err)
			return nil
		case entry.IsDir() && path != walked && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case entry.IsDir(), !slices.Contains(extensions, strings.ToLower(filepath.Ext(path))):
			return nil
		}
		switch info, err := os.Stat(path); {
		case err != nil:
			f.fail(name, err)
		case info.Mode().IsRegular():
			f.add(&Input{Name: name, InFolder: true})
		}
		return nil
	})
	if err != nil {
		f.fail(root, err)
	}
	if f.named == before {
		f.fail(root, fmt.Errorf("the folder has no file that ends in %s",
			strings.Join(extensions, ", ")))
	}
}

// Documents yields the documents of an input. An error is that of one document,
// or the last of the input.
func (in *Input) Documents() iter.Seq2[*manifest.Document, error] {
	return in.read(in.open, manifest.Read)
}

// Objects yields the objects of an input, with lists opened, one at a time:
// [manifest.ReadObjects]. An error is that of one object, or the last of the
// input. Nothing is kept of a pipe: it can be read only once.
func (in *Input) Objects() iter.Seq2[*manifest.Document, error] {
	once := func() (io.ReadCloser, error) {
		if in.kept != nil {
			return in.kept.open()
		}
		text, _, err := in.source()
		return text, err
	}
	return in.read(once, manifest.ReadObjects)
}

type sequence = iter.Seq2[*manifest.Document, error]

func (in *Input) read(
	open func() (io.ReadCloser, error), read func(string, io.Reader) sequence,
) sequence {
	return func(yield func(*manifest.Document, error) bool) {
		if in.Err != nil {
			yield(nil, in.Err)
			return
		}
		text, err := open()
		if err != nil {
			yield(nil, placed(in.Name, err))
			return
		}
		defer text.Close()
		for doc, err := range read(in.Name, text) {
			if err != nil {
				err = placed(in.Name, err)
			}
			if !yield(doc, err) {
				return
			}
		}
	}
}

// Close removes what was kept of a pipe.
func (in *Input) Close() error {
	if in.kept == nil || in.kept.file == nil {
		return nil
	}
	closed := in.kept.file.Close()
	if err := os.Remove(in.kept.file.Name()); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(closed, err)
	}
	return closed
}

// open opens an input that is read again.
func (in *Input) open() (io.ReadCloser, error) {
	if in.kept != nil {
		return in.kept.open()
	}
	text, isFile, err := in.source()
	if err != nil || isFile {
		return text, err
	}
	defer text.Close()
	return in.keep(text)
}

// source opens an input. Only a file can be opened again.
func (in *Input) source() (text io.ReadCloser, isFile bool, err error) {
	if in.stream != nil {
		return io.NopCloser(in.stream), false, nil
	}
	file, err := os.Open(in.Name)
	if err != nil {
		return nil, false, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, false, errors.Join(err, file.Close())
	case info.Mode().IsRegular():
		return file, true, nil
	case info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0:
		err = errors.Join(errors.New("neither a file nor a folder nor a pipe"), file.Close())
		return nil, false, err
	}
	return file, false, nil
}

// keep reads a stream to its end, so that it can be read again.
func (in *Input) keep(stream io.Reader) (io.ReadCloser, error) {
	kept := &spool{}
	_, err := io.Copy(kept, stream)
	if in.kept = kept; err != nil {
		in.Err = placed(in.Name, err)
		return nil, err
	}
	return kept.open()
}

// spool keeps a stream: in memory as long as it is short, then in a file.
type spool struct {
	memory bytes.Buffer
	file   *os.File
	size   int64
}

// The limits of a stream.
const (
	maxMemory = 32 << 20
	maxStream = 4 << 30
)

// Write adds to the stream. It fails if the stream is too long.
func (s *spool) Write(data []byte) (int, error) {
	if s.size += int64(len(data)); s.size > maxStream {
		return 0, fmt.Errorf("longer than %d GiB", maxStream>>30)
	}
	if s.file == nil && s.memory.Len()+len(data) <= maxMemory {
		return s.memory.Write(data)
	}
	if s.file == nil {
		file, err := os.CreateTemp("", "crdsem-")
		if err != nil {
			return 0, err
		}
		s.file = file
		// Where a file can be removed while it is open, none is left behind if
		// the program is interrupted. Elsewhere, Close removes it.
		_ = os.Remove(file.Name())
		if _, err := s.memory.WriteTo(file); err != nil {
			return 0, err
		}
	}
	return s.file.Write(data)
}

func (s *spool) open() (io.ReadCloser, error) {
	if s.file == nil {
		return io.NopCloser(bytes.NewReader(s.memory.Bytes())), nil
	}
	return io.NopCloser(io.NewSectionReader(s.file, 0, s.size)), nil
}
