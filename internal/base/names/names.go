// Package names says what is wrong with qualified names and label values, in
// the words of the newest Kubernetes minor.
//
// The words of k8s.io/apimachinery changed with Kubernetes 1.37. They are
// written here so that they do not depend on the version of that module in a
// program. Names whose words never changed, e.g. DNS labels, are checked by the
// module.
//
// # Specification
//
// https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/
package names

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// maxPart is the number of bytes that the name part of a key, or the value of a
// label, may have.
const maxPart = 63

// part is the pattern of a name part. It is shown in messages.
const part = `([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`

const consists = "consist of alphanumeric characters, '-', '_' or '.', " +
	"and must start and end with an alphanumeric character"

// malformedPart is the message about a name part that does not match.
var malformedPart = "must " + consists + examples(part, "MyName", "my.name", "123-abc")

// malformedValue is the message about a label value that does not match.
var malformedValue = "a valid label must be an empty string or " + consists +
	examples("("+part+")?", "MyValue", "my_value", "12345")

// examples returns the part of a message that has examples and the pattern.
func examples(pattern string, names ...string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("'%s'", name)
	}
	return fmt.Sprintf(" (e.g. %s, regex used for validation is '%s')",
		strings.Join(quoted, ",  or "), pattern)
}

// QualifiedName returns what is wrong with a qualified name, e.g. the key of a
// label: a name part, or a DNS subdomain, a slash and a name part. It returns
// nil for a valid one.
func QualifiedName(name string) (problems []string) {
	prefix, rest, isPrefixed := strings.Cut(name, "/")
	if !isPrefixed {
		return partProblems(name)
	}
	if strings.Contains(rest, "/") {
		return []string{"a valid label key " + malformedPart +
			" with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"}
	}
	if prefix == "" {
		problems = append(problems, "prefix part must be non-empty")
	} else {
		for _, problem := range validation.IsDNS1123Subdomain(prefix) {
			problem = strings.Replace(
				problem, "no more than 253 characters", "no more than 253 bytes", 1)
			problems = append(problems, "prefix part "+problem)
		}
	}
	return append(problems, partProblems(rest)...)
}

func partProblems(name string) (problems []string) {
	switch {
	case name == "":
		problems = append(problems, "name part must be non-empty")
	case len(name) > maxPart:
		problems = append(problems, "name part "+tooLong)
	}
	if !isPart(name) {
		problems = append(problems, "name part "+malformedPart)
	}
	return problems
}

var tooLong = fmt.Sprintf("must be no more than %d bytes", maxPart)

// LabelValue returns what is wrong with the value of a label. It returns nil
// for a valid one.
func LabelValue(value string) (problems []string) {
	if len(value) > maxPart {
		problems = append(problems, tooLong)
	}
	if value != "" && !isPart(value) {
		problems = append(problems, malformedValue)
	}
	return problems
}

// isPart reports whether a string matches the pattern of a name part.
func isPart(s string) bool {
	for i := range len(s) {
		isInner := i > 0 && i < len(s)-1
		if c := s[i]; !isAlphanumeric(c) && !(isInner && strings.IndexByte("-_.", c) >= 0) {
			return false
		}
	}
	return s != ""
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
