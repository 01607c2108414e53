package fleet

// Panics makes every object of a kind panic when it is judged.
func (u *Upgrade) Panics(kind string) error {
	judges, err := u.shared()
	if err != nil {
		return err
	}
	for names, judge := range judges.All() {
		if names.Kind == kind {
			judge.Report = nil
		}
	}
	return nil
}
