// Package chain finds chains of packages, of which each imports the next.
package chain

// Longest returns the longest chain that begins with a package. imports has
// what each package imports of the others, which must not go around in circles.
func Longest(imports map[string][]string, from string) []string {
	known := map[string][]string{}
	var longest func(pkg string) []string
	longest = func(pkg string) []string {
		if chain, ok := known[pkg]; ok {
			return chain
		}
		var best []string
		for _, to := range imports[pkg] {
			if chain := longest(to); len(chain) > len(best) {
				best = chain
			}
		}
		known[pkg] = append([]string{pkg}, best...)
		return known[pkg]
	}
	return longest(from)
}
