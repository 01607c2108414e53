package celrules

// explain records the values of the failed rule's sub-expressions.
func (e *evaluation) explain() {}
