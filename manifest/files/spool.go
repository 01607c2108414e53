package files

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// keep reads a stream to its end, so that it can be read again.
func (s *Source) keep(stream io.Reader) (io.ReadCloser, error) {
	kept := &spool{}
	_, err := io.Copy(kept, stream)
	if s.kept = kept; err != nil {
		s.Err = placed(s.Name, err)
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
