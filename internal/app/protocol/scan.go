package protocol

import (
	"encoding/binary"
	"math/bits"
)

// maxDepth is how deep encoding/json nests values.
const maxDepth = 10000

// scanner walks over JSON text, byte for byte once. Its methods take an offset
// and return the offset behind what they are named after, or -1 if it is not
// there: they accept exactly what encoding/json accepts.
type scanner []byte

// space skips white space.
func (s scanner) space(i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\r' || s[i] == '\n') {
		i++
	}
	return i
}

// value reads a value without white space around it, at a depth of containers.
func (s scanner) value(i, depth int) int {
	if i >= len(s) {
		return -1
	}
	switch c := s[i]; {
	case c == '"':
		return s.text(i)
	case c == '{':
		return s.object(i, depth+1, nil)
	case c == '[':
		return s.list(i, depth+1)
	case c == '-' || c >= '0' && c <= '9':
		return s.number(i)
	}
	for _, literal := range [...]string{"true", "false", "null"} {
		if end := i + len(literal); end <= len(s) && string(s[i:end]) == literal {
			return end
		}
	}
	return -1
}

// object reads an object, which begins at i. It passes the offsets of members,
// if a function is given: a name with its quotes, and a value.
func (s scanner) object(i, depth int, member func(name, nameEnd, value, valueEnd int)) int {
	if depth > maxDepth {
		return -1
	}
	i = s.space(i + 1)
	if i < len(s) && s[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(s) || s[i] != '"' {
			return -1
		}
		name, nameEnd := i, s.text(i)
		if nameEnd < 0 {
			return -1
		}
		if i = s.space(nameEnd); i >= len(s) || s[i] != ':' {
			return -1
		}
		value := s.space(i + 1)
		valueEnd := s.value(value, depth)
		if valueEnd < 0 {
			return -1
		}
		if member != nil {
			member(name, nameEnd, value, valueEnd)
		}
		switch i = s.space(valueEnd); {
		case i >= len(s):
			return -1
		case s[i] == '}':
			return i + 1
		case s[i] != ',':
			return -1
		}
		i = s.space(i + 1)
	}
}

// list reads a list, which begins at i.
func (s scanner) list(i, depth int) int {
	if depth > maxDepth {
		return -1
	}
	i = s.space(i + 1)
	if i < len(s) && s[i] == ']' {
		return i + 1
	}
	for {
		if i = s.value(i, depth); i < 0 {
			return -1
		}
		switch i = s.space(i); {
		case i >= len(s):
			return -1
		case s[i] == ']':
			return i + 1
		case s[i] != ',':
			return -1
		}
		i = s.space(i + 1)
	}
}

// number reads a number, which begins at i.
func (s scanner) number(i int) int {
	if s[i] == '-' {
		i++
	}
	switch {
	case i < len(s) && s[i] == '0':
		i++
	default:
		if i = s.digits(i); i < 0 {
			return -1
		}
	}
	if i < len(s) && s[i] == '.' {
		if i = s.digits(i + 1); i < 0 {
			return -1
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		return s.digits(i)
	}
	return i
}

// digits reads one or more digits.
func (s scanner) digits(i int) int {
	start := i
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// text reads a string with its quotes, which begins at i.
func (s scanner) text(i int) int {
	for i++; ; {
		if i = s.plain(i); i >= len(s) {
			return -1
		}
		switch s[i] {
		case '"':
			return i + 1
		case '\\':
			if i = s.escape(i + 1); i < 0 {
				return -1
			}
		default:
			return -1 // a control character
		}
	}
}

// escape reads what follows a backslash.
func (s scanner) escape(i int) int {
	if i >= len(s) {
		return -1
	}
	switch s[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		end := i + 5
		for i++; i < end; i++ {
			if i >= len(s) || !isHex(s[i]) {
				return -1
			}
		}
		return end
	}
	return -1
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// plain skips the bytes of a string that stand for themselves, eight at a time.
func (s scanner) plain(i int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	// zero has the high bit of the first byte of x that is zero. Bytes above it
	// may have theirs too.
	zero := func(x uint64) uint64 { return (x - ones) & ^x & highs }
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		special := zero(x^ones*'"') | zero(x^ones*'\\') | (x-ones*' ')&^x&highs
		if special != 0 {
			return i + bits.TrailingZeros64(special)/8
		}
	}
	for i < len(s) && s[i] != '"' && s[i] != '\\' && s[i] >= ' ' {
		i++
	}
	return i
}
