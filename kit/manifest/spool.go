package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// keep reads a stream to its end, so that it can be read again.
func (s *Source) keep(stream io.Reader) (io.ReadCloser, error) {
	s.kept = &spool{}
	if err := s.kept.fill(stream, maxStream); err != nil {
		s.Err = placed(s.Name, err)
		return nil, err
	}
	return s.kept.open(), nil
}

// spool keeps a stream: in memory if it is short, otherwise in a file.
type spool struct {
	memory bytes.Buffer
	file   *os.File
	size   int64 // of the file
}

// The limits of a stream.
const (
	maxMemory = 32 << 20
	maxStream = 4 << 30
)

// fill reads a stream to its end. It fails if the stream is longer than most
// bytes.
func (s *spool) fill(stream io.Reader, most int64) error {
	_, err := io.CopyN(&s.memory, stream, maxMemory+1)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.file, err = os.CreateTemp("", "crdsem-"); err != nil {
		return err
	}
	// Where a file can be removed while it is open, none is left behind if the
	// program is interrupted. Elsewhere, Close removes it.
	_ = os.Remove(s.file.Name())
	all := io.MultiReader(&s.memory, stream)
	s.size, err = io.Copy(s.file, io.LimitReader(all, most+1))
	s.memory = bytes.Buffer{}
	if s.size > most {
		return fmt.Errorf("longer than %d GiB", most>>30)
	}
	return err
}

func (s *spool) open() io.ReadCloser {
	if s.file == nil {
		return io.NopCloser(bytes.NewReader(s.memory.Bytes()))
	}
	return io.NopCloser(io.NewSectionReader(s.file, 0, s.size))
}
