package live

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
)

// duplicated stands for a value whose key is written twice, the first time with
// another value.
type duplicated struct{ first, last any }

// MarshalJSON is never called, because encode writes the two members.
func (duplicated) MarshalJSON() ([]byte, error) { panic("a duplicate is written by encode") }

// encode writes a document as JSON, with sorted keys and with duplicates as two
// members.
func encode(value any) []byte {
	var out bytes.Buffer
	appendDocument(&out, value)
	return out.Bytes()
}

func appendDocument(out *bytes.Buffer, value any) {
	switch value := value.(type) {
	case map[string]any:
		out.WriteByte('{')
		for i, key := range sortedKeys(value) {
			if i > 0 {
				out.WriteByte(',')
			}
			if twice, ok := value[key].(duplicated); ok {
				appendMember(out, key, twice.first)
				out.WriteByte(',')
				appendMember(out, key, twice.last)
				continue
			}
			appendMember(out, key, value[key])
		}
		out.WriteByte('}')
	case []any:
		out.WriteByte('[')
		for i, item := range value {
			if i > 0 {
				out.WriteByte(',')
			}
			appendDocument(out, item)
		}
		out.WriteByte(']')
	default:
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(value); err != nil {
			panic(err) // documents hold JSON values only
		}
		out.Truncate(out.Len() - 1)
	}
}

func appendMember(out *bytes.Buffer, key string, value any) {
	appendDocument(out, key)
	out.WriteByte(':')
	appendDocument(out, value)
}

// place is one value of a document: a member of an object or an item of a list.
type place struct {
	object map[string]any
	key    string
	list   []any
	index  int
}

func (p place) get() any {
	if p.object != nil {
		return p.object[p.key]
	}
	return p.list[p.index]
}

func (p place) set(value any) {
	if p.object != nil {
		p.object[p.key] = value
		return
	}
	p.list[p.index] = value
}

// places returns every value below a document, in order.
func places(value any) []place {
	var all []place
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			all = append(all, place{object: value, key: key})
			all = append(all, places(value[key])...)
		}
	case []any:
		for i, item := range value {
			all = append(all, place{list: value, index: i})
			all = append(all, places(item)...)
		}
	}
	return all
}

// mutator changes documents at random, in place.
type mutator struct{ rng *rand.Rand }

// addRevision sometimes adds a resourceVersion that no stored object has.
func (m *mutator) addRevision(metadata map[string]any) {
	revisions := []string{"", "0", "00", "999999999", "99999999999999999999", "-1", "text"}
	if m.rng.IntN(8) == 0 {
		metadata["resourceVersion"] = revisions[m.rng.IntN(len(revisions))]
	}
}

// object applies one to three changes to an object, mostly to fields in the
// schema, sometimes to metadata. Name and namespace stay, because they are part
// of the URL.
func (m *mutator) object(object map[string]any) {
	changes := m.changes()
	for range 1 + m.rng.IntN(3) {
		if m.rng.IntN(8) == 0 {
			m.metadata(object)
			continue
		}
		var candidates []place
		for _, key := range sortedKeys(object) {
			if key != "apiVersion" && key != "kind" && key != "metadata" {
				candidates = append(candidates, place{object: object, key: key})
				candidates = append(candidates, places(object[key])...)
			}
		}
		if len(candidates) == 0 {
			object["unknownRoot"] = "x"
			continue
		}
		changes[m.rng.IntN(len(changes))](candidates[m.rng.IntN(len(candidates))])
	}
}

// changes returns the functions that can change a value.
func (m *mutator) changes() []func(place) {
	return []func(place){
		m.unknown, m.unknown, m.null, m.retype, m.retype, m.remove, m.remove, m.shuffle, m.repeat, m.number, m.string, m.duplicate,
	}
}

// unknown adds a field that is probably not in the schema, to the object at the
// place or next to it.
func (m *mutator) unknown(p place) {
	object, ok := p.get().(map[string]any)
	if !ok {
		object = p.object
	}
	if object != nil {
		names := []string{"unknownField", "extra", "ünknown", "a.b", "x y", "Spec"}
		object[names[m.rng.IntN(len(names))]] = m.anything()
	}
}

func (m *mutator) null(p place) { p.set(nil) }

// retype replaces a value by one of any type.
func (m *mutator) retype(p place) { p.set(m.anything()) }

func (m *mutator) anything() any {
	values := []any{
		"text", "", json.Number("7"), json.Number("-1"), json.Number("1.5"), true, false, nil, []any{}, map[string]any{},
		[]any{"a", json.Number("1")}, map[string]any{"key": "value", "null": nil}, json.Number("1.0"), json.Number("1e3"),
	}
	return copyValue(values[m.rng.IntN(len(values))])
}

// remove removes a member, or replaces a list's item by null.
func (m *mutator) remove(p place) {
	if p.object != nil {
		delete(p.object, p.key)
		return
	}
	p.set(map[string]any{})
}

