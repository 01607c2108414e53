package builtin

import (
	"fmt"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A line of the table of defaults has a value, a part or a check.
func TestRules(t *testing.T) {
	for of, all := range rules() {
		for _, r := range all {
			n := 0
			for _, has := range []bool{r.value != nil, r.part != "", r.check != ""} {
				if has {
					n++
				}
			}
			if n != 1 || r.part != "" && rules()[r.part] == nil {
				t.Errorf("[%s] %+v", of, r)
			}
		}
	}
	for line, want := range map[string]rule{
		`a 1`:             {path: []string{"a"}, value: int64(1)},
		`a.b?.c "d e"`:    {path: []string{"a", "b?", "c"}, value: "d e"},
		`a[].b {}`:        {path: []string{"a", "[]", "b"}, value: map[string]any{}},
		`a required`:      {path: []string{"a"}, check: "required"},
		`a[] @b`:          {path: []string{"a", "[]"}, part: "@b"},
		`a true if b`:     {path: []string{"a"}, value: true, beside: "b"},
		`a [] if b="c"`:   {path: []string{"a"}, value: []any{}, beside: "b", equal: "c"},
		`a "b" if c=2`:    {path: []string{"a"}, value: "b", beside: "c", equal: int64(2)},
		`a no JSON if b=`: {path: []string{"a"}, beside: "b"},
		`a`:               {path: []string{"a"}},
	} {
		if got := parseRule(line); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", line, got, want)
		}
	}
}

// A line of the table of resources has fields with names, and subresources.
func TestLines(t *testing.T) {
	short := Resource{
		Group: "g", Plural: "as", Kind: "A", Versions: []string{"v1"}, Verbs: allVerbs,
	}
	long := Resource{
		Plural: "bs", Kind: "B", Namespaced: true, Versions: []string{"v2", "v1"},
		ShortNames: []string{"b", "bb"}, Categories: []string{"all", "c"},
		Fields: []string{"spec.f", "type"}, Verbs: []string{"create", "get"},
		Subresources: []Subresource{
			{Name: "status", Of: schema.GroupVersionKind{Kind: "B"}, Verbs: partVerbs},
			{Name: "exec", Of: schema.GroupVersionKind{Kind: "C"}, Verbs: []string{"create", "get"}},
			{Name: "scale", Of: schema.GroupVersionKind{
				Group: "a.k8s.io", Version: "v1", Kind: "Scale",
			}, Verbs: partVerbs},
		},
	}
	for _, test := range []struct {
		group, line string
		want        Resource
	}{
		{"g", "as A Cluster v1", short},
		{"", "bs B Namespaced v2,v1 short=b,bb categories=all,c fields=spec.f,type " +
			"verbs=create,get / status exec=C:create,get scale=a.k8s.io/v1.Scale", long},
	} {
		if got := parse(test.group, test.line); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.line, got, test.want)
		}
	}
	got := fmt.Sprintln(short.GroupResource(), short.Singular(), short.Stored(), short.Has(Status),
		long.GroupResource(), long.Singular(), long.Stored(), long.Has(Status))
	if got != "as.g a true false bs b false true\n" {
		t.Error(got)
	}
}

// Objects of any type pass between the versions of a kind, and nothing else is
// converted. A field manager is made once.
func TestAnyTypes(t *testing.T) {
	of := schema.GroupVersionKind{Group: "g", Version: "v1", Kind: "A"}
	object := anyTypes{}.empty(of)
	object.SetName("a")
	for _, test := range []struct {
		to   schema.GroupVersion
		want string
	}{
		{schema.GroupVersion{Group: "g", Version: "v2"},
			"&{map[apiVersion:g/v2 kind:A metadata:map[name:a]]} <nil>"},
		{schema.GroupVersion{Group: "h", Version: "v1"}, "<nil> g/v1, Kind=A is not of h/v1"},
	} {
		out, err := anyTypes{}.ConvertToVersion(object, test.to)
		if got := fmt.Sprint(out, " ", err); got != test.want {
			t.Errorf("%s: %s, want %s", test.to, got, test.want)
		}
	}
	fresh, err := anyTypes{}.New(of)
	label, value, labelErr := anyTypes{}.ConvertFieldLabel(of, "l", "v")
	_, contentErr := content(&metav1.Status{})
	got := fmt.Sprintln(object.Object, fresh, err, label, value, labelErr,
		anyTypes{}.Convert(1, "a", nil), contentErr)
	if want := "map[apiVersion:g/v1 kind:A metadata:map[name:a]] " +
		"&{map[apiVersion:g/v1 kind:A]} <nil> l v <nil> a int is not converted to a string " +
		"the field manager returned a *v1.Status\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	m := NewModel(Resource{Group: "g", Kind: "A"}, "v1")
	for _, part := range []string{"", Status} {
		first, err := m.manager(part)
		if second, _ := m.manager(part); err != nil || first == nil || first != second {
			t.Errorf("%q: %p and %p, %v", part, first, second, err)
		}
	}
	if main, _ := m.manager(""); fmt.Sprintf("%p", main) == func() string {
		status, _ := m.manager(Status)
		return fmt.Sprintf("%p", status)
	}() {
		t.Error("two subresources have one manager")
	}
}

// A field manager fills the structs of a type on a create, and nothing else.
func TestStructs(t *testing.T) {
	configMap := NewModel(Resource{Kind: "ConfigMap"}, "v1")
	pod := NewModel(Resource{Kind: "Pod"}, "v1")
	other := NewModel(Resource{Group: "g", Kind: "A"}, "v1")
	given := map[string]any{"a": map[string]any{}}
	for _, test := range []struct {
		got  *unstructured.Unstructured
		want string
	}{
		{configMap.orStructs(nil), "map[apiVersion:v1 kind:ConfigMap metadata:map[]]"},
		{pod.orStructs(nil), "map[apiVersion:v1 kind:Pod metadata:map[] " +
			"spec:map[containers:<nil>] status:map[]]"},
		{other.orStructs(nil), "map[apiVersion:g/v1 kind:A]"},
		{pod.orStructs(given), "map[a:map[]]"},
		{pod.orEmpty(nil), "map[apiVersion:v1 kind:Pod]"},
		{pod.orEmpty(given), "map[a:map[]]"},
	} {
		if got := fmt.Sprint(test.got.Object); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	copied, _ := pod.orEmpty(given).Object["a"].(map[string]any)
	copied["changed"] = true
	if fmt.Sprint(given) != "map[a:map[]]" {
		t.Errorf("the object is changed: %v", given)
	}
}

// Every line of the record is of a kind, and says what is wrong.
func TestImmutableRecord(t *testing.T) {
	kinds := map[string]bool{}
	for _, r := range Resources() {
		kinds[r.Kind] = true
	}
	if len(lastings()) < 20 {
		t.Errorf("only %d kinds", len(lastings()))
	}
	for kind, all := range lastings() {
		for _, l := range all {
			if !kinds[kind] || l.at == nil || l.path[0] == "" {
				t.Errorf("%s: %+v", kind, l)
			}
		}
	}
}
