package builtin

import (
	"regexp"
	"strings"

	"github.com/robfig/cron/v3"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// scheduleErrors checks when a CronJob runs. A schedule that begins with a time
// zone, which a server refuses in any case, is not read further: which zones
// there are depends on the machine.
func scheduleErrors(object map[string]any) (errs field.ErrorList) {
	spec, at := below(object, "spec"), field.NewPath("spec")
	schedule, _ := spec["schedule"].(string)
	at = at.Child("schedule")
	hasZone := strings.HasPrefix(schedule, "TZ=") || strings.HasPrefix(schedule, "CRON_TZ=")
	if schedule != "" && !hasZone { // without one it is required
		if _, err := cron.ParseStandard(schedule); err != nil {
			errs = append(errs, field.Invalid(at, schedule, err.Error()))
		}
	}
	if strings.Contains(schedule, "TZ") {
		errs = append(errs, field.Invalid(at, schedule,
			"cannot use TZ or CRON_TZ in schedule, use timeZone field instead"))
	}
	return append(errs, zoneErrors(spec)...)
}

// zonePart matches a part of the name of a time zone.
var zonePart = regexp.MustCompile(`^[A-Za-z\.\-_0-9+]{1,14}$`)

// zoneErrors checks the name of a time zone. Whether there is one of the name
// depends on the machine of the server.
func zoneErrors(spec map[string]any) field.ErrorList {
	zone, ok := spec["timeZone"].(string)
	if !ok {
		return nil
	}
	at := field.NewPath("spec", "timeZone")
	if zone == "" {
		return field.ErrorList{
			field.Invalid(at, zone, "timeZone must be nil or non-empty string"),
		}
	}
	for part := range strings.SplitSeq(zone, "/") {
		if part == "." || part == ".." || strings.HasPrefix(part, "-") ||
			!zonePart.MatchString(part) {
			return field.ErrorList{field.Invalid(at, zone, "unknown time zone "+zone)}
		}
	}
	if strings.EqualFold(zone, "Local") {
		return field.ErrorList{field.Invalid(at, zone,
			"timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones")}
	}
	return nil
}
