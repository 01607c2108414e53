package lint_test

import (
	"strings"
	"testing"
)

// surprise is a schema of the field spec, and the checks that it has.
type surprise struct{ name, schema, want string }

func checkSurprises(t *testing.T, check string, list []surprise) {
	t.Helper()
	for _, c := range list {
		var got []string
		for line := range strings.Lines(linted(t, strings.Replace(frame, "%s", c.schema, 1))) {
			if strings.HasPrefix(line, check+" ") {
				got = append(got, strings.TrimSpace(strings.TrimPrefix(line, check)))
			}
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s %q, want %q", c.name, check, text, c.want)
		}
	}
}

func TestImmutable(t *testing.T) {
	const rule = `"x-kubernetes-validations": [{"rule": "self == oldSelf"}]`
	const at = ".properties[tier].x-kubernetes-validations"
	checkSurprises(t, "LINT-immutable", []surprise{
		{"optional", `{"type": "object", "properties": {"tier": {"type": "string", ` + rule + `}}}`, at},
		{"required", `{"type": "object", "required": ["tier"], "properties": {"tier": {"type": "string", ` + rule + `}}}`, ""},
		{"with a default", `{"type": "object", "properties": {"tier": {"type": "string", "default": "a", ` + rule + `}}}`, ""},
		{"kept by the object", `{"type": "object", "x-kubernetes-validations": [{"rule": "!has(oldSelf.tier) || has(self.tier)"}], "properties": {"tier": {"type": "string", ` + rule + `}}}`, ""},
		{"within a whole that is kept", `{"type": "object", ` + rule + `, "properties": {"tier": {"type": "string", ` + rule + `}}}`, ".x-kubernetes-validations"},
		{"another rule", `{"type": "object", "properties": {"tier": {"type": "string", "x-kubernetes-validations": [{"rule": "self != oldSelf"}]}}}`, ""},
	})
}

func TestEmpty(t *testing.T) {
	checkSurprises(t, "LINT-empty", []surprise{
		{"metadata of a template", `{"type": "object", "properties": {"podTemplate": {"type": "object", "properties": {"metadata": {"type": "object"}, "spec": {"type": "object", "properties": {"image": {"type": "string"}}}}}}}`, ".properties[podTemplate].properties[metadata]"},
		{"metadata alone", `{"type": "object", "properties": {"metadata": {"type": "object"}}}`, ""},
		{"metadata with fields", `{"type": "object", "properties": {"metadata": {"type": "object", "properties": {"labels": {"type": "object", "additionalProperties": {"type": "string"}}}}, "spec": {"type": "object", "properties": {"image": {"type": "string"}}}}}`, ""},
		{"config", `{"type": "object", "properties": {"config": {"type": "object"}}}`, ".properties[config]"},
		{"config of any fields", `{"type": "object", "properties": {"config": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}`, ""},
		{"config that is a map", `{"type": "object", "properties": {"config": {"type": "object", "additionalProperties": {"type": "string"}}}}`, ""},
		{"a mark", `{"type": "object", "properties": {"selfSigned": {"type": "object"}}}`, ""},
		{"items", `{"type": "object", "properties": {"rules": {"type": "array", "items": {"type": "object"}}}}`, ".properties[rules].items"},
		{"values of a map", `{"type": "object", "properties": {"plugins": {"type": "object", "additionalProperties": {"type": "object"}}}}`, ".properties[plugins].additionalProperties"},
		{"values of a map of lists", `{"type": "object", "properties": {"plugins": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "object"}}}}}`, ".properties[plugins].additionalProperties.items"},
		{"values that are meant to be empty", `{"type": "object", "properties": {"plugins": {"type": "object", "additionalProperties": {"type": "object", "description": "Nil is an empty struct."}}}}`, ""},
		{"values with a field", `{"type": "object", "properties": {"plugins": {"type": "object", "additionalProperties": {"type": "object", "properties": {"on": {"type": "boolean"}}}}}}`, ""},
		{"values that are maps", `{"type": "object", "properties": {"plugins": {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {"type": "string"}}}}}`, ""},
		{"values of any fields", `{"type": "object", "properties": {"plugins": {"type": "object", "additionalProperties": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}`, ""},
		{"values that are resources", `{"type": "object", "properties": {"plugins": {"type": "object", "additionalProperties": {"type": "object", "x-kubernetes-embedded-resource": true}}}}`, ""},
	})
}

