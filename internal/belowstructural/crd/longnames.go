package crd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	kjson "sigs.k8s.io/json"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// longName is the length from which names of fields are replaced.
const longName = 256

// unmarshalStrict decodes JSON into an empty definition of API types, and
// returns what a strict decoder rejects, at most a hundred fields. The library
// renders the path of every unknown field: 150,000 of them below a name of 4 MB
// would be 600 GB. It therefore gets a text with short names.
func unmarshalStrict(data []byte, typed any) ([]error, error) {
	short, names := shortened(data)
	strict, err := kjson.UnmarshalStrict(short, typed)
	if len(names.long) == 0 || err != nil {
		return strict, err
	}
	size := 0
	for i, e := range strict {
		if size > jsonvalue.StrictMemory {
			return append(strict[:i], jsonvalue.ErrMoreFields), nil
		}
		text := names.replacement.ReplaceAllStringFunc(e.Error(), names.quoted)
		strict[i], size = errors.New(text), size+len(text)
	}
	return strict, nil
}

// shortNames are the names that stand for long ones in a text.
type shortNames struct {
	mark        string // in each of them, and nowhere else
	long        []string
	short       map[string]string // by the long name
	replacement *regexp.Regexp
}

// quoted returns the long name that a short one stands for, as in a text in
// quotes.
func (n *shortNames) quoted(short string) string {
	i, err := strconv.Atoi(strings.Trim(strings.TrimPrefix(short, n.mark), "-"))
	if err != nil || i >= len(n.long) {
		return short
	}
	text := strconv.Quote(n.long[i])
	return text[1 : len(text)-1]
}

// shortened returns JSON whose long names of fields are replaced.
func shortened(data []byte) ([]byte, *shortNames) {
	mark := fmt.Sprintf("%016x", rand.Uint64())
	names := &shortNames{mark: mark, short: map[string]string{},
		replacement: regexp.MustCompile(mark + `-\d+-`)}
	var out []byte
	rest := data
	for at := 0; ; {
		quote := bytes.IndexByte(rest[at:], '"')
		if quote < 0 {
			break
		}
		start := at + quote
		at = start + 1
		for at < len(rest) && rest[at] != '"' {
			if rest[at] == '\\' {
				at++
			}
			at++
		}
		at = min(at+1, len(rest))
		isName := bytes.HasPrefix(bytes.TrimLeft(rest[at:], " \t\r\n"), []byte(":"))
		var name string
		if isName && at-start > longName && json.Unmarshal(rest[start:at], &name) == nil {
			out = append(append(out, rest[:start]...), names.of(name)...)
			rest, at = rest[at:], 0
		}
	}
	return append(out, rest...), names
}

// of returns the short name for a long one, in quotes.
func (n *shortNames) of(name string) string {
	short, ok := n.short[name]
	if !ok {
		short = fmt.Sprintf(`"%s-%d-"`, n.mark, len(n.long))
		n.short[name], n.long = short, append(n.long, name)
	}
	return short
}
