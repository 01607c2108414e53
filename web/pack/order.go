package main

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// similar returns an order of texts in which similar ones follow each other, as
// numbers. A zip program finds what repeats within 32 KB only.
//
// From each text it goes on to the text that has most in common with it, by
// sketches.
func similar(texts [][]byte) []int {
	sketches := make([]sketch, len(texts))
	for i, text := range texts {
		sketches[i] = sketchOf(text)
	}
	left := newNeighbours(sketches)
	byText := sorted(texts)
	order := make([]int, 0, len(texts))
	for _, first := range byText {
		for i := first; i >= 0 && !left.taken[i]; i = left.closest(i) {
			left.taken[i] = true
			order = append(order, i)
		}
	}
	return order
}

// sorted returns the numbers of texts in the order of the texts.
func sorted(texts [][]byte) []int {
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return bytes.Compare(texts[i], texts[j]) })
	return order
}

// A sketch is a sample of the windows of a text: from each bucket of their
// hashes, the lowest one. Two texts agree at as many places of their sketches
// as they have windows in common, about.
type sketch [1024]uint32

const window = 6

func sketchOf(text []byte) sketch {
	const spread = 0x9e3779b97f4a7c15 // 2^64 by the golden ratio
	var s sketch
	for i := range s {
		s[i] = none
	}
	var bytes [8]byte
	for i := range len(text) - window + 1 {
		copy(bytes[:], text[i:i+window])
		hash := binary.LittleEndian.Uint64(bytes[:]) * spread
		bucket := &s[hash>>54]
		*bucket = min(*bucket, uint32(hash>>22))
	}
	return s
}

// none is in buckets without a window.
const none = 1<<32 - 1

// neighbours finds the text that has most in common with another.
type neighbours struct {
	groups [][]*group // of each text
	taken  []bool
	common []int // by text; all are 0 between calls
}

// A group is the texts that agree at a place of their sketches.
type group struct{ texts []int }

// widest bounds the groups that count: what more texts have in common says
// little, and takes time.
const widest = 2000

func newNeighbours(sketches []sketch) *neighbours {
	n := &neighbours{groups: make([][]*group, len(sketches)),
		taken: make([]bool, len(sketches)), common: make([]int, len(sketches))}
	for bucket := range len(sketch{}) {
		byHash := map[uint32]*group{}
		for i := range sketches {
			hash := sketches[i][bucket]
			if hash == none {
				continue
			}
			if byHash[hash] == nil {
				byHash[hash] = &group{}
			}
			byHash[hash].texts = append(byHash[hash].texts, i)
			n.groups[i] = append(n.groups[i], byHash[hash])
		}
	}
	return n
}

// closest returns the text that is not taken and has most in common with
// another, and -1 if none has anything.
func (n *neighbours) closest(to int) int {
	var seen []int
	for _, g := range n.groups[to] {
		if len(g.texts) > widest {
			continue
		}
		g.texts = slices.DeleteFunc(g.texts, func(i int) bool { return n.taken[i] })
		for _, i := range g.texts {
			if n.common[i] == 0 {
				seen = append(seen, i)
			}
			n.common[i]++
		}
	}
	best, most := -1, 0
	for _, i := range seen {
		if common := n.common[i]; common > most || common == most && i < best {
			best, most = i, common
		}
		n.common[i] = 0
	}
	return best
}
