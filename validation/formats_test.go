package validation

import (
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/crdsem/crdsem/internal/test/allocs"
)

// samples are strings on both sides of the limits of formats.
var samples = []string{
	"", "a", "2020-01-02", "2020-02-30", "0000-01-01", "2020-01-02T03:04:05Z",
	"2020-01-02T03:04:05.5+99:99", "2020-01-02T03:04:05.Z", "2020-01-02T24:00:00Z",
	"2020-01-02t03:04:05z", "2020-01-02T03:04:60Z", "2020-01-02T03:04:05",
	"2020-01-02T03:04:05ZTtrash", "1h", "1.5h", "-1h", "0", "10", "1 month", "abc 1s", "YWJj",
	"YWI=", "YQ==", "Y===", "====", "YQ", "YW Jj", "1.2.3.4", "01.02.03.04", "::ffff:1.2.3.4",
	"1.2.3", "::1", "fe80::1%eth0", "10.0.0.0/8", "10.0.0.0/024", "::/0", "::/129",
	"1.2.3.4%eth0/8", "00:11:22:33:44:55", "0123.4567.89ab",
	"550e8400-e29b-41d4-a716-446655440000", "550e8400e29b41d4a716446655440000", "http://a.b/c",
	"http://a b", "a://b", "1a://b", "http://-", "http://a:b",
	"://b", "a+b://c", "a_b://c", "http://a^b", "http://", "/a", "a.b@c.de", "a@b", "@b",
	"a@", "a..b@c", "-a@b", "my-host", "a-bcd", "example.com", "-a.com", "a-.com", "a.c",
	"1.2.3.4.com", "0321751043", "978-0321751041", "4111 1111 1111 1111", "123-45-6789", "#fff",
	"rgb(1,2,3)", "0123456789abcdef01234567", "a.b-c", "A",
	strings.Repeat("a.", 126) + "com", strings.Repeat("a.", 127) + "com",
	strings.Repeat("a", 63) + ".com", strings.Repeat("a", 64) + ".com",
}

// Every format checks all samples as the server does.
func TestFormats(t *testing.T) {
	for _, name := range supportedFormats {
		for _, s := range samples {
			compareFormat(t, name, s)
		}
	}
}

// Strings that differ in one place from what a format allows are checked as the
// server does: one character is another, or left out.
func TestNearFormats(t *testing.T) {
	const chars = "/09:;<@AFGZ[`afgz{-+_=.~,# \x80"
	for _, name := range supportedFormats {
		f := newFormat(name)
		if f == nil || f.exact == nil || normalFormat(name) != name {
			continue
		}
		for _, s := range samples {
			if len(s) > 40 || !f.valid(s) {
				continue
			}
			for i := range len(s) {
				compareFormat(t, name, s[:i]+s[i+1:])
				for j := range len(chars) {
					compareFormat(t, name, s[:i]+chars[j:j+1]+s[i+1:])
				}
			}
		}
	}
}

// What the quick checks accept, so that the server's own check is not needed.
func TestQuickFormats(t *testing.T) {
	const label = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789"
	for name, list := range map[string][]string{
		"datetime": {
			"2020-01-02T00:00:00Z", "2020-12-31T23:59:59Z", "2020-01-02T19:08:09.0123456789Z",
			"2020-01-02T03:04:05+00:00", "2020-01-02T03:04:05.9-99:99",
		},
		"duration": {"1h", "1.5h2m3s4ms5us6ns", "-1h", "+0s"},
		"uuid": {
			"01234567-89ab-cdef-ABCD-EF0123456789", "00000000-0000-0000-0000-000000000000",
			"ffffffff-ffff-ffff-ffff-ffffffffffff",
		},
		"ipv4": {"0.0.0.0", "255.255.255.255"},
		"ipv6": {"::", "fe80::1", "1:2:3:4:5:6:7:8"},
		"cidr": {"10.0.0.0/0", "10.0.0.1/32", "::/0", "::1/128"},
		"uri":  {"a://b", "Az09://az.AZ-09_/~", "z1://9"},
		"hostname": {
			"a.bc", "a-b.9.AZ", label + ".zz", "a." + label[:52] + "abcdefghijk",
			strings.Repeat("a.", 126) + "com",
		},
		"email": {"a@b", "az.AZ@09.z", "a-b_c.9@d-e_f"},
	} {
		f := newFormat(name)
		if f == nil || f.quick == nil {
			t.Fatalf("%s has no quick check", name)
		}
		for _, s := range list {
			if !f.quick(s) {
				t.Errorf("%s: %q is not accepted quickly", name, s)
			}
		}
	}
}

// Quick checks accept only strings that the server's checks accept. The exact
// checks written here agree with the server's.
func FuzzFormats(f *testing.F) {
	for i, s := range samples {
		f.Add(supportedFormats[i%len(supportedFormats)], s)
	}
	f.Fuzz(compareFormat)
}

// compareFormat compares the check of a format with the server's.
func compareFormat(t *testing.T, name, s string) {
	t.Helper()
	checked := newFormat(name)
	if !strfmt.Default.ContainsName(name) || normalFormat(name) != name {
		if checked != nil && !strfmt.Default.ContainsName(name) {
			t.Fatalf("%q is no format of the server", name)
		}
		return
	}
	if checked == nil {
		t.Fatalf("format %q is missing", name)
	}
	if got, want := checked.valid(s), strfmt.Default.Validates(name, s); got != want {
		t.Errorf("format %s, %q: %v, want %v", name, s, got, want)
	}
}

// A string in the usual form of its format passes without an allocation.
func TestFormatsDoNotAllocate(t *testing.T) {
	for name, s := range map[string]string{
		"datetime": "2020-01-02T03:04:05Z", "date": "2020-01-02", "duration": "1h30m",
		"byte": "YWJj", "ipv4": "1.2.3.4", "ipv6": "fe80::1", "cidr": "10.0.0.0/8",
		"uuid":  "550e8400-e29b-41d4-a716-446655440000",
		"uuid4": "550e8400-e29b-41d4-a716-446655440000", "uri": "https://example.com/a",
		"hostname": "www.example.com", "email": "a.b@example.com", "hexcolor": "#fff",
		"ssn": "123-45-6789", "k8sshortname": "a-b", "k8slongname": "a.b", "password": "x",
	} {
		f := newFormat(name)
		if !f.valid(s) {
			t.Errorf("%s: %q is not valid", name, s)
		}
		allocs.AtMost(t, 0, name, func() { f.valid(s) })
	}
}
