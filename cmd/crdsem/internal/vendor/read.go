package vendor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/program"
	"github.com/crdsem/crdsem/kit/manifest"
)

// latestFile is the address of a file of the latest release on GitHub.
var latestFile = regexp.MustCompile(`^github\.com/([^/]+/[^/]+)/releases/latest/download/`)

// resolve returns a source with the version that stands for latest, or for a
// tag of OCI, at this time.
func (c *Client) resolve(ctx context.Context, s source) (source, error) {
	var err error
	switch {
	case s.scheme == github && s.version == latest:
		s.version, err = c.latestTag(ctx, s.place)
	case s.scheme == https && latestFile.MatchString(s.place):
		var tag string
		tag, err = c.latestTag(ctx, latestFile.FindStringSubmatch(s.place)[1])
		s.place = strings.Replace(s.place, "/latest/download/", "/download/"+tag+"/", 1)
	case s.scheme == helm:
		var found chart
		found, _, err = c.chart(ctx, s)
		s.version = found.Version
	case s.scheme == oci && !strings.HasPrefix(s.version, "sha256:"):
		_, s.version, err = c.registry(s).manifest(ctx, s.version)
	}
	return s, err
}

// read returns the definitions of a source.
func (c *Client) read(ctx context.Context, s source) (*set, error) {
	found := newSet()
	err := c.readInto(ctx, s, found)
	if err == nil {
		err = found.end()
	}
	return found, err
}

func (c *Client) readInto(ctx context.Context, s source, found *set) error {
	switch s.scheme {
	case "":
		return c.folder(s.place, found)
	case cluster:
		return c.cluster(ctx, s.place, found)
	case oci:
		return c.unpackOCI(ctx, s, found.read)
	case helm:
		return c.readChart(ctx, s, found)
	}
	address := https + "://" + s.place
	if form, ok := archives[s.scheme]; ok {
		address = fmt.Sprintf(form, s.place, s.version)
	}
	in, err := c.get(ctx, address)
	if err != nil {
		return err
	}
	return c.kept(in, func(in content) error {
		return c.limits.unpack(ctx, address, in, s.path, found.read)
	})
}

// folder reads a file or a folder.
func (c *Client) folder(path string, found *set) error {
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is neither a file nor a folder", path) // a pipe may never end
	}
	sources := manifest.Find([]string{path}, nil)
	defer func() { _ = manifest.Close(sources) }()
	for o, err := range manifest.Objects(sources) {
		switch {
		case errors.Is(err, manifest.ErrEmpty):
		case err != nil:
			return err
		case isWanted(o.Content):
			if err := found.add(o); err != nil {
				return fmt.Errorf("%v: %w", o.Start(), err)
			}
		}
	}
	return nil
}

// cluster reads the definitions of a cluster by kubectl.
func (c *Client) cluster(ctx context.Context, name string, found *set) error {
	args := []string{"get", "customresourcedefinitions.apiextensions.k8s.io", "-o", "json"}
	if name != "" {
		args = append(args, "--context="+name)
	}
	limits := program.Limits{Time: timeout, Output: c.limits.download}
	text, err := limits.Run(ctx, "kubectl", args...)
	if err != nil {
		return err
	}
	return found.read("kubectl", text)
}
