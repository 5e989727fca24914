// PocketBase with a collection of books, for the benchmark: the records API, and tokens of its collection "users".
// Settings arrive in PEER_SETTINGS, as for the peers in Node; the address is written to standard output.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

type settings struct {
	Database string `json:"database"`
	Books    string `json:"books"`
	Username string `json:"username"`
	Password string `json:"password"`
}

type book struct {
	ID     int    `json:"id"`
	Title  string `json:"title"`
	Author string `json:"author"`
	Year   int    `json:"year"`
}

// The default of PocketBase is NORMAL: with a write-ahead log, a power cut then takes the latest writes.
const synchronous = "FULL"

// Opens a database with the settings of PocketBase itself, except synchronous.
func connect(path string) (*dbx.DB, error) {
	pragmas := "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)" +
		"&_pragma=synchronous(" + synchronous + ")&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)" +
		"&_pragma=cache_size(-32000)&_defensive=1"
	return dbx.Open("sqlite", path+pragmas)
}

func main() {
	if err := serve(); err != nil {
		log.Fatal(err)
	}
}

func serve() error {
	var given settings
	if err := json.Unmarshal([]byte(os.Getenv("PEER_SETTINGS")), &given); err != nil {
		return err
	}
	app := pocketbase.NewWithConfig(pocketbase.Config{
		HideStartBanner: true,
		DefaultDataDir:  filepath.Join(given.Database, "pb_data"),
		DBConnect:       connect,
	})
	if err := app.Bootstrap(); err != nil {
		return err
	}
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	if err := checkSynchronous(app); err != nil {
		return err
	}
	// The other servers log nothing, either.
	app.Settings().Logs.MaxDays = 0
	if err := app.Save(app.Settings()); err != nil {
		return err
	}
	if err := app.RunInTransaction(func(tx core.App) error { return fill(tx, given) }); err != nil {
		return err
	}
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		e.Listener = listener
		e.InstallerFunc = nil
		fmt.Printf("{\"url\":\"http://%s\"}\n", listener.Addr())
		return e.Next()
	})
	return apis.Serve(app, apis.ServeConfig{HttpAddr: "127.0.0.1:0"})
}

// Fails if writes would not wait for the disk.
func checkSynchronous(app core.App) error {
	const full = 2
	for _, db := range []dbx.Builder{app.ConcurrentDB(), app.NonconcurrentDB()} {
		var level int
		if err := db.NewQuery("PRAGMA synchronous").Row(&level); err != nil {
			return err
		}
		if level != full {
			return fmt.Errorf("PRAGMA synchronous is %d, not FULL", level)
		}
	}
	return nil
}

// Creates the user, the collection and the initial books. Their ids have 15 characters, as PocketBase requires by default.
func fill(app core.App, given settings) error {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	user := core.NewRecord(users)
	user.SetEmail(given.Username + "@example.com")
	user.SetPassword(given.Password)
	if err := app.Save(user); err != nil {
		return err
	}
	collection := core.NewBaseCollection("books")
	collection.Fields.Add(
		&core.TextField{Name: "title"},
		&core.TextField{Name: "author"},
		&core.NumberField{Name: "year", OnlyInt: true},
	)
	collection.AddIndex("books_title", false, "title", "")
	loggedIn := types.Pointer("@request.auth.id != ''")
	collection.ListRule, collection.ViewRule, collection.CreateRule, collection.UpdateRule = loggedIn, loggedIn, loggedIn, loggedIn
	if err := app.Save(collection); err != nil {
		return err
	}
	text, err := os.ReadFile(given.Books)
	if err != nil {
		return err
	}
	var books []book
	if err := json.Unmarshal(text, &books); err != nil {
		return err
	}
	for _, each := range books {
		record := core.NewRecord(collection)
		record.Set("id", fmt.Sprintf("%015d", each.ID))
		record.Set("title", each.Title)
		record.Set("author", each.Author)
		record.Set("year", each.Year)
		if err := app.SaveNoValidate(record); err != nil {
			return err
		}
	}
	return nil
}
