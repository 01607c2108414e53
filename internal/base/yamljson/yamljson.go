package yamljson

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	sigsjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml/goyaml.v2"
)

// ToJSON converts one YAML document to JSON, as the API server does and with
// its errors. The data is not kept.
//
// The library's own function is random where keys of a mapping become the same
// string, e.g. 1 and "1". Here the key that is a string counts (PIPE-005).
func ToJSON(data []byte) ([]byte, error) {
	var document any
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	value, err := jsonable(document)
	if err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

// Decode decodes one YAML document of any kind, by way of JSON: 1.0 becomes the
// integer 1. The list strict has the library's error about duplicate keys.
//
// The library reads the document once. It reads it a second time only if there
// are duplicate keys, because it returns either an error or a value.
func Decode(data []byte) (value any, strict []error, err error) {
	var document any
	if duplicates := yaml.UnmarshalStrict(data, &document); duplicates != nil {
		if err := yaml.Unmarshal(data, &document); err != nil {
			return nil, nil, err
		}
		strict = []error{duplicates}
	}
	value, err = jsonable(document)
	if err != nil {
		return nil, nil, err
	}
	if value, ok := asDecoded(value, 0); ok {
		return value, strict, nil
	}
	asJSON, err := json.Marshal(value)
	if err != nil {
		return nil, nil, err
	}
	if _, err := sigsjson.UnmarshalStrict(asJSON, &value); err != nil {
		return nil, nil, err
	}
	return value, strict, nil
}

// maxDepth is the nesting that asDecoded handles. The JSON library decides how
// deep is too deep.
const maxDepth = 500

// asDecoded returns a YAML value as it is after it was written as JSON and read
// again. It reports false if the value has to go through JSON text. Lists and
// maps are changed; their JSON stays the same.
func asDecoded(value any, depth int) (_ any, ok bool) {
	if depth > maxDepth {
		return value, false
	}
	switch v := value.(type) {
	case nil, bool, int64:
		return v, true
	case int:
		return int64(v), true
	case string:
		return v, utf8.ValidString(v)
	case float64:
		if n, ok := Integer(v); ok {
			return n, true
		}
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	case []any:
		for i, item := range v {
			if v[i], ok = asDecoded(item, depth+1); !ok {
				return v, false
			}
		}
		return v, true
	case map[string]any:
		for key, member := range v {
			if v[key], ok = asDecoded(member, depth+1); !ok || !utf8.ValidString(key) {
				return v, false
			}
		}
		return v, true
	}
	return value, false
}

// jsonable returns a YAML value in which every key is a string.
func jsonable(v any) (any, error) {
	switch v := v.(type) {
	case map[any]any:
		return jsonableMap(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			var err error
			if list[i], err = jsonable(item); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return v, nil
}

func jsonableMap(m map[any]any) (map[string]any, error) {
	entries := make([]entry, 0, len(m))
	for key, value := range m {
		entries = append(entries, newEntry(key, value))
	}
	slices.SortStableFunc(entries, entry.compare)
	out := make(map[string]any, len(m))
	for _, e := range entries {
		if !e.usable {
			return nil, fmt.Errorf(
				"unsupported map key of type: %s, key: %+#v, value: %+#v",
				reflect.TypeOf(e.key),
				e.key,
				e.value,
			)
		}
		value, err := jsonable(e.value)
		if err != nil {
			return nil, err
		}
		out[e.text] = value
	}
	return out, nil
}

// entry is an entry of a mapping, with its key as a string.
type entry struct {
	key, value any
	text       string
	usable     bool
}

func newEntry(key, value any) entry {
	e := entry{key: key, value: value, usable: true}
	switch key := key.(type) {
	case string:
		e.text = key
	case int:
		e.text = strconv.Itoa(key)
	case int64:
		e.text = strconv.FormatInt(key, 10)
	case bool:
		e.text = strconv.FormatBool(key)
	case float64:
		e.text = floatKey(key)
	default:
		e.text, e.usable = fmt.Sprintf("%T %#v", key, key), false
	}
	return e
}

// floatKey returns a key with a fraction as YAML writes it, in the precision of
// 32 bits.
func floatKey(f float64) string {
	const bits = 32
	switch text := strconv.FormatFloat(f, 'g', -1, bits); text {
	case "+Inf":
		return ".inf"
	case "-Inf":
		return "-.inf"
	case "NaN":
		return ".nan"
	default:
		return text
	}
}

// compare sorts entries with the same key with the key that counts last.
func (e entry) compare(other entry) int {
	if order := strings.Compare(e.text, other.text); order != 0 {
		return order
	}
	if order := e.rank() - other.rank(); order != 0 {
		return order
	}
	return strings.Compare(fmt.Sprintf("%#v", e.key), fmt.Sprintf("%#v", other.key))
}

// rank orders keys that become the same string: the highest counts.
func (e entry) rank() int {
	switch e.key.(type) {
	case string:
		return 2
	case int, int64:
		return 1
	}
	return 0
}
