package objectgen

import "slices"

// Samples are strings that match a pattern or format, and strings that do not.
type Samples struct {
	// Name is the pattern itself, or the name of the format.
	Name             string
	Matching, Others []string
}

// Patterns are patterns of generated schemas.
var Patterns = []Samples{
	{`^[a-z]+$`, []string{"a", "abc", "zzzz"}, []string{"", "A", "a1", "ab\n"}},
	{`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`, []string{"a", "a-b", "x1"}, []string{"-", "A", "a-"}},
	{`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`, []string{"v1", "v1beta2"}, []string{"v0", "1"}},
	{`b`, []string{"abc", "b"}, []string{"", "ac"}},
	{`^\d+(\.\d+)?$`, []string{"1", "2.5"}, []string{"1.", "x"}},
	{`^$`, []string{""}, []string{" "}},
	{`é`, []string{"é", "caféx"}, []string{"e"}},
}

// Formats are the formats that the API server knows, and some that it does
// not.
var Formats = []Samples{
	{"date", []string{"2020-02-29"}, []string{"2021-02-29", "x", ""}},
	{
		"date-time",
		[]string{"2020-01-01T00:00:00Z", "2020-01-01T00:00:00.5+01:00"},
		[]string{"2020-01-01", "now"},
	},
	{"duration", []string{"1h", "3 days", "-5s"}, []string{"1x", "h"}},
	{"email", []string{"a@b.c"}, []string{"a", "@"}},
	{"hostname", []string{"example.com", "a"}, []string{"-a", "a b", ""}},
	{"ipv4", []string{"1.2.3.4"}, []string{"1.2.3", "::1", "01.2.3.4"}},
	{"ipv6", []string{"::1", "fe80::1"}, []string{"1.2.3.4", "::g"}},
	{"cidr", []string{"10.0.0.0/8"}, []string{"10.0.0.0", "1/2"}},
	{"mac", []string{"00:00:5e:00:53:01"}, []string{"00", "zz"}},
	{"uri", []string{"https://example.com/a"}, []string{"", "a b", "%"}},
	{"uuid", []string{"123e4567-e89b-12d3-a456-426614174000"}, []string{"123", ""}},
	{"byte", []string{"YQ==", "AAAA"}, []string{"a", "%%"}},
	{"password", []string{"x", ""}, nil},
	{"isbn", []string{"0321751043"}, []string{"123"}},
	{"creditcard", []string{"4111111111111111"}, []string{"1"}},
	{"ssn", []string{"111-11-1111"}, []string{"1"}},
	{"hexcolor", []string{"#FFFFFF", "#fff"}, []string{"fff0", "red"}},
	{"rgbcolor", []string{"rgb(1,2,3)"}, []string{"rgb(1,2)"}},
	{"bsonobjectid", []string{"507f1f77bcf86cd799439011"}, []string{"507f"}},
	{"k8s-short-name", []string{"a-b"}, []string{"A", "a.b"}},
	{"k8s-long-name", []string{"a.b"}, []string{"A"}},
	{"unknown-format", []string{"x"}, nil},
	{"int-or-string", []string{"5"}, nil},
	{"datetime", []string{"2020-01-01T00:00:00Z"}, []string{"x"}},
}

// formatSamples returns the samples of a format; ok is false if there are none.
func formatSamples(format string) (samples Samples, ok bool) {
	at := slices.IndexFunc(Formats, func(s Samples) bool { return s.Name == format })
	if at < 0 {
		return Samples{}, false
	}
	return Formats[at], true
}
