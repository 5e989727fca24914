import { Option, type Command } from 'commander';
import { CommandError } from './command-error.ts';
import {
  indexedIntegers,
  indexedTexts,
  searchedFields,
  type SearchedField,
  type WordsParameter,
} from '../catalogue/fields.ts';
import { rangeParameters } from '../api/queries.ts';
import type { BookQuery } from '../catalogue/query.ts';
import { queryTerms } from '../catalogue/words.ts';
import { fieldOption, fieldOptions, integerParser, pickDefined } from './arguments.ts';

export type FilterOptions = Omit<BookQuery, 'q' | 'sort' | WordsParameter> &
  Partial<Record<`in${Capitalize<SearchedField>}`, string>>;

/** The fields that words search, for help texts. */
export const searched = new Intl.ListFormat('en', { type: 'disjunction' }).format(searchedFields);

type RangeName = keyof ReturnType<typeof rangeParameters>;
const rangeNames = Object.keys(rangeParameters(() => true)) as RangeName[];

/** Adds the words that select books. */
export function addWords(command: Command): Command {
  return command.argument('[words...]', `words, or their beginnings, in ${searched}`);
}

/**
 * Adds the options that select books.
 *
 * @param hasWhole Whether to add filters by whole fields (`--author`). In `update`, these options are new values. Default true.
 */
export function addFilterOptions(
  command: Command,
  { hasWhole }: { readonly hasWhole: boolean } = { hasWhole: true },
): Command {
  for (const name of searchedFields)
    command.addOption(
      new Option(`${wordsFlag(name)} <words>`, `words, or their beginnings, in the ${name}`).argParser(
        (words: string, before?: string) => (before === undefined ? words : `${before} ${words}`),
      ),
    );
  if (hasWhole)
    for (const name of indexedTexts)
      command.addOption(fieldOption(name, `only books with this whole ${name}`));
  for (const name of indexedIntegers) {
    const placeholder = `<${fieldOptions[name].placeholder}>`;
    const parse = integerParser(name);
    if (hasWhole) command.addOption(fieldOption(name, `only books with this ${name}`));
    command
      .option(`--${name}-from ${placeholder}`, `only books with this ${name} or a later one`, parse)
      .option(`--${name}-to ${placeholder}`, `only books with this ${name} or an earlier one`, parse);
  }
  return command;
}

/** The option for words of one field. */
export function wordsFlag(name: SearchedField): string {
  return `--in-${name}`;
}

/**
 * The query of a command line.
 *
 * @throws {CommandError} `usage`: an argument has no word. The service would match every book, which the user does not
 * expect.
 */
export function queryOf(words: readonly string[], options: FilterOptions): BookQuery {
  const query: BookQuery = pickDefined(options, [...indexedTexts, ...rangeNames]);
  const q = words.join(' ');
  if (words.length > 0) query.q = refuseNoWord(q, 'leave it out to list every book');
  for (const name of searchedFields) {
    const given = options[attributeOf(name)];
    if (given !== undefined) query[`${name}Words`] = refuseNoWord(given, `leave ${wordsFlag(name)} out`);
  }
  for (const name of indexedIntegers) {
    const [from, to] = [query[`${name}From`], query[`${name}To`]];
    if (from !== undefined && to !== undefined && from > to)
      throw new CommandError('usage', {
        message: `no ${name} is ${from} or later and ${to} or earlier; exchange --${name}-from and --${name}-to`,
      });
  }
  return query;
}

/** The member of the options that commander sets. */
function attributeOf(name: SearchedField): `in${Capitalize<SearchedField>}` {
  return new Option(wordsFlag(name)).attributeName() as `in${Capitalize<SearchedField>}`;
}

function refuseNoWord(text: string, advice: string): string {
  if (queryTerms(text).some((term) => term.length > 0)) return text;
  throw new CommandError('usage', {
    message: `${JSON.stringify(text)} has nothing to search for; ${advice}`,
  });
}
