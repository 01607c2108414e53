package vendor

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// DefaultFolder is the folder that definitions are written to by default. Its
// name starts with a dot, so that its files are not judged themselves.
const DefaultFolder = ".crdsem"

// The schemes of sources. A source without one is a file or folder.
const (
	https   = "https"
	oci     = "oci"
	cluster = "cluster"
	github  = "github"
	helm    = "helm"
)

// latest is the version that stands for the latest release at the time.
const latest = "latest"

// archives are the addresses of a forge's archives of a project at a tag.
var archives = map[string]string{
	github:     "https://github.com/%s/archive/refs/tags/%s.tar.gz",
	"codeberg": "https://codeberg.org/%s/archive/%s.tar.gz",
	"gitlab":   "https://gitlab.com/%s/-/archive/%s/archive.tar.gz",
}

// source is where definitions come from.
type source struct {
	scheme  string // empty for a file or folder
	place   string // what is between scheme and version
	version string // a tag, or a digest of OCI
	path    string // within an archive, empty for all of it
}

var (
	projectName = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+$`)
	tagName     = regexp.MustCompile(`^[\w+-][\w.+-]*(/[\w+-][\w.+-]*)*$`)
	chartPlace  = regexp.MustCompile(`^[\w.-]+(:\d+)?(/[\w.-]+)+$`)
	ociPlace    = regexp.MustCompile(`^[\w.-]+(:\d+)?(/[a-z0-9._-]+)+$`)
	loginIn     = regexp.MustCompile(`//[^/?#, ]*@`)
	isLogin     = regexp.MustCompile(`^[^/?#]*@`)
	ociVersion  = regexp.MustCompile(`^(\w[\w.-]{0,127}|sha256:[0-9a-f]{64})$`)
)

// parseSource reads the text of a source.
func parseSource(text string) (s source, err error) {
	scheme, rest, hasScheme := strings.Cut(text, ":")
	_, isForge := archives[scheme]
	isForge = isForge || scheme == helm
	switch {
	case text == cluster || hasScheme && scheme == cluster:
		return source{scheme: cluster, place: rest}, nil
	case scheme == https && hasScheme, scheme == oci && hasScheme:
		rest, hasScheme = strings.CutPrefix(rest, "//")
	case !isForge && strings.Contains(text, "://"):
		return s, fmt.Errorf("source %q: use https:// or oci://", text)
	case !isForge:
		if text == "" {
			return s, fmt.Errorf("a source is empty")
		}
		return source{place: text}, nil
	}
	s.scheme = scheme
	s.place, s.path, _ = strings.Cut(rest, "//")
	s.path = strings.TrimSuffix(s.path, "/")
	switch {
	case s.scheme == https && isLogin.MatchString(s.place):
		return s, errors.New("a source has a name or a password: netrc is the place for them")
	case !hasScheme || s.place == "":
		return s, fmt.Errorf("source %q has no address", text)
	case s.path != "" && !fs.ValidPath(s.path):
		return s, fmt.Errorf("source %q: %q is no path within an archive", text, s.path)
	}
	return s, s.cutVersion(text)
}

// cutVersion moves the version from the place.
func (s *source) cutVersion(text string) error {
	var isFine bool
	switch s.scheme {
	case https:
		return nil
	case oci:
		at := strings.LastIndexByte(s.place, ':')
		if before, _, ok := strings.Cut(s.place, "@"); ok {
			at = len(before)
		}
		if at > strings.LastIndexByte(s.place, '/') {
			s.place, s.version = s.place[:at], s.place[at+1:]
		}
		isFine = ociPlace.MatchString(s.place) && ociVersion.MatchString(s.version)
	case helm:
		s.place, s.version, _ = strings.Cut(s.place, "@")
		isFine = chartPlace.MatchString(s.place) && tagName.MatchString(s.version)
	default:
		s.place, s.version, _ = strings.Cut(s.place, "@")
		isFine = projectName.MatchString(s.place) && tagName.MatchString(s.version)
	}
	if !isFine {
		want := s.scheme + ":owner/name@tag, and //path"
		switch s.scheme {
		case oci:
			want = "oci://registry/repository:tag or @sha256:digest, and //path"
		case helm:
			want = "helm:host/path/chart@version, and //path"
		}
		return fmt.Errorf("source %q: want %s", text, want)
	}
	return nil
}

// String returns the text of a source.
func (s source) String() string {
	text := s.place
	switch {
	case s.scheme == "":
		return text
	case s.scheme == https || s.scheme == oci:
		text = "//" + text
	case s.scheme == cluster && text == "":
		return cluster
	}
	switch {
	case s.version == "":
	case s.scheme == oci && !strings.HasPrefix(s.version, "sha256:"):
		text += ":" + s.version
	default:
		text += "@" + s.version
	}
	if s.path != "" {
		text += "//" + s.path
	}
	return s.scheme + ":" + text
}
