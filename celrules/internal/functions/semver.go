package functions

import (
	"errors"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"github.com/blang/semver/v4"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
)

// semverBindings returns the bindings of semantic versions, e.g.
// `semver(self.version).major() == 1` (LIB-070 to LIB-073).
func semverBindings() map[string]cel.OverloadOpt {
	return map[string]cel.OverloadOpt{
		"string_to_semver": unary(func(s types.String) ref.Val {
			return versionOf(semver.Parse(string(s)))
		}),
		"string_bool_to_semver": binary(func(s types.String, normalize types.Bool) ref.Val {
			return versionOf(semverParser(normalize)(string(s)))
		}),
		"is_semver_string": unary(func(s types.String) ref.Val {
			return parses(semver.Parse(string(s)))
		}),
		"is_semver_string_bool": binary(func(s types.String, normalize types.Bool) ref.Val {
			return parses(semverParser(normalize)(string(s)))
		}),
		"semver_is_greater_than": binary(func(a, b k8scel.Semver) ref.Val {
			return types.Bool(a.Compare(b.Version) > 0)
		}),
		"semver_is_less_than": binary(func(a, b k8scel.Semver) ref.Val {
			return types.Bool(a.Compare(b.Version) < 0)
		}),
		"semver_compare_to": binary(func(a, b k8scel.Semver) ref.Val {
			return types.Int(a.Compare(b.Version))
		}),
		"semver_major": unary(func(v k8scel.Semver) ref.Val { return types.Int(v.Major) }),
		"semver_minor": unary(func(v k8scel.Semver) ref.Val { return types.Int(v.Minor) }),
		"semver_patch": unary(func(v k8scel.Semver) ref.Val { return types.Int(v.Patch) }),
	}
}

// semverParser returns the strict parser, or a parser that normalizes first.
func semverParser(normalize types.Bool) func(string) (semver.Version, error) {
	if normalize {
		return parseNormalized
	}
	return semver.Parse
}

// versionOf returns the value of a parse.
func versionOf(v semver.Version, err error) ref.Val {
	if err != nil {
		return fails(err)
	}
	return k8scel.Semver{Version: v}
}

// parses reports whether a parse succeeded.
func parses(_ semver.Version, err error) ref.Val { return types.Bool(err == nil) }

// parseNormalized parses a version with a leading v, leading zeros or missing
// numbers, e.g. "v1.02" as 1.2.0 (LIB-071).
func parseNormalized(text string) (semver.Version, error) {
	numbers := strings.SplitN(strings.TrimPrefix(text, "v"), ".", 3)
	for i, n := range numbers {
		numbers[i] = withoutLeadingZeros(n)
	}
	if missing := 3 - len(numbers); missing > 0 {
		if strings.ContainsAny(numbers[len(numbers)-1], "+-") {
			return semver.Version{}, errors.New(
				"short version cannot contain PreRelease/Build meta data",
			)
		}
		return semver.Parse(strings.Join(numbers, ".") + strings.Repeat(".0", missing))
	}
	return semver.Parse(strings.Join(numbers, "."))
}

// withoutLeadingZeros removes leading zeros of a number with more than one
// character. One zero stays if no digit follows.
func withoutLeadingZeros(number string) string {
	if len(number) <= 1 {
		return number
	}
	stripped := strings.TrimLeft(number, "0")
	if stripped == "" || stripped[0] < '0' || stripped[0] > '9' {
		return "0" + stripped
	}
	return stripped
}
