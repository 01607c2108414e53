package coverage

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/internal/app/spine"
)

// addConstraints adds the constraints of a node.
func (s *schemaCoverage) addConstraints(n *node) {
	required, _ := n.Raw["required"].([]any)
	for i, value := range required {
		if name, ok := value.(string); ok && n.required[name] == nil {
			keyword := fmt.Sprintf("required[%d]", i)
			n.required[name] = s.add(n, Constraints, keyword, name, goalPassed, goalFailed)
		}
	}
	for _, keyword := range spine.Keywords {
		if value, ok := n.Raw[keyword]; ok && spine.Restricts(n.Raw, keyword) {
			s.addConstraint(n, keyword, value)
		}
	}
}

func (s *schemaCoverage) addConstraint(n *node, keyword string, value any) {
	item := s.add(n, Constraints, keyword, spine.Text(value), goalPassed, goalFailed)
	c := counted{item, spine.NewCheck(constraintPart(n.Raw, keyword))}
	if keyword == spine.ListTypeKeyword {
		c.check = spine.NewCheck(map[string]any{
			"type": "object",
			"properties": map[string]any{
				"list": spine.Part(n.Raw, keyword, spine.ListMapKeysKeyword),
			},
		})
	}
	n.checks = append(n.checks, c)
	values, _ := value.([]any)
	for i, branch := range values {
		at := fmt.Sprintf("%s[%d]", keyword, i)
		switch {
		case keyword == "enum":
			item := s.add(n, EnumValues, at, spine.Text(branch), goalSeen)
			only := spine.NewCheck(map[string]any{"enum": []any{branch}})
			n.checks = append(n.checks, counted{item, only})
		case len(values) > 1:
			item := s.add(n, Constraints, at, spine.Text(branch), goalPassed, goalFailed)
			only := spine.NewCheck(map[string]any{"allOf": []any{branch}})
			n.checks = append(n.checks, counted{item, only})
		}
	}
}

// count counts a value.
func (c *counted) count(ctx context.Context, value any) {
	switch {
	case c.item.Class == EnumValues:
		if c.check.Holds(ctx, value) {
			c.item.saw(goalSeen, 1)
		}
	case c.item.Keyword == spine.ListTypeKeyword:
		c.item.sawOutcome(c.check.HoldsInList(ctx, value))
	default:
		c.item.sawOutcome(c.check.Holds(ctx, value))
	}
}

// constraintPart returns the schema of one keyword of a node.
func constraintPart(raw map[string]any, keyword string) map[string]any {
	switch keyword {
	case "maximum":
		return spine.Part(raw, keyword, "exclusiveMaximum")
	case "minimum":
		return spine.Part(raw, keyword, "exclusiveMinimum")
	}
	return spine.Part(raw, keyword)
}
