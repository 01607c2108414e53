package upgrade

// steps of a target's node.
const (
	itemStep   = "[]"
	valueStep  = "{}"
	memberStep = "."
)

// fieldPath returns a node's path as it is shown, e.g. spec.ports[*].name.
func fieldPath(node []string) string {
	path := ""
	for _, step := range node {
		switch {
		case step == itemStep, step == valueStep:
			path += "[*]"
		case path == "":
			path = step[len(memberStep):]
		default:
			path += step
		}
	}
	return path
}

func steps(levels []level) []string {
	var path []string
	for i := range levels {
		if levels[i].step != "" { // not the root
			path = append(path, levels[i].step)
		}
	}
	return path
}
