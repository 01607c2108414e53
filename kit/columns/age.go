package columns

import (
	"fmt"
	"time"
)

// ageOf returns the age of a date at a time, e.g. 3d4h (COL-009).
func ageOf(date string, now time.Time) string {
	if date == "" || date == "null" {
		return "<unknown>"
	}
	at, err := time.Parse(time.RFC3339, date)
	switch {
	case err != nil:
		return "<invalid>"
	case at.IsZero():
		return "<unknown>"
	}
	return duration(now.Sub(at))
}

const (
	day  = 24 * time.Hour
	year = 365 * day
)

// duration returns a duration in the words of kubectl: the larger its first
// unit, the fewer of the second one. A time up to two seconds ahead is now.
func duration(d time.Duration) string {
	units := func(large, small time.Duration, letters string) string {
		rest := int64(d % large / small)
		if rest == 0 {
			return fmt.Sprintf("%d%c", d/large, letters[0])
		}
		return fmt.Sprintf("%d%c%d%c", d/large, letters[0], rest, letters[1])
	}
	unit := func(unit time.Duration, letter byte) string {
		return fmt.Sprintf("%d%c", d/unit, letter)
	}
	switch {
	case d <= -2*time.Second:
		return "<invalid>"
	case d < 0:
		return "0s"
	case d < 2*time.Minute:
		return unit(time.Second, 's')
	case d < 10*time.Minute:
		return units(time.Minute, time.Second, "ms")
	case d < 3*time.Hour:
		return unit(time.Minute, 'm')
	case d < 8*time.Hour:
		return units(time.Hour, time.Minute, "hm")
	case d < 2*day:
		return unit(time.Hour, 'h')
	case d < 8*day:
		return units(day, time.Hour, "dh")
	case d < 2*year:
		return unit(day, 'd')
	case d < 8*year:
		return units(year, day, "yd")
	}
	return unit(year, 'y')
}
