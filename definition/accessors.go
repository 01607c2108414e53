package definition

// Name returns metadata.name: the plural name and the group, joined by a dot.
func (d *Definition) Name() string { return d.name }

// Group returns the API group of the resource.
func (d *Definition) Group() string { return d.group }

// Names returns the names of the resource and its kind.
func (d *Definition) Names() Names { return d.names }

// Scope tells whether the resource lives in namespaces.
func (d *Definition) Scope() Scope { return d.scope }

// Versions returns the versions in the order in which they are written.
func (d *Definition) Versions() []Version { return d.versions }

// Version returns the version of a name, nil if there is none.
func (d *Definition) Version(name string) *Version {
	for i := range d.versions {
		if d.versions[i].Name == name {
			return &d.versions[i]
		}
	}
	return nil
}

// StorageVersion returns the version in which objects are stored, nil if there is none, which no valid definition lacks.
func (d *Definition) StorageVersion() *Version {
	for i := range d.versions {
		if d.versions[i].Storage {
			return &d.versions[i]
		}
	}
	return nil
}

// StoredVersions returns the names of the versions in which objects may be stored.
func (d *Definition) StoredVersions() []string { return d.storedVersions }

// Conversion tells how objects are converted between versions.
func (d *Definition) Conversion() Conversion { return d.conversion }

// PreservesUnknownFields tells whether fields outside the schema are kept everywhere (spec.preserveUnknownFields).
func (d *Definition) PreservesUnknownFields() bool { return d.preservesUnknownFields }
