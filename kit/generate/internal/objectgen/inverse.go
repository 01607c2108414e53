package objectgen

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// samplesOf holds, by function, strings that the function takes. They differ in
// what a rule may ask about, e.g. there are addresses of both families.
var samplesOf = map[string][]string{
	"duration":    {"5s", "1ms", "1h", "3h"},
	"timestamp":   {"2020-01-01T00:00:00Z", "2030-06-15T12:30:30Z"},
	"url":         {"https://example.com/a", "http://example.com:8080/a?b=c", "https://[::1]/"},
	"isURL":       {"https://example.com/a"},
	"ip":          addresses,
	"isIP":        addresses,
	"isCIDR":      networks,
	"cidr":        networks,
	"quantity":    {"1", "100m", "1Gi", "500Mi", "0", "-1", "2.5", "1k"},
	"isQuantity":  {"1", "1Gi"},
	"semver":      {"1.2.3", "0.1.0", "2.0.0", "1.0.0-alpha.1", "1.0.0+b"},
	"isSemver":    {"1.2.3", "1.0.0-rc.1"},
	"isCanonical": addresses,
	"int":         {"1", "80", "0", "1000"},
	"double":      {"1", "0.5"},
	"bool":        {"true", "false"},
}

var (
	addresses = []string{
		"10.0.0.1", "2001:db8::1", "127.0.0.1", "::1", "192.0.2.1", "8.8.8.8", "169.254.0.1",
		"fe80::1", "224.0.0.1", "ff02::1", "0.0.0.0", "::",
	}
	networks = []string{
		"10.0.0.0/8", "2001:db8::/64", "192.168.1.0/24", "fd00::/8", "0.0.0.0/0", "::/0",
		"10.1.2.3/32", "10.1.2.3/24", "2001:db8::1/128",
	}
)

// namedFormats has patterns of the named formats of the CEL library. They match
// some of the strings of a format.
var namedFormats = map[string]string{
	"dns1123Label": label, "dns1123LabelPrefix": label + "-", "labelValue": label,
	"dns1035Label": "[a-z]" + dashed, "dns1035LabelPrefix": "[a-z]" + dashed + "-",
	"dns1123Subdomain": subdomain, "dns1123SubdomainPrefix": subdomain + "-",
	"qualifiedName": "(?:" + subdomain + "/)?" + label,
	"uri":           `https://` + subdomain + "/a",
	"uuid":          `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}`,
	"byte":          `(?:[A-Za-z0-9+/]{4})*`,
	"date":          `20[0-9]{2}-0[1-9]-[01][1-9]`,
	"datetime":      `20[0-9]{2}-0[1-9]-[01][1-9]T[01][0-9]:[0-5][0-9]:00Z`,
}

const (
	dashed    = "(?:[-a-z0-9]{0,60}[a-z0-9])?"
	label     = "[a-z0-9]" + dashed
	subdomain = label + `(?:\.` + label + ")*"
)

// component says where the value of a method is in the text of its target: the
// group of a pattern.
type component struct {
	pattern *regexp.Regexp
	text    string // a target that has the component
	format  string // how the value is written
	offset  int64  // added to the value
}

