package manifest

import (
	"bytes"
	"encoding/json"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// buildIndex reads the text a second time, as nodes with positions.
func (d *Document) buildIndex() {
	if jsonvalue.IsJSONObject(d.Data) {
		d.breaks = newLineStarts(d.Data, lineFeed)
		d.root = (&jsonIndex{data: d.Data, starts: &d.breaks}).read()
		return
	}
	d.breaks = newLineStarts(d.Data, yamlBreak)
	var document yaml.Node
	if yaml.Unmarshal(d.Data, &document) == nil && len(document.Content) > 0 {
		d.root = document.Content[0]
	}
}

// nodePosition returns the position of a node in the file.
func (d *Document) nodePosition(node *yaml.Node) Position {
	return d.position(d.breaks.offset(node.Line, node.Column))
}

// position returns the position of a byte of the text in the file.
func (d *Document) position(offset int) Position {
	d = d.whole()
	d.counting.Do(d.countLines)
	line, column := d.lines.lineOf(min(offset, len(d.Data)))
	if line == 1 {
		column += d.before
	}
	return Position{File: d.File, Line: d.Line + line - 1, Column: column}
}

// jsonIndex makes nodes of a JSON text.
type jsonIndex struct {
	data   []byte
	starts *lineStarts
	open   []*yaml.Node // the objects and lists around the current token
	root   *yaml.Node
}

// read returns the nodes of the text. Of a malformed text it returns those
// before the error.
func (x *jsonIndex) read() *yaml.Node {
	tokens := json.NewDecoder(bytes.NewReader(x.data))
	tokens.UseNumber()
	for {
		from := tokens.InputOffset()
		token, err := tokens.Token()
		if err != nil {
			return x.root
		}
		if token == json.Delim('}') || token == json.Delim(']') {
			x.open = x.open[:len(x.open)-1]
			if len(x.open) == 0 {
				return x.root
			}
			continue
		}
		x.add(token, int(from))
	}
}

// add adds the node of a token, which starts after from.
func (x *jsonIndex) add(token json.Token, from int) {
	for bytes.IndexByte([]byte(" \t\r\n,:"), x.data[from]) >= 0 {
		from++
	}
	node := &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle}
	node.Line, node.Column = x.starts.lineOf(from)
	if len(x.open) > 0 {
		parent := x.open[len(x.open)-1]
		parent.Content = append(parent.Content, node)
	} else {
		x.root = node
	}
	switch token := token.(type) {
	case string:
		node.Value = token
	case json.Number:
		node.Value, node.Style = token.String(), 0
	case bool:
		node.Value, node.Style = strconv.FormatBool(token), 0
	case nil:
		node.Value, node.Style = "null", 0
	case json.Delim:
		node.Kind, node.Style = yaml.MappingNode, yaml.FlowStyle
		if token == '[' {
			node.Kind = yaml.SequenceNode
		}
		x.open = append(x.open, node)
	}
}
