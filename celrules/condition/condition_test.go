package condition_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules/condition"
	"github.com/crdsem/crdsem/minors"
)

func TestMatch(t *testing.T) {
	request := condition.Request{
		Request: map[string]any{
			"operation": "CREATE", "name": "a", "namespace": "default", "dryRun": false,
			"resource": map[string]any{"group": "", "version": "v1", "resource": "pods"},
			"userInfo": map[string]any{"username": "u", "groups": []any{"g", "h"}},
		},
		Object: map[string]any{"spec": map[string]any{"size": int64(3)}},
	}
	for _, test := range []struct{ expressions, want string }{
		{"true", "true <nil>"},
		{"object.spec.size == 3", "true <nil>"},
		{"oldObject == null", "true <nil>"},
		{"namespaceObject == null", "true <nil>"},
		{"request.operation == 'CREATE' && request.resource.resource == 'pods'", "true <nil>"},
		{"request.namespace == 'default'", "true <nil>"},
		{"'g' in request.userInfo.groups", "true <nil>"},
		{"!request.dryRun", "true <nil>"},
		{"object.spec.size > 3", "false <nil>"},
		{"object.spec.other == 1", "false expression 'object.spec.other == 1' resulted in error: no such key: other"},
		{"object.spec.other == 1;false", "false <nil>"},
		{"object.spec.size", "false compilation error: must evaluate to bool but got dyn"},
		{"request.other == 1", "false compilation error: compilation failed: ERROR: <input>:1:8: undefined field 'other'"},
		{"1 +", "false compilation error: compilation failed: ERROR: <input>:1:4: Syntax error"},
		{"size", "false compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'size'"},
	} {
		var all []condition.Condition
		for expression := range strings.SplitSeq(test.expressions, ";") {
			all = append(all, condition.Condition{Name: "c", Expression: expression})
		}
		c, err := condition.Compile(minors.Newest(), all...)
		if err != nil {
			t.Fatal(err)
		}
		matches, err := c.Match(t.Context(), request)
		if got := fmt.Sprint(matches, " ", err); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, want %s", test.expressions, got, test.want)
		}
	}
}

// All conditions of a webhook share a budget.
func TestBudget(t *testing.T) {
	request := condition.Request{Object: map[string]any{"text": strings.Repeat("a", 8<<20)}}
	costly := []condition.Condition{{Name: "c", Expression: "object.text == object.text"}}
	for n, want := range map[int]string{
		1: "true <nil>",
		4: "false validation failed due to running out of cost budget, " +
			"no further validation rules will be run",
	} {
		c, err := condition.Compile(minors.Newest(), slices.Repeat(costly, n)...)
		if err != nil {
			t.Fatal(err)
		}
		matches, err := c.Match(t.Context(), request)
		if got := fmt.Sprint(matches, " ", err); got != want {
			t.Errorf("%d conditions: %s, want %s", n, got, want)
		}
	}
}