func TestTypesAndNullable(t *testing.T) {
	checkSurprises(t, "LINT-type", []surprise{
		{"a pattern of an integer", `{"type": "object", "properties": {"n": {"type": "integer", "pattern": "^1"}}}`, ".properties[n].pattern"},
		{"items of a string", `{"type": "object", "properties": {"s": {"type": "string", "maxItems": 3, "maxLength": 3}}}`, ".properties[s].maxItems"},
		{"a number of both", `{"type": "object", "properties": {"n": {"x-kubernetes-int-or-string": true, "pattern": "^1", "maximum": 3}}}`, ""},
		{"all of their type", `{"type": "object", "minProperties": 1, "properties": {"n": {"type": "number", "maximum": 3}, "l": {"type": "array", "maxItems": 1, "items": {"type": "string", "minLength": 1}}}}`, ""},
	})
	checkSurprises(t, "LINT-nullable", []surprise{
		{"an enum", `{"type": "object", "properties": {"s": {"type": "string", "nullable": true, "enum": ["a"]}}}`, ".properties[s].nullable"},
		{"no enum", `{"type": "object", "properties": {"s": {"type": "string", "nullable": true}}}`, ""},
		{"not nullable", `{"type": "object", "properties": {"s": {"type": "string", "enum": ["a"]}}}`, ""},
	})
	checkSurprises(t, "LINT-requireddefault", []surprise{
		{"both", `{"type": "object", "required": ["s"], "properties": {"s": {"type": "string", "default": "a"}}}`, ".properties[s].default"},
		{"only a default", `{"type": "object", "required": ["t"], "properties": {"s": {"type": "string", "default": "a"}, "t": {"type": "string"}}}`, ""},
	})
}

func TestRuleErrors(t *testing.T) {
	const fields = `"properties": {"l": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 9}}, "one": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "string", "maxLength": 9}}, "m": {"type": "object", "maxProperties": 3, "additionalProperties": {"type": "string", "maxLength": 9}}, "n": {"type": "integer"}, "p": {"type": "integer", "minimum": 1}, "s": {"type": "string", "maxLength": 9}, "q": {"type": "string", "maxLength": 9, "pattern": "^[0-9]+Gi$"}}`
	var list []surprise
	for rule, fires := range map[string]bool{
		`!has(self.l) || self.l[0] != ''`:                                                         true,
		`!has(self.l) || size(self.l) == 0 || self.l[0] != ''`:                                    false,
		`!has(self.l) || self.l.size() < 1 || self.l[0] != ''`:                                    false,
		`!has(self.one) || self.one[0] != ''`:                                                     false,
		`!has(self.one) || self.one[1] != ''`:                                                     true,
		`!has(self.m) || self.m['k'] != ''`:                                                       true,
		`!has(self.m) || !('k' in self.m) || self.m['k'] != ''`:                                   false,
		`!has(self.n) || 100 / self.n > 2`:                                                        true,
		`!has(self.n) || self.n == 0 || 100 / self.n > 2`:                                         false,
		`!has(self.p) || 100 / self.p > 2`:                                                        false,
		`!has(self.n) || self.n % 2 == 0`:                                                         false,
		`!has(self.s) || quantity(self.s).isGreaterThan(quantity('0'))`:                           true,
		`!has(self.q) || quantity(self.q).isGreaterThan(quantity('0'))`:                           false,
		`!has(self.s) || url(self.s).getScheme() == 'https'`:                                      true,
		`!has(self.s) || isURL(self.s) && url(self.s).getScheme() == 'https'`:                     false,
		`!has(self.s) || ip(self.s).family() == 4`:                                                true,
		`!has(self.s) || int(self.s) > 3`:                                                         true,
		`!has(self.s) || self.s.matches('^[0-9]+$') && int(self.s) > 3`:                           false,
		`!has(self.l) || self.l[size(self.l) - 1] != ''`:                                          true,
		`!has(self.l) || self.l.filter(x, x != 'a')[0] != ''`:                                     true,
		`!has(self.s) || self.s.split('-')[1] != ''`:                                              true,
		`!has(self.s) || self.s.split('-')[0] != ''`:                                              false,
		`!has(self.q) || self.q.split('G')[1] != ''`:                                              false,
		`!has(self.s) || self.s.substring(0, 3) != ''`:                                            true,
		`!has(self.s) || size(self.s) < 3 || self.s.substring(0, 3) != ''`:                        false,
		`!has(self.m) || self.m.all(k, isQuantity(self.m[k]) || quantity(self.m[k]).isInteger())`: true,
		`!has(self.m) || !has(self.s) || self.m[self.s] != ''`:                                    true,
		`!has(self.m) || self.m.k != ''`:                                                          true,
		`!has(self.m) || !has(self.m.k) || self.m.k != ''`:                                        false,
		`!has(self.l) || 9 / size(self.l) > 1`:                                                    true,
		`!has(self.p) || !has(self.n) || 9 / (self.p - 1) > self.n`:                               true,
	} {
		want := ""
		if fires {
			want = ".x-kubernetes-validations[0].rule"
		}
		list = append(list, surprise{rule, `{"type": "object", ` + fields + `, "x-kubernetes-validations": [{"rule": "` + rule + `"}]}`, want})
	}
	for _, text := range []string{
		"duration(self) > duration('1s')", "ip(self).family() == 4", "int(self) > 4",
		"quantity(self).isLessThan(quantity('1Gi'))", "url(self).getScheme() == 'https'",
		"timestamp(self) > timestamp('2020-01-01T00:00:00Z')", "cidr(self).prefixLength() < 25",
	} {
		list = append(list, surprise{"the field's own rule with a message: " + text, `{"type": "object", "properties": {"d": {"type": "string", "maxLength": 40, "x-kubernetes-validations": [{"rule": "` + text + `", "message": "m"}]}}}`, ".properties[d].x-kubernetes-validations[0].rule"})
	}
	checkSurprises(t, "LINT-error", list)
}

