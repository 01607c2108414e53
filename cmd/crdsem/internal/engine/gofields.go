package engine

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/gotypes"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/schemapath"
)

// ofVersion is a path below a version of a definition.
var ofVersion = regexp.MustCompile(`^spec\.versions\[(\d+)\](?:\.schema\.(.*))?`)

// dotted is the name of a property as a strict decoder writes it.
var dotted = regexp.MustCompile(`\.properties\.([^.[]+)`)

// addGoFields adds the Go field that each finding is about to its hint. What is
// not about a field of the schema is about the type of the kind.
func addGoFields(r *verdict.Result, types *gotypes.Types, definition map[string]any) {
	spec, _ := definition["spec"].(map[string]any)
	group, _ := spec["group"].(string)
	names, _ := spec["names"].(map[string]any)
	kind, _ := names["kind"].(string)
	versions, _ := spec["versions"].([]any)
	for i := range r.Findings {
		f := &r.Findings[i]
		m := ofVersion.FindStringSubmatch(schemapath.V1(f.Field))
		if m == nil {
			continue
		}
		at, err := strconv.Atoi(m[1])
		if err != nil || at >= len(versions) {
			continue
		}
		version, _ := versions[at].(map[string]any)
		name, _ := version["name"].(string)
		path := schemapath.Names(dotted.ReplaceAllString(m[2], ".properties[$1]"))
		field, found := types.Field(group, name, kind, path)
		hint := fmt.Sprintf("the Go field is %s, %v", field.Name, field.Position)
		if !found {
			hint = fmt.Sprintf("--go has no type %s of %s/%s: "+
				"the package needs the marker +groupName", kind, group, name)
		}
		if f.Hint != "" {
			f.Hint += "; "
		}
		f.Hint += hint
	}
}
