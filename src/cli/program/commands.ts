import type { Command } from 'commander';
import type { Io } from '../io.ts';

/** Gives a command its options, arguments, help and action. */
export type CommandDefinition = (command: Command, io: Io) => void;

interface CommandRow {
  /** Its heading in the help of the program. */
  readonly group: string;
  readonly summary: string;
  readonly alias?: string;
  /** Loads its code: only the command that runs is loaded. */
  readonly load: () => Promise<CommandDefinition>;
}

/** The commands, in the order of the help. */
export const commands: Readonly<Record<string, CommandRow>> = {
  serve: {
    group: 'Service:',
    summary: 'run the service',
    load: async () => (await import('../commands/serve/serve.ts')).defineServe,
  },
  start: {
    group: 'Service:',
    summary: 'run the service for the books in your documents, and open the page',
    load: async () => (await import('../commands/serve/start.ts')).defineStart,
  },
  init: {
    group: 'Service:',
    summary: 'write a .env file with a random secret and password',
    load: async () => (await import('../commands/init.ts')).defineInit,
  },
  passwd: {
    group: 'Service:',
    summary: 'change the password in the .env file',
    load: async () => (await import('../commands/passwd.ts')).definePasswd,
  },
  config: {
    group: 'Service:',
    summary: 'show each setting and its source',
    load: async () => (await import('../commands/config.ts')).defineConfig,
  },
  doctor: {
    group: 'Service:',
    summary: 'find problems, and say how to fix them',
    load: async () => (await import('../commands/doctor.ts')).defineDoctor,
  },
  health: {
    group: 'Service:',
    summary: 'check whether the service is ready, without a login',
    load: async () => (await import('../commands/health.ts')).defineHealth,
  },
  backup: {
    group: 'Service:',
    summary: 'copy the books and their ids to a file, while the service runs',
    load: async () => (await import('../commands/backup.ts')).defineBackup,
  },
  restore: {
    group: 'Service:',
    summary: 'create a store from a backup',
    load: async () => (await import('../commands/restore.ts')).defineRestore,
  },
  verify: {
    group: 'Service:',
    summary: 'check a backup, without restoring it',
    load: async () => (await import('../commands/verify.ts')).defineVerify,
  },
  copy: {
    group: 'Service:',
    summary: 'copy a catalogue to another store, with ids and history',
    load: async () => (await import('../commands/copy.ts')).defineCopy,
  },
  login: {
    group: 'Session:',
    summary: 'log in to a service, and store its token for other commands',
    load: async () => (await import('../commands/login.ts')).defineLogin,
  },
  logout: {
    group: 'Session:',
    summary: 'delete the stored token',
    load: async () => (await import('../commands/logout.ts')).defineLogout,
  },
  status: {
    group: 'Session:',
    summary: 'show the service, the user and how long the token is valid',
    load: async () => (await import('../commands/status.ts')).defineStatus,
  },
  open: {
    group: 'Session:',
    summary: 'open the page of the service in the browser, logged in',
    load: async () => (await import('../commands/open.ts')).defineOpen,
  },
  api: {
    group: 'Session:',
    summary: 'send any request to the service, and print its answer',
    load: async () => (await import('../commands/api.ts')).defineApi,
  },
  list: {
    group: 'Books:',
    summary: 'list or search the books',
    alias: 'ls',
    load: async () => (await import('../commands/list.ts')).defineList,
  },
  suggest: {
    group: 'Books:',
    summary: 'show the most frequent authors or titles that match',
    load: async () => (await import('../commands/suggest.ts')).defineSuggest,
  },
  stats: {
    group: 'Books:',
    summary: 'count books by decade and by author',
    load: async () => (await import('../commands/stats.ts')).defineStats,
  },
  authors: {
    group: 'Books:',
    summary: 'list authors, and join the spellings of one name',
    load: async () => (await import('../commands/authors.ts')).defineAuthors,
  },
  get: {
    group: 'Books:',
    summary: 'show books by their ids',
    alias: 'show',
    load: async () => (await import('../commands/get.ts')).defineGet,
  },
  add: {
    group: 'Books:',
    summary: 'add a book',
    load: async () => (await import('../commands/add.ts')).defineAdd,
  },
  update: {
    group: 'Books:',
    summary: 'change fields of books',
    load: async () => (await import('../commands/update.ts')).defineUpdate,
  },
  edit: {
    group: 'Books:',
    summary: 'change a book in your editor',
    load: async () => (await import('../commands/edit.ts')).defineEdit,
  },
  change: {
    group: 'Books:',
    summary: 'give the books of a selection new values',
    load: async () => (await import('../commands/change.ts')).defineChange,
  },
  delete: {
    group: 'Books:',
    summary: 'delete books',
    alias: 'rm',
    load: async () => (await import('../commands/delete.ts')).defineDelete,
  },
  duplicates: {
    group: 'Books:',
    summary: 'find books that are in the catalogue more than once',
    load: async () => (await import('../commands/duplicates.ts')).defineDuplicates,
  },
  merge: {
    group: 'Books:',
    summary: 'keep one of several duplicates, and delete the others',
    load: async () => (await import('../commands/merge.ts')).defineMerge,
  },
  watch: {
    group: 'Books:',
    summary: 'write each change of a book as it happens',
    load: async () => (await import('../commands/watch.ts')).defineWatch,
  },
  history: {
    group: 'History:',
    summary: 'show the earlier states of a book',
    load: async () => (await import('../commands/history.ts')).defineHistory,
  },
  revert: {
    group: 'History:',
    summary: 'give books an earlier state, or bring back deleted ones',
    load: async () => (await import('../commands/revert.ts')).defineRevert,
  },
  trash: {
    group: 'History:',
    summary: 'list deleted books',
    load: async () => (await import('../commands/trash.ts')).defineTrash,
  },
  undo: {
    group: 'History:',
    summary: 'take back an import, a change, a delete or a merge',
    load: async () => (await import('../commands/undo.ts')).defineUndo,
  },
  import: {
    group: 'Files:',
    summary: 'add the books of a file: Excel, CSV, JSON, MARC21, RIS, BibTeX',
    load: async () => (await import('../commands/import/import.ts')).defineImport,
  },
  export: {
    group: 'Files:',
    summary: 'write books to a file: Excel, CSV, JSON, MARCXML, RIS, BibTeX',
    load: async () => (await import('../commands/export.ts')).defineExport,
  },
  mcp: {
    group: 'Assistants:',
    summary: 'let an AI assistant search and change the books (MCP)',
    load: async () => (await import('../commands/mcp/mcp.ts')).defineMcp,
  },
  completion: {
    group: 'Help:',
    summary: 'let your shell complete commands and options with Tab',
    load: async () => (await import('../commands/completion.ts')).defineCompletion,
  },
  help: {
    group: 'Help:',
    summary: 'show help for a command or a topic',
    load: async () => (await import('../commands/help.ts')).defineHelp,
  },
};
