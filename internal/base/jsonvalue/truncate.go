package jsonvalue

// Truncate returns a float without its fraction. A float that no int64 holds,
// or a NaN, becomes the least int64, as on amd64: Go leaves the result to the
// processor, and the server's recorded answers come from amd64.
func Truncate(f float64) int64 {
	const limit = 1 << 63
	if f >= -limit && f < limit {
		return int64(f)
	}
	return -limit
}
