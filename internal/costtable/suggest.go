package costtable

// Edit is a bound to set in the schema.
type Edit struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Value   int64  `json:"value"`
}

// roomy is a bound that most lists and strings stay below.
const roomy = 100

// suggest returns the edit that brings a rule below its limit: one missing
// bound if that leaves room, otherwise all of them. It returns nil if no
// missing bound is the reason.
func suggest(c *Rule) []Edit {
	var best *MissingBound
	for i := range c.Missing {
		if m := &c.Missing[i]; m.Fits > 0 && (best == nil || m.Fits > best.Fits) {
			best = m
		}
	}
	if best != nil && (best.Fits >= roomy || best.Fits == c.FitsTogether) {
		return []Edit{{best.Path, best.Keyword, rounded(best.Fits)}}
	}
	if c.FitsTogether == 0 {
		return nil
	}
	var edits []Edit
	for _, m := range c.Missing {
		edits = append(edits, Edit{m.Path, m.Keyword, rounded(c.FitsTogether)})
	}
	return edits
}

// rounded returns the largest number of at most two digits other than zero that
// is not greater than n, e.g. 1200 for 1234.
func rounded(n int64) int64 {
	unit := int64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return n - n%unit
}
