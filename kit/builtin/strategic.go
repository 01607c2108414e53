package builtin

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Directives of a strategic merge patch.
const (
	patchDirective  = "$patch"
	retainDirective = "$retainKeys"
	orderPrefix     = "$setElementOrder/"
	deletePrefix    = "$deleteFromPrimitiveList/"
)

// StrategicMerge returns an object after a strategic merge patch, as a server
// and kustomize apply it: lists of the kind are merged by the keys that
// Kubernetes publishes, e.g. containers by their names, and the directives
// $patch, $retainKeys and $deleteFromPrimitiveList are followed. A merged list
// has the order of kustomize, which can differ from that of a server: the items
// of the patch come first. The directive $setElementOrder is an error.
//
// A nil Kind stands for a kind whose lists have no keys, as all lists of custom
// resources. The arguments are not changed; the result may share parts of them.
func (k *Kind) StrategicMerge(object, patch map[string]any) (map[string]any, error) {
	m := merger{}
	at := &mergeNode{}
	if k != nil {
		m.record, m.bit = k.record, k.bit
		at = &mergeNode{Ref: k.model}
	}
	return m.object(object, patch, at)
}

// mergeNode is what a published schema says about merging.
type mergeNode struct {
	Ref        string                `json:"$ref"`
	AllOf      []mergeNode           `json:"allOf"`
	Properties map[string]*mergeNode `json:"properties"`
	Items      *mergeNode            `json:"items"`
	Additional json.RawMessage       `json:"additionalProperties"`
	Key        string                `json:"x-kubernetes-patch-merge-key"`
	Strategy   string                `json:"x-kubernetes-patch-strategy"`
}

// mergeModels are the models that were read, by their minors and names.
var mergeModels sync.Map

type mergeModel struct {
	record *record
	bit    uint64
	name   string
}

// merger merges objects of the models of a minor.
type merger struct {
	record *record
	bit    uint64
}

// resolve returns the model that a node refers to, else the node.
func (m merger) resolve(at *mergeNode) *mergeNode {
	if at == nil {
		return &mergeNode{}
	}
	name := at.Ref
	if len(at.AllOf) == 1 {
		name = at.AllOf[0].Ref
	}
	if name == "" || m.record == nil {
		return at
	}
	key := mergeModel{m.record, m.bit, name}
	if known, ok := mergeModels.Load(key); ok {
		return known.(*mergeNode)
	}
	read := &mergeNode{}
	if err := json.Unmarshal([]byte(m.record.model(name, m.bit)), read); err != nil {
		read = &mergeNode{}
	}
	mergeModels.Store(key, read)
	return read
}

// child returns the node of a member.
func (m merger) child(at *mergeNode, key string) *mergeNode {
	if property := at.Properties[key]; property != nil {
		return property
	}
	below := &mergeNode{}
	if len(at.Additional) > 0 && at.Additional[0] == '{' {
		if err := json.Unmarshal(at.Additional, below); err != nil {
			below = &mergeNode{}
		}
	}
	return below
}

