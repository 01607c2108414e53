package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/merge/apply"
)

// Definition is a CustomResourceDefinition that requests can be sent to. It is
// immutable and safe for concurrent use. Definitions come from [New], [Parse]
// and [ReadFiles].
type Definition struct {
	definition *crdsem.Definition
	warnings   []string
}

// New creates a definition as a server does: it is defaulted and validated. The
// argument is not changed. Server-side apply is on. The options are those of
// [crdsem.Parse], e.g. a [crdsem.ConversionWebhook].
//
// If the server refuses the definition, the error is a *apierrors.StatusError,
// e.g. Invalid with the causes. A definition that a server has stored is not
// refused as a new one, see [Definition.Warnings]: its status says that it is
// established, or the option [crdsem.Stored] says so. Apart from that its
// status does not count.
func New(
	crd *apiextensionsv1.CustomResourceDefinition, options ...crdsem.DefinitionOption,
) (*Definition, error) {
	if crd == nil {
		return nil, fmt.Errorf("no definition was given: the argument is nil")
	}
	complete := *crd
	complete.TypeMeta.APIVersion = apiextensionsv1.SchemeGroupVersion.String()
	complete.TypeMeta.Kind = "CustomResourceDefinition"
	text, err := json.Marshal(&complete)
	if err != nil {
		return nil, fmt.Errorf("encoding the definition %s: %w", crd.Name, err)
	}
	return Parse(text, options...)
}

// Parse is like [New] for the YAML or JSON of one definition, of
// apiextensions.k8s.io/v1 or v1beta1.
func Parse(text []byte, options ...crdsem.DefinitionOption) (*Definition, error) {
	crd, _, err := definition.Parse(text)
	return created(crd, err, options)
}

// created compiles a definition as a server creates it. err is the error of
// decoding it.
func created(
	crd *definition.CRD, err error, options []crdsem.DefinitionOption,
) (*Definition, error) {
	if err != nil {
		const frame = "CustomResourceDefinition in version %q cannot be handled as a " +
			"CustomResourceDefinition: %v"
		return nil, apierrors.NewBadRequest(fmt.Sprintf(frame, "v1", err))
	}
	judge := validate.Create
	if crd.IsEstablished() || crdsem.IsStored(options...) {
		judge = validate.Stored
	}
	crd = crd.ForCreate()
	result := judge(context.Background(), crd)
	if len(result.Errors) > 0 {
		kind := schema.GroupKind{
			Group: apiextensionsv1.GroupName,
			Kind:  "CustomResourceDefinition",
		}
		return nil, apierrors.NewInvalid(kind, crd.Name(), result.Errors)
	}
	withApply := []crdsem.DefinitionOption{apply.Server()}
	compiled, err := crdsem.Compile(crd, append(withApply, options...)...)
	if err != nil {
		return nil, fmt.Errorf("definition %s: %w", crd.Name(), err)
	}
	warnings := result.Warnings
	for _, err := range result.AsNew {
		warnings = append(warnings, "refused if it were new: "+err.Error())
	}
	return &Definition{compiled, warnings}, nil
}

// Warnings returns the server's warnings about the definition. For one that a
// server has stored they include the errors with which a server refuses it as a
// new one.
func (d *Definition) Warnings() []string { return slices.Clone(d.warnings) }

// Untyped returns the definition for requests with objects of type
// map[string]any and for bytes. It also has [crdsem.Definition.Model], and
// [crdsem.Definition.Convert], which converts without reading.
func (d *Definition) Untyped() *crdsem.Definition { return d.definition }

// Version returns a served version, e.g. v1, compiled. It fails as
// [crdsem.Definition.Version] does.
func (d *Definition) Version(name string) (*Version, error) {
	v, err := d.definition.Version(name)
	if err != nil {
		return nil, err
	}
	return &Version{version: v, kind: d.definition.Model().Names().Kind}, nil
}

// Store is [crdsem.Definition.Store]. The object says its apiVersion, as that
// of a [Result] does. The result is what [Version.Read] and the other verbs
// take as the stored object.
func (d *Definition) Store(ctx context.Context, object any) *Result {
	admitted, err := Untype(object)
	if err != nil {
		return failed(err)
	}
	return &Result{Result: d.definition.Store(ctx, admitted)}
}
