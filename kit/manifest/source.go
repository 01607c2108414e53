package manifest

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

// Stdin is the name of the standard input in results. Its path is "-".
const Stdin = "stdin"

// Source is one file, a pipe or the standard input. It can be read more than
// once.
type Source struct {
	// Name is the path as the user would write it.
	Name string
	// Err is the error of a path that cannot be read, with its place.
	Err error
	// InFolder is set for a file that was found in a folder.
	InFolder bool

	stream io.Reader // of the standard input, until it was read
	kept   *spool    // of a pipe, after it was read
}

// Stream returns a source that reads a text once, under a name.
func Stream(name string, text io.Reader) *Source { return &Source{Name: name, stream: text} }

// Path returns the absolute path of a file, which is the same for all ways to
// write its name. The standard input has its name only.
func (s *Source) Path() string {
	if s.stream != nil {
		return s.Name
	}
	if path, err := filepath.Abs(s.Name); err == nil {
		return path
	}
	return filepath.Clean(s.Name) // without a working directory
}

// IsStream reports whether the input is a pipe or the standard input. It is
// known after the source was read.
func (s *Source) IsStream() bool { return s.stream != nil || s.kept != nil }

// Documents yields the documents of a source. An error is that of one document,
// or the last of the source.
func (s *Source) Documents() iter.Seq2[*Document, error] {
	return s.read(s.open, Read)
}

// Objects yields the objects of a source, with lists opened, one at a time:
// [ReadObjects]. An error is that of one object, or the last of the
// source. Nothing is kept of a pipe: it can be read only once.
func (s *Source) Objects() iter.Seq2[*Document, error] {
	once := func() (io.ReadCloser, error) {
		if s.kept != nil {
			return s.kept.open(), nil
		}
		text, _, err := s.source()
		return text, err
	}
	return s.read(once, ReadObjects)
}

type sequence = iter.Seq2[*Document, error]

func (s *Source) read(
	open func() (io.ReadCloser, error), read func(string, io.Reader) sequence,
) sequence {
	return func(yield func(*Document, error) bool) {
		if s.Err != nil {
			yield(nil, s.Err)
			return
		}
		text, err := open()
		if err != nil {
			yield(nil, placed(s.Name, err))
			return
		}
		defer text.Close()
		for doc, err := range read(s.Name, text) {
			if err != nil {
				err = placed(s.Name, err)
			}
			if !yield(doc, err) {
				return
			}
		}
	}
}

// Close removes what was kept of a pipe.
func (s *Source) Close() error {
	if s.kept == nil || s.kept.file == nil {
		return nil
	}
	closed := s.kept.file.Close()
	if err := os.Remove(s.kept.file.Name()); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(closed, err)
	}
	return closed
}

// open opens a source that is read again.
func (s *Source) open() (io.ReadCloser, error) {
	if s.kept != nil {
		return s.kept.open(), nil
	}
	text, isFile, err := s.source()
	if err != nil || isFile {
		return text, err
	}
	defer text.Close()
	return s.keep(text)
}

// source opens a source. Only a file can be opened again.
func (s *Source) source() (text io.ReadCloser, isFile bool, err error) {
	if s.stream != nil {
		return io.NopCloser(s.stream), false, nil
	}
	info, err := os.Stat(s.Name)
	if err != nil {
		return nil, false, err
	}
	isFile = info.Mode().IsRegular()
	if !isFile && info.Mode()&fs.ModeNamedPipe == 0 {
		return nil, false, errors.New("neither a file nor a folder nor a pipe")
	}
	text, err = os.Open(s.Name)
	return text, isFile, err
}