func (m merger) object(
	object, patch map[string]any, at *mergeNode,
) (map[string]any, error) {
	switch directive := patch[patchDirective]; directive {
	case nil:
	case "replace":
		out := maps.Clone(patch)
		delete(out, patchDirective)
		return out, nil
	case "delete":
		return map[string]any{}, nil
	default:
		return nil, fmt.Errorf("%s of a map is replace or delete, and not %v",
			patchDirective, directive)
	}
	out := maps.Clone(object)
	if out == nil {
		out = map[string]any{}
	}
	if err := retain(out, patch); err != nil {
		return nil, err
	}
	at = m.resolve(at)
	for _, key := range jsonvalue.SortedKeys(patch) {
		if err := m.member(out, key, patch[key], at); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// member merges a member of a patch into an object.
func (m merger) member(out map[string]any, key string, value any, at *mergeNode) error {
	if name, ok := strings.CutPrefix(key, deletePrefix); ok {
		gone, _ := value.([]any)
		if list, ok := out[name].([]any); ok {
			out[name] = slices.DeleteFunc(slices.Clone(list), func(item any) bool {
				return contains(gone, item)
			})
		}
		return nil
	}
	switch {
	case key == retainDirective:
		return nil
	case strings.HasPrefix(key, orderPrefix):
		return fmt.Errorf("the directive %q is not followed: leave it out", key)
	case value == nil:
		delete(out, key)
		return nil
	}
	below := m.child(at, key)
	switch before := out[key].(type) {
	case map[string]any:
		if part, ok := value.(map[string]any); ok {
			if below.Strategy == "replace" {
				out[key] = part
				return nil
			}
			merged, err := m.object(before, part, below)
			out[key] = merged
			return within(key, err)
		}
	case []any:
		if items, ok := value.([]any); ok {
			if !slices.Contains(strings.Split(below.Strategy, ","), "merge") {
				out[key] = items
				return nil
			}
			merged, err := m.list(before, items, below)
			out[key] = merged
			return within(key, err)
		}
	}
	if plain, keep := withoutDirectives(value); keep {
		out[key] = plain
	} else {
		delete(out, key)
	}
	return nil
}

// within returns an error with the key of the member that it is about.
func within(key string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", key, err)
}

// list merges two lists, by the merge key of their items or as sets.
func (m merger) list(before, items []any, at *mergeNode) ([]any, error) {
	out := slices.Clone(before)
	if at.Key == "" {
		out = slices.DeleteFunc(out, func(item any) bool { return contains(items, item) })
		return slices.Concat(distinct(items), out), nil
	}
	var added []map[string]any
	isReplaced := false
	for _, item := range items {
		part, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("an item of the list is no object: %v", item)
		}
		directive, has := part[patchDirective]
		switch {
		case !has:
			added = append(added, part)
		case directive == "replace":
			isReplaced = true
		case directive == "delete" && part[at.Key] != nil:
			out = slices.DeleteFunc(out, func(item any) bool { return hasKey(item, part, at.Key) })
		case directive == "delete":
			return nil, fmt.Errorf("an item with %s has no %s", patchDirective, at.Key)
		default:
			return nil, fmt.Errorf("%s of an item is replace or delete, and not %v",
				patchDirective, directive)
		}
	}
	if isReplaced {
		out = out[:0]
	}
	var first []any // those of the patch
	for _, part := range added {
		if part[at.Key] == nil && !isReplaced {
			return nil, fmt.Errorf("an item has no %s, by which the list is merged", at.Key)
		}
		isLike := func(item any) bool { return hasKey(item, part, at.Key) }
		if i := slices.IndexFunc(out, isLike); i >= 0 {
			first, out = append(first, out[i]), slices.Delete(out, i, i+1)
		}
		i := slices.IndexFunc(first, isLike)
		if i < 0 || isReplaced {
			first = append(first, part)
			continue
		}
		own, _ := first[i].(map[string]any)
		merged, err := m.object(own, part, at.Items)
		if err != nil {
			return nil, err
		}
		first[i] = merged
	}
	return append(first, out...), nil
}

// distinct returns a list without the items that it has before.
func distinct(items []any) (out []any) {
	for _, item := range items {
		if !contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}

// hasKey reports whether an item has the value of another one for a key.
func hasKey(item any, like map[string]any, key string) bool {
	object, ok := item.(map[string]any)
	return ok && jsonvalue.Equal(object[key], like[key])
}

func contains(list []any, value any) bool {
	return slices.ContainsFunc(list, func(item any) bool { return jsonvalue.Equal(item, value) })
}

// retain removes the members of an object that $retainKeys of a patch does not
// name.
func retain(out, patch map[string]any) error {
	value, has := patch[retainDirective]
	if !has {
		return nil
	}
	names, ok := value.([]any)
	if !ok {
		return fmt.Errorf("%s is no list", retainDirective)
	}
	for _, key := range jsonvalue.SortedKeys(patch) {
		if patch[key] != nil && !strings.HasPrefix(key, "$") && !contains(names, key) {
			return fmt.Errorf("%s does not have %q, which the patch sets", retainDirective, key)
		}
	}
	maps.DeleteFunc(out, func(key string, _ any) bool { return !contains(names, key) })
	return nil
}

// withoutDirectives returns a value of a patch that nothing is merged into:
// without nulls and without the objects that have a directive. keep is false if
// it is one itself.
func withoutDirectives(value any) (plain any, keep bool) {
	switch v := value.(type) {
	case map[string]any:
		if _, has := v[patchDirective]; has {
			return nil, false
		}
		out := make(map[string]any, len(v))
		for key, item := range v {
			if plain, keep := withoutDirectives(item); keep && item != nil {
				out[key] = plain
			}
		}
		return out, true
	case []any:
		out := make([]any, 0, len(v))
		for _, item := range v {
			if plain, keep := withoutDirectives(item); keep {
				out = append(out, plain)
			}
		}
		return out, true
	}
	return value, true
}
