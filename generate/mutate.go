package generate

// Mutate returns a JSON value with a few changes made anywhere: members taken away,
// added, set to null or to another type, lists shuffled, shortened or doubled. The
// value itself is not changed.
func Mutate(r *Rand, v any) any {
	v = Clone(v)
	for range r.between(1, 3) {
		v = mutateOnce(r, v)
	}
	return v
}

// mutateOnce changes one place of a value, in place where it can.
func mutateOnce(r *Rand, v any) any {
	places := placesOf(v)
	if len(places) == 0 {
		return Value(r)
	}
	p := places[r.Intn(len(places))]
	switch r.Intn(9) {
	case 0:
		p.remove()
	case 1:
		p.set(nil)
	case 2, 3:
		p.set(Value(r))
	case 4:
		p.add(r)
	case 5, 6:
		p.set(vary(r, p.get()))
	case 7:
		p.set(Clone(places[r.Intn(len(places))].get()))
	case 8:
		p.set(vary(r, p.get()))
	}
	return v
}

// vary returns a value near to a value: of the same type most of the time.
func vary(r *Rand, v any) any {
	switch v := v.(type) {
	case bool:
		return !v
	case int64:
		return pick[any](r, v+1, v-1, -v, float64(v), float64(v)+0.5, int64(0))
	case float64:
		return pick[any](r, v+0.5, -v, v/10)
	case string:
		return pick(r, v+"x", "", "X"+v, v+v)
	case []any:
		return varyList(r, v)
	case map[string]any:
		out, _ := Clone(v).(map[string]any)
		for _, name := range names(out) {
			if r.chance(0.3) {
				delete(out, name)
			}
		}
		return out
	}
	return Value(r)
}

func varyList(r *Rand, items []any) any {
	out, _ := Clone(items).([]any)
	switch {
	case len(out) == 0:
		return []any{Value(r)}
	case r.chance(0.3):
		r.src.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		return out
	case r.chance(0.4):
		return append(out, Clone(out[r.Intn(len(out))]))
	}
	i := r.Intn(len(out))
	return append(out[:i], out[i+1:]...)
}

// place is a member of a map or an element of a list.
type place struct {
	object map[string]any
	name   string
	items  []any
	index  int
}

// placesOf lists every place of a value.
func placesOf(v any) []place {
	var places []place
	switch v := v.(type) {
	case map[string]any:
		for _, name := range names(v) {
			places = append(places, place{object: v, name: name})
			places = append(places, placesOf(v[name])...)
		}
	case []any:
		for i := range v {
			places = append(places, place{items: v, index: i})
			places = append(places, placesOf(v[i])...)
		}
	}
	return places
}

func (p place) get() any {
	if p.object != nil {
		return p.object[p.name]
	}
	return p.items[p.index]
}

func (p place) set(v any) {
	if p.object != nil {
		p.object[p.name] = v
	} else {
		p.items[p.index] = v
	}
}

// remove takes a member away; an element becomes null.
func (p place) remove() {
	if p.object != nil {
		delete(p.object, p.name)
	} else {
		p.items[p.index] = nil
	}
}

// add puts an unknown member beside or below a place.
func (p place) add(r *Rand) {
	target := p.object
	if below, ok := p.get().(map[string]any); ok {
		target = below
	}
	if target != nil {
		target[pick(r, "unknownField", "a", "name", "extra.field")] = Value(r)
	}
}

// Update returns a new state of an object: the object with a few of its values
// changed, most of them to what the schema allows. Neither argument is changed.
func Update(r *Rand, schema map[string]any, old any) any {
	object := Clone(old)
	switch r.Intn(8) {
	case 0:
		return object
	case 1:
		return Mutate(r, object)
	}
	o := &objects{r: r, kind: pick(r, valid, wild)}
	for range r.between(1, 3) {
		object = o.changed(schema, object, 0)
	}
	return object
}

// changed makes one change at a place that a schema describes, in place where it
// can.
func (o *objects) changed(n node, v any, depth int) any {
	switch v := v.(type) {
	case map[string]any:
		properties, _ := n["properties"].(node)
		if len(properties) == 0 || depth > 0 && o.r.chance(0.1) {
			break
		}
		known := names(properties)
		name := known[o.r.Intn(len(known))]
		property, ok := properties[name].(node)
		if !ok {
			break
		}
		if member, there := v[name]; there {
			v[name] = o.changed(property, member, depth+1)
		} else {
			v[name] = o.value(property, depth+1)
		}
		return v
	case []any:
		items, ok := n["items"].(node)
		if ok && len(v) == 0 && o.kind == valid {
			return []any{o.value(items, depth+1)}
		}
		if !ok || len(v) == 0 || o.r.chance(0.25) {
			return varyList(o.r, v)
		}
		i := o.r.Intn(len(v))
		v[i] = o.changed(items, v[i], depth+1)
		return v
	}
	return o.value(n, depth)
}
