package output

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"

	"github.com/crdsem/crdsem/internal/app/verdict"
)

// gitlabPrinter prints a report of code quality, which GitLab shows at lines
// of a merge request: https://docs.gitlab.com/ci/testing/code_quality/.
type gitlabPrinter struct {
	rest
	out    io.Writer
	issues []gitlabIssue
	seen   map[string]int // findings by what identifies them
}

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

func newGitLab(c Config) Printer {
	return &gitlabPrinter{
		rest: rest{c.Err}, out: c.Out, issues: []gitlabIssue{}, seen: map[string]int{},
	}
}

var gitlabSeverities = map[verdict.Severity]string{
	verdict.Error: "major", verdict.Warning: "minor", verdict.Tolerated: "info",
	verdict.Style: "info",
}

func (p *gitlabPrinter) Print(item *Item) error {
	r := item.Result
	if r == nil {
		return nil
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		p.issues = append(p.issues, gitlabIssue{
			Description: sarifText(r, f), CheckName: cmp.Or(f.Rule, "crdsem"),
			Fingerprint: p.fingerprint(r, f), Severity: gitlabSeverities[f.Severity],
			Location: gitlabLocation{
				filepath.ToSlash(r.FileOf(f)), gitlabLines{max(cmp.Or(f.Line, r.Line), 1)},
			},
		})
	}
	return nil
}

// fingerprint identifies a finding, wherever it moves within its file.
func (p *gitlabPrinter) fingerprint(r *verdict.Result, f *verdict.Finding) string {
	key := fmt.Sprintf("%q %q %q %q", r.FileOf(f), r.Subject(), f.Rule, f.Text)
	p.seen[key]++
	hash := sha256.Sum256(fmt.Appendf(nil, "%s %d", key, p.seen[key]))
	return hex.EncodeToString(hash[:16])
}

func (p *gitlabPrinter) Close() error { return JSON(p.out, p.issues) }
