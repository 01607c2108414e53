package yamlfast

import (
	"strings"
	"unicode/utf8"
)

// plainText reports whether a text is valid UTF-8 that ends with a line break.
// There may be no control character, no byte-order mark, and no line break
// other than \n. Tabs are checked where they appear.
func plainText(text string) bool {
	if !strings.HasSuffix(text, "\n") {
		return false
	}
	for _, r := range text {
		isASCII := r >= ' ' && r < 0x7f || r == '\n' || r == '\t'
		if !isASCII && (r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' ||
			r == utf8.RuneError || r&0xfffe == 0xfffe) {
			return false
		}
	}
	return true
}
