package lint

// Check describes a check.
type Check struct {
	// ID is the id, e.g. LINT-pattern.
	ID string
	// Title is the finding in a few words.
	Title string
	// Text says what is found and why, in Markdown.
	Text string
}

// Checks returns the checks, in the order of docs/lint.md.
func Checks() []Check {
	return []Check{
		{Pattern, "The pattern matches nothing",
			"No string matches the pattern. A `^` stands behind something that takes a " +
				"character, or a `$` before it: `[A-Z]{3}-^[0-9]+$`."},
		{Length, "No string has the length that is asked for",
			"No string has the length that is asked for: `minLength` is above `maxLength`, " +
				"or every string that matches the pattern is longer than `maxLength` or shorter " +
				"than `minLength`."},
		{Enum, "A value of the enum is refused",
			"No object can have a value of the enum: it does not match the pattern, is too " +
				"long or too short, or is a boolean in an enum of strings. In YAML 1.1, which " +
				"the server reads, `y`, `yes` and `on` are true, and `n`, `no` and `off` are " +
				"false: `enum: [on, off]` holds no string. Write them in quotes."},
		{ListType, "The items have a key, but the list is atomic",
			"The items of a list are objects, and a field looks as if it identified them: " +
				"the `type` of conditions, or a required `name` of an item that does not refer " +
				"to another object. Without `x-kubernetes-list-type` the list is atomic. " +
				"Server-side apply then replaces the whole list, and a rule cannot compare an " +
				"item with its old value. If that is meant, say `x-kubernetes-list-type: " +
				"atomic`."},
		{Boolean, "A key is a boolean in YAML 1.1",
			"A key is not in quotes, and a boolean in YAML 1.1: the property `y` is called " +
				"`true`. Write it in quotes: `\"y\"`."},
		{Bound, "A list below a rule has no bound",
			"The estimated cost of a rule depends on a list or map without `maxItems` or " +
				"`maxProperties`. The server counts as many elements as fit into a request. A " +
				"rule that takes less than a hundredth of its limit has no such finding. `crdsem " +
				"cost` shows the estimates."},
	}
}
