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

Vectors are counted by group: the same answer, texts included; the same verdict in other words;
another verdict or another object. Minors with equal counts share a line. Vectors that an
implementation does not answer are in the last column, and a group of which it answers none is left
out. A program that knows no minors is compared with each of them.

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
a JSON line in and a JSON line out, is run by these five lines, wherever Go is. The exit code is 1
if an answer is wrong. [Implementing CRD semantics](implementing.md) says how to begin.

` + "```yaml" + `
- uses: actions/checkout@v4
  with: {repository: crdsem/crdsem, path: crdsem}
- uses: actions/setup-go@v5
  with: {go-version: stable}
- run: cd crdsem && go run ./conformance/runner -profile values -- ../my-port
` + "```" + `

A program that [conformance/ports](../conformance/ports) has an adapter for is graded by its
verdicts, as on this page, if the last line is:

` + "```yaml" + `
- run: cd crdsem && go run ./conformance/ports/scores -only kubectl-validate -out ../scores.md
` + "```" + `

The names are those of the table. FLUX_SCHEMA is the path of the command flux-schema. To grade a
version that is not released yet, edit the go.mod or package.json of the adapter. A runner without
Go is [runner.py](../conformance/vectors/README.md#writing-a-runner).
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
	fmt.Fprintf(out, "### %s\n\n", s.name)
	if s.Missing != "" {
		fmt.Fprintf(out, "Not run for this page: %.200s.\n\n",
			strings.Join(strings.Fields(s.Missing), " "))
		return
	}
	fmt.Fprint(out, "| group | minors | same answer | same verdict | otherwise | not answered |\n"+
		"| --- | --- | --- | --- | --- | --- |\n")
	for _, part := range suite.Parts() {
		c := s.Parts[part]
		if c == nil {
			continue
		}
		newest := (*c)[suite.Newest()]
		if newest[exact]+newest[verdict]+newest[wrong]+newest[differs] == 0 {
			continue
		}
		name := string(part)
		for _, minors := range c.alike() {
			n := (*c)[minors[0]]
			fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %d |\n", name, ranges(minors), n[exact],
				n[verdict], n[wrong]+n[differs], n[unsupported])
			name = ""
		}
	}
	fmt.Fprintln(out)
}

// alike returns the minors that were asked, the newest first, those next to
// each other with the same counts together.
func (c *counts) alike() (groups [][]string) {
	for _, minor := range allMinors() {
		n, last := (*c)[minor], len(groups)-1
		switch {
		case n == nil:
		case last >= 0 && *n == *(*c)[groups[last][0]]:
			groups[last] = append(groups[last], minor)
		default:
			groups = append(groups, []string{minor})
		}
	}
	return groups
}

// ranges writes some minors, e.g. "1.37, 1.30 to 1.33".
func ranges(minors []string) string {
	all := allMinors()
	var texts []string
	for i := 0; i < len(minors); {
		at, end := slices.Index(all, minors[i]), i+1
		for end < len(minors) && minors[end] == all[at+end-i] {
			end++
		}
		text := minors[i]
		if end > i+1 {
			text = minors[end-1] + " to " + text
		}
		texts, i = append(texts, text), end
	}
	return strings.Join(texts, ", ")
}

func (s *score) writeDifferences(out io.Writer) {
	if s.Missing != "" || len(s.Kinds) == 0 {
		return
	}
	fmt.Fprintf(out, "\n### %s: differences\n\n"+
		"| it | vectors | rule | smallest | which is | input |\n"+
		"| --- | --- | --- | --- | --- | --- |\n",
		s.name)
	for _, k := range s.gravest() {
		v := k.Smallest
		fmt.Fprintf(out, "| %s | %d | %s | `%s` | %s | %s |\n", k.Way, k.Vectors, k.Rule, v.ID,
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
