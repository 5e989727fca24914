import { Option, type Command } from 'commander';
import type { BookPatch } from '../../catalogue/book.ts';
import { CommandError } from '../command-error.ts';
import { fieldNames, fields, listFields, type FieldName } from '../../catalogue/fields.ts';
import { addDryRun, addFormatOptions, addServiceOptions, fieldOptions, integerParser } from '../arguments.ts';
import { paragraph, type Io } from '../io.ts';
import { addSelection, readSelectionToWrite, selectionHelp, type SelectionOptions } from '../selection.ts';
import type { SessionOptions } from '../session/target.ts';
import { changeSelection } from '../ui/change-selection.ts';
import type { OutputOptions } from '../ui/records.ts';

const optionOf = (name: FieldName) => `--to-${name}`;

const help = `
${paragraph(
  'Gives the selected books new values. Changing several books asks for confirmation on a terminal, and needs --yes without ' +
    'one. The command skips and lists books that somebody else changes meanwhile. One `shelflist undo` takes all changes back.',
)}
${selectionHelp}
Examples:
  $ shelflist change --author "Jane Austin" --to-author "Jane Austen"
  $ shelflist change 7 28-35 --to-year 1815 --yes
  $ shelflist change --in-title gilgamesh --in-author anon --year 0 --to-year=-1750 --dry-run
  $ shelflist change --author Anon --to-author Anonymous --yes --json
  $ shelflist change --title Emmma --to-title Emma --year-from 1800 --year-to 1899
  $ shelflist change --words 1984 --to-author "George Orwell" --dry-run
  $ shelflist change --all --to-title Untitled --dry-run --format csv
  $ shelflist change --year 20015 --to-year 2015 --url https://books.example.org --username ada`;

interface ChangeOptions extends SessionOptions, OutputOptions, SelectionOptions {
  yes?: boolean;
  dryRun?: boolean;
  all?: boolean;
}

export function defineChange(command: Command, io: Io): void {
  addSelection(addServiceOptions(command));
  for (const name of fieldNames) {
    const { type } = fields[name];
    const to = new Option(`${optionOf(name)} <${fieldOptions[name].placeholder}>`, `the new ${name}`);
    command.addOption(type === 'integer' ? to.argParser(integerParser(name)) : to);
  }
  addDryRun(addFormatOptions(command))
    .option('--all', 'change all books; not with ids, words or filters')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .action(async (books: string[], options: ChangeOptions) => {
      const patch = patchOf(options);
      const selection = await readSelectionToWrite(io, books, {
        ...options,
        orAll: ', or --all for every book',
      });
      await changeSelection(io, selection, patch, options);
    });
}

/** The fields that `--to-FIELD` names. @throws {CommandError} `usage` when there are none. */
function patchOf(options: ChangeOptions): BookPatch {
  const entries = fieldNames.flatMap((name) => {
    const key = `to${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const value = (options as Record<string, unknown>)[key];
    return value === undefined ? [] : [[name, value] as const];
  });
  if (entries.length > 0) return Object.fromEntries(entries);
  const names = listFields(fieldNames.map(optionOf));
  throw new CommandError('usage', { message: `name at least one of ${names}` });
}
