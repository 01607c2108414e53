package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/inputs"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/protocol"
)

// maxInput bounds what is read of one file.
const maxInput = 256 << 20

// document is one document of a file, or an item of a list in a document.
type document struct {
	file string
	line int    // of its first line in the file, from 1
	item string // e.g. items[0]; empty if it is no item
	data []byte
}

// name says where the document is: the file, the line unless it is the first,
// and the item, e.g. "crd.yaml:12 items[0]".
func (d document) name() string {
	name := d.file
	if d.line != 1 {
		name = fmt.Sprintf("%s:%d", d.file, d.line)
	}
	return strings.TrimSpace(name + " " + d.item)
}

// readDocuments reads the documents of all files in order; - is the standard
// input. Documents without content are left out. A file without any other
// document is an error.
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

// expand returns the files of some paths. found has those of folders and globs.
func expand(paths []string) (files []string, found map[string]bool, err error) {
	found = map[string]bool{}
	for _, path := range paths {
		if info, err := os.Stat(path); path == "-" || err == nil && !info.IsDir() {
			files = append(files, path)
			continue
		}
		for _, in := range inputs.Find([]string{path}, nil) {
			if in.Err != nil {
				return nil, nil, in.Err
			}
			files = append(files, in.Name)
			found[in.Name] = true
		}
	}
	return files, found, nil
}

// lists matches text that may be a list of definitions.
var lists = regexp.MustCompile(`["']?kind["']?:\s*["']?(CustomResourceDefinition)?List\b`)

// readDefinitionTexts is readDocuments for definitions. A list of definitions
// counts as its items.
//
// Folders and globs stand for their files, of which other documents are left
// out.
func readDefinitionTexts(paths []string, stdin io.Reader) ([]document, error) {
	files, found, err := expand(paths)
	if err != nil {
		return nil, err
	}
	docs, err := readDocuments(files, stdin)
	if err != nil {
		return nil, err
	}
	var all []document
	for _, doc := range docs {
		if found[doc.file] && !bytes.Contains(doc.data, []byte("CustomResourceDefinition")) {
			continue
		}
		items, err := listItems(doc)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", doc.name(), err)
		}
		if items == nil {
			items = []document{doc}
		}
		all = append(all, items...)
	}
	return all, nil
}

// listItems returns the items of a list, nil for any other document.
func listItems(doc document) ([]document, error) {
	if !lists.Match(doc.data) {
		return nil, nil
	}
	object, _, err := jsonvalue.DecodeObject(doc.data)
	if err != nil {
		return nil, nil // the decoder of definitions reports the error
	}
	items, ok := object["items"].([]any)
	if kind := object["kind"]; !ok || kind != "List" && kind != "CustomResourceDefinitionList" {
		return nil, nil
	}
	out := make([]document, len(items))
	for i, item := range items {
		data, err := protocol.AppendValue(nil, item)
		if err != nil {
			return nil, err
		}
		out[i] = document{doc.file, doc.line, fmt.Sprintf("items[%d]", i), data}
	}
	return out, nil
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

// split cuts a YAML file at its lines that start with ---, and JSON into its
// objects.
func split(file string, data []byte) []document {
	if jsonvalue.LooksLikeJSON(data) {
		return splitJSON(file, data)
	}
	return splitYAML(file, data)
}

// splitJSON cuts between objects. Text that cannot be cut is one document, so
// that its decoder reports the error.
func splitJSON(file string, data []byte) []document {
	var docs []document
	line := 1
	for {
		start := bytes.IndexByte(data, '{')
		line += bytes.Count(data[:start], []byte("\n"))
		data = data[start:]
		decoder := json.NewDecoder(bytes.NewReader(data))
		var object json.RawMessage
		if decoder.Decode(&object) != nil ||
			!jsonvalue.LooksLikeJSON(data[decoder.InputOffset():]) {
			return append(docs, document{file: file, line: line, data: data})
		}
		end := decoder.InputOffset()
		docs = append(docs, document{file: file, line: line, data: data[:end]})
		line += bytes.Count(data[:end], []byte("\n"))
		data = data[end:]
	}
}

func splitYAML(file string, data []byte) []document {
	var docs []document
	start, startLine, line := 0, 1, 0
	flush := func(end int) {
		if part := data[start:end]; hasContent(part) {
			docs = append(docs, document{file: file, line: startLine, data: part})
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

// hasContent reports whether there is more than comments and white space.
func hasContent(part []byte) bool {
	for line := range bytes.Lines(part) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && !bytes.HasPrefix(line, []byte("%YAML")) {
			return true
		}
	}
	return false
}
