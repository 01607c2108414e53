package builtin

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// nameRules are the rules for names by their words in enforcement.txt.
var nameRules = map[string]metadata.NameRule{
	"":        metadata.Subdomain(),
	"segment": metadata.PathSegment(),
	"label": {
		Whole: validation.IsDNS1123Label, Prefix: prefixOf(validation.IsDNS1123Label), Rule: "META-021",
	},
	"label1035": {
		Whole: validation.IsDNS1035Label, Prefix: prefixOf(validation.IsDNS1035Label), Rule: "META-021",
	},
}

// prefixOf returns the rule for a generateName, which may end with a dash.
func prefixOf(whole func(string) []string) func(string) []string {
	return func(prefix string) []string {
		if len(prefix) > 1 && strings.HasSuffix(prefix, "-") {
			prefix = strings.TrimSuffix(prefix, "-") + "a"
		}
		return whole(prefix)
	}
}

// metadataErrors validates the metadata of an object, which must be of the
// right types. Its namespace is that of the request, as for kubectl.
func (k *Kind) metadataErrors(object map[string]any) field.ErrorList {
	rule, known := nameRules[enforced().names[k.GroupKind]]
	if !known {
		return nil // objects of the kind need no name
	}
	meta, _ := object["metadata"].(map[string]any)
	meta = maps.Clone(meta)
	if meta == nil {
		meta = map[string]any{}
	}
	delete(meta, "generation") // a server sets it
	scope := metadata.Namespaced
	if !k.Namespaced {
		scope = metadata.ClusterScoped
		delete(meta, "namespace")
	} else if meta["namespace"] == nil || meta["namespace"] == "" {
		meta["namespace"] = "default"
	}
	base, _ := meta["generateName"].(string)
	if name, _ := meta["name"].(string); base != "" && name == "" {
		meta["name"] = strings.TrimSuffix(base, "-") + "-a"
	}
	return metadata.ValidateCreate(map[string]any{"metadata": meta}, scope, rule,
		profile.Named(k.minor.String()))
}

// labelsErrors returns the errors of labels, or of a selector of such. Values
// that are no strings are left to the validator.
func labelsErrors(value any, at *field.Path) field.ErrorList {
	labels, ok := texts(value)
	if !ok {
		return nil
	}
	return moved(metadata.ValidateLabels(labels, profile.Latest()), at)
}

// annotationsErrors is like labelsErrors for annotations.
func annotationsErrors(value any, at *field.Path) field.ErrorList {
	annotations, ok := texts(value)
	if !ok {
		return nil
	}
	return moved(metadata.ValidateAnnotations(annotations, "annotations", profile.Latest()), at)
}

// texts returns a map whose values are all strings.
func texts(value any) (out map[string]any, ok bool) {
	out, ok = value.(map[string]any)
	for _, value := range out {
		if _, isText := value.(string); !isText {
			return nil, false
		}
	}
	return out, ok
}

// moved gives errors another field.
func moved(errs field.ErrorList, at *field.Path) field.ErrorList {
	for _, err := range errs {
		err.Field = at.String()
	}
	return errs
}

// hasErrorIn reports whether an error is about a field or what is below it.
func hasErrorIn(errs field.ErrorList, name string) bool {
	return slices.ContainsFunc(errs, func(err *field.Error) bool {
		rest, ok := strings.CutPrefix(err.Field, name)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}
