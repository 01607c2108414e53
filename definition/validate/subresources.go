package validate

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

const simplePath = "must be a simple json path starting with ."

// subresources checks the paths of the scale subresource (CRD-060).
func (c *checker) subresources(s *crd.CustomResourceSubresources, path *field.Path) {
	if s == nil || s.Scale == nil {
		return
	}
	below := func(name, value, under string) {
		at := path.Child("scale." + name)
		switch {
		case value == "":
			c.required("CRD-060", at, "")
		case value[0] != '.':
			c.invalid("CRD-060", at, value, simplePath)
		case !strings.HasPrefix(value, under+"."):
			c.invalid("CRD-060", at, value, "should be a json path under "+under)
		}
	}
	below("specReplicasPath", s.Scale.SpecReplicasPath, ".spec")
	below("statusReplicasPath", s.Scale.StatusReplicasPath, ".status")
	selector := s.Scale.LabelSelectorPath
	at := path.Child("scale.labelSelectorPath")
	switch {
	case selector == nil || *selector == "":
	case (*selector)[0] != '.':
		c.invalid("CRD-060", at, *selector, simplePath)
	case !strings.HasPrefix(*selector, ".spec.") && !strings.HasPrefix(*selector, ".status."):
		c.invalid("CRD-060", at, selector, "should be a json path under either .spec or .status")
	}
}