// A rule of a string itself ends with an error for any other string, also where
// it has no message: the error is the server's, and not what the rule says.
func TestOwnRuleErrors(t *testing.T) {
	const fires = ".properties[d].x-kubernetes-validations[0].rule"
	var list []surprise
	for _, c := range []struct{ keywords, rule, want string }{
		{"", "int(self) > 3", fires},
		{"", "uint(self) > 3u", fires},
		{"", "double(self) > 0.5", fires},
		{"", "duration(self) < duration('1h')", fires},
		{"", "!(duration(self) > duration('1h'))", fires},
		{"", "timestamp(self) > timestamp('2020-01-01T00:00:00Z')", fires},
		{"", "url(self).getHost() == 'a'", fires},
		{"", "ip(self).family() == 4", fires},
		{"", "cidr(self).containsIP('10.0.0.1')", fires},
		{"", "quantity(self).isLessThan(quantity('1Gi'))", fires},
		{"", "self.split('/')[1] != ''", fires},
		{`"minLength": 3,`, "int(self) > 3", fires},
		{`"pattern": "^[a-z0-9]{4,9}$",`, "int(self) > 3", fires},
		{`"enum": ["1", "2", "auto"],`, "int(self) > 1", fires},
		{`"format": "hostname",`, "url(self).getHost() == 'a'", fires},
		{"", "self != 'auto' && int(self) > 3", fires},
		{"", "self == '' || int(self) > 3", fires},
		{`"pattern": "^[0-9]+$",`, "int(self) > 3", ""},
		{`"pattern": "^[0-9]{1,4}(ms|s|m|h)$",`, "duration(self) < duration('1h')", ""},
		{`"enum": ["1", "2"],`, "int(self) > 1", ""},
		{`"enum": ["1s", "1h"],`, "duration(self) < duration('1h')", ""},
		{`"format": "duration",`, "duration(self) < duration('1h')", ""},
		{`"format": "duration",`, "self < duration('1h')", ""},
		{`"format": "date-time",`, "timestamp(self) > timestamp('2020-01-01T00:00:00Z')", ""},
		{`"format": "ipv4",`, "ip(self).family() == 4", ""},
		{`"format": "cidr",`, "cidr(self).containsIP('10.0.0.1')", ""},
		{"", "isURL(self) && url(self).getHost() == 'a'", ""},
		{"", "!isURL(self) || url(self).getHost() == 'a'", ""},
		{"", "isIP(self) ? ip(self).family() == 4 : true", ""},
		{"", "isCIDR(self) && cidr(self).containsIP('10.0.0.1')", ""},
		{"", "isQuantity(self) && quantity(self).isLessThan(quantity('1Gi'))", ""},
		{"", "self.matches('^[0-9]{1,9}$') && int(self) > 3", ""},
		{"", "self in ['1', '2'] && int(self) > 1", ""},
		{"", "size(self) > 3", ""},
	} {
		schema := `{"type": "object", "properties": {"d": {"type": "string", ` + c.keywords +
			` "maxLength": 40, "x-kubernetes-validations": [{"rule": "` + c.rule + `"}]}}}`
		list = append(list, surprise{c.keywords + c.rule, schema, c.want})
	}
	checkSurprises(t, "LINT-error", list)
}