// shuffle reorders the list at the place.
func (m *mutator) shuffle(p place) {
	if list, ok := p.get().([]any); ok {
		m.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
}

// repeat adds an item of the list at the place a second time.
func (m *mutator) repeat(p place) {
	if list, ok := p.get().([]any); ok && len(list) > 0 {
		p.set(append(list, copyValue(list[m.rng.IntN(len(list))])))
	}
}

// number replaces a number by another one.
func (m *mutator) number(p place) {
	if _, ok := p.get().(json.Number); ok {
		numbers := []json.Number{
			"0", "-1", "1", "1.0", "2.5", "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "1e3", "1e21", "-0", "-0.0", "65536",
		}
		p.set(numbers[m.rng.IntN(len(numbers))])
	}
}

// string replaces a string by another one.
func (m *mutator) string(p place) {
	if _, ok := p.get().(string); ok {
		strs := []string{
			"",
			" ",
			"UPPER",
			"a_b",
			"-x",
			"ünï",
			"\u0000",
			"<b>&\"\\",
			"10",
			strings.Repeat("long", 100),
			"a\nb",
			"2026-13-01T00:00:00Z",
		}
		p.set(strs[m.rng.IntN(len(strs))])
	}
}

// duplicate writes a member twice.
func (m *mutator) duplicate(p place) {
	if p.object != nil {
		if _, already := p.get().(duplicated); !already {
			p.set(duplicated{first: m.anything(), last: p.get()})
		}
	}
}

// metadataChange is a value for a field of the metadata.
type metadataChange struct {
	field string
	value any
}

// metadata changes one field of the object's metadata.
func (m *mutator) metadata(object map[string]any) {
	owner := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": "u-1"}
	m.setMetadata(object, []metadataChange{
		{"labels", map[string]any{"bad key!": "x"}}, {"labels", map[string]any{"good": "bad value!"}}, {"labels", map[string]any{"n": json.Number("1")}},
		{"labels", nil}, {"labels", "text"}, {"annotations", map[string]any{"UPPER/x": "ok", "bad key": "x"}}, {"annotations", []any{}},
		{"finalizers", []any{"example.com/one", "plain"}}, {"finalizers", []any{"bad finalizer!"}}, {"finalizers", "text"},
		{"ownerReferences", []any{owner}}, {"ownerReferences", []any{owner, copyValue(owner)}},
		{"ownerReferences", []any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}}}, {"unknownMeta", "x"},
		{"creationTimestamp", "not a time"}, {"creationTimestamp", nil}, {"creationTimestamp", "2020-01-01T00:00:00Z"},
		{"generation", json.Number("5")}, {"generation", "five"}, {"selfLink", "/x"}, {"generateName", "gen-"}, {"generateName", "Bad_"},
		{"managedFields", []any{map[string]any{"operation": "Bad"}}}, {"clusterName", "x"}, {"deletionGracePeriodSeconds", json.Number("-3")},
	})
}

// setMetadata applies one of the changes.
func (m *mutator) setMetadata(object map[string]any, changes []metadataChange) {
	if metadata := child(object, "metadata"); metadata != nil {
		chosen := changes[m.rng.IntN(len(changes))]
		metadata[chosen.field] = copyValue(chosen.value)
	}
}

// envelope changes an object's apiVersion, kind, name or namespace.
func (m *mutator) envelope(object map[string]any, served []version) {
	metadata := child(object, "metadata")
	group := groupOf(text(object, "apiVersion"))
	changes := []func(){
		func() { delete(object, "kind") }, func() { object["kind"] = "" }, func() { object["kind"] = "Other" }, func() { object["kind"] = json.Number("1") },
		func() { delete(object, "apiVersion") }, func() { object["apiVersion"] = "a/b/c" }, func() { object["apiVersion"] = "v1" },
		func() { object["apiVersion"] = group + "/v0missing" }, func() { object["apiVersion"] = nil }, func() { object["Kind"] = "Twice" },
		func() { object["apiVersion"] = group + "/" + served[m.rng.IntN(len(served))].name }, func() { delete(object, "metadata") },
		func() { object["metadata"] = nil }, func() { object["metadata"] = "text" }, func() { object["metadata"] = []any{} },
		func() { delete(metadata, "name") }, func() { metadata["name"] = "Bad_Name" }, func() { metadata["name"] = strings.Repeat("n", 254) },
		func() { metadata["name"] = json.Number("1") }, func() { metadata["name"] = "." }, func() { metadata["name"], metadata["generateName"] = "", "made-" },
		func() { metadata["namespace"] = "elsewhere" }, func() { metadata["namespace"] = "Bad NS" }, func() { metadata["uid"] = "own" },
		func() { metadata["Name"] = "folded" }, func() { metadata["labels"] = duplicated{nil, metadata["labels"]} },
	}
	changes[m.rng.IntN(len(changes))]()
}

// broken returns the body of an object, damaged as text.
func (m *mutator) broken(body []byte) []byte {
	whole := string(body)
	bodies := []string{
		whole[:len(whole)/2], whole + "}", whole + whole, "[" + whole + "]", "", "null", "7", "\"text\"", "{}", "\xef\xbb\xbf" + whole, " \n" + whole,
		strings.Replace(whole, "{", `{"x":1e400,`, 1), strings.Replace(whole, "{", `{"x":01,`, 1), strings.Replace(whole, "{", "{\"x\":\"\xff\",", 1),
		strings.Replace(whole, "{", `{"x":"\ud800",`, 1), strings.Replace(whole, "{", `{"kind":"First",`, 1), strings.Replace(whole, ":", " : ", 3),
		strings.Replace(whole, "{", `{"deep":`+strings.Repeat("[", 10001)+strings.Repeat("]", 10001)+",", 1),
	}
	return []byte(bodies[m.rng.IntN(len(bodies))])
}
