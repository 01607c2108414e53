package edit

import (
	"context"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/describe"
	"github.com/crdsem/crdsem/internal/app/sample"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

// Stored returns the object that is at a line of a file as the server stores
// it, as YAML by the fields in their order. If the client is answered another
// object, or clients of other versions read one, those follow as documents of
// their own; a comment before each says what it is. The error says why nothing
// is stored.
func (w *Workspace) Stored(ctx context.Context, name string, line int) (string, error) {
	f := w.file(name)
	if f == nil {
		return "", fmt.Errorf("%s is not open", name)
	}
	r := w.resultAt(ctx, f, line)
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	switch {
	case r == nil:
		return "", fmt.Errorf("%s: no object at line %d", name, line+1)
	case r.Webhook:
		return "", fmt.Errorf("%s: a conversion webhook decides what is stored", r.Subject())
	case r.Failed() || r.Object == nil:
		return "", fmt.Errorf("%s is not stored: %s", r.Subject(), whyNotStored(r))
	}
	return roadText(r), nil
}

// resultAt returns the result for the object at a line, or nil.
func (w *Workspace) resultAt(ctx context.Context, f *file, line int) (r *verdict.Result) {
	for _, j := range w.judged(ctx, w.definitions(ctx), f) {
		if j.err == nil && j.Start().Line <= line+1 {
			r = j.result
		}
	}
	return r
}

// whyNotStored returns the first error of an object.
func whyNotStored(r *verdict.Result) string {
	for i := range r.Findings {
		if r.Findings[i].Severity == verdict.Error {
			return r.Findings[i].Text
		}
	}
	return "its kind has no definition"
}

// roadText returns the stored object and, if they differ from it, what is
// answered and read.
func roadText(r *verdict.Result) string {
	if r.Answer == nil && len(r.Reads) == 0 {
		return sample.YAML(r.Object)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# stored as %v", visible.Line(fmt.Sprint(r.Object["apiVersion"])))
	for i := range r.Lost {
		separator := [...]string{"; lost:", ","}[min(i, 1)]
		fmt.Fprintf(&b, "%s %s", separator, visible.Line(r.Lost[i].Path))
	}
	fmt.Fprintf(&b, "\n%s", sample.YAML(r.Object))
	if r.Answer != nil {
		fmt.Fprintf(&b, "---\n# answered\n%s", sample.YAML(r.Answer))
	}
	for _, read := range r.Reads {
		fmt.Fprintf(&b, "---\n# read by clients of %s", read.Version)
		switch {
		case read.Webhook:
			b.WriteString(": a conversion webhook decides\n")
		case read.Error != "":
			fmt.Fprintf(&b, ": %s\n", visible.Line(read.Error))
		default:
			fmt.Fprintf(&b, "\n%s", sample.YAML(read.Object))
		}
	}
	return b.String()
}

// aboutObject returns what hovering over a key of the object itself shows more:
// over kind the fields as the command describe lists them, and over apiVersion
// what becomes of the object in its versions, if it is not stored as it is
// answered.
func (w *Workspace) aboutObject(
	ctx context.Context, name string, line int, v *crdsem.Version, key string,
) string {
	if key == "kind" {
		var b strings.Builder
		m := v.Definition().Model()
		describe.Text(&b, m, m.Version(v.Name()), describe.Field{Schema: v.Schema()}, false)
		return block("text", b.String())
	}
	f := w.file(name)
	if key != "apiVersion" || f == nil {
		return ""
	}
	r := w.resultAt(ctx, f, line)
	switch {
	case r == nil || ctx.Err() != nil:
		return ""
	case r.Webhook:
		return "A conversion webhook decides what is stored."
	case r.Failed() || r.Object == nil || r.Answer == nil && len(r.Reads) == 0:
		return ""
	}
	return block("yaml", roadText(r))
}

// mostHovered is how many lines of a text hovering shows.
const mostHovered = 120

// block returns a text as a block of Markdown.
func block(language, text string) string {
	lines := strings.SplitAfterN(strings.TrimRight(text, "\n"), "\n", mostHovered+1)
	if len(lines) > mostHovered {
		lines[mostHovered] = "…"
	}
	text = strings.Join(lines, "")
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	return fence + language + "\n" + text + "\n" + fence
}

// longestRun returns the length of the longest run of a byte in a text.
func longestRun(text string, of byte) (longest int) {
	run := 0
	for i := range len(text) {
		if run++; text[i] != of {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
