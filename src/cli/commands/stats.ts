import type { Command } from 'commander';
import { roundEstimate, type Statistics } from '../../catalogue/statistics.ts';
import { addFormatOptions, addServiceOptions, pickDefined } from '../arguments.ts';
import { addFilterOptions, addWords, queryOf, type FilterOptions } from '../book-filter.ts';
import { counted, notice, paragraph, plain, type Io, createPaint, widthOf, writeJson } from '../io.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { layOutBars, type Bar } from '../ui/table.ts';
import { writeRecords, type Column, type OutputOptions } from '../ui/records.ts';
import { writePaged } from '../ui/pager.ts';

const help = `
${paragraph(
  'Counts all books, or those that words and filters select as in `shelflist list`. A year of 0 counts as no year.',
)}
${paragraph(
  'On a terminal, the numbers are bars. In a pipe, each number is a line: its kind (books, first year, last year, without ' +
    'year, decade, author), the decade or author, and the number, separated by tabs. --format table and csv have the same ' +
    'three columns; json and ndjson write one object.',
)}
${paragraph(
  'In a very large catalogue, every number but those of authors is an estimate: a terminal shows "about", a pipe gets a note ' +
    'on standard error, and the object has "estimated": true.',
)}
Examples:
  $ shelflist stats
  $ shelflist stats tolkien --json | jq .count
  $ shelflist stats --in-author king --in-title dark --format csv
  $ shelflist stats --author "Jane Austen" --year 1815
  $ shelflist stats --title emma --year-from 1800 --year-to 1899
  $ shelflist stats --url https://books.example.org --username ada`;

interface StatsOptions extends SessionOptions, OutputOptions, FilterOptions {}

/** The members of the object. */
const members = ['count', 'years', 'decades', 'authors', 'estimated'];

interface Row {
  kind: string;
  value: string | number;
  number: number;
}

const columns: readonly Column<Row>[] = [
  { name: 'kind' },
  { name: 'value', weight: 1 },
  { name: 'number', align: 'right' },
];

export function defineStats(command: Command, io: Io): void {
  addFilterOptions(addWords(addFormatOptions(addServiceOptions(command), members)))
    .addHelpText('after', help)
    .action(async (words: string[], options: StatsOptions) => {
      const query = queryOf(words, options);
      const found = await withSession(io, options, (client) => client.stats(query));
      const { json, format = json ? 'json' : undefined } = options;
      if (format === 'json' || format === 'ndjson')
        await writeJson(
          io,
          options.fields ? pickDefined<Record<string, unknown>, string>({ ...found }, options.fields) : found,
        );
      else if (format === undefined && io.stdout.isTTY) await writePaged(io, await draw(io, found));
      else {
        if (found.estimated) notice(io, 'shelflist: all numbers but those of authors are estimates');
        await writeRecords(io, columns, rowsOf(found), options);
      }
    });
}

function rowsOf({ count, years, decades, authors }: Statistics): Row[] {
  return [
    { kind: 'books', value: '', number: count },
    ...(years.first === null ? [] : [{ kind: 'first year', value: '', number: years.first }]),
    ...(years.last === null ? [] : [{ kind: 'last year', value: '', number: years.last }]),
    { kind: 'without year', value: '', number: years.without },
    ...decades.map((each) => ({ kind: 'decade', value: each.from, number: each.count })),
    ...authors.map((each) => ({ kind: 'author', value: each.author, number: each.count })),
  ];
}

async function draw(io: Io, { count, years, decades, authors, estimated }: Statistics): Promise<string> {
  const about = estimated ? 'about ' : '';
  const rounded = (n: number) => (estimated ? roundEstimate(n) : n);
  const range = years.first === null ? [] : [`${years.first} to ${years.last ?? ''}`];
  const without = years.without === 0 ? [] : [`${about}${rounded(years.without)} without a year`];
  const groups: readonly (readonly Bar[])[] = [
    decades.map((each) => ({ label: `${each.from}s`, count: rounded(each.count) })),
    authors.map((each) => ({ label: plain(each.author), count: each.count })),
  ];
  const options = { width: widthOf(io) ?? 80, paint: createPaint(io) };
  const drawn = await Promise.all(
    groups.filter((bars) => bars.length > 0).map((bars) => layOutBars(bars, options)),
  );
  const head = [`${about}${counted(rounded(count), 'book')}`, ...range, ...without].join(', ');
  return [`${head}\n`, ...drawn].join('\n');
}
