package vendor

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
)

// set has the definitions of a source by their names.
type set struct {
	texts     map[string][]byte
	from      map[string]string // the file of each
	templates int               // files that are left out
	size      int
}

func newSet() *set {
	return &set{texts: map[string][]byte{}, from: map[string]string{}}
}

// maxSet is the greatest sum of the lengths of a source's definitions.
const maxSet = 256 << 20

// crdName is the form of the name of a definition, which is the name of its
// file, too.
var crdName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)

// read adds the definitions of a file. A file that is a template is left out.
func (s *set) read(name string, text []byte) error {
	if !bytes.Contains(text, []byte("CustomResourceDefinition")) && !mayBeOpenAPI(text) {
		return nil
	}
	var found []manifest.Object
	for o, err := range manifest.Parse(name, bytes.NewReader(text)) {
		switch {
		case err != nil && repository.IsTemplate(text):
			s.templates++
			return nil
		case err != nil:
			return err
		case isWanted(o.Content):
			found = append(found, o)
		}
	}
	for _, o := range found {
		if err := s.add(o); err != nil {
			return fmt.Errorf("%v: %w", o.Start(), err)
		}
	}
	return nil
}

// mayBeOpenAPI reports whether a text may be an OpenAPI document of a server.
func mayBeOpenAPI(text []byte) bool {
	return bytes.Contains(text, []byte("openapi")) &&
		bytes.Contains(text, []byte("x-kubernetes-group-version-kind"))
}

// isWanted reports whether an object is a definition, or an OpenAPI document
// that describes kinds.
func isWanted(object map[string]any) bool {
	return isWhole(object) || builtin.IsOpenAPI(object)
}

// isWhole reports whether an object is a definition, and no patch of one.
func isWhole(object map[string]any) bool {
	spec, _ := object["spec"].(map[string]any)
	_, hasGroup := spec["group"].(string)
	return manifest.IsDefinition(object) && hasGroup &&
		object["apiVersion"] == "apiextensions.k8s.io/v1"
}

// openAPIName returns the name of an OpenAPI document: that of the first kind
// that it describes, without the kind.
func openAPIName(document map[string]any) (string, error) {
	kinds, err := builtin.FromOpenAPI(document, "")
	if err != nil {
		return "", err
	}
	if len(kinds) == 0 {
		return "", errors.New("the OpenAPI document describes no kind that clients create")
	}
	return cmp.Or(kinds[0].Group, "core") + "." + kinds[0].Version + ".openapi", nil
}

// add adds a definition.
func (s *set) add(o manifest.Object) error {
	_, name := typemeta.Name(o.Content)
	if builtin.IsOpenAPI(o.Content) {
		var err error
		if name, err = openAPIName(o.Content); err != nil {
			return err
		}
	}
	if !crdName.MatchString(name) || len(name) > 253 {
		return fmt.Errorf("%q is no name of a definition", name)
	}
	text := o.Data
	if o.Item != "" || o.Content["status"] != nil {
		var err error
		if text, err = output.YAML(withoutServer(o.Content)); err != nil {
			return err
		}
	}
	text = append(bytes.TrimSpace(text), '\n')
	if s.size += len(text); s.size > maxSet {
		return fmt.Errorf("the source has more than %d bytes of definitions", maxSet)
	}
	if before, ok := s.texts[name]; ok && !bytes.Equal(before, text) {
		return fmt.Errorf("another %s is in %s: name one of them by a path", name, s.from[name])
	}
	s.texts[name], s.from[name] = text, o.File
	return nil
}

// withoutServer returns a definition without the fields that a server fills
// in. It shares parts with the argument.
func withoutServer(object map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range object {
		metadata, isMetadata := value.(map[string]any)
		switch {
		case key == "status":
		case key == "metadata" && isMetadata:
			kept := map[string]any{}
			for _, name := range []string{"name", "labels", "annotations"} {
				if metadata[name] != nil {
					kept[name] = metadata[name]
				}
			}
			if all, ok := kept["annotations"].(map[string]any); ok {
				kept["annotations"] = withoutApplied(all)
			}
			out[key] = kept
		default:
			out[key] = value
		}
	}
	return out
}

// withoutApplied returns annotations without the copy of the object that
// kubectl apply keeps.
func withoutApplied(annotations map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range annotations {
		if key != "kubectl.kubernetes.io/last-applied-configuration" {
			out[key] = value
		}
	}
	return out
}

// end returns an error if there is no definition.
func (s *set) end() error {
	switch {
	case len(s.texts) > 0:
		return nil
	case s.templates > 0:
		return errors.New("the definitions are in templates: render them to a folder, " +
			"e.g. by helm template, and name that")
	}
	return errors.New("there is no CustomResourceDefinition of apiextensions.k8s.io/v1")
}

// sums returns the SHA-256 of each definition.
func (s *set) sums() map[string]string {
	sums := map[string]string{}
	for name, text := range s.texts {
		sums[name] = sum(text)
	}
	return sums
}

// sum returns the SHA-256 of a text in hexadecimal digits.
func sum(text []byte) string {
	hash := sha256.Sum256(text)
	return strings.ToLower(hex.EncodeToString(hash[:]))
}