// components is the table of methods whose value is a part of their target's
// text, e.g. the major version of a semver.
var components = map[string]component{
	"major":              {regexp.MustCompile(`^(\d+)`), "1.2.3", "%v", 0},
	"minor":              {regexp.MustCompile(`^\d+\.(\d+)`), "1.2.3", "%v", 0},
	"patch":              {regexp.MustCompile(`^\d+\.\d+\.(\d+)`), "1.2.3", "%v", 0},
	"prefixLength":       {regexp.MustCompile(`/(\d+)$`), "10.0.0.0/8", "%v", 0},
	"getScheme":          {regexp.MustCompile(`^([^:]*):`), "https://example.com/a", "%v", 0},
	"getHost":            {regexp.MustCompile(`//([^/?]*)`), "https://example.com/a", "%v", 0},
	"getHostname":        {regexp.MustCompile(`//([^/:?]*)`), "https://example.com/a", "%v", 0},
	"getPort":            {regexp.MustCompile(`:(\d+)/`), "https://example.com:80/a", "%v", 0},
	"getEscapedPath":     {regexp.MustCompile(`//[^/]*(/[^?]*)`), "https://example.com/a", "%v", 0},
	"getHours":           {whole, "1h", "%vh", 0},
	"getMinutes":         {whole, "1m", "%vm", 0},
	"getSeconds":         {whole, "1s", "%vs", 0},
	"getMilliseconds":    {whole, "1ms", "%vms", 0},
	"asInteger":          {whole, "1", "%v", 0},
	"asApproximateFloat": {whole, "1", "%v", 0},
	"sign":               {whole, "1", "%v", 0},
	"getFullYear":        {regexp.MustCompile(`^(\d{4})-`), day, "%04v", 0},
	"getMonth":           {regexp.MustCompile(`^\d{4}-(\d\d)`), day, "%02v", 1},
	"getDate":            {regexp.MustCompile(`^\d{4}-\d\d-(\d\d)`), day, "%02v", 0},
	"getDayOfMonth":      {regexp.MustCompile(`^\d{4}-\d\d-(\d\d)`), day, "%02v", 1},
}

var whole = regexp.MustCompile(`(?s)^(.*)$`)

const day = "2020-01-01T00:00:00Z"

// with returns a text with the component set to a value.
func (c *component) with(text string, value any) string {
	if n, ok := toFloat(value); ok && n == float64(int64(n)) {
		value = int64(n) + c.offset
	}
	at := c.pattern.FindStringSubmatchIndex(text)
	if at == nil {
		text = c.text
		at = c.pattern.FindStringSubmatchIndex(text)
	}
	return text[:at[2]] + fmt.Sprintf(c.format, value) + text[at[3]:]
}

var numeral = regexp.MustCompile(`\d+(\.\d+)?`)

// nearTo returns arguments of a function: a text, and texts that stand for
// lower and higher values, e.g. 1Gi and 2Gi of quantity.
func nearTo(function, text string) []string {
	near := []string{text}
	switch function {
	case "duration":
		if d, err := time.ParseDuration(text); err == nil {
			for _, other := range []time.Duration{
				d + time.Second, d - time.Second, 2 * d, d / 2, d + time.Hour, d + time.Millisecond,
			} {
				near = append(near, other.String())
			}
		}
	case "timestamp":
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			for _, by := range []time.Duration{
				time.Second, -time.Second, time.Hour, -time.Hour, 48 * time.Hour, -48 * time.Hour,
			} {
				near = append(near, at.Add(by).Format(time.RFC3339))
			}
		}
	default: // each of its numbers is changed
		for _, at := range numeral.FindAllStringIndex(text, 4) {
			n, err := strconv.ParseFloat(text[at[0]:at[1]], 64)
			if err != nil {
				continue
			}
			others := []float64{n + 1, n - 1, 2 * n}
			if function == "quantity" {
				others = append(others, n+0.5, n/2)
			}
			for _, other := range others {
				number := strconv.FormatFloat(other, 'f', -1, 64)
				if other >= 0 || at[0] == 0 && function != "semver" {
					near = append(near, text[:at[0]]+number+text[at[1]:])
				}
			}
		}
	}
	return near
}

// anything matches all strings. The pattern of a whole string has no anchors.
const anything = `(?s:.*)`

// searched returns the pattern of the strings in which a pattern is found.
func searched(pattern string) string {
	before, after := anything, anything
	if rest, ok := strings.CutPrefix(pattern, "^"); ok && !strings.Contains(pattern, "|") {
		before, pattern = "", rest
	}
	if rest, ok := strings.CutSuffix(pattern, "$"); ok && !strings.HasSuffix(rest, `\`) &&
		!strings.Contains(pattern, "|") {
		after, pattern = "", rest
	}
	return before + "(?:" + pattern + ")" + after
}
