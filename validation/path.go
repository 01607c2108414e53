package validation

import "strconv"

// step is one step of the path from the validated value to a value in it, e.g.
// ports or [0]. A path becomes text only when an error needs it.
type step struct {
	// name is a field's name; index is an item's number, -1 for a field.
	name  string
	index int
	// additional: the field is not declared. Its text has a dot even at the top
	// (VAL-006).
	additional bool
}

// pathOf returns the text of a path, e.g. spec.ports[0].
func pathOf(steps []step) string {
	var space [128]byte
	text := space[:0]
	for i := range steps {
		s := &steps[i]
		if s.index >= 0 {
			text = append(text, '[')
			text = strconv.AppendInt(text, int64(s.index), 10)
			text = append(text, ']')
			continue
		}
		if s.additional || len(text) > 0 {
			text = append(text, '.')
		}
		text = append(text, s.name...)
	}
	return string(text)
}

// isEmptyPath reports whether the text of a path is empty: at the top, and at a
// property with an empty name there.
func isEmptyPath(steps []step) bool {
	for i := range steps {
		if s := &steps[i]; s.index >= 0 || s.additional || s.name != "" {
			return false
		}
	}
	return true
}
