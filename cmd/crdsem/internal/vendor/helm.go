package vendor

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/blang/semver/v4"
	"go.yaml.in/yaml/v3"
)

// maxIndex is the size of the largest index of a repository of charts.
const maxIndex = 32 << 20

// chart is a version of a chart in an index.
type chart struct {
	Version string   `yaml:"version"`
	URLs    []string `yaml:"urls"`
	Digest  string   `yaml:"digest"`
}

// chart returns a version of a chart in the index of its repository, and the
// address of the index.
func (c *Client) chart(ctx context.Context, s source) (found chart, at *url.URL, err error) {
	slash := strings.LastIndexByte(s.place, '/')
	repository, name := s.place[:slash], s.place[slash+1:]
	if at, err = url.Parse(https + "://" + repository + "/index.yaml"); err != nil {
		return found, nil, err
	}
	in, err := c.get(ctx, at.String())
	if err != nil {
		return found, nil, err
	}
	text, err := readAll(in, maxIndex)
	if err != nil {
		return found, nil, fmt.Errorf("%s: %w", at, err)
	}
	var index struct {
		Entries map[string][]chart `yaml:"entries"`
	}
	if err := yaml.Unmarshal(text, &index); err != nil {
		return found, nil, fmt.Errorf("%s: %w", at, err)
	}
	versions := index.Entries[name]
	if len(versions) == 0 {
		return found, nil, fmt.Errorf("%s has no chart %q", at, name)
	}
	if s.version == latest {
		found, err = newest(versions)
		return found, at, err
	}
	i := slices.IndexFunc(versions, func(v chart) bool { return v.Version == s.version })
	if i < 0 {
		return found, nil, fmt.Errorf("%s has no version %q of %s", at, s.version, name)
	}
	return versions[i], at, nil
}

// newest returns the newest version that is a release.
func newest(versions []chart) (found chart, err error) {
	var best *semver.Version
	for _, v := range versions {
		number, err := semver.Parse(strings.TrimPrefix(v.Version, "v"))
		if err == nil && len(number.Pre) == 0 && (best == nil || number.GT(*best)) {
			found, best = v, &number
		}
	}
	if best == nil || !tagName.MatchString(found.Version) {
		return found, errors.New("the chart has no release: name a version")
	}
	return found, nil
}

// readChart reads the definitions of a chart.
func (c *Client) readChart(ctx context.Context, s source, into *set) error {
	found, index, err := c.chart(ctx, s)
	if err != nil {
		return err
	}
	if len(found.URLs) == 0 {
		return fmt.Errorf("%s has no address of %s", index, s)
	}
	at, err := index.Parse(found.URLs[0])
	if err != nil {
		return err
	}
	if at.Scheme == oci {
		artifact, err := parseSource(found.URLs[0])
		if err != nil {
			return err
		}
		artifact.path = s.path
		return c.readInto(ctx, artifact, into)
	}
	in, err := c.get(ctx, at.String())
	if err != nil {
		return err
	}
	return c.kept(in, func(in content) error {
		if digest := strings.TrimPrefix(found.Digest, "sha256:"); digest != "" {
			if err := checkDigest(in, "sha256:"+digest); err != nil {
				return err
			}
		}
		return c.limits.unpack(ctx, s.String(), in, s.path, into.read)
	})
}
