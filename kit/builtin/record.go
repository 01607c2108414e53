package builtin

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/minors"
)

// packed is the record, compressed. Program conformance/oracle/openapi writes
// it. Its lines are
//
//	minor 1.30 MODULE SUM
//	kind apps/v1,Deployment MINORS deployments namespaced MODEL
//	model MODEL MINORS JSON
//
// MINORS is a hexadecimal number with a bit for each minor, in the order of the
// first lines. A reference in JSON has the name of a model.
//
//go:embed openapi.txt.gz
var packed []byte

// record is the text of the record by its lines.
type record struct {
	sources map[minors.Minor]source
	kinds   []line
	models  map[string][]line
}

// source is the release that the structures of a minor come from.
type source struct {
	bit         uint64
	module, sum string
}

// line is a line of the record about a kind or a model.
type line struct {
	name, rest string
	minors     uint64
}

// theRecord reads the record once.
var theRecord = sync.OnceValue(func() *record {
	r, err := read(packed)
	if err != nil {
		panic(fmt.Sprintf("the record: %v", err)) //nolint:forbidigo // embedded: a test reads it
	}
	return r
})

func read(packed []byte) (*record, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, err
	}
	r := &record{map[minors.Minor]source{}, nil, map[string][]line{}}
	for text := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSuffix(text, "\n"), " ", 4)
		if len(fields) < 4 {
			return nil, fmt.Errorf("line %q: want four fields", text)
		}
		word, name, number, rest := fields[0], fields[1], fields[2], fields[3]
		if word == "minor" {
			bit := uint64(1) << len(r.sources)
			r.sources[minors.Minor(name)] = source{bit, number, rest}
			continue
		}
		in, err := strconv.ParseUint(number, 16, 64)
		if err != nil {
			return nil, fmt.Errorf("line %q: %w", text, err)
		}
		l := line{name, rest, in}
		if word == "kind" {
			r.kinds = append(r.kinds, l)
		} else {
			r.models[name] = append(r.models[name], l)
		}
	}
	return r, nil
}

// model returns the JSON of a model in a minor, "" if there is none.
func (r *record) model(name string, bit uint64) string {
	for _, l := range r.models[name] {
		if l.minors&bit != 0 {
			return l.rest
		}
	}
	return ""
}

// Source returns the release that the structures of a minor were recorded from,
// as a module with its version and its checksum, e.g.
// k8s.io/kubernetes@v1.37.2. Both are empty for a minor without a record.
func Source(m minors.Minor) (module, sum string) {
	of := theRecord().sources[named(m)]
	return of.module, of.sum
}

// named returns the minor with its name, also for the zero value.
func named(m minors.Minor) minors.Minor { return minors.Minor(m.String()) }
