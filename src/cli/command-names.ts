/** The entry of a command in the help of the program. */
export interface CommandName {
  group: string;
  summary: string;
  hidden?: true;
}

/** The commands, in the order of the help. Their code is loaded when one of them runs. */
export const names = {
  serve: { group: 'Service:', summary: 'run the service' },
  init: { group: 'Service:', summary: 'write a .env file with a random secret and password' },
  passwd: { group: 'Service:', summary: 'change the password in the .env file' },
  config: { group: 'Service:', summary: 'show each setting and its source' },
  doctor: { group: 'Service:', summary: 'find problems, and say how to fix them' },
  health: { group: 'Service:', summary: 'ask whether the service is ready, without a login' },
  backup: { group: 'Service:', summary: 'copy the books and their ids to a file, while the service runs' },
  restore: { group: 'Service:', summary: 'create a store from a backup' },
  login: { group: 'Session:', summary: 'get a token from a service and store it for the other commands' },
  logout: { group: 'Session:', summary: 'delete the token' },
  status: { group: 'Session:', summary: 'show the service, the user and how long the token is valid' },
  list: { group: 'Books:', summary: 'list all books, or find some' },
  suggest: { group: 'Books:', summary: 'show the most frequent authors or titles with some words' },
  stats: { group: 'Books:', summary: 'count books by decade and by author' },
  get: { group: 'Books:', summary: 'show books by their ids' },
  add: { group: 'Books:', summary: 'add a book' },
  update: { group: 'Books:', summary: 'change fields of a book' },
  edit: { group: 'Books:', summary: 'change a book in your editor' },
  change: { group: 'Books:', summary: 'change fields of all books that a query matches' },
  delete: { group: 'Books:', summary: 'delete books' },
  duplicates: { group: 'Books:', summary: 'find books that the catalogue has more than once' },
  merge: { group: 'Books:', summary: 'keep one of several duplicates, and delete the others' },
  watch: { group: 'Books:', summary: 'write each change of a book while it happens' },
  history: { group: 'History:', summary: 'show the earlier states of a book' },
  revert: { group: 'History:', summary: 'give a book an earlier state, or bring it back' },
  trash: { group: 'History:', summary: 'list deleted books' },
  undo: { group: 'History:', summary: 'take back an import, a change, a delete or a merge' },
  import: { group: 'Files:', summary: 'add the books of a file: CSV, JSON, MARC21, RIS, BibTeX' },
  export: { group: 'Files:', summary: 'write every book to a file: CSV, JSON, MARCXML, RIS, BibTeX' },
  completion: { group: 'Help:', summary: 'complete commands and options when you press Tab' },
  complete: { group: 'Help:', summary: 'list completions for that script', hidden: true },
  help: { group: 'Help:', summary: 'show help for a command or a topic' },
} as const satisfies Record<string, CommandName>;