// Other rules decide what an ordinary value is: those of the node, and those of
// objects around it that read the field.
func TestRuleErrorsNextToOthers(t *testing.T) {
	const own, fires = ".properties[d].x-kubernetes-validations[%].rule",
		".properties[d].x-kubernetes-validations[0].rule"
	field := func(rules, around string) string {
		list := func(rules string) string {
			if rules == "" {
				return ""
			}
			return `, "x-kubernetes-validations": [{"rule": "` +
				strings.ReplaceAll(rules, "; ", `"}, {"rule": "`) + `"}]`
		}
		return `{"type": "object", "properties": {"o": {"type": "boolean"}, "d": {"type": "string", "maxLength": 9` +
			list(rules) + `}}` + list(around) + `}`
	}
	checkSurprises(t, "LINT-error", []surprise{
		{"another one asks first", field("int(self) > 3; self.matches('^[0-9]{1,9}$')", ""), ""},
		{"two that end with an error", field("int(self) > 3; int(self) < 9", ""),
			fires + ", " + strings.Replace(own, "%", "1", 1)},
		{"the object asks", field("int(self) > 3", "!has(self.d) || self.d.matches('^[0-9]{1,9}$')"), ""},
		{"the object asks something else", field("int(self) > 3", "!has(self.d) || self.d != 'z'"), fires},
		{"the object asks of another field", field("int(self) > 3", "!has(self.o) || self.o"), fires},
		{"the object asks now and then", field("int(self) > 3",
			"!has(self.d) || !has(self.o) || self.d.matches('^[0-9]{1,9}$')"), fires},
	})
}

