package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/definition"
)

// listType looks for lists that are atomic by default only: two appliers
// overwrite each other's items.
func (w *walk) listType(n *node) {
	items, _ := n.doc["items"].(map[string]any)
	if _, has := n.doc["x-kubernetes-list-type"]; has {
		return
	}
	if items["type"] == "string" && strings.HasSuffix(n.at, ".properties[finalizers]") {
		w.add("LINT-listtype", n.at, "set `x-kubernetes-list-type: set`",
			"the list has no x-kubernetes-list-type, and each controller adds its finalizer: "+
				"server-side apply replaces the whole list")
		return
	}
	key, isRequired := keyOf(n.at, items)
	if items["type"] != "object" || key == "" {
		return
	}
	hint := fmt.Sprintf("set `x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys: "+
		"[%s]`, or `x-kubernetes-list-type: atomic` if that is meant", key)
	if !isRequired {
		hint = fmt.Sprintf("require %s in the items, set `x-kubernetes-list-type: map` and "+
			"`x-kubernetes-list-map-keys: [%s]`, or `x-kubernetes-list-type: atomic` if that is "+
			"meant", key, key)
	}
	w.add("LINT-listtype", n.at, hint,
		"the list has no x-kubernetes-list-type, and its items look as if %s identified them: "+
			"server-side apply replaces the whole list", key)
}

// shared are lists that several controllers write an item each of, with the
// field that identifies an item, and fields that such an item has.
var shared = []struct {
	list, key string
	others    []string
}{
	{"conditions", "type", []string{"status", "lastTransitionTime"}},
	{"ownerReferences", "uid", []string{"kind", "name"}},
	{"", "controllerName", []string{"conditions"}},
}

// keyOf returns the property that identifies an item: that of a list which
// several controllers write, or a name that is required, if nothing else in the
// item says that it names another object. Otherwise it returns an empty string.
// isRequired reports whether the items require it.
func keyOf(at string, items map[string]any) (key string, isRequired bool) {
	properties, _ := items["properties"].(map[string]any)
	requires := func(name string) bool { return slices.Contains(texts(items["required"]), name) }
	isKey := func(name string) bool {
		property, _ := properties[name].(map[string]any)
		return property["type"] == "string" && property["nullable"] != true
	}
	for _, s := range shared {
		isOther := func(name string) bool { return properties[name] != nil }
		if (s.list == "" || strings.HasSuffix(at, ".properties["+s.list+"]")) && isKey(s.key) &&
			slices.ContainsFunc(s.others, isOther) {
			return s.key, requires(s.key)
		}
	}
	if repeating.MatchString(at) {
		return "", false
	}
	for _, other := range parts {
		if _, has := properties[other]; has {
			return "", false
		}
	}
	if isKey("name") && requires("name") {
		return "name", true
	}
	return "", false
}

// repeating matches lists whose items may share a name, e.g. of HTTP headers,
// or name other objects.
var repeating = regexp.MustCompile(
	`(?i)(headers(to\w+)?|refs|mounts|args|match(es|ers)?|selectors?|secrets|configmaps)\]$`)

// parts are properties of items whose name is not the whole identity, or is
// that of another object.
var parts = []string{
	"apiGroup", "apiVersion", "group", "kind", "namespace", "sectionName", "key", "port", "ref",
	"resource", "type", "version", "uid",
}

// shareOfLimit is the part of its limit from which the cost of a rule counts.
const shareOfLimit = 0.01

// share returns a part in words, e.g. "20 % of" or "4000 times".
func share(part float64) string {
	if part > 100 {
		return fmt.Sprintf("%.0f times", part)
	}
	return fmt.Sprintf("%.0f %% of", part*100)
}

// bounds looks for the lists and maps without a bound that the cost of a rule
// depends on, each once. at is the path of the version's schema.
func (w *walk) bounds(version *definition.Version, at string) error {
	if version == nil {
		return nil
	}
	costs, err := check.Costs(w.ctx, version.Schema(), check.Bounds())
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range costs {
		c := &costs[i]
		if c.ShareOfRuleLimit < shareOfLimit {
			continue
		}
		for _, m := range c.Missing {
			if m.Keyword == "maxLength" || seen[m.Path] {
				continue
			}
			seen[m.Path] = true
			path := at + strings.TrimPrefix(m.Path, "openAPIV3Schema")
			w.add("LINT-bound", path, fmt.Sprintf("set `%s` to what is needed", m.Keyword),
				"there is no %s, and the rule %s.x-kubernetes-validations[%d] "+
					"counts every element: it takes %s its limit", m.Keyword,
				at+strings.TrimPrefix(c.Path, "openAPIV3Schema"), c.Index,
				share(c.ShareOfRuleLimit))
		}
	}
	return nil
}
