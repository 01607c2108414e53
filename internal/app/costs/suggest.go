package costs

// Edit is a bound to set in the schema.
type Edit struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Value   int64  `json:"value"`
}

// roomy is a bound that most lists and strings stay below.
const roomy = 100

// suggest returns the edit that brings a rule below its limit: one missing
// bound if that leaves room, otherwise all of them, otherwise one bound that is
// lowered, otherwise all bounds. It returns nil if no bound is the reason.
func suggest(c *Rule) []Edit {
	missing := Edit{}
	for _, m := range c.Missing {
		if m.Fits > missing.Value {
			missing = Edit{m.Path, m.Keyword, m.Fits}
		}
	}
	if missing.Value >= roomy || missing.Value > 0 && missing.Value == c.FitsTogether {
		return []Edit{missing.rounded()}
	}
	if c.FitsTogether > 0 {
		return allAtMost(c, c.FitsTogether)
	}
	lowered := Edit{}
	for _, b := range c.Set {
		if b.Fits > lowered.Value {
			lowered = Edit{b.Path, b.Keyword, b.Fits}
		}
	}
	if lowered.Value >= roomy || lowered.Value > 0 && lowered.Value >= c.FitsAll {
		return []Edit{lowered.rounded()}
	}
	if c.FitsAll > 0 {
		return allAtMost(c, c.FitsAll)
	}
	return nil
}

// allAtMost returns the edits that set all missing bounds to a value, and lower
// the others to it.
func allAtMost(c *Rule, value int64) []Edit {
	var edits []Edit
	for _, m := range c.Missing {
		edits = append(edits, Edit{m.Path, m.Keyword, value}.rounded())
	}
	for _, b := range c.Set {
		if b.Value > value {
			edits = append(edits, Edit{b.Path, b.Keyword, value}.rounded())
		}
	}
	return edits
}

// rounded returns the edit with a value that is easy to read.
func (e Edit) rounded() Edit { return Edit{e.Path, e.Keyword, rounded(e.Value)} }

// rounded returns the largest number of at most two digits other than zero that
// is not greater than n, e.g. 1200 for 1234.
func rounded(n int64) int64 {
	unit := int64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return n - n%unit
}
