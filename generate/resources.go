package generate

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/unstructured"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// Identity says what resource objects are of.
type Identity struct {
	// Group, Version and Kind make apiVersion and kind.
	Group, Version, Kind string
	// Namespaced tells that objects have a namespace.
	Namespaced bool
}

// Resources makes whole custom resources of one version: with apiVersion, kind and
// a name. What it calls valid, a validation.Validator accepts, and what it calls
// broken, one refuses at the told path: as the object is, and once its defaults are
// filled in. Nothing of a valid object is pruned. Validation rules are not looked at,
// so a server may refuse what is valid here by them. It is immutable and safe for
// concurrent use.
type Resources struct {
	schema    node
	identity  Identity
	validator *validation.Validator
}

// NewResources returns what makes the objects of a schema, an openAPIV3Schema as
// decoded JSON. The schema is kept and must not be changed any more. It fails as
// structural.FromMap does.
func NewResources(schema map[string]any, of Identity) (*Resources, error) {
	model, err := structural.FromMap(schema)
	if err != nil {
		return nil, err
	}
	return &Resources{schema: schema, identity: of, validator: validation.Compile(model)}, nil
}

// ParseResources returns what makes the objects of one version of a
// CustomResourceDefinition, given as JSON or YAML; an empty version stands for the
// one that is stored. It fails if the text is no definition, or has no such version
// or no schema for it.
func ParseResources(crd []byte, version string) (*Resources, error) {
	document, _, err := unstructured.DecodeObject(crd)
	if err != nil {
		return nil, err
	}
	spec, _ := document["spec"].(map[string]any)
	declared, _ := spec["names"].(map[string]any)
	of := Identity{Namespaced: spec["scope"] == "Namespaced"}
	of.Group, _ = spec["group"].(string)
	of.Kind, _ = declared["kind"].(string)
	if of.Group == "" || of.Kind == "" {
		return nil, errors.New("not a CustomResourceDefinition: it has no group or no kind")
	}
	schema, err := schemaOf(spec, version, &of)
	if err != nil {
		return nil, err
	}
	return NewResources(schema, of)
}

// schemaOf finds the schema of a version in a definition's spec, and sets the
// version in the identity.
func schemaOf(spec node, version string, of *Identity) (node, error) {
	for _, v := range list(spec["versions"]) {
		entry, _ := v.(node)
		name, _ := entry["name"].(string)
		if name != version && (version != "" || entry["storage"] != true) {
			continue
		}
		of.Version = name
		holder, ok := entry["schema"].(node)
		if !ok {
			holder, _ = spec["validation"].(node)
		}
		schema, ok := holder["openAPIV3Schema"].(node)
		if !ok {
			return nil, fmt.Errorf("version %q has no schema", name)
		}
		return schema, nil
	}
	if version == "" {
		return nil, errors.New("no version is stored")
	}
	return nil, fmt.Errorf("there is no version %q", version)
}

// Identity returns what resource the objects are of.
func (s *Resources) Identity() Identity { return s.identity }

// How often an object is made anew, and repaired, before Resources gives up.
const (
	maxAttempts   = 8
	maxRepairs    = 12
	maxErrors     = 512 // an object with more is not worth repairing
	repairsAtOnce = 32
)

// Valid makes a valid object; ok is false where it found none, as for a schema that
// no object keeps.
func (s *Resources) Valid(r *Rand) (object map[string]any, ok bool) {
	return s.made(&objects{r: r, kind: valid})
}

// Boundary makes a boundary object; ok is false where it found none.
func (s *Resources) Boundary(r *Rand) (object map[string]any, ok bool) {
	return s.made(&objects{r: r, kind: boundary})
}

