package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// tolerance is the allowed factor between a ratio and the recorded one.
const tolerance = 1.5

// recordRatios writes ours : floor of every row that has both.
func recordRatios(file string, all []measurement) error {
	text, err := json.MarshalIndent(ratiosOf(all), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

func ratiosOf(all []measurement) map[string]float64 {
	ratios := map[string]float64{}
	for _, m := range all {
		if m.floor != 0 && m.ours != 0 {
			ratios[m.name] = ratio(m.ours, m.floor)
		}
	}
	return ratios
}

// checkRatios compares the rows with the ratios of a file, prints both, and
// fails if worse finds any.
func checkRatios(file string, all []measurement) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	recorded := map[string]float64{}
	if err := json.Unmarshal(text, &recorded); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	now := ratiosOf(all)
	for _, m := range all {
		fmt.Printf("%-50s %.2f of the floor, recorded %.2f\n", m.name, now[m.name],
			recorded[m.name])
	}
	return worse(recorded, now)
}

// worse returns a message for every ratio beyond the tolerance and for every
// ratio that is not recorded.
func worse(recorded, now map[string]float64) error {
	var all []error
	for _, name := range sortedKeys(now) {
		was, ok := recorded[name]
		switch {
		case !ok:
			all = append(all, fmt.Errorf("%s: not recorded; -record does", name))
		case now[name] > tolerance*was:
			all = append(all,
				fmt.Errorf("%s: %.2f of the floor, recorded were %.2f", name, now[name], was))
		}
	}
	return errors.Join(all...)
}
