package validation

import "strconv"

// step is one step of the way from the validated value to a place in it; nil is the value itself. A way is only turned into text when
// an error needs it.
type step struct {
	parent *step
	// name is a field's name; index is an item's number, -1 for a field.
	name  string
	index int
	// additional: the field is not declared. Its text has a dot even at the top (VAL-006).
	additional bool
}

func (s *step) String() string {
	if s == nil {
		return ""
	}
	return string(s.appendTo(nil))
}

func (s *step) appendTo(text []byte) []byte {
	if s == nil {
		return text
	}
	text = s.parent.appendTo(text)
	if s.index >= 0 {
		text = append(text, '[')
		text = strconv.AppendInt(text, int64(s.index), 10)
		return append(text, ']')
	}
	if s.additional || len(text) > 0 {
		text = append(text, '.')
	}
	return append(text, s.name...)
}

// isEmpty tells whether the text is empty: at the top, and at a property without a name there.
func (s *step) isEmpty() bool {
	for ; s != nil; s = s.parent {
		if s.index >= 0 || s.additional || s.name != "" {
			return false
		}
	}
	return true
}