// Wild makes an object with apiVersion, kind and a name that follows the schema at
// some places only.
func (s *Resources) Wild(r *Rand) map[string]any {
	o := &objects{r: r, kind: wild}
	object, _ := o.value(s.schema, 0).(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	s.identify(o, object)
	return object
}

// Update makes a valid object that differs from a valid one in a few places, in its
// values and not in its name; ok is false where it found none. The old object is not
// changed.
func (s *Resources) Update(r *Rand, old map[string]any) (object map[string]any, ok bool) {
	o := &objects{r: r, kind: valid}
	keep := func(changed map[string]any) {
		for _, name := range []string{"apiVersion", "kind", "metadata"} {
			delete(changed, name)
			if v, there := old[name]; there {
				changed[name] = Clone(v)
			}
		}
	}
	for range maxAttempts {
		changed, _ := Clone(old).(map[string]any)
		for range r.between(1, 3) {
			o.changed(s.schema, changed, 0)
		}
		if s.settled(o, changed, keep) && !equal(changed, old) {
			return changed, true
		}
	}
	return nil, false
}

// Broken makes a valid object and breaks one keyword of it, so that the validator
// refuses it at the told path; ok is false where it found nothing that can be broken.
func (s *Resources) Broken(r *Rand) (object map[string]any, broken Breakage, ok bool) {
	for range maxAttempts / 2 {
		base, ok := s.Valid(r)
		if !ok {
			return nil, Breakage{}, false
		}
		for range maxAttempts {
			object := Clone(base).(map[string]any)
			sites := sitesOf(s.schema, object, "", func(any) {}, nil)
			if len(sites) == 0 {
				break
			}
			chosen := anySite(r, sites)
			chosen.set(chosen.replace(r))
			if s.refuses(object, chosen.breakage) {
				return object, chosen.breakage, true
			}
		}
	}
	return nil, Breakage{}, false
}

// anySite returns one of the sites, of each keyword with the same probability.
func anySite(r *Rand, sites []site) site {
	keywords := map[string]any{}
	for i := range sites {
		keywords[sites[i].breakage.Keyword] = true
	}
	keyword := pick(r, names(keywords)...)
	var chosen []site
	for i := range sites {
		if sites[i].breakage.Keyword == keyword {
			chosen = append(chosen, sites[i])
		}
	}
	return chosen[r.Intn(len(chosen))]
}

// made makes objects until one is valid: each more sparse than the one before, and
// repaired where the validator finds errors.
func (s *Resources) made(o *objects) (object map[string]any, ok bool) {
	for attempt := range maxAttempts {
		o.sparse = float64(attempt) / (maxAttempts - 1)
		root, isMap := o.value(s.schema, 0).(map[string]any)
		if !isMap {
			continue
		}
		if s.settled(o, root, func(object map[string]any) { s.identify(o, object) }) {
			return root, true
		}
	}
	return nil, false
}

// judge returns what the validator finds in an object, as it is and once its defaults
// are filled in.
func (s *Resources) judge(object map[string]any) field.ErrorList {
	if errs := s.validator.Validate(object); len(errs) > 0 {
		return errs
	}
	filled, _ := Clone(object).(map[string]any)
	fill(s.schema, filled)
	return s.validator.Validate(filled)
}

// refuses reports whether the validator finds a breakage in an object, as it is and once
// its defaults are filled in.
func (s *Resources) refuses(object map[string]any, broken Breakage) bool {
	if !broken.among(s.validator.Validate(object)) {
		return false
	}
	filled, _ := Clone(object).(map[string]any)
	fill(s.schema, filled)
	return broken.among(s.validator.Validate(filled))
}

// fill gives the absent members of a value their defaults.
func fill(n node, v any) {
	switch v := v.(type) {
	case map[string]any:
		properties, _ := n["properties"].(node)
		additional, _ := n["additionalProperties"].(node)
		for name, declared := range properties {
			property, _ := declared.(node)
			if _, there := v[name]; !there && property["default"] != nil {
				v[name] = Clone(property["default"])
			}
		}
		for name, member := range v {
			if property, ok := properties[name].(node); ok {
				fill(property, member)
			} else if additional != nil {
				fill(additional, member)
			}
		}
	case []any:
		if items, ok := n["items"].(node); ok {
			for _, item := range v {
				fill(items, item)
			}
		}
	}
}

// settled repairs an object until the validator accepts it, and reports whether it does.
// What says which resource it is is restored before each look.
func (s *Resources) settled(o *objects, object map[string]any, restore func(map[string]any)) bool {
	for range maxRepairs {
		restore(object)
		errs := s.judge(object)
		if len(errs) == 0 {
			return true
		}
		if len(errs) > maxErrors || !o.repair(s.schema, object, errs[:min(len(errs), repairsAtOnce)]) {
			return false
		}
		o.sparse = min(1, o.sparse+0.1)
	}
	return false
}

// identify gives an object its apiVersion, kind, name and namespace.
func (s *Resources) identify(o *objects, object map[string]any) {
	object["apiVersion"] = s.identity.Group + "/" + s.identity.Version
	object["kind"] = s.identity.Kind
	metadata := map[string]any{"name": o.objectName(s.schema)}
	if s.identity.Namespaced {
		metadata["namespace"] = "default"
	}
	object["metadata"] = metadata
}

// objectName makes the name of an object: one that the schema allows, where it says
// anything of names and the server allows what was found.
func (o *objects) objectName(schema node) string {
	properties, _ := schema["properties"].(node)
	metadata, _ := properties["metadata"].(node)
	of, _ := metadata["properties"].(node)
	if asked, ok := of["name"].(node); ok {
		for range maxAttempts {
			if name, _ := o.value(asked, 0).(string); isName(name) {
				return name
			}
		}
	}
	return pick(o.r, "a", "example", "my-object", "x.y") + pick(o.r, "", "-1", "2")
}

// isName reports whether a text is a name that every resource may have.
func isName(s string) bool {
	if s == "" || len(s) > 63 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return false
	}
	return s[0] != '-' && s[len(s)-1] != '-'
}

// among reports whether errors tell of a breakage: at its path, and of the type that
// its keyword leads to.
func (b Breakage) among(errs field.ErrorList) bool {
	kind, ok := errorTypes[b.Keyword]
	if !ok {
		kind = field.ErrorTypeInvalid
	}
	for _, err := range errs {
		if err.Field == b.Path && err.Type == kind && strings.Contains(err.Detail, details[b.Keyword]) {
			return true
		}
	}
	return false
}

// errorTypes are the types of the errors of keywords, where it is not Invalid.
var errorTypes = map[string]field.ErrorType{
	"type": field.ErrorTypeTypeInvalid, "required": field.ErrorTypeRequired, "enum": field.ErrorTypeNotSupported,
	"maxLength": field.ErrorTypeTooLong, "maxItems": field.ErrorTypeTooMany, "maxProperties": field.ErrorTypeTooMany,
	"x-kubernetes-list-type": field.ErrorTypeDuplicate,
}

// details are parts of the texts of errors that tell keywords of one type apart.
var details = map[string]string{
	"minimum": "greater than", "maximum": "less than", "multipleOf": "a multiple of", "pattern": "should match",
	"minLength": "at least", "minItems": "at least", "minProperties": "at least",
}
