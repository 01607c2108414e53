package suite

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sort"
	"strings"
)

// loadLines parses the lines of a folder's files with the extension .jsonl, in
// the order of their names. parse gets the file's name without its extension.
func loadLines[T any](folder fs.FS, parse func(group string, line []byte) (T, error)) ([]T, error) {
	names, err := fs.Glob(folder, "*.jsonl")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var all []T
	for _, name := range names {
		if all, err = appendFile(all, folder, name, parse); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func appendFile[T any](
	all []T, folder fs.FS, name string, parse func(group string, line []byte) (T, error),
) ([]T, error) {
	file, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	group := strings.TrimSuffix(path.Base(name), ".jsonl")
	lines := bufio.NewReader(file)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			parsed, err := parse(group, line)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, number, err)
			}
			all = append(all, parsed)
		}
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// decodeLine decodes a line and rejects unknown members.
func decodeLine(line []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// appendLine appends a line of a file. The last member of head is a null; asked
// takes its place. asked and the answers are written byte by byte, because
// encoding would compact them. The first answer is the one wanted; it is left
// out if it is empty.
func appendLine(
	dst []byte, head any, asked json.RawMessage, answers []json.RawMessage,
) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(head); err != nil {
		return dst, err
	}
	dst = append(dst, bytes.TrimSuffix(bytes.TrimSpace(out.Bytes()), []byte("null}"))...)
	dst = append(dst, asked...)
	if len(answers[0]) > 0 {
		dst = append(append(dst, `,"want":`...), answers[0]...)
	}
	if others := answers[1:]; len(others) > 0 {
		dst = append(append(dst, `,"or":[`...), bytes.Join(rawBytes(others), []byte(","))...)
		dst = append(dst, ']')
	}
	return append(dst, '}', '\n'), nil
}

func rawBytes(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i, raw := range list {
		out[i] = raw
	}
	return out
}
