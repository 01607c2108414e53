package server

import (
	"cmp"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/crdsem/crdsem"
)

// The bodies of server-side apply to kinds that no definition defines: built-in
// ones, and scales. The library decodes those of custom resources.

// encodable refuses a body before the stored object is read: the server's log
// has every patch as JSON.
func (r *request) encodable() error {
	if _, err := yaml.ToJSON(r.body); err != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("error encoding patch: %v", err))
	}
	return nil
}

// configuration decodes the body of an apply. It is YAML, whatever its first
// letter.
func (r *request) configuration() (map[string]any, error) {
	object, _, err := crdsem.YAML.Decode(r.body)
	if err == nil {
		return object, nil
	}
	object = nil
	if err := yaml.Unmarshal(r.body, &object); err != nil { // has the server's text
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	return object, nil
}

// strictApply refuses or warns of repeated keys of a configuration.
func (r *request) strictApply(level string) error {
	if level == string(crdsem.Ignore) {
		return nil
	}
	err := yaml.UnmarshalStrict(r.body, &map[string]any{})
	if err == nil {
		return nil
	}
	if level == string(crdsem.Strict) {
		return apierrors.NewBadRequest(fmt.Sprintf("error strict decoding patch: %v", err))
	}
	head, lines, _ := strings.Cut(err.Error(), "\n")
	var texts []string
	for line := range strings.Lines(cmp.Or(lines, head)) {
		texts = append(texts, strings.TrimSpace(line))
	}
	r.warn(texts...)
	return nil
}