// versions is a definition of two versions, the second one stored.
const versions = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "foos.g.io"}, "spec": {"group": "g.io", "scope": "Cluster", CONVERSION
"names": {"plural": "foos", "kind": "Foo"}, "versions": [
{"name": "v1", "served": SERVED, "storage": false, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": {"type": "string"}, "l": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "string"}}}}}}}}}},
{"name": "v2", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", OPEN "properties": {"l": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}}}}}}}}}}]}}`

func TestStorage(t *testing.T) {
	const webhook = `"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://h.example/c"}}},`
	for _, c := range []struct{ name, conversion, served, open, want string }{
		{"no conversion", "", "true", "", "LINT-storage .properties[a]\nLINT-storage .properties[l].items.properties[y]\n"},
		{"the strategy None", `"conversion": {"strategy": "None"},`, "true", "", "LINT-storage .properties[a]\nLINT-storage .properties[l].items.properties[y]\n"},
		{"a webhook", webhook, "true", "", ""},
		{"not served", "", "false", "", ""},
		{"unknown fields kept", "", "true", `"x-kubernetes-preserve-unknown-fields": true,`, "LINT-storage .properties[l].items.properties[y]\n"},
	} {
		text := strings.NewReplacer(
			"CONVERSION", c.conversion, "SERVED", c.served, "OPEN", c.open,
		).Replace(versions)
		if got := linted(t, text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestColumnsAndScale(t *testing.T) {
	const definition = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "foos.g.io"}, "spec": {"group": "g.io", "scope": "Cluster", "names": {"plural": "foos", "kind": "Foo"},
"versions": [{"name": "v1", "served": true, "storage": true, EXTRA, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}, "e": {"type": "string", "enum": ["a"]}, "t": {"type": "string", "format": "date-time"}, "u": {"type": "string", "description": "Last time that it ran."}, "startedAt": {"type": "string"}, "lastRefreshTime": {"type": "string"}, "sel": {"type": "object", "properties": {"a": {"type": "string"}}}, "one": {"type": "array", "maxItems": 1, "items": {"type": "object", "properties": {"p": {"type": "integer"}}}}, "l": {"type": "array", "items": {"type": "object", "properties": {"p": {"type": "integer"}}}}}}, "status": {"type": "object", "properties": {"n": {"type": "integer"}}}}}}}]}}`
	column := func(of, path string) string {
		return `"subresources": {"status": {}}, "additionalPrinterColumns": [{"name": "C", "type": "` + of + `", "jsonPath": "` + path + `"}]`
	}
	scale := func(selector string) string {
		return `"subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"` + selector + `}}`
	}
	for extra, fires := range map[string]bool{
		column("integer", ".spec.s"):                true,
		column("integer", ".spec.n"):                false,
		column("string", ".spec.n"):                 false,
		column("date", ".spec.n"):                   true,
		column("date", ".spec.s"):                   true,
		column("date", ".spec.e"):                   true,
		column("date", ".spec.t"):                   false,
		column("date", ".spec.u"):                   false,
		column("date", ".spec.startedAt"):           false,
		column("date", ".spec.lastRefreshTime"):     false,
		column("string", ".spec.e"):                 false,
		column("boolean", ".spec.s"):                true,
		column("string", ".spec.l[*].p"):            true,
		column("string", ".spec.l[0].p"):            false,
		column("string", ".spec.one[*].p"):          false,
		column("string", ".spec.l[0:2].p"):          true,
		column("string", ".spec.l[-1:].p"):          false,
		column("string", ".spec.l[?(@.p==1)].p"):    false,
		scale(""):                                   false,
		scale(`, "labelSelectorPath": ".spec.s"`):   false,
		scale(`, "labelSelectorPath": ".spec.sel"`): true,
	} {
		got := linted(t, strings.Replace(definition, "EXTRA", extra, 1))
		if strings.HasPrefix(got, "LINT-column") != fires || !fires && got != "" {
			t.Errorf("%s: %q", extra, got)
		}
	}
}

// A pattern that does not compile is the server's to refuse (STR-061).
func TestPatternThatDoesNotCompile(t *testing.T) {
	checkSurprises(t, "LINT-pattern", []surprise{
		{"a lookahead", `{"type": "string", "pattern": "^(?!foo).*$"}`, ""},
	})
}

func TestDefaultsBehindAnObject(t *testing.T) {
	const on = `"type": "object", "properties": {"enable": {"type": "boolean", "default": true}}`
	checkSurprises(t, "LINT-parentdefault", []surprise{
		{"optional", `{"type": "object", "properties": {"injector": {` + on + `}}}`, ".properties[injector]"},
		{"with a default", `{"type": "object", "properties": {"injector": {` + on + `, "default": {}}}}`, ""},
		{"required", `{"type": "object", "required": ["injector"], "properties": {"injector": {` + on + `}}}`, ""},
		{"behind two objects", `{"type": "object", "properties": {"injector": {"type": "object", "properties": {"tls": {` + on + `}}}}}`, ".properties[injector], .properties[injector].properties[tls]"},
		{"behind two objects, the inner one with a default", `{"type": "object", "properties": {"injector": {"type": "object", "properties": {"tls": {` + on + `, "default": {}}}}}}`, ".properties[injector]"},
		{"behind two objects, the outer one with a default", `{"type": "object", "properties": {"injector": {"type": "object", "default": {}, "properties": {"tls": {` + on + `}}}}}`, ".properties[injector].properties[tls]"},
		{"behind two objects with defaults", `{"type": "object", "properties": {"injector": {"type": "object", "default": {}, "properties": {"tls": {` + on + `, "default": {}}}}}}`, ""},
		{"behind two objects, next to a field without", `{"type": "object", "properties": {"injector": {"type": "object", "properties": {"image": {"type": "string"}, "tls": {` + on + `}}}}}`, ".properties[injector].properties[tls]"},
		{"behind two required objects", `{"type": "object", "required": ["injector"], "properties": {"injector": {"type": "object", "required": ["tls"], "properties": {"tls": {` + on + `}}}}}`, ""},
		{"off", `{"type": "object", "properties": {"injector": {"type": "object", "properties": {"enable": {"type": "boolean", "default": false}}}}}`, ""},
		{"with a field that has none", `{"type": "object", "properties": {"injector": {"type": "object", "properties": {"enable": {"type": "boolean", "default": true}, "image": {"type": "string"}}}}}`, ""},
	})
}
