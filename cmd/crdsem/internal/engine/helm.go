package engine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/program"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/manifest"
)

// renderCharts renders the charts of --helm, and returns the results as
// sources. Their names are those of the files Chart.yaml.
func (e *Engine) renderCharts(ctx context.Context) ([]*manifest.Source, error) {
	if len(e.Helm) == 0 {
		return nil, nil
	}
	path := e.HelmProgram
	if path == "" {
		var err error
		if path, err = program.Find("helm"); err != nil {
			return nil, fmt.Errorf("--helm: %w; --helm-program names it", err)
		}
	}
	if e.rendered == nil {
		e.rendered = map[*manifest.Source]*rendering{}
	}
	var list []*manifest.Source
	for _, folder := range e.Helm {
		charts, err := program.Charts(folder)
		if err != nil {
			return nil, fmt.Errorf("--helm %s: %w", folder, err)
		}
		for _, chart := range charts {
			r := &rendering{folder: chart, file: program.ChartFile(chart), chart: &helmChart{}}
			source := r.renderChart(ctx, program.Helm(path))
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			e.rendered[source] = r
			list = append(list, source)
		}
	}
	return list, nil
}

// helmChart is what helm made of a chart.
type helmChart struct {
	lines     []string            // of the manifests
	templates map[string][]string // the lines of templates, by their paths
}

// renderChart returns what a chart is rendered to, or a source with the error.
func (d *rendering) renderChart(ctx context.Context, by program.Helm) *manifest.Source {
	text, err := by.Render(ctx, d.folder)
	if err != nil {
		at := manifest.Position{File: d.file}
		return &manifest.Source{Name: d.file, Err: &manifest.Error{Position: at, Err: err}}
	}
	d.chart.lines = strings.Split(string(text), "\n")
	d.chart.templates = map[string][]string{}
	return manifest.Stream(d.file, bytes.NewReader(text))
}

// sourceComment begins the comment in which helm names a template.
const sourceComment = "# Source: "

// template returns the path of the template that the manifest on a line came
// from, "" if it cannot be followed. Helm writes the path with the name of the
// chart in place of its folder.
func (d *rendering) template(line int) string {
	lines := d.chart.lines
	for i := min(line, len(lines)) - 1; i >= 0; i-- {
		if lines[i] == "---" && i < line-1 {
			return ""
		}
		name, ok := strings.CutPrefix(lines[i], sourceComment)
		if !ok {
			continue
		}
		_, inside, _ := strings.Cut(strings.TrimSpace(name), "/")
		if inside = filepath.FromSlash(inside); !filepath.IsLocal(inside) {
			return ""
		}
		return filepath.Join(d.folder, inside)
	}
	return ""
}

// linesOf returns the lines of a template, none if it is not there.
func (d *rendering) linesOf(template string) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	lines, known := d.chart.templates[template]
	if !known {
		if info, err := os.Stat(template); err == nil && info.Mode().IsRegular() {
			if text, err := os.ReadFile(template); err == nil {
				lines = strings.Split(string(text), "\n")
			}
		}
		d.chart.templates[template] = lines
	}
	return lines
}

// placeInChart gives the findings of a result the places of the templates that
// helm made their lines from.
func (d *rendering) placeInChart(r *verdict.Result) {
	template := d.template(r.Line)
	lines := d.linesOf(template)
	r.Item = ""
	if len(lines) == 0 {
		template = d.file
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		made := strings.TrimSpace(f.Source)
		at := lineLike(lines, made)
		f.Line, f.Column, f.Source = 0, 0, ""
		if at >= 0 {
			f.Source = lines[at]
			f.Line, f.Column = at+1, 1+len(f.Source)-len(strings.TrimLeft(f.Source, " -"))
		}
		if made != "" && strings.TrimSpace(f.Source) != made {
			if f.Hint != "" {
				f.Hint += "; "
			}
			f.Hint += fmt.Sprintf("helm makes `%s` of it", made)
		}
	}
	r.File, r.Line, r.Column = template, 0, 0
	if len(lines) > 0 {
		r.Line, r.Column = 1, 1
	}
}

// lineLike returns the line of a template that a line was made from: the only
// one with the same text, otherwise the only one with the same key. It is
// negative if there is no such line.
func lineLike(lines []string, made string) int {
	if made == "" {
		return -1
	}
	if at := onlyLine(lines, func(text string) bool { return text == made }); at >= 0 {
		return at
	}
	key, _, isKey := strings.Cut(strings.TrimPrefix(made, "- "), ":")
	if !isKey {
		return -1
	}
	return onlyLine(lines, func(text string) bool {
		return strings.HasPrefix(strings.TrimPrefix(text, "- "), key+":")
	})
}

// onlyLine returns the line that fits, negative if there are none or several.
func onlyLine(lines []string, fits func(text string) bool) int {
	found := -1
	for i, line := range lines {
		if !fits(strings.TrimSpace(line)) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}
