package yamlfast

import "unicode/utf8"

// plainText reports whether the bytes are valid UTF-8 that ends with a line
// break. There may be no control character, no byte-order mark, and no line
// break other than \n. Tabs are checked where they appear.
func plainText(data []byte) bool {
	if len(data) == 0 || data[len(data)-1] != '\n' {
		return false
	}
	for _, r := range string(data) {
		isASCII := r >= ' ' && r < 0x7f || r == '\n' || r == '\t'
		if !isASCII && (r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' ||
			r == utf8.RuneError || r&0xfffe == 0xfffe) {
			return false
		}
	}
	return true
}
