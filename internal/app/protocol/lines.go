package protocol

import (
	"bufio"
	"errors"
	"io"
)

// MaxLine is the maximum number of bytes of a line without its line break.
const MaxLine = 16 << 20

// errLongLine is returned for a line that was too long and was skipped.
var errLongLine = errors.New("the line is longer than 16 MiB")

// lineReader reads lines of bounded length.
type lineReader struct {
	in   *bufio.Reader
	max  int
	last int // the length of the last line, which the next one is likely to have
}

func newLineReader(in io.Reader) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10), max: MaxLine}
}

// next returns the next line without its line break, as a new slice. It returns
// [errLongLine] for a line that it skipped, and io.EOF after the last one.
func (l *lineReader) next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		} else if line == nil {
			line = make([]byte, 0, l.last)
		}
		if len(line)+len(part) > l.max {
			return nil, l.skip(err)
		}
		line = append(line, part...)
		switch {
		case err == nil:
			l.last = len(line)
			return line, nil
		case err == io.EOF && len(line) > 0:
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// skip reads to the end of a line that is too long. err is the error of the
// last read from that line.
func (l *lineReader) skip(err error) error {
	for err == bufio.ErrBufferFull {
		_, err = l.in.ReadSlice('\n')
	}
	if err == nil || err == io.EOF {
		return errLongLine
	}
	return err
}
