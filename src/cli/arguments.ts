import { type Command, InvalidArgumentError, Option } from 'commander';
import { type BookPatch, parseId } from '../catalogue/book.ts';
import { hasCode, ShelflistError } from '../catalogue/errors.ts';
import { CommandError } from './command-error.ts';
import { addFieldsOption } from './json-option.ts';
import { type FieldName, fieldNames, fields, listFields } from '../catalogue/fields.ts';

/** Adds the option of a command that talks to a service without a login. */
export function addUrlOption(command: Command): Command {
  return command.option('--url <url>', 'the service (default: SHELFLIST_URL, else the last login)');
}

/** Adds the options of a command that talks to a service. */
export function addServiceOptions(command: Command): Command {
  return addUrlOption(command).option(
    '-u, --username <name>',
    'the user to log in as (default: SHELFLIST_USERNAME)',
  );
}

/** Adds `--json` to a command whose result is not a list of records. */
export function addJsonOption(command: Command): Command {
  return command.option('--json', 'write the result, and errors, as JSON');
}

/** The formats of records. */
export const recordFormats = ['table', 'json', 'ndjson', 'csv', 'tsv'] as const;

/** Adds the options of a command whose result is records. @param names The fields of a record. */
export function addFormatOptions(
  command: Command,
  names: readonly string[] = ['id', ...fieldNames],
): Command {
  command.addOption(new Option('--format <format>', 'the format of the result').choices(recordFormats));
  return addFieldsOption(command, names);
}

/** Adds the option of a command that writes. */
export function addDryRun(command: Command): Command {
  return command.option('-n, --dry-run', 'show what would be done; change nothing');
}

export function addFieldOptions(command: Command): Command {
  for (const name of fieldNames) command.addOption(fieldOption(name, fieldOptions[name].help));
  return command;
}

/** The option of a field: its value, or a filter by it. */
export function fieldOption(name: FieldName, help: string): Option {
  const { letter, placeholder } = fieldOptions[name];
  const result = new Option(`-${letter}, --${name} <${placeholder}>`, help);
  return fields[name].type === 'integer' ? result.argParser(integerParser(name)) : result;
}

/** Reads the value of an integer field. */
export function integerParser(name: FieldName): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^-?[0-9]+$/.test(text) && Number.isSafeInteger(value)) return value;
    const { example } = fields[name];
    throw new InvalidArgumentError(`expected a whole number from -(2^53-1) to 2^53-1, such as ${example}`);
  };
}

/** The fields that options name. @throws {CommandError} `usage` when there are none. */
export function namedFields(options: BookPatch): BookPatch {
  const patch = pickDefined(options, fieldNames);
  if (Object.keys(patch).length > 0) return patch;
  const names = listFields(fieldNames.map((name) => `--${name}`));
  throw new CommandError('usage', { message: `name at least one of ${names}` });
}

/** A copy with only these members, where they are defined. */
export function pickDefined<T extends object, Name extends keyof T>(
  record: T,
  names: readonly Name[],
): Pick<T, Name> {
  const entries = names.map((name) => [name, record[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Pick<T, Name>;
}

export function parseLimit(value: string): number {
  const limit = Number(value);
  if (/^[0-9]+$/.test(value) && limit >= 1 && Number.isSafeInteger(limit)) return limit;
  throw new InvalidArgumentError('expected a whole number from 1 to 2^53-1');
}

export function parseIdArgument(value: string): number {
  const id = parseId(value);
  if (id === undefined) throw new InvalidArgumentError('expected a whole number from 1 to 2^53-1');
  return id;
}

/** Adds the id to the error "Book not found". */
export async function namingBook<T>(id: number, operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    if (!hasCode(error, 'book_not_found')) throw error;
    throw new ShelflistError('book_not_found', { message: `book ${id} not found` });
  }
}

/** A field on the command line. */
interface FieldOption {
  /** The short option. */
  readonly letter: string;
  readonly placeholder: string;
  readonly help: string;
  /** The relative width in a table on a terminal. Default: as narrow as its values. */
  readonly width?: number;
}

export const fieldOptions: Readonly<Record<FieldName, FieldOption>> = {
  title: { letter: 't', placeholder: 'text', help: 'the title', width: 3 },
  author: { letter: 'a', placeholder: 'text', help: 'the author', width: 2 },
  year: {
    letter: 'y',
    placeholder: 'year',
    help: 'the year; negative before the common era: --year=-1750',
  },
};

/** Names for delimiters that a shell would take for its own. */
const names: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  '\\t': '\t',
  pipe: '|',
};

export const delimiterHelp = 'the separator of CSV: a character, or comma, semicolon, tab or pipe';

/** Parses the delimiter of CSV. A letter, a digit or a quote could not be distinguished from what is in the cells. */
export function parseDelimiter(value: string): string {
  const delimiter = names[value.toLowerCase()] ?? value;
  if (/^[^\p{L}\p{N}\p{M}"'\r\n.-]$/u.test(delimiter)) return delimiter;
  throw new InvalidArgumentError('expected one character, or comma, semicolon, tab or pipe');
}
