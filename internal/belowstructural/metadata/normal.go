package metadata

import (
	"math"
	"time"
	"unicode/utf8"
)

// IsNormal reports whether metadata is in normal form.
func IsNormal(metadata map[string]any) bool { return objectMetaSpec.isNormal(metadata) }

// IsNormalField reports whether a field of metadata has a value in normal form.
// Metadata in normal form stays so if the field is set to it.
func IsNormalField(name string, value any) bool {
	f := objectMetaSpec.field(name)
	return f != nil && f.isNormal(value)
}

// isNormal reports whether an object decodes as the struct and would be written
// back unchanged. It allocates nothing.
func (s *structSpec) isNormal(object map[string]any) bool {
	always := 0
	for key, value := range object {
		f := s.field(key)
		if f == nil || !f.isNormal(value) {
			return false
		}
		if f.kind == textAlways {
			always++
		}
	}
	return always == s.always
}

// isNormal reports whether a value decodes as the field and would be written
// back unchanged.
func (f *fieldSpec) isNormal(value any) bool {
	switch f.kind {
	case text:
		s, ok := value.(string)
		return ok && s != "" && utf8.ValidString(s)
	case textAlways:
		return isNormalText(value)
	case integer:
		n, ok := value.(int64)
		return ok && n != 0
	case integerPtr:
		_, ok := value.(int64)
		return ok
	case boolPtr:
		_, ok := value.(bool)
		return ok
	case timestamp, timestampPtr:
		return isNormalTime(value)
	case textMap:
		return isNormalTextMap(value)
	case textList:
		return isNormalTextList(value)
	case structList:
		return isNormalStructList(value, f.elem)
	case raw:
		return value != nil && isNormalRaw(value, rawDepth)
	}
	return false
}

func isNormalText(value any) bool {
	s, ok := value.(string)
	return ok && utf8.ValidString(s)
}

func isNormalTime(value any) bool {
	s, ok := value.(string)
	if !ok {
		return false
	}
	if isPlainTime(s) {
		return true
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || t.IsZero() {
		return false
	}
	var buf [len(time.RFC3339) + 8]byte
	return string(t.UTC().AppendFormat(buf[:0], time.RFC3339)) == s
}

// isPlainTime reports whether a string is a time as the server writes it,
// without asking the library. It rejects some valid times: the last days of a
// month, the first years and other spellings.
func isPlainTime(s string) bool {
	const form = "0000-00-00T00:00:00Z"
	if len(s) != len(form) {
		return false
	}
	for i := range len(form) {
		if digit := s[i]-'0' < 10; form[i] == '0' && !digit || form[i] != '0' && s[i] != form[i] {
			return false
		}
	}
	return s[:3] != "000" && inRange(s[5:7], "01", "12") && inRange(s[8:10], "01", "28") &&
		s[11:13] <= "23" && s[14:16] <= "59" && s[17:19] <= "59"
}

func inRange(s, lowest, highest string) bool { return lowest <= s && s <= highest }

func isNormalTextMap(value any) bool {
	m, ok := value.(map[string]any)
	if !ok || len(m) == 0 {
		return false
	}
	for k, v := range m {
		if !isNormalText(v) || !utf8.ValidString(k) {
			return false
		}
	}
	return true
}

func isNormalTextList(value any) bool {
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return false
	}
	for _, v := range list {
		if !isNormalText(v) {
			return false
		}
	}
	return true
}

func isNormalStructList(value any, elem *structSpec) bool {
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return false
	}
	for _, v := range list {
		m, ok := v.(map[string]any)
		if !ok || m == nil || !elem.isNormal(m) {
			return false
		}
	}
	return true
}

const (
	// rawDepth is how deep metadata.managedFields[0].fieldsV1 lies in a
	// resource.
	rawDepth = 4
	// maxDepth is the nesting that the server's JSON decoder accepts.
	maxDepth = 10000
)

// isNormalRaw reports whether a value stays the same when it is written as JSON
// and read again. It is false if the value makes a resource nested too deep.
func isNormalRaw(value any, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch v := value.(type) {
	case map[string]any:
		for k, item := range v {
			if !utf8.ValidString(k) || !isNormalRaw(item, depth+1) {
				return false
			}
		}
		return v != nil
	case []any:
		for _, item := range v {
			if !isNormalRaw(item, depth+1) {
				return false
			}
		}
		return v != nil
	case string:
		return utf8.ValidString(v)
	case float64:
		// A whole number comes back as an integer, and NaN cannot be written.
		return v < math.Trunc(v) || v > math.Trunc(v)
	case bool, int64, nil:
		return true
	}
	return false
}
