package crdtest

import "fmt"

// Score counts goals, e.g. of coverage, or mutants that were noticed.
type Score struct {
	// Reached is the number of goals that were seen, Goals that of all.
	Reached int `json:"reached"`
	Goals   int `json:"goals"`
}

// Percent returns the share of the goals that were reached, 100 without goals.
func (s Score) Percent() float64 {
	if s.Goals == 0 {
		return 100
	}
	return 100 * float64(s.Reached) / float64(s.Goals)
}

// String returns the score as in "63.2% of 38 goals".
func (s Score) String() string { return fmt.Sprintf("%.1f%% of %d goals", s.Percent(), s.Goals) }
