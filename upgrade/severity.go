package upgrade

// severitiesOf returns what a change means. A change that was looked for and
// not shown is notable at most.
func severitiesOf(c *Change) Severities {
	s := severities[c.Class]
	switch {
	case c.Class == ChangesStorage:
		s = storingSeverities(c)
	case c.Witness != nil && c.Witness.OfUnknown:
		s = Severities{Notable, Fine, Fine}
	}
	if c.needsWitness() && c.Witness == nil {
		s = Severities{atMostNotable(s.Writers), atMostNotable(s.Readers), atMostNotable(s.Stored)}
	}
	return s
}

func atMostNotable(s Severity) Severity {
	if s == Breaking {
		return Notable
	}
	return s
}

// severities say what each class means to each audience.
var severities = map[Class]Severities{
	Stricter:          {Breaking, Fine, Notable},
	Looser:            {Fine, Notable, Fine},
	ChangesMerging:    {Breaking, Fine, Notable},
	ChangesServing:    {Breaking, Breaking, Fine},
	Cosmetic:          {Fine, Fine, Fine},
	DefinitionRefused: {Breaking, Breaking, Breaking},
	CostsMore:         {Notable, Fine, Fine},
}

// storingSeverities tell data that is lost from data that is filled in or kept.
func storingSeverities(c *Change) Severities {
	switch {
	case c.Keyword == "storage":
		return Severities{Fine, Fine, Notable}
	case isLoss(c):
		return Severities{Breaking, Breaking, Breaking}
	}
	return Severities{Notable, Notable, Notable}
}

// isLoss reports whether a change of what is stored can lose data.
func isLoss(c *Change) bool {
	switch c.Keyword {
	case "properties", "additionalProperties", "x-kubernetes-preserve-unknown-fields",
		"subresources.status":
		return c.New == nil || c.New == false
	}
	return false
}
