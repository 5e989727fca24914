/** How a command stands in the help of the program. */
export interface CommandName {
  group: string;
  summary: string;
  hidden?: true;
}

/** The commands in the order of the help. What they do is loaded when one of them is run. */
export const names = {
  serve: { group: 'Service:', summary: 'run the service' },
  init: { group: 'Service:', summary: 'write a .env file with a random secret and password' },
  config: { group: 'Service:', summary: 'show each setting and where it came from' },
  doctor: { group: 'Service:', summary: 'look for what is wrong, and say what mends it' },
  backup: { group: 'Service:', summary: 'copy the books and their ids to a file, while the service runs' },
  restore: { group: 'Service:', summary: 'make a store of what backup has written' },
  login: { group: 'Session:', summary: 'get a token from a service and keep it for the other commands' },
  logout: { group: 'Session:', summary: 'forget the token' },
  status: { group: 'Session:', summary: 'show the service, the user and how long the token lasts' },
  list: { group: 'Books:', summary: 'show every book, or find some' },
  get: { group: 'Books:', summary: 'show books by their ids' },
  add: { group: 'Books:', summary: 'add a book' },
  update: { group: 'Books:', summary: 'change fields of a book' },
  edit: { group: 'Books:', summary: 'change a book in your editor' },
  delete: { group: 'Books:', summary: 'delete books' },
  import: { group: 'Files:', summary: 'add the books of a CSV, JSON or NDJSON file' },
  export: { group: 'Files:', summary: 'write every book to a CSV, JSON or NDJSON file' },
  completion: { group: 'Help:', summary: 'print the script that completes commands in your shell' },
  complete: { group: 'Help:', summary: 'answer what that script asks', hidden: true },
  help: { group: 'Help:', summary: 'show help for a command or a topic' },
} as const satisfies Record<string, CommandName>;
