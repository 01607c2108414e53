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
// encoding would compact them. Answers that are not recorded are left out.
func appendLine(dst []byte, head any, asked json.RawMessage, answers Recorded) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(head); err != nil {
		return dst, err
	}
	dst = append(dst, bytes.TrimSuffix(bytes.TrimSpace(out.Bytes()), []byte("null}"))...)
	dst = append(dst, asked...)
	dst = appendAnswers(dst, answers.Want, answers.Or)
	for i, u := range answers.Until {
		dst = append(dst, []string{`,"until":[`, `,`}[min(i, 1)]...)
		dst = append(dst, `{"kubernetes":"`+u.Kubernetes+`"`...)
		dst = append(appendAnswers(dst, u.Want, u.Or), '}')
	}
	if len(answers.Until) > 0 {
		dst = append(dst, ']')
	}
	if next := answers.Next; next != nil {
		dst = append(dst, `,"next":{"kubernetes":"`+next.Kubernetes+`"`...)
		dst = append(appendAnswers(dst, next.Want, next.Or), '}')
	}
	return append(dst, '}', '\n'), nil
}

// appendAnswers appends the members want and or.
func appendAnswers(dst []byte, want json.RawMessage, or []json.RawMessage) []byte {
	if len(want) > 0 {
		dst = append(append(dst, `,"want":`...), want...)
	}
	if len(or) > 0 {
		dst = append(append(dst, `,"or":[`...), bytes.Join(rawBytes(or), []byte(","))...)
		dst = append(dst, ']')
	}
	return dst
}

func rawBytes(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i, raw := range list {
		out[i] = raw
	}
	return out
}
