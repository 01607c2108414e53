package jsonvalue

// At returns the value at a path of keys, nil if there is no such value.
func At(value any, keys ...string) any {
	for _, key := range keys {
		fields, _ := value.(map[string]any)
		value = fields[key]
	}
	return value
}

// With returns a value in which the value at a path of keys is another. Maps on
// the path are copied, and made where they are missing; the argument is not
// changed.
func With(value, other any, keys ...string) any {
	if len(keys) == 0 {
		return other
	}
	fields, _ := value.(map[string]any)
	out := make(map[string]any, len(fields)+1)
	for k, v := range fields {
		out[k] = v
	}
	out[keys[0]] = With(fields[keys[0]], other, keys[1:]...)
	return out
}
