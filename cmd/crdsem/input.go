package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/crdsem/crdsem/internal/unstructured"
)

// maxInput bounds what is read of one file.
const maxInput = 256 << 20

// document is one document of a file.
type document struct {
	file string
	line int // of its first line in the file, from 1
	data []byte
}

// name says where the document stands: the file, and the line unless it is the first document.
func (d document) name() string {
	if d.line == 1 {
		return d.file
	}
	return fmt.Sprintf("%s:%d", d.file, d.line)
}

// readDocuments reads the documents of all files in order, - being the standard input. Documents without content
// are left out; it is an error if nothing is left.
func readDocuments(files []string, stdin io.Reader) ([]document, error) {
	var all []document
	for _, file := range files {
		data, err := readFile(file, stdin)
		if err != nil {
			return nil, err
		}
		found := split(file, data)
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: holds no document", file)
		}
		all = append(all, found...)
	}
	return all, nil
}

func readFile(file string, stdin io.Reader) ([]byte, error) {
	in := stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(data) > maxInput {
		return nil, fmt.Errorf("%s: longer than %d MiB", file, maxInput>>20)
	}
	return data, nil
}

// split cuts a YAML file at its lines that start with ---. JSON is cut into its objects, each of which starts after the white space.
func split(file string, data []byte) []document {
	if unstructured.LooksLikeJSON(data) {
		return splitJSON(file, data)
	}
	return splitYAML(file, data)
}

// splitJSON cuts where an object ends and another begins. What cannot be cut is one document, so that whoever reads it says what is wrong.
func splitJSON(file string, data []byte) []document {
	var docs []document
	line := 1
	for {
		start := bytes.IndexByte(data, '{')
		line += bytes.Count(data[:start], []byte("\n"))
		data = data[start:]
		decoder := json.NewDecoder(bytes.NewReader(data))
		var object json.RawMessage
		if decoder.Decode(&object) != nil || !unstructured.LooksLikeJSON(data[decoder.InputOffset():]) {
			return append(docs, document{file, line, data})
		}
		end := decoder.InputOffset()
		docs = append(docs, document{file, line, data[:end]})
		line += bytes.Count(data[:end], []byte("\n"))
		data = data[end:]
	}
}

func splitYAML(file string, data []byte) []document {
	var docs []document
	start, startLine, line := 0, 1, 0
	flush := func(end int) {
		if part := data[start:end]; hasContent(part) {
			docs = append(docs, document{file, startLine, part})
		}
	}
	for at := 0; at < len(data); {
		line++
		next := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		if isSeparator(data[at:next]) {
			flush(at)
			start, startLine = next, line+1
		}
		at = next
	}
	flush(len(data))
	return docs
}

func isSeparator(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("---"))
	rest = bytes.TrimSpace(rest)
	return ok && (len(rest) == 0 || rest[0] == '#')
}

// hasContent tells whether there is more than comments and white space.
func hasContent(part []byte) bool {
	for line := range bytes.Lines(part) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && !bytes.HasPrefix(line, []byte("%YAML")) {
			return true
		}
	}
	return false
}
