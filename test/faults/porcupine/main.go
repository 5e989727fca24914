// Reads histories of books, one a line as JSON, and writes for each, in their order, whether Porcupine finds it linearizable: Ok, Illegal,
// or Unknown if that takes too long.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

const limit = time.Minute

func main() {
	checked := model.ToModel()
	lines := json.NewDecoder(os.Stdin)
	for {
		var history []operation
		err := lines.Decode(&history)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(porcupine.CheckOperationsTimeout(checked, toPorcupine(history), limit))
	}
}

func toPorcupine(history []operation) []porcupine.Operation {
	var operations []porcupine.Operation
	for i, op := range history {
		end := int64(math.MaxInt64)
		if op.End != nil {
			end = nanoseconds(*op.End)
		}
		operations = append(operations, porcupine.Operation{
			ClientId: i, Input: op, Call: nanoseconds(op.Begin), Output: op.Answer, Return: end,
		})
	}
	return operations
}

func nanoseconds(milliseconds float64) int64 { return int64(milliseconds * 1e6) }
