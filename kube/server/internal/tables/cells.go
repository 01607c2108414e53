package tables

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/duration"
)

// row is an object whose row is made.
type row struct {
	object map[string]any
	list   []any // of the object, nil if it is shown alone
	now    time.Time
	made   any // what several cells are made of, e.g. the object as its Go type
}

// call makes the cells of a column: a function and its arguments.
type call struct {
	function  func(*row, *call) any
	words     []string
	paths     [][]string // the words as paths
	otherwise string     // the cell without a value
}

// newCall returns the call of a text like "text .spec.type else <none>".
func newCall(text string) call {
	text, otherwise, _ := strings.Cut(text, " else ")
	words := strings.Fields(text)
	c := call{function: functions[words[0]], words: words[1:], otherwise: otherwise}
	for _, word := range c.words {
		c.paths = append(c.paths, strings.Split(strings.TrimPrefix(word, "."), "."))
	}
	return c
}

// functions are the functions of cells by their names in the table of columns.
var functions = map[string]func(*row, *call) any{
	"accessModes": accessModes, "age": age, "balancers": of(balancers), "bool": boolean,
	"claimAccessModes": claimAccessModes, "claimCapacity": claimCapacity,
	"className": className, "classParameters": classParameters, "count": count, "deploymentSelector": deploymentSelector,
	"each": each, "endpoints": of(endpoints), "established": established, "eventCount": of(eventCount),
	"eventFirstSeen": eventFirstSeen, "eventLastSeen": eventLastSeen,
	"eventObject": of(eventObject), "eventSource": of(eventSource), "first": first,
	"given": given, "ingressHosts": of(ingressHosts), "ingressPorts": ingressPorts,
	"int": integer, "jobCompletions": of(jobCompletions), "jobDuration": jobDuration,
	"jobStatus": of(jobStatus), "join": join, "labels": labelsOf, "list": list,
	"nodeExternalIP": of(nodeExternalIP), "nodeInternalIP": of(nodeInternalIP),
	"nodeRoles": of(nodeRoles), "nodeStatus": of(nodeStatus), "phase": phase,
	"podGates": podGates, "podIP": podIP, "podReady": podReady,
	"podRestarts": podRestarts, "podStatus": podStatus, "ratio": ratio,
	"scalerTargets": of(scalerTargets), "selector": selector,
	"servedVersions": servedVersions, "serviceExternalIP": of(serviceExternalIP), "servicePorts": of(servicePorts),
	"sliceEndpoints": of(sliceEndpoints), "slicePorts": of(slicePorts),
	"storageClass": storageClass, "subjects": subjects, "text": text, "title": title,
	"trimmed": trimmed, "volumeClaim": volumeClaim,
}

// typed returns the object of a row as its Go type.
func typed[T any](r *row) *T {
	if known, ok := r.made.(*T); ok {
		return known
	}
	out := new(T)
	// a stored object has the form of its type
	_ = runtime.DefaultUnstructuredConverter.FromUnstructured(r.object, out)
	r.made = out
	return out
}

// of returns a function of cells that are made of the object as its Go type.
func of[T any](function func(*T) any) func(*row, *call) any {
	return func(r *row, _ *call) any { return function(typed[T](r)) }
}

// at returns the value of a path, nil without one.
func (r *row) at(path []string) any {
	value, _, _ := unstructured.NestedFieldNoCopy(r.object, path...) // no value
	return value
}

// text returns a string that is not empty.
func text(r *row, c *call) any {
	if value, _ := r.at(c.paths[0]).(string); value != "" {
		return value
	}
	return c.otherwise
}

// trimmed returns a string without the space around it.
func trimmed(r *row, c *call) any {
	value, _ := r.at(c.paths[0]).(string)
	return strings.TrimSpace(value)
}

// given returns a value as a string.
func given(r *row, c *call) any {
	if value := r.at(c.paths[0]); value != nil {
		return fmt.Sprint(value)
	}
	return c.otherwise
}

// title returns a boolean with an upper-case letter.
func title(r *row, c *call) any {
	switch r.at(c.paths[0]) {
	case true:
		return "True"
	case false:
		return "False"
	}
	return c.otherwise
}

