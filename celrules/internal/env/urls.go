package env

import (
	"fmt"
	"net/url"
	"reflect"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// URL is a CEL value of type kubernetes.URL. It is immutable.
type URL struct{ *url.URL }

// ConvertToNative returns the URL itself or its text.
func (u URL) ConvertToNative(target reflect.Type) (any, error) {
	return native("URL", u.URL, u.URL.String, target)
}

// ConvertToType returns the value or its type.
func (u URL) ConvertToType(target ref.Type) ref.Val { return conversion(u, urlType, target) }

// Equal compares texts (LIB-032).
func (u URL) Equal(other ref.Val) ref.Val {
	o, ok := other.(URL)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Bool(u.String() == o.String())
}

// Type returns kubernetes.URL.
func (u URL) Type() ref.Type { return urlType }

// Value returns the URL.
func (u URL) Value() any { return u.URL }

// native converts a value of a Kubernetes type to the Go value it wraps, or to its text.
func native[T any](name string, value T, text func() string, target reflect.Type) (any, error) {
	switch {
	case reflect.TypeFor[T]().AssignableTo(target):
		return value, nil
	case reflect.TypeFor[string]().AssignableTo(target):
		return text(), nil
	}
	return nil, fmt.Errorf("type conversion error from '%s' to '%v'", name, target)
}

// urlBindings implements LIB-030 and LIB-031.
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

func urlPart(of func(*url.URL) string) cel.OverloadOpt {
	return unary(func(u URL) ref.Val { return types.String(of(u.URL)) })
}

// parseURL accepts what is a request URI. The parse that counts is the general one, for only that one sets a fragment apart.
func parseURL(text types.String) ref.Val {
	_, err := url.ParseRequestURI(string(text))
	var parsed *url.URL
	if err == nil {
		parsed, err = url.Parse(string(text))
	}
	if err != nil {
		return types.NewErr("URL parse error during conversion from string: %v", err)
	}
	return URL{parsed}
}

func isURL(text types.String) ref.Val {
	_, err := url.ParseRequestURI(string(text))
	return types.Bool(err == nil)
}

func urlQuery(u URL) ref.Val {
	values := map[ref.Val]ref.Val{}
	for key, of := range u.Query() {
		values[types.String(key)] = stringList(of)
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, values)
}
