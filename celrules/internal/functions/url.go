package functions

import (
	"net/url"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
)

// urlBindings returns the bindings of URLs, e.g. `url(self.link).getHost()`
// (LIB-030, LIB-031).
func urlBindings() map[string]cel.OverloadOpt {
	return map[string]cel.OverloadOpt{
		"string_to_url":        unary(parseURL),
		"is_url_string":        unary(isURL),
		"url_get_scheme":       urlPart(func(u *url.URL) string { return u.Scheme }),
		"url_get_host":         urlPart(func(u *url.URL) string { return u.Host }),
		"url_get_hostname":     urlPart((*url.URL).Hostname),
		"url_get_port":         urlPart((*url.URL).Port),
		"url_get_escaped_path": urlPart((*url.URL).EscapedPath),
		"url_get_query":        unary(urlQuery),
	}
}

// urlPart returns the binding of a getter.
func urlPart(of func(*url.URL) string) cel.OverloadOpt {
	return unary(func(u k8scel.URL) ref.Val { return types.String(of(u.URL)) })
}

// parseURL parses a URL. It must be valid as a request URI, but the value is
// that of the general parser, because only that one separates the fragment.
func parseURL(text types.String) ref.Val {
	_, err := url.ParseRequestURI(string(text))
	var parsed *url.URL
	if err == nil {
		parsed, err = url.Parse(string(text))
	}
	if err != nil {
		return types.NewErr("URL parse error during conversion from string: %v", err)
	}
	return k8scel.URL{URL: parsed}
}

// isURL reports whether a string is a request URI.
func isURL(text types.String) ref.Val {
	_, err := url.ParseRequestURI(string(text))
	return types.Bool(err == nil)
}

// urlQuery returns the parameters of the query, each with a list of values.
func urlQuery(u k8scel.URL) ref.Val {
	values := map[ref.Val]ref.Val{}
	for key, of := range u.Query() {
		values[types.String(key)] = stringList(of)
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, values)
}
