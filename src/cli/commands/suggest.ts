import { Argument, type Command } from 'commander';
import { suggestedFields, type SuggestedField } from '../../catalogue/fields.ts';
import type { Suggestion } from '../../catalogue/suggestion.ts';
import { addFormatOptions, addServiceOptions } from '../arguments.ts';
import { paragraph, type Io } from '../io.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { noMatch, noteEmpty, writeRecords, type Column, type OutputOptions } from '../ui/records.ts';

const help = `
${paragraph(
  'Shows values in which each word begins a word, with the number of their books: the 10 most frequent, in this order. ' +
    'Without words, it shows the most frequent of all values.',
)}
Examples:
  $ shelflist suggest author jan
  $ shelflist suggest author --json | jq -r '.[0].value'
  $ shelflist suggest title "harry pot" --format csv
  $ shelflist suggest title war peace --url https://books.example.org --username ada`;

const columns: readonly Column<Suggestion>[] = [
  { name: 'value', weight: 1 },
  { name: 'count', align: 'right' },
];

export function defineSuggest(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command), ['value', 'count'])
    .addArgument(new Argument('<field>', 'the field').choices(suggestedFields))
    .argument('[words...]', 'words, or their beginnings, in the field')
    .addHelpText('after', help)
    .action(async (field: SuggestedField, words: string[], options: SessionOptions & OutputOptions) => {
      const found = await withSession(io, options, (client) => client.suggest(field, words.join(' ')));
      const count = await writeRecords(io, columns, found, options);
      noteEmpty(io, count, options, noMatch(field));
    });
}
