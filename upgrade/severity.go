package upgrade

// severitiesOf returns what a change means. A change that stricter is
// undecided unless logic or a witness says that it does.
func severitiesOf(c *Change) Severities {
	switch {
	case c.Class == ChangesStorage:
		return storingSeverities(c)
	case c.Class == Stricter && !c.IsKnown():
		return Severities{Undecided, Fine, Notable}
	case c.Class == Looser && !bringsNewValues(c):
		return Severities{Fine, Fine, Fine}
	}
	return severities[c.Class]
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
	NoEffect:          {Fine, Fine, Fine},
}

// bringsNewValues reports whether readers may meet values of another kind: a
// value that an enum did not have, null, or another type.
func bringsNewValues(c *Change) bool {
	switch c.Keyword {
	case "enum", "nullable", "type":
		return true
	}
	return false
}

// storingSeverities tell data that is lost from data that is filled in or kept.
func storingSeverities(c *Change) Severities {
	switch {
	case c.Keyword == "storage":
		return Severities{Fine, Fine, Notable}
	case isLoss(c):
		return Severities{Breaking, Breaking, Breaking}
	case isGain(c):
		return Severities{Fine, Fine, Fine}
	}
	return Severities{Notable, Notable, Notable}
}

// isLoss reports whether a change of what is stored can lose data.
func isLoss(c *Change) bool { return isOfFields(c) && (c.New == nil || c.New == false) }

// isGain reports whether a change of what is stored keeps more data.
func isGain(c *Change) bool { return isOfFields(c) && !isLoss(c) }

// isOfFields reports whether a change decides which fields are kept.
func isOfFields(c *Change) bool {
	switch c.Keyword {
	case "properties", "additionalProperties", "x-kubernetes-preserve-unknown-fields",
		"subresources.status":
		return true
	}
	return false
}