func boolean(r *row, c *call) any {
	value, _ := r.at(c.paths[0]).(bool)
	return value
}

func integer(r *row, c *call) any {
	value, _ := r.at(c.paths[0]).(int64)
	return value
}

// ratio returns two integers like 1/2.
func ratio(r *row, c *call) any {
	part, _ := r.at(c.paths[0]).(int64)
	whole, _ := r.at(c.paths[1]).(int64)
	return fmt.Sprintf("%d/%d", part, whole)
}

// count returns how many values some lists and maps have.
func count(r *row, c *call) any {
	n := 0
	for _, path := range c.paths {
		switch value := r.at(path).(type) {
		case []any:
			n += len(value)
		case map[string]any:
			n += len(value)
		}
	}
	return int64(n)
}

// age returns how long ago a time is.
func age(r *row, c *call) any {
	value, _ := r.at(c.paths[0]).(string)
	at, err := time.Parse(time.RFC3339, value)
	if err != nil || at.IsZero() {
		return c.otherwise
	}
	return since(r.now, at)
}

// since returns how long before now a time is.
func since(now, at time.Time) string {
	if at.IsZero() {
		return "<unknown>"
	}
	return duration.HumanDuration(now.Sub(at))
}

// first returns the first string of a list.
func first(r *row, c *call) any {
	if list, _ := r.at(c.paths[0]).([]any); len(list) > 0 {
		return list[0]
	}
	return c.otherwise
}

// each returns the strings of a list, or of a field of its items.
func each(r *row, c *call) any {
	list, _ := r.at(c.paths[0]).([]any)
	all := make([]string, len(list))
	for i, item := range list {
		if fields, ok := item.(map[string]any); ok && len(c.paths) > 1 {
			item = fields[c.paths[1][0]]
		}
		all[i], _ = item.(string)
	}
	return strings.Join(all, ",")
}

// join returns strings with a separator between them.
func join(r *row, c *call) any {
	var all []string
	for _, path := range c.paths[1:] {
		value, ok := r.at(path).(string)
		if !ok && c.otherwise != "" {
			return c.otherwise
		}
		all = append(all, value)
	}
	return strings.Join(all, c.words[0])
}

// labelsOf returns labels like a=b,c=d.
func labelsOf(r *row, c *call) any {
	set, _, _ := unstructured.NestedStringMap(r.object, c.paths[0]...) // no labels
	return labels.FormatLabels(set)
}

// selector returns a selector of labels, e.g. a=b,c in (d).
func selector(r *row, c *call) any {
	return v1.FormatLabelSelector(r.selector(c.paths[0]))
}

// selector returns a selector of labels, nil without one.
func (r *row) selector(path []string) *v1.LabelSelector {
	fields, ok := r.at(path).(map[string]any)
	if !ok {
		return nil
	}
	out := &v1.LabelSelector{}
	// a stored object has the form of its type
	_ = runtime.DefaultUnstructuredConverter.FromUnstructured(fields, out)
	return out
}

// deploymentSelector is selector for a deployment: nothing for no labels.
func deploymentSelector(r *row, _ *call) any {
	out, err := v1.LabelSelectorAsSelector(r.selector([]string{"spec", "selector"}))
	if err != nil {
		return "<invalid>"
	}
	return out.String()
}

// list returns the strings of a list.
func list(r *row, c *call) any {
	all, _, _ := unstructured.NestedStringSlice(r.object, c.paths[0]...)
	return strings.Join(all, ",")
}

// servedVersions returns the sorted versions that a definition serves.
func servedVersions(r *row, _ *call) any {
	versions, _, _ := unstructured.NestedSlice(r.object, "spec", "versions")
	var names []string
	for _, item := range versions {
		version, _ := item.(map[string]any)
		name, _ := version["name"].(string)
		if version["storage"] == true {
			name += "(storage)"
		}
		if version["served"] == true {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

// established reports whether a definition is served.
func established(r *row, _ *call) any {
	conditions, _, _ := unstructured.NestedSlice(r.object, "status", "conditions")
	return slices.ContainsFunc(conditions, func(item any) bool {
		condition, _ := item.(map[string]any)
		return condition["type"] == "Established" && condition["status"] == "True"
	})
}
