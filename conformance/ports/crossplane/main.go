// Command crossplane answers the op admit, for creates, with the package that
// "crossplane beta validate" runs. It says whether an object is accepted, and
// the text of the command if not.
package main

import (
	"bytes"

	"github.com/crossplane/crossplane/cmd/crank/beta/validate"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/conformance/ports/internal/adapter"
)

func main() { adapter.Serve("crossplane", "admit", adapter.Creating(create)) }

// create judges an object by the definition.
func create(r *adapter.Request) adapter.Answer {
	crd, object := &v1.CustomResourceDefinition{}, &unstructured.Unstructured{}
	if err := yaml.Unmarshal(adapter.Document(r.CRD), crd); err != nil {
		return adapter.Fault(err)
	}
	if err := yaml.Unmarshal(adapter.Document(r.Object), &object.Object); err != nil {
		return adapter.Refused("decode", err.Error())
	}
	var out bytes.Buffer
	err := validate.SchemaValidation([]*unstructured.Unstructured{object},
		[]*v1.CustomResourceDefinition{crd}, true, true, &out)
	if err != nil {
		return adapter.Refused("invalid", out.String()+err.Error())
	}
	return adapter.Admitted(object.Object)
}
