package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/test/suite"
)

const head = `# Implementations

How programs that judge custom resources fare against the
[conformance vectors](../conformance/vectors/README.md), which are recorded answers of the API
server's own code. Made by ` + "`make scores`" + ` on %s; versions are those of the table. Each was
run by an adapter of at most 150 lines in [conformance/ports](../conformance/ports), which says what
is asked of it. None of them claims to be an API server: a number says how far a verdict of it can
be taken for one of a server, not how good it is at what it is made for. A mistake in an adapter is
a mistake of this page; please report it.

| implementation | version | what was run |
| --- | --- | --- |
`

const columns = `
## By group and minor

Each cell is for one minor of Kubernetes: the same answer, texts included / the same verdict in
other words / another verdict or another object. Vectors that an implementation does not answer are
in the last column. A group of which nothing is answered is left out. Vectors of the groups merge
and writes were recorded for the newest minor only.

Where the server's code panics, an implementation cannot give its answer. The differences of crdsem
are these and a few that its lists name with the reason:
[known differences](../conformance/known_differences.yaml), and
[those of older minors](../conformance/minor_differences.yaml).

`

const gravest = `
## The gravest differences

For each, up to three kinds of difference in the newest minor: first what is accepted and a server
refuses. The vector named is the smallest that shows it.
`

const ci = `
## In your own CI

An implementation that answers the [protocol](../conformance/vectors/README.md#writing-a-runner),
a JSON line in and a JSON line out, is run by any of these, with Go or Python. The exit code is 1 if
an answer is wrong.

` + "```yaml" + `
- uses: actions/checkout@v4
  with: {repository: crdsem/crdsem, path: crdsem}
- uses: actions/setup-go@v5
  with: {go-version: stable}
- run: cd crdsem && go run ./conformance/runner -profile values -- ../my-port
` + "```" + `
`

// writePage writes the page of all scores.
func writePage(out *bytes.Buffer, day string, scores []*score) {
	fmt.Fprintf(out, head, day)
	for _, s := range scores {
		fmt.Fprintf(out, "| %s | %s | %s |\n", s.name, s.version, s.about)
	}
	for _, a := range absent {
		fmt.Fprintf(out, "| %s | not run | Not scored: %s. |\n", a[0], a[1])
	}
	out.WriteString(columns)
	for _, s := range scores {
		s.writeTable(out)
	}
	out.WriteString(gravest)
	for _, s := range scores {
		s.writeDifferences(out)
	}
	out.WriteString(ci)
}

func (s *score) writeTable(out io.Writer) {
	minors := s.minors()
	fmt.Fprintf(out, "### %s\n\n", s.name)
	if s.missing != "" {
		fmt.Fprintf(out, "Not run for this page: %.200s.\n\n",
			strings.Join(strings.Fields(s.missing), " "))
		return
	}
	fmt.Fprintf(out, "| group | %s | not answered |\n| --- |%s --- |\n",
		strings.Join(minors, " | "), strings.Repeat(" --- |", len(minors)))
	for _, part := range suite.Parts() {
		c := s.parts[part]
		if c == nil {
			continue
		}
		newest := (*c)[suite.Newest()]
		if newest[exact]+newest[verdict]+newest[wrong]+newest[differs] == 0 {
			continue
		}
		fmt.Fprintf(out, "| %s |", part)
		for _, minor := range minors {
			n := (*c)[minor]
			if n == nil { // no vector of the group was asked of the minor
				fmt.Fprint(out, " none |")
				continue
			}
			fmt.Fprintf(out, " %d / %d / %d |", n[exact], n[verdict], n[wrong]+n[differs])
		}
		fmt.Fprintf(out, " %d |\n", newest[unsupported])
	}
	fmt.Fprintln(out)
}

func (s *score) writeDifferences(out io.Writer) {
	if s.missing != "" || len(s.kinds) == 0 {
		return
	}
	fmt.Fprintf(out, "\n### %s: differences\n\n"+
		"| it | vectors | rule | smallest | which is | input |\n"+
		"| --- | --- | --- | --- | --- | --- |\n",
		s.name)
	for _, k := range s.gravest() {
		v := k.smallest()
		fmt.Fprintf(out, "| %s | %d | %s | `%s` | %s | %s |\n", k.way, len(k.vectors), k.rule, v.ID,
			cell(v.Description), input(v))
	}
}

// cell returns a text as it stands in a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// input returns the object of a vector, if it is short.
func input(v *suite.Vector) string {
	var request map[string]json.RawMessage
	if json.Unmarshal(v.Request, &request) != nil {
		return ""
	}
	for _, member := range []string{"object", "patch", "schema", "crd"} {
		text := string(request[member])
		if text != "" && len(text) < 200 && !slices.Contains([]byte(text), '`') {
			return fmt.Sprintf("%s `%s`", member, cell(text))
		}
	}
	return ""
}
