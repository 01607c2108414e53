package main

import (
	"regexp"
	"strings"
)

// textWidth is the width of paragraphs on a terminal.
const textWidth = 80

var (
	summaryTag = regexp.MustCompile(`<summary>(.*?)</summary>`)
	htmlTag    = regexp.MustCompile(`</?(details|summary|code)>`)
	outerLink  = regexp.MustCompile(`\[([^\]]+)\]\((https?://[^)]+)\)`)
	innerLink  = regexp.MustCompile(`\[([^\]]+)\]\([^)]+\)`)
	listItem   = regexp.MustCompile(`^(\s*)([-*]|\d+\.) `)
)

// writeMarkdown writes the Markdown of the specification for a terminal:
// paragraphs and list items are wrapped, code blocks are indented, tables stand
// as they are. Tags go, and links into the book become their text.
func writeMarkdown(b *strings.Builder, text string) {
	w := markdownWriter{out: b}
	for line := range strings.Lines(text) {
		w.line(strings.TrimRight(line, "\n"))
	}
	w.flush()
}

// markdownWriter collects the lines of a paragraph until it ends.
type markdownWriter struct {
	out     *strings.Builder
	pending []string // the words of the paragraph
	indent  string   // of the paragraph's first line, e.g. "- "
	code    bool     // within a code block
	blank   bool     // the last line written was blank
}

func (w *markdownWriter) line(line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(trimmed, "```"):
		w.flush()
		w.code = !w.code
	case w.code:
		w.write(strings.TrimRight("    "+line, " "))
	case trimmed == "" || htmlTag.ReplaceAllString(trimmed, "") == "":
		w.flush()
		if !w.blank && w.out.Len() > 0 {
			w.write("")
		}
	case strings.HasPrefix(trimmed, "|"):
		w.flush()
		w.write(plain(line))
	case listItem.MatchString(line):
		w.flush()
		w.indent = listItem.FindString(line)
		w.pending = strings.Fields(strings.TrimPrefix(line, w.indent))
	default:
		w.pending = append(w.pending, strings.Fields(line)...)
	}
}

// plain replaces tags and links.
func plain(line string) string {
	line = summaryTag.ReplaceAllString(line, "$1:")
	line = htmlTag.ReplaceAllString(line, "")
	line = outerLink.ReplaceAllString(line, "$1 ($2)")
	return innerLink.ReplaceAllString(line, "$1")
}

// flush writes the paragraph, wrapped.
func (w *markdownWriter) flush() {
	if len(w.pending) == 0 {
		return
	}
	line := w.indent
	start := len(line)
	for _, word := range strings.Fields(plain(strings.Join(w.pending, " "))) {
		if len(line) > start && len(line)+1+len(word) > textWidth {
			w.write(line)
			line = strings.Repeat(" ", start)
		}
		if len(line) > start {
			line += " "
		}
		line += word
	}
	w.write(line)
	w.pending, w.indent = nil, ""
}

func (w *markdownWriter) write(line string) {
	w.out.WriteString(line + "\n")
	w.blank = line == ""
}
