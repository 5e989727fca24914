package main

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"github.com/anishathalye/porcupine"
)

// An operation on one book, and what its client was told. A year stands for the whole book.
type operation struct {
	Call string `json:"call"`
	// Milliseconds. Without an end, nobody was told the outcome.
	Begin float64  `json:"begin"`
	End   *float64 `json:"end"`
	// What was sent: the new year, the year of the tag in If-Match, the batch, whether there was an Idempotency-Key.
	Year   int    `json:"year"`
	If     *int   `json:"if"`
	Batch  string `json:"batch"`
	HasKey bool   `json:"hasKey"`
	// A word, a year, or null for no book. For a feed, the kinds of all changes.
	Answer any `json:"answer"`
}

// A book between two operations. No operation changes a value of this type.
type book struct {
	// The year as text; "" while there is no book.
	year string
	// The newest state that a change has replaced; "" before there is one.
	earlier string
	// The changes that count, oldest first: an undo removes what it takes back.
	stack []layer
	// The batches of all changes, and the kinds of all changes in their order.
	batches []string
	kinds   []string
}

// A change that counts: its batch ("" without one), and the year before.
type layer struct{ batch, before string }

// What a service may answer, and the book then.
type outcome struct {
	answer string
	after  book
}

const notFound = "not found"

// change returns the book after a change that is not an undo.
func (b book) change(kind, year, batch string) book {
	after := b.log(kind, year)
	after.stack = append(slices.Clone(b.stack), layer{batch, b.year})
	if batch != "" {
		after.batches = append(slices.Clone(b.batches), batch)
	}
	return after
}

// log sets the year, and logs the change.
func (b book) log(kind, year string) book {
	after := b
	if b.year != "" {
		after.earlier = b.year
	}
	after.year = year
	after.kinds = append(slices.Clone(b.kinds), kind)
	return after
}

// outcomes lists what a service that keeps its contract may do with an operation; nothing: no such operation is possible.
func (b book) outcomes(op operation) []outcome {
	switch op.Call {
	case "get", "list", "search":
		return one(b.year, b)
	case "feed":
		return one(strings.Join(b.kinds, " "), b)
	case "create":
		return b.create(op)
	case "update":
		if b.year == "" {
			return one(notFound, b)
		}
		if b.differs(op.If) {
			return one("precondition failed", b)
		}
		year := strconv.Itoa(op.Year)
		if year == b.year {
			return one("done", b)
		}
		return one("done", b.change("updated", year, op.Batch))
	case "delete":
		if b.year == "" {
			return one("done", b) // The specification does not look whether there is a book.
		}
		return one("done", b.change("deleted", "", op.Batch))
	case "revert":
		if b.earlier == "" {
			return one(notFound, b)
		}
		if b.earlier == b.year {
			return one(b.earlier, b)
		}
		return one(b.earlier, b.change("reverted", b.earlier, ""))
	case "undo":
		return b.undo(op.Batch)
	}
	panic("no such operation: " + op.Call)
}

func (b book) create(op operation) []outcome {
	if len(b.kinds) == 0 {
		return one("created", b.change("created", strconv.Itoa(op.Year), op.Batch))
	}
	if op.HasKey {
		return one("replayed", b)
	}
	return nil // The title identifies the book: only a repeat would create it again.
}

// undo gives the book its state before a batch, unless others have changed it since.
func (b book) undo(batch string) []outcome {
	first := slices.IndexFunc(b.stack, func(each layer) bool { return each.batch == batch })
	if first == -1 {
		undone := one("undone", b) // The batch has changed other books, or was undone before.
		if slices.Contains(b.batches, batch) {
			return undone
		}
		return append(undone, outcome{notFound, b})
	}
	isOther := func(each layer) bool { return each.batch != batch }
	if slices.ContainsFunc(b.stack[first:], isOther) {
		return one("left", b)
	}
	before := b.stack[first].before
	if before == b.year {
		return one("undone", b)
	}
	kind := "reverted"
	if before == "" {
		kind = "deleted"
	}
	after := b.log(kind, before)
	after.stack = b.stack[:first:first]
	return one("undone", after)
}

func (b book) differs(expected *int) bool {
	return expected != nil && strconv.Itoa(*expected) != b.year
}

func one(answer string, after book) []outcome { return []outcome{{answer, after}} }

func (b book) key() string { return fmt.Sprintf("%q", b) }

var seed = maphash.MakeSeed()

// The book as Porcupine expects it. An operation without an answer has taken effect, or never does.
var model = porcupine.NondeterministicModel{
	Init: func() []any { return []any{book{}} },
	Step: func(state, input, output any) []any {
		b, op := state.(book), input.(operation)
		var after []any
		for _, each := range b.outcomes(op) {
			if op.End == nil || each.answer == text(output) {
				after = append(after, each.after)
			}
		}
		if op.End == nil {
			after = append(after, b)
		}
		return after
	},
	Equal: func(a, b any) bool { return a.(book).key() == b.(book).key() },
	Hash:  func(state any) uint64 { return maphash.String(seed, state.(book).key()) },
}

// text returns an answer as the model writes it.
func text(answer any) string {
	switch each := answer.(type) {
	case nil:
		return ""
	case string:
		return each
	case float64:
		return strconv.FormatFloat(each, 'f', -1, 64)
	case []any:
		var words []string
		for _, word := range each {
			words = append(words, text(word))
		}
		return strings.Join(words, " ")
	}
	panic(fmt.Sprintf("not an answer: %v", answer))
}
