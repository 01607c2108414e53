package judge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
)

// hosts is a definition that needs Kubernetes 1.31. The server checks the
// format of the port since 1.36.
const hosts = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: hosts.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: hosts, kind: Host}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          port: {type: integer, format: int32}
          name: {type: string, maxLength: 2}
          address: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: isIP(self)}]}
`

// read returns the documents of a text.
func read(t *testing.T, text string) []*manifest.Document {
	t.Helper()
	var all []*manifest.Document
	for doc, err := range manifest.Read("f.yaml", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, doc)
	}
	return all
}

// decoded returns the object of a document.
func decoded(t *testing.T, doc *manifest.Document) (map[string]any, []*manifest.Error) {
	t.Helper()
	object, strict, err := doc.Object()
	if err != nil {
		t.Fatal(err)
	}
	return object, strict
}

// panel returns a panel of a range that knows the definitions in a text, and
// their results.
func panel(
	t *testing.T, like judge.Judge, span, text string,
) (*judge.Panel, []*verdict.Result) {
	t.Helper()
	in, err := minors.ParseRange(span)
	if err != nil {
		t.Fatal(err)
	}
	p := judge.NewPanel(like, in)
	var results []*verdict.Result
	for _, doc := range read(t, text) {
		object, strict := decoded(t, doc)
		results = append(results, p.Add(p.Check(t.Context(), doc, object, strict)))
	}
	return p, results
}

// Of a definition without URLs, the change of their costs is no cause.
func TestPanelOfCosts(t *testing.T) {
	const text = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: tests, singular: test, kind: Test, listKind: TestList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {
      l: {type: array, maxItems: 100, items: {type: object, properties: {
        a: {type: string, description: DESCRIPTION}, b: {type: string}},
      x-kubernetes-validations: [{rule: "has(self.a) != has(self.b)"}]}}}}}}
`
	for description, want := range map[string][]string{
		"no address": {"38-computed-sizes"}, "see url()": {"38-computed-sizes", "38-url-sizes"},
	} {
		_, results := panel(t, judge.Judge{}, "1.37-1.38",
			strings.Replace(text, "DESCRIPTION", description, 1))
		var got []string
		for _, c := range results[0].Turns[0].Changes {
			got = append(got, c.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", description, got, want)
		}
		const hint = "write the rule as `has(self.a) ? !has(self.b) : has(self.b)`, " +
			"which judges objects as before, and all minors accept"
		if f := results[0].Findings; len(f) != 1 || f[0].Hint != hint {
			t.Errorf("%s: %+v", description, f)
		}
	}
}

// verdicts are the verdicts of a result by minor, and its turns.
func verdicts(r *verdict.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", r.Verdict)
	for _, v := range r.Minors {
		fmt.Fprintf(&b, " %s", v.Verdict)
	}
	for i := range r.Turns {
		turn := &r.Turns[i]
		fmt.Fprintf(&b, "; %s", turn.Text())
	}
	return b.String()
}

func TestPanelOfDefinitions(t *testing.T) {
	_, results := panel(t, judge.Judge{}, "1.30-1.32", hosts)
	const want = "refused: refused accepted accepted; needs Kubernetes >= 1.31 " +
		"(31-ip-new: New expressions have the libraries of IP addresses and networks)"
	if got := verdicts(results[0]); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	f := results[0].Findings
	if len(f) != 1 || !cmp.Equal(f[0].Kubernetes, []string{"1.30"}) || f[0].Rule != "CRD-210" {
		t.Errorf("findings %+v", f)
	}
	if turn := results[0].Turns[0]; turn.Reason != f[0].Text || turn.Rule != f[0].Rule {
		t.Errorf("turn %+v", turn)
	}
}

