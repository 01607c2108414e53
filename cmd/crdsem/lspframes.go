package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The bounds of a message of a client: of its header, and of its content. The
// library for the protocol has none.
const (
	maxLSPHeader  = 8 << 10
	maxLSPContent = 64 << 20
)

// copyFrames copies messages, each after a header that says its length, until
// the input ends. A header is not believed: a length out of bounds is an error
// before anything is read or kept for it.
func copyFrames(out io.Writer, in io.Reader) error {
	from := bufio.NewReaderSize(in, maxLSPHeader)
	for {
		header, length, err := readFrameHeader(from)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, header); err != nil {
			return err
		}
		if _, err := io.CopyN(out, from, length); err != nil {
			return err
		}
	}
}

// readFrameHeader reads a header with the empty line that ends it, and the
// length of the content. The error is io.EOF if nothing follows.
func readFrameHeader(from *bufio.Reader) (header string, length int64, err error) {
	length = -1
	for {
		line, err := from.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull), len(header)+len(line) > maxLSPHeader:
			return "", 0, fmt.Errorf("a header of a message is longer than %d bytes", maxLSPHeader)
		case err == io.EOF && header == "" && len(line) == 0:
			return "", 0, io.EOF
		case err == io.EOF:
			return "", 0, io.ErrUnexpectedEOF
		case err != nil:
			return "", 0, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		header += string(line)
		if text == "" {
			break
		}
		name, value, _ := strings.Cut(text, ":")
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		if err != nil || length < 0 || length > maxLSPContent {
			return "", 0, fmt.Errorf("%s: expected a length from 0 to %d", text, maxLSPContent)
		}
	}
	if length < 0 {
		return "", 0, errors.New("a message has no Content-Length")
	}
	return header, length, nil
}
