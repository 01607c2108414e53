package skew

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// Comparison is what the servers of several minors say about a definition and
// objects of it.
type Comparison struct {
	// Definition has the verdict about a create of the definition.
	Definition Verdicts
	// Objects has the verdicts about a create of each object, in the order of
	// the objects. An object is judged even where its definition is refused, as
	// if an older server had accepted that.
	Objects []Verdicts
}

// Verdicts are verdicts about one thing, one for each minor, the oldest first.
type Verdicts []Verdict

// Verdict is what the server of one minor says.
type Verdict struct {
	Kubernetes minors.Minor
	// Err is nil if and only if the thing is accepted.
	Err error
	// Errors are the reasons, if there are any with a field.
	Errors field.ErrorList
}

// Accepted reports whether the thing is accepted.
func (v *Verdict) Accepted() bool { return v.Err == nil }

// Compare returns what the servers of minors say about a definition, as YAML or
// JSON, and about new objects of it, which are not changed. Without minors the
// newest one is asked. The error is that of crdsem.Parse, or of an object whose
// version the definition does not serve, or of the context.
//
// What the minors have in common is compiled once.
func Compare(
	ctx context.Context, crd []byte, in []minors.Minor, objects ...map[string]any,
) (*Comparison, error) {
	if len(in) == 0 {
		in = []minors.Minor{minors.Newest()}
	}
	out := &Comparison{Objects: make([]Verdicts, len(objects))}
	var cache crdsem.Cache
	var first *definition.CRD
	for _, minor := range in {
		var err error
		if first == nil {
			if first, _, err = definition.Parse(crd, structural.Kubernetes(minor)); err != nil {
				return nil, err
			}
		}
		decoded := first.In(minor)
		found := validate.Create(ctx, decoded.ForCreate(), structural.InCache(&cache))
		if found.Err != nil {
			return nil, found.Err
		}
		out.Definition = append(out.Definition,
			Verdict{minor, found.Errors.ToAggregate(), found.Errors})
		if len(objects) == 0 {
			continue
		}
		def, err := crdsem.Compile(decoded, crdsem.InCache(&cache))
		if err != nil {
			return nil, err
		}
		for i, object := range objects {
			verdict, err := judge(ctx, def, object)
			if err != nil {
				return nil, fmt.Errorf("object %d: %w", i, err)
			}
			out.Objects[i] = append(out.Objects[i], verdict)
		}
	}
	return out, nil
}

// judge returns the verdict about a create of an object in its own version.
func judge(ctx context.Context, d *crdsem.Definition, object map[string]any) (Verdict, error) {
	apiVersion, _ := object["apiVersion"].(string)
	name := apiVersion[strings.LastIndexByte(apiVersion, '/')+1:]
	version, err := d.Version(name)
	if err != nil {
		return Verdict{}, err
	}
	result := version.Create(ctx, object)
	if err := ctx.Err(); err != nil {
		return Verdict{}, err
	}
	return Verdict{d.Kubernetes(), result.Err(), result.Errors}, nil
}