// Between minors that do not follow each other, any change may be the cause. It
// is not known which minor has it.
func TestPanelWithGaps(t *testing.T) {
	_, results := panel(t, judge.Judge{}, "1.30,1.33", hosts)
	const want = "refused: refused accepted; accepted on Kubernetes 1.33, but not on 1.30 " +
		"(31-ip-new: New expressions have the libraries of IP addresses and networks)"
	if got := verdicts(results[0]); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A finding with another text in another minor is one finding.
func TestPanelOfObjects(t *testing.T) {
	p, _ := panel(t, judge.Judge{}, "1.30-1.37", hosts)
	for _, c := range []struct{ name, object, want, findings string }{
		{
			"fine", "{name: a}",
			"notJudged: notJudged accepted accepted accepted accepted accepted accepted accepted", "",
		},
		{
			"a large port", "{port: 3000000000}",
			"refused: notJudged accepted accepted accepted accepted accepted refused refused; " +
				"refused since Kubernetes 1.36 (36-numeric-formats: Formats of integers and numbers " +
				"are checked, and bounds by type and format)",
			"VAL-054 [1.36 1.37]\n",
		},
		{
			"a long name", "{name: long}",
			"refused: notJudged refused refused refused refused refused refused refused",
			"VAL-040 [1.31 1.32 1.33 1.34 1.35 1.36 1.37]\n",
		},
	} {
		doc := read(t, "apiVersion: example.com/v1\nkind: Host\nmetadata: {name: h}\n"+
			strings.NewReplacer("{", "", "}", "\n").Replace(c.object))[0]
		object, strict := decoded(t, doc)
		r := p.Send(t.Context(), doc, object, strict)
		if got := verdicts(r); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		got := ""
		for _, f := range r.Findings {
			if f.Rule == "PIPE-012" { // rules are not evaluated
				continue
			}
			got += fmt.Sprintln(f.Rule, f.Kubernetes)
			if f.Line != 4 {
				t.Errorf("%s: line %d", c.name, f.Line)
			}
		}
		if got != c.findings {
			t.Errorf("%s: findings\n%swant\n%s", c.name, got, c.findings)
		}
	}
}

// The result of one minor has no verdicts by minor.
func TestPanelOfOne(t *testing.T) {
	_, results := panel(t, judge.Judge{}, "1.30", hosts)
	r := results[0]
	if r.Verdict != verdict.Refused || r.Minors != nil || r.Turns != nil ||
		r.Findings[0].Kubernetes != nil {
		t.Errorf("%+v", r)
	}
}

// A stored object has a create or an update; a stored definition is revised.
func TestStored(t *testing.T) {
	options := judge.Judge{Requests: judge.UpdateOnly, FieldValidation: crdsem.Strict}
	p, _ := panel(t, options, "1.37", hosts)
	docs := read(t, "apiVersion: example.com/v1\nkind: Host\n"+
		"metadata: {name: a, namespace: default}\n"+
		"---\napiVersion: example.com/v1\nkind: Host\nmetadata: {name: a}\nport: 1\n"+
		"---\napiVersion: example.com/v1\nkind: Host\nmetadata: {name: b}\nsport: 1\n")
	stored, _ := decoded(t, docs[0])
	if err := p.Store(stored); err != nil {
		t.Fatal(err)
	}
	if err := p.Store(stored); err == nil {
		t.Error("an object is stored twice")
	}
	for i, want := range []string{"accepted update", "refused "} {
		object, strict := decoded(t, docs[i+1])
		r := p.Send(t.Context(), docs[i+1], object, strict)
		if got := fmt.Sprint(r.Verdict, " ", r.Request); got != want {
			t.Errorf("%s: %s, want %s", r.Name, got, want)
		}
	}
	if err := p.StoreDefinition(map[string]any{"kind": int64(7)}); err == nil {
		t.Error("a definition without a kind is stored")
	}
	old, _ := decoded(t, read(t, hosts)[0])
	if err := p.StoreDefinition(old); err != nil {
		t.Fatal(err)
	}
	changed := read(t, strings.Replace(hosts, "Namespaced", "Cluster", 1))[0]
	object, strict := decoded(t, changed)
	r := p.Add(p.Check(t.Context(), changed, object, strict))
	if r.Request != "update" || r.Verdict != verdict.Refused || len(r.Notes) != 1 {
		t.Errorf("%+v", r)
	}
}

// What happens to objects that no definition fits.
func TestUnknownKinds(t *testing.T) {
	for _, c := range []struct {
		unknown judge.UnknownKinds
		text    string
		want    string
	}{
		{judge.CountUnknown, "apiVersion: a.io/v1\nkind: A\n", "notJudged noDefinition"},
		{judge.RefuseUnknown, "apiVersion: a.io/v1\nkind: A\n", "refused noDefinition"},
		{judge.RefuseUnknown, "apiVersion: v1\nkind: Service\n", "notJudged builtIn"},
		{judge.RefuseUnknown, "image: {tag: latest}\n", "notJudged noObject"},
		{judge.CountUnknown, "apiVersion: a.io/v1\n", "refused "},
		{judge.CountUnknown, "apiVersion: 7\nkind: A\n", "refused "},
		{judge.CountUnknown, "apiVersion: example.com/v9\nkind: Host\n", "refused "},
	} {
		p, _ := panel(t, judge.Judge{Unknown: c.unknown}, "1.37", hosts)
		doc := read(t, c.text)[0]
		object, strict := decoded(t, doc)
		r := p.Send(t.Context(), doc, object, strict)
		if got := fmt.Sprint(r.Verdict, " ", r.Reason); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// Objects of a refused definition are judged if that is forced.
func TestRefusedDefinitions(t *testing.T) {
	refused := strings.Replace(hosts, "isIP(self)", "'self.'", 1)
	for choice, want := range map[judge.RefusedDefinitions]verdict.Verdict{
		judge.SkipObjects: verdict.NotJudged, judge.JudgeObjects: verdict.Accepted,
	} {
		p, results := panel(t, judge.Judge{Refused: choice}, "1.37", refused)
		if results[0].Verdict != verdict.Refused {
			t.Fatalf("%+v", results[0])
		}
		doc := read(t, "apiVersion: example.com/v1\nkind: Host\nmetadata: {name: a}\n")[0]
		object, strict := decoded(t, doc)
		if r := p.Send(t.Context(), doc, object, strict); r.Verdict != want {
			t.Errorf("%d: %s", choice, r.Verdict)
		}
	}
}

// A resourceVersion that a server minds is warned of: on create any number, on
// update another one than the stored object has.
func TestResourceVersions(t *testing.T) {
	const object = "apiVersion: example.com/v1\nkind: Host\nmetadata:\n  name: a\n" +
		"  resourceVersion: \"%s\"\n"
	for _, c := range []struct{ stored, sent, want string }{
		{"", "", ""},
		{"", "0", ""},
		{"", "x", ""},
		{"", "5", "warning 5:20 a server refuses to create an object with a resourceVersion"},
		{"5", "5", ""},
		{"9223372036854775809", "9223372036854775808", "warning 5:20 a server answers with a conflict: " +
			"the stored object has the resourceVersion 9223372036854775809"},
		{"5", "", ""},
		{"", "5\"\n  uid: \"u", ""}, // read from a server
		{"7", "5", "warning 5:20 a server answers with a conflict: the stored object has " +
			"the resourceVersion 7"},
	} {
		p, _ := panel(t, judge.Judge{}, "1.37", hosts)
		if c.stored != "" {
			old, _ := decoded(t, read(t, fmt.Sprintf(object, c.stored))[0])
			if err := p.Store(old); err != nil {
				t.Fatal(err)
			}
		}
		doc := read(t, fmt.Sprintf(object, c.sent))[0]
		sent, strict := decoded(t, doc)
		r := p.Send(t.Context(), doc, sent, strict)
		got := ""
		for _, f := range r.Findings {
			got += fmt.Sprintf("%s %d:%d %s", f.Severity, f.Line, f.Column, f.Text)
		}
		if got != c.want || r.Verdict != verdict.Accepted {
			t.Errorf("%q onto %q: %s, %s", c.sent, c.stored, r.Verdict, got)
		}
	}
}

// Objects are sent to the version asked for, if it is one of their group.
// Results have all details that are asked for.
func TestSending(t *testing.T) {
	for sendTo, want := range map[string]verdict.Verdict{
		"": verdict.Accepted, "v1": verdict.Accepted, "v9": verdict.Refused,
		"example.com/v9": verdict.Refused, "other.com/v9": verdict.Accepted,
	} {
		p, _ := panel(t, judge.Judge{SendTo: sendTo, Details: judge.AllDetails}, "1.37", hosts)
		doc := read(t, "apiVersion: example.com/v1\nkind: Host\nmetadata: {generateName: a}\n")[0]
		object, strict := decoded(t, doc)
		r := p.Send(t.Context(), doc, object, strict)
		if r.Verdict != want || r.Name != "a*" {
			t.Errorf("%q: %s is %s", sendTo, r.Name, r.Verdict)
		}
		object["address"] = "x"
		r = p.Send(t.Context(), doc, object, strict)
		if isExplained := len(r.Explanations) == 1; isExplained != (want == verdict.Accepted) {
			t.Errorf("%q: %d explanations", sendTo, len(r.Explanations))
		}
	}
}

// A panel decodes and compiles what its minors have in common once. Each of
// them says what a judge of its own says: about fields that are new in a minor,
// about unknown fields, and about definitions that do not decode.
func TestPanelIsItsJudges(t *testing.T) {
	for name, text := range map[string]string{
		"plain":                hosts,
		"a new field":          strings.Replace(hosts, "    schema:", "    selectableFields: [{jsonPath: .name}]\n    schema:", 1),
		"in the status":        hosts + "status: {conditions: [{type: Established, status: \"True\", observedGeneration: 1}]}\n",
		"in the schema":        strings.Replace(hosts, "name: {type", "observedGeneration: {type", 1),
		"an unknown field":     strings.Replace(hosts, "scope:", "color: red\n  scope:", 1),
		"a field of two types": strings.Replace(hosts, "maxLength: 2", "maxLength: [2]", 1),
		"optionalOldSelf":      strings.Replace(hosts, "isIP(self)", "oldSelf.orValue('') != self, optionalOldSelf: true", 1),
	} {
		doc := read(t, text)[0]
		object, strict := decoded(t, doc)
		found := judge.NewPanel(judge.Judge{}, minors.All()).Check(t.Context(), doc, object, strict)
		for i, minor := range minors.All() {
			alone := (&judge.Judge{Kubernetes: minor}).Check(t.Context(), doc, object, strict)
			diff := cmp.Diff(alone.Result, found[i].Result, cmp.Comparer(
				func(a, b field.ErrorList) bool { return fmt.Sprint(a) == fmt.Sprint(b) }))
			if diff != "" {
				t.Errorf("%s on %s: %s", name, minor, diff)
			}
		}
	}
}
