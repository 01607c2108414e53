package generate

import (
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/generate/schemagen"
)

// solvable are schemas of a required spec whose rules the generator solves.
var solvable = []struct{ name, spec string }{
	{"quantity above", `{type: string, x-kubernetes-validations: [{rule: "quantity(self).isGreaterThan(quantity('1Gi'))"}]}`},
	{"quantity between", `{type: string, x-kubernetes-validations: [
		{rule: "quantity(self).compareTo(quantity('1Gi')) > 0"}, {rule: "quantity(self).isLessThan(quantity('2Gi'))"}]}`},
	{"quantity as an integer", `{type: string, x-kubernetes-validations: [
		{rule: "isQuantity(self) && quantity(self).isInteger() && quantity(self).asInteger() >= 500"}]}`},
	{"quantities of two fields", `{type: object, required: [low, high], properties: {
		low: {type: string}, high: {type: string}}, x-kubernetes-validations: [
		{rule: "isQuantity(self.low) && isQuantity(self.high) && quantity(self.low).isLessThan(quantity(self.high))"}]}`},
	{"IPv6", `{type: string, x-kubernetes-validations: [{rule: "isIP(self) && ip(self).family() == 6"}]}`},
	{"global IPv6", `{type: string, x-kubernetes-validations: [
		{rule: "isIP(self)"}, {rule: "!isIP(self) || ip(self).family() == 6 && ip(self).isGlobalUnicast()"}]}`},
	{"an address in a network", `{type: string, x-kubernetes-validations: [{rule: "cidr('192.168.64.0/18').containsIP(self)"}]}`},
	{"a network of a length", `{type: string, x-kubernetes-validations: [
		{rule: "isCIDR(self) && cidr(self).prefixLength() <= 22 && cidr(self).prefixLength() >= 20"}]}`},
	{"semver", `{type: string, x-kubernetes-validations: [{rule: "isSemver(self)"}]}`},
	{"semver above", `{type: string, x-kubernetes-validations: [
		{rule: "isSemver(self) && semver(self).isGreaterThan(semver('4.17.3')) && semver(self).isLessThan(semver('5.0.0'))"}]}`},
	{"parts of a semver", `{type: string, x-kubernetes-validations: [
		{rule: "semver(self).major() == 3 && semver(self).minor() >= 14"}]}`},
	{"parts of a string", `{type: string, x-kubernetes-validations: [
		{rule: "self.startsWith('arn:')"}, {rule: "self.split(':').size() == 6"},
		{rule: "self.split(':')[2] in ['iam', 's3']"}]}`},
	{"prefix and suffix", `{type: string, maxLength: 20, x-kubernetes-validations: [
		{rule: "self.startsWith('prefix-')"}, {rule: "self.endsWith('.local')"}, {rule: "size(self) == 18"}]}`},
	{"prefix and pattern", `{type: string, pattern: "^[a-z0-9]+$", minLength: 8, x-kubernetes-validations: [
		{rule: "self.startsWith('k8s')"}, {rule: "self.matches('[0-9]{3}$')"}, {rule: "!self.contains('aa')"}]}`},
	{"timestamp above", `{type: string, x-kubernetes-validations: [{rule: "timestamp(self) > timestamp('2024-06-01T00:00:00Z')"}]}`},
	{"date-time below", `{type: string, format: date-time, x-kubernetes-validations: [
		{rule: "self < timestamp('1999-01-01T00:00:00Z') && self.getFullYear() >= 1995"}]}`},
	{"duration between", `{type: string, x-kubernetes-validations: [
		{rule: "duration(self) >= duration('90s') && duration(self) < duration('5m')"}]}`},
	{"a field of format duration", `{type: object, required: [d], properties: {d: {type: string, format: duration}},
		x-kubernetes-validations: [{rule: "self.d > duration('36h') && self.d.getHours() < 48"}]}`},
	{"a day later", `{type: object, required: [start, end], properties: {
		start: {type: string, format: date-time}, end: {type: string, format: date-time}}, x-kubernetes-validations: [
		{rule: "self.end > self.start + duration('24h') && self.start > timestamp('2024-01-01T00:00:00Z')"}]}`},
	{"a difference of timestamps", `{type: object, required: [start, end, most], properties: {
		start: {type: string}, end: {type: string}, most: {type: string, format: duration}}, x-kubernetes-validations: [
		{rule: "timestamp(self.end) - timestamp(self.start) <= self.most && timestamp(self.start) < timestamp(self.end)"},
		{rule: "self.most < duration('1h') - duration('30m')"}]}`},
	{"int of a string", `{type: string, x-kubernetes-validations: [{rule: "int(self) >= 1024 && int(self) <= 49151"}]}`},
	{"int of a part", `{type: string, x-kubernetes-validations: [
		{rule: "self.split('/').size() == 2 && int(self.split('/')[1]) > 30"}]}`},
	{"an exact size", `{type: string, x-kubernetes-validations: [{rule: "self.size() == 40"}]}`},
	{"an exact size and letters", `{type: string, x-kubernetes-validations: [
		{rule: "size(self) == 40 && self.matches('^[0-9a-f]+$')"}]}`},
	{"a URL", `{type: string, x-kubernetes-validations: [
		{rule: "isURL(self) && url(self).getScheme() == 'ftp' && url(self).getPort() == '2121'"}]}`},
	{"a PEM head", `{type: string, x-kubernetes-validations: [
		{rule: "self.startsWith('-----BEGIN CERTIFICATE-----') && self.trim().endsWith('-----END CERTIFICATE-----')"}]}`},
	{"bytes with a PEM head", `{type: object, required: [ca], properties: {ca: {type: string, format: byte}},
		x-kubernetes-validations: [{rule: "string(self.ca).startsWith('-----BEGIN')"}]}`},
	{"a named format", `{type: string, x-kubernetes-validations: [
		{rule: "!format.dns1123Label().validate(self).hasValue() && self.size() > 10"}]}`},
	{"a lower case host and a port", `{type: string, x-kubernetes-validations: [
		{rule: "self == self.lowerAscii() && self.endsWith(':8443')"}, {rule: "self.indexOf(':') == 9"}]}`},
	{"one field above another", `{type: object, required: [min, max], properties: {
		min: {type: integer, minimum: 50}, max: {type: integer, maximum: 60}},
		x-kubernetes-validations: [{rule: "self.max - self.min >= 7"}, {rule: "self.max % 5 == 0"}]}`},
	{"a sum", `{type: object, required: [a, b, c], properties: {a: {type: integer}, b: {type: integer}, c: {type: integer}},
		x-kubernetes-validations: [{rule: "self.a + self.b * 2 == self.c && self.c == 1000 && self.b > 300"}]}`},
	{"a size that a field says", `{type: object, required: [n1, l], properties: {
		n1: {type: integer, minimum: 4}, l: {type: array, items: {type: string}}},
		x-kubernetes-validations: [{rule: "self.l.size() == self.n1"}, {rule: "self.l.all(x, x.startsWith('id-'))"}]}`},
	{"exactly one of", `{type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}},
		x-kubernetes-validations: [{rule: "[has(self.a), has(self.b), has(self.c)].exists_one(x, x)"}]}`},
	{"one counted", `{type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}},
		x-kubernetes-validations: [{rule: "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.c) ? 1 : 0) == 2"}]}`},
	{"unique names and one default", `{type: array, minItems: 3, items: {type: object, required: [name], properties: {
		name: {type: string}, isDefault: {type: boolean}}}, x-kubernetes-validations: [
		{rule: "self.all(x, self.exists_one(y, y.name == x.name))"},
		{rule: "self.filter(x, has(x.isDefault) && x.isDefault).size() == 1"}]}`},
	{"a sum of weights", `{type: array, minItems: 3, items: {type: object, required: [w], properties: {w: {type: integer, minimum: 0}}},
		x-kubernetes-validations: [{rule: "self.map(x, x.w).sum() == 100"}]}`},
	{"a condition on another field", `{type: object, required: [type], properties: {
		type: {type: string, enum: [A, B, C]}, a: {type: object, properties: {x: {type: string}}}, b: {type: string}},
		x-kubernetes-validations: [{rule: "self.type == 'A' ? has(self.a) && has(self.a.x) && self.a.x.size() > 20 : !has(self.a)"},
		{rule: "(self.type == 'B') == has(self.b)"}]}`},
	{"a joined string", `{type: object, required: [a, b, c], properties: {a: {type: string}, b: {type: string}, c: {type: string}},
		x-kubernetes-validations: [{rule: "self.c == self.a + '/' + self.b && self.a.size() == 3 && self.b != ''"}]}`},
	{"an optional field", `{type: object, properties: {num: {type: integer}}, x-kubernetes-validations: [
		{rule: "self.?num.orValue(0) > 17"}]}`},
	{"keys of a map", `{type: object, minProperties: 2, additionalProperties: {type: string}, x-kubernetes-validations: [
		{rule: "self.all(k, k.startsWith('app.'))"}, {rule: "self.all(k, self[k].size() == 12)"}, {rule: "'app.kubernetes.io/name' in self"}]}`},
}

