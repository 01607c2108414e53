package yamlfast

import (
	"encoding/binary"
	"unicode/utf8"
)

// plainText reports whether the bytes are valid UTF-8 that ends with a line
// break. There may be no control character, no byte-order mark, and no line
// break other than \n. Tabs are checked where they appear.
func plainText(data []byte) bool {
	if len(data) == 0 || data[len(data)-1] != '\n' {
		return false
	}
	for i := 0; i < len(data); {
		if i+8 <= len(data) && printable(binary.LittleEndian.Uint64(data[i:])) {
			i += 8
			continue
		}
		c := data[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError || r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' ||
			r&0xfffe == 0xfffe {
			return false
		}
		i += size
	}
	return true
}

// printable reports whether eight bytes are printable ASCII. The top bit of
// each byte of a sum below says what the name of the sum says. It may be false
// for eight bytes that are printable.
func printable(bytes uint64) bool {
	const each = 0x0101010101010101
	belowSpace := (bytes - each*' ') &^ bytes
	aboveTilde := bytes + each
	return (belowSpace|aboveTilde|bytes)&(each*0x80) == 0
}
