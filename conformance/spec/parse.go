package spec

import (
	"regexp"
	"strings"
)

// The form of a rule in a chapter:
//
//	<a id="PRN-003"></a>
//	### PRN-003: Declared properties are kept
//
//	In short: A sentence for a person who met the rule.
//
//	The statement, in any number of paragraphs.
//
//	<!-- example PRN-v003-prune -->
//	...written by `go test ./spec -update`...
//	<!-- end -->
//
//	Source: `pruning.PruneWithOptions`. Since: 1.30.
var (
	ruleHead     = regexp.MustCompile(`^### ([A-Z]+-[A-Za-z0-9-]+): (.+)$`)
	exampleStart = regexp.MustCompile(`^<!-- example (\S+) -->$`)
	sources      = regexp.MustCompile(`^Source: (.+?)\.(?: Since: (1\.\d+)\.)?$`) // a paragraph
)

const (
	summaryStart = "In short: "
	exampleEnd   = "<!-- end -->"
	anchor       = "<a id="
)

// parse reads a chapter.
func parse(file, text string) Chapter {
	p := parser{chapter: Chapter{File: file, Text: text}}
	for line := range strings.Lines(text) {
		p.line(strings.TrimSuffix(line, "\n"))
	}
	p.finish()
	return p.chapter
}

// parser reads a chapter line by line.
type parser struct {
	chapter   Chapter
	rule      *Rule
	summary   []string // the lines of the paragraph that starts with "In short: "
	inSummary bool
	statement []string
	example   []string
	source    []string // the lines of the paragraph that starts with "Source: "
	inExample bool
}

func (p *parser) line(line string) {
	switch {
	case p.inExample:
		p.exampleLine(line)
	case strings.HasPrefix(line, "# ") && p.chapter.Title == "":
		p.chapter.Title = strings.TrimPrefix(line, "# ")
	case ruleHead.MatchString(line):
		p.finish()
		m := ruleHead.FindStringSubmatch(line)
		p.rule = &Rule{ID: m[1], Title: m[2], File: p.chapter.File}
	case strings.HasPrefix(line, "## "), strings.HasPrefix(line, anchor):
		p.finish()
	case p.rule == nil:
	case strings.HasPrefix(line, summaryStart):
		p.summary, p.inSummary = []string{strings.TrimPrefix(line, summaryStart)}, true
	case p.inSummary && line != "":
		p.summary = append(p.summary, line)
	case p.inSummary:
		p.inSummary = false
	case exampleStart.MatchString(line):
		p.rule.Vector, p.inExample = exampleStart.FindStringSubmatch(line)[1], true
	case strings.HasPrefix(line, "Source: "), len(p.source) > 0 && line != "":
		p.source = append(p.source, line)
	default:
		p.statement = append(p.statement, line)
	}
}

func (p *parser) exampleLine(line string) {
	if line == exampleEnd {
		p.inExample = false
		return
	}
	p.example = append(p.example, line)
}

// finish ends the rule that is being read.
func (p *parser) finish() {
	if p.rule != nil {
		p.rule.Summary = strings.Join(p.summary, " ")
		p.rule.Statement = strings.TrimSpace(strings.Join(p.statement, "\n"))
		p.rule.Example = strings.TrimSpace(strings.Join(p.example, "\n"))
		if m := sources.FindStringSubmatch(strings.Join(p.source, " ")); m != nil {
			p.rule.Source, p.rule.Since = m[1], m[2]
		}
		p.chapter.Rules = append(p.chapter.Rules, *p.rule)
	}
	*p = parser{chapter: p.chapter}
}
