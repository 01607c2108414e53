package celfunctions

import "strings"

// directed returns expressions that random generation does not find. Each runs
// in both environments.
func directed() []string {
	label := func(n int, end string) string {
		return "'" + strings.Repeat("a", n-len(end)) + end + "'"
	}
	out := []string{
		// presence and selection
		"has(labels.app)", "has(labels.none)", "!has(labels.none) || labels.none == 'x'", "labels.?app", "labels.?none.orValue('x')", "labels.?none.hasValue()",
		"labels[?'app'].value()", "words[?9]", "optional.of(labels).?app", "labels.app.size()", "labels.none",
		// results of add and sub keep a format, and compare on one side only
		"quantity('0').add(5)", "quantity('0').sub(2048)", "quantity('0Ki').add(quantity('3Mi'))", "quantity('1Gi').add(1)", "quantity('1').sub(quantity('1Ki'))",
		"quantity('2') == quantity('1').add(1)", "quantity('1').add(1) == quantity('2')", "quantity('1').add(1) == quantity('1').add(1)",
		"quantity('2') != quantity('1').add(1)", "quantity('1').add(1).compareTo(quantity('1').add(1))", "[quantity('1').add(1)].exists(q, q == quantity('2'))",
		"quantity('2') in [quantity('1').add(1)]", "quantity('1').add(1) in [quantity('2')]",
		// literal limits
		"text.split(',', -1)", "text.split(',', 0)", "text.split(',', 2).all(x, x.size() > 1)", "text.split(',', -1).all(x, x.size() > 1)", "text.split('', number)",
		"words.slice(1, 3)", "words.slice(3, 1)", "words.slice(number, 4)", "words.slice(1, number)", "[words].flatten(-1)", "[words].flatten(number)", "[[words]].flatten(2)",
		"lists.range(-1)", "lists.range(number)", "lists.range(1000000).size()", "lists.range(1000001)", "lists.range(200).all(x, lists.range(200).all(y, x >= y))",
		// elements of lists of the schema, and of values that are not lists
		"words.max()", "words.join()", "words.join(text)", "open.max()", "open.join(',')", "words.map(x, x).max()", "words.map(x, x).join(',')", "['a', 'b'].max()",
		"words.sort()", "numbers.sort()", "words.sortBy(x, x.size())", "words.sortBy(x, x)", "words.distinct()", "numbers.distinct()", "labels.map(k, k).join(',')",
		"labels.all(k, k.matches('a') && labels[k].matches('w'))", "labels.transformList(k, v, k + v).join('/')", "words.indexOf('pear')", "open.lastIndexOf(text)",
		"words.transformMap(i, w, w.size())", "words.transformMapEntry(i, w, {w: i})", "labels.transformMapEntry(k, v, {v: k})", "words.exists_one(i, w, w == 'pear' && i > 0)",
		"sets.contains(words, words)", "sets.intersects(words, open)", "sets.equivalent(words, ['pear', 'apple', ''])", "words.existsOne(i, w, w == '')",
		// equality of values without a size
		"url(text) == url(text)", "url('https://a/' + text) == url('https://a/')", "url('https://a/') == url('https://a/' + text)", "ip(text) == ip(address)",
		"cidr(address) == cidr(address)", "cidr(address) != cidr(address)", "format.date() == format.byte()", "format.named(text) == format.named('date')",
		"format.named('date').value() == format.date()", "format.date() != format.byte()", "semver(text) == semver('1.2.3')", "semver('1.2.3+a') == semver('1.2.3+b')",
		"quantity(text) != quantity('1')", "type(url('/a')) == type(url('/b'))", "type(quantity('1')) == type(semver('1.2.3'))", "type(ip('::1')) == net.IP",
		"type(cidr('::/1')) == net.CIDR", "type(format.date())", "kubernetes.URL", "string(dyn(ip('::1')))", "string(dyn(url('/a')))", "string(cidr(address))",
		"dyn(quantity('1')) == dyn(1)", "dyn(1) == dyn(quantity('1'))", "dyn(url('/')) == dyn('/')", "dyn(ip('::1')) == dyn('::1')", "{'a': quantity('1')} == {'a': quantity('1.0')}",
		"[url('/a')] == [url('/a')]", "[ip('::1')] == [ip('0::1')]", "[semver('1.0.0')] == [semver('1.0.0+x')]", "[format.date()] == [format.date()]", "cidr('10.0.0.1/8') == cidr('10.0.0.0/8')",
		"'%s'.format([quantity('1')])", "'%s %s'.format([ip('::1'), cidr('::/0')])", "'%d'.format(['x'])", "'%s'.format([url('/a')])", "'%s'.format([type(ip('::1'))])",
		// networks in every state
		"cidr('10.0.0.0/8').containsIP('bogus')", "cidr('10.0.0.0/8').containsCIDR('bogus')", "cidr('10.0.0.0/8').containsIP(dyn('10.0.0.1'))", "cidr('10.0.0.0/8').containsIP(dyn(ip('::1')))",
		"cidr('10.0.0.0/8').containsCIDR(dyn(cidr('10.0.0.0/9')))", "cidr('10.0.0.0/9').containsCIDR('10.0.0.0/8')", "cidr('::/0').containsIP(ip('1.2.3.4'))", "cidr('2001:db8::/33').containsCIDR(address)",
		"cidr('2001:db8::/41').containsIP(ip('2001:db8::1'))", "cidr('2001:db8::/81').containsCIDR('2001:db8::/82')", "cidr('10.0.0.0/9').containsIP(ip('10.1.1.1'))",
		"cidr(address).containsIP(text)", "cidr(address).containsCIDR(address)", "cidr(address).ip().family()", "ip('bogus').isLoopback()", "ip.isCanonical('bogus')", "ip.isCanonical(text)",
		// regular expressions, constant and not
		"text.find(address)", "text.findAll(address, 2)", "text.findAll('[a-z]', number)", "text.findAll('[a-z]', dyn('x'))", "text.find(dyn('('))", "text.find('(' + text)", "text.findAll('(' + text)",
		"text.matches('(' + text)", "matches(text, '^a')", "matches('(', 'a')", "matches('a', '(')", "'a'.find('(')", "'a'.findAll('[', 1)", "words.all(w, w.find('a') != 'a')", "'a'.matches(dyn('('))",
		// optional values
		"optional.none().orValue(quantity('x'))", "optional.of(1).orValue(quantity('x'))", "optional.of(1).or(optional.of(1 / 0))", "optional.none().or(optional.of(1 / 0))", "dyn(1).orValue(2)", "dyn(1).or(optional.none())",
		"words.first().value()", "[].first()", "[].last().value()", "optional.unwrap([optional.of(1), optional.none()])", "[?optional.none(), ?optional.of(2)]", "{?'a': optional.none()}", "optional.of(text).optFlatMap(t, optional.of(t.size()))",
		// names that are declared but not usable
		"dyn(1).path('/')", "dyn(1).serviceAccount('a', 'b')", "dyn(1).check('get').allowed()", "dyn(1).fieldSelector('a=b')", "dyn(1).errored()", "dyn(text).namespace('a').name('b')",
		// absent libraries
		"base64.encode(b'a')", "math.greatest(1, 2)", "cel.bind(x, 1, x)", "'abc'.reverse()", "jsonpatch.escapeKey('a')", "regex.extract('a', 'a')", "[1].includes(dyn(1.0))", "{'a': 1}.includes('a')", "text.includes(text)", "dyn(words).includes('pear')",
		// literals
		"duration('x')", "timestamp('x')", "duration(text)", "timestamp(text)", "[1, 'a']", "[1, dyn('a')]", "{'a': 1, 'b': 'c'}", "{1: 1, 'b': 1}", "'%s%s'.format([1, 'a'])", "[[1], ['a']]", "[1, 1.0]", "[null, 1]", "[optional.of(1), ?optional.of('a')]",
		"int('x')", "int('9223372036854775808')", "double('x')", "uint(-1)", "bool('x')", "1 / 0", "1 % 0", "9223372036854775807 + 1", "-9223372036854775808 - 1", "1u - 2u", "1 < 1.5", "1u < -1", "1 == 1.0", "dyn(1) == dyn(1.0)", "1.5 > 1u",
		"number in [1, 2, 3]", "number in numbers", "'pear' in words", "'app' in labels", "text in [text, address]", "dyn(1) in {1.0: 'a'}", "1.0 in [dyn(1)]", "{1: 'a'}[1.0]", "{1: 'a'}[dyn(1.0)]", "[1][dyn('a')]", "[1][dyn(quantity('1'))]", "{'a': 1}[dyn(quantity('1'))]",
		// sizes that the estimate keeps
		"text.replace('', 'ab').size() > 0", "text.replace('a', '').contains('b')", "text.replace('aa', 'b').contains('b')", "text.replace('a', 'bbb').contains('b')", "text.replace(address, text).contains('b')", "text.lowerAscii().upperAscii().trim().matches('a+')",
		"text.substring(2).contains('b')", "text.substring(2, 5).contains('b')", "text.substring(-1)", "text.charAt(100)", "strings.quote(text).contains('b')", "(text + address).contains('b')", "string(data).contains('b')", "bytes(text) == data", "string(number).contains('b')",
		"text.find('[a-z]+').contains('b')", "text.findAll('[a-z]+').exists(x, x == 'b')", "url(text).getHost().contains('b')", "url(text).getQuery().all(k, k == 'x')", "format.uri().validate(text).orValue([]).join(';')", "format.uri().validate(text).hasValue()",
		"text.startsWith(address)", "text.endsWith('x')", "text.contains(address)", "address < text", "data + data", "words + open", "words == open", "(flag ? words : open).all(w, w == '')", "(flag ? text : address).matches('a')", "dyn(words).all(w, w == 'a')", "dyn(text) == text",
		"words.filter(w, w != '').map(w, w + w).join()", "words.map(w, w.size() > 1, w)", "numbers.sum() + numbers.min() - numbers.max()", "[].sum()", "[].max()", "[span, span].sum()", "[1.5, ratio].sum()", "[1u].sum()", "[9223372036854775807, 1].sum()", "[dyn(1), dyn('a')].isSorted()",
	}
	for _, value := range []string{
		"url('/a')", "quantity('1')", "quantity('1').add(1)", "semver('1.2.3')", "ip('::1')", "cidr('::/1')", "format.date()", "span", "instant", "data", "number", "ratio",
		"null", "type(1)", "optional.of(1)", "words", "labels", "flag", "text",
	} {
		out = append(
			out, // the error shows the name of the value
			"[1][dyn("+value+")]",
			"labels[dyn("+value+")]",
			"dyn("+value+")[0]",
			"dyn("+value+").a",
			"dyn("+value+").all(x, x == 1)",
			"dyn("+value+").map(k, v, 1)",
			"dyn("+value+") in words",
			"1 in dyn("+value+")",
			"dyn("+value+") < dyn("+value+")",
			"dyn("+value+") == dyn("+value+")",
			"size(dyn("+value+"))",
			"dyn("+value+") + dyn("+value+")",
			"string(dyn("+value+"))",
			"int(dyn("+value+"))",
			"type(dyn("+value+"))",
			"'%s'.format([dyn("+value+")])",
			"[dyn("+value+")].sort()",
			"[dyn("+value+")].max()",
			"[dyn("+value+")].distinct()",
			"[dyn("+value+")].isSorted()",
			"dyn("+value+").sort()",
			"dyn("+value+").slice(0, 1)",
			"[dyn("+value+")].join()",
			"{dyn("+value+"): 1}",
			"optional.ofNonZeroValue(dyn("+value+"))",
			"dyn("+value+").?a",
			"dyn("+value+")[?0]",
			"has(dyn("+value+").a)",
			"dyn("+value+") ? 1 : 2",
			"dyn("+value+") && true",
			"!dyn("+value+")",
			"-dyn("+value+")",
			"[dyn("+value+")].sum()",
			"sets.contains([dyn("+value+")], [dyn("+value+")])",
			"dyn("+value+").matches('a')",
			"dyn("+value+").compareTo(dyn("+value+"))",
			"[1, 2].map(x, dyn("+value+")).size()",
			"dyn("+value+").containsIP('::1')",
			"dyn("+value+").validate('a')",
		)
	}
	for _, name := range []string{
		"dns1123Label", "dns1123LabelPrefix", "dns1035LabelPrefix", "dns1123SubdomainPrefix",
		"labelValue", "qualifiedName",
	} {
		for _, subject := range []string{
			label(63, "-"), label(64, "-"), label(65, "-"), label(64, ""), label(253, "-"),
			label(254, "-"), "'-'", "'--'", "'a--'", "'.-'", "'a.-'", "''",
		} {
			out = append(out, "format."+name+"().validate("+subject+")")
		}
	}
	return out
}
