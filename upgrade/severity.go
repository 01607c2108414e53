package upgrade

// severitiesOf returns what a change means. A change that was looked for and
// not shown is notable at most.
func severitiesOf(c *Change) Severities {
	s := severities[c.Class]
	if c.Class == StoresOtherwise {
		s = storingSeverities(c)
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
	RefusesMore:       {Breaking, Fine, Notable},
	AcceptsMore:       {Fine, Notable, Fine},
	MergesOtherwise:   {Breaking, Fine, Notable},
	ServesOtherwise:   {Breaking, Breaking, Fine},
	TellsOtherwise:    {Fine, Fine, Fine},
	DefinitionRefused: {Breaking, Breaking, Breaking},
	CostsMore:         {Notable, Fine, Fine},
}

// storingSeverities tell data that is lost from data that is filled in or kept.
func storingSeverities(c *Change) Severities {
	lost := c.New == nil || c.New == false
	switch c.Keyword {
	case "storage":
		return Severities{Fine, Fine, Notable}
	case "properties", "additionalProperties", "x-kubernetes-preserve-unknown-fields",
		"subresources.status":
		if lost {
			return Severities{Breaking, Breaking, Breaking}
		}
	}
	return Severities{Notable, Notable, Notable}
}