func TestSolvableRules(t *testing.T) {
	for _, c := range solvable {
		var spec any
		if err := yaml.Unmarshal([]byte(c.spec), &spec); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		s, err := resourcesOf(specOf(spec), "Namespaced")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		start := time.Now()
		for seed := range uint64(20) {
			object, err := s.Valid(schemagen.NewRand(seed))
			if err != nil {
				t.Errorf("%s, seed %d: %v", c.name, seed, err)
				continue
			}
			s.mustAdmit(t, object)
			if seed == 0 {
				t.Logf("%s: %v", c.name, object["spec"])
			}
		}
		if d := time.Since(start); d > time.Second {
			t.Logf("%s: %v", c.name, d)
		}
	}
}

// A rule may restrict the name of the object.
func TestRulesOfTheName(t *testing.T) {
	for _, rule := range []string{
		"self.metadata.name == 'cluster'", "self.metadata.name.startsWith('team-') && self.metadata.name.size() <= 9",
		"self.metadata.name == self.spec.id", "self.metadata.name in ['a', 'b']",
		"self.metadata.name.split('.').size() == 3",
	} {
		schema := specOf(node{"type": "object", "required": []any{"id"},
			"properties": node{"id": node{"type": "string"}}})
		schema["x-kubernetes-validations"] = []any{node{"rule": rule}}
		s, err := resourcesOf(schema, "Cluster")
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			object, err := s.Valid(schemagen.NewRand(seed))
			if err != nil {
				t.Errorf("%s, seed %d: %v", rule, seed, err)
				continue
			}
			s.mustAdmit(t, object)
		}
	}
}
