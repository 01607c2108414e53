package program

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Helm is the program helm, which renders charts.
type Helm string

// chartFile is the file that makes a folder a chart.
const chartFile = "Chart.yaml"

// Charts returns the charts in a folder: the folder itself, otherwise all below
// it, without those within other charts and in folders whose names start with a
// dot.
func Charts(folder string) ([]string, error) {
	var all []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			return nil
		case path != folder && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		}
		info, err := os.Stat(filepath.Join(path, chartFile))
		if err == nil && info.Mode().IsRegular() {
			all = append(all, path)
			return filepath.SkipDir
		}
		return nil
	})
	if err == nil && len(all) == 0 {
		err = errors.New("no " + chartFile + " in the folder or below")
	}
	slices.Sort(all)
	return all, err
}

// ChartFile returns the file that describes a chart.
func ChartFile(chart string) string { return filepath.Join(chart, chartFile) }

// Render returns the manifests of a chart with its default values, each after a
// comment that names its template.
func (h Helm) Render(ctx context.Context, chart string) ([]byte, error) {
	limits := kustomizeLimits
	return limits.Run(ctx, string(h), "template", "release", chart, "--include-crds")
}
