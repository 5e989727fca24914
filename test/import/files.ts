import { Buffer } from 'node:buffer';
import type { FormatName } from '../../src/formats/file-formats.ts';
import { marcRecord } from '../support/marc-file.ts';

const emma = '{"title":"Emma","author":"Jane Austen","year":1815}';

const cutOff = (where: string) =>
  `the file is cut off: ${where}; import the whole file with --on-duplicate skip to add the rest`;
const endsIn = (line: number) => cutOff(`line ${line} ends in the middle`);

/** A text in which `~` is a byte that is not UTF-8. */
export const withBadBytes = (text: string) =>
  Buffer.from(Buffer.from(text).toString('latin1').replaceAll('~', '\xe9'), 'latin1');

/** CSV (RFC 4180), with the rows that it has: `line: title|author|year`, or `line: reason`. */
export const csvFiles: [what: string, file: string, rows: string[]][] = [
  ['plain', 'title,author,year\nA,B,1\nC,D,2\n', ['2: A|B|1', '3: C|D|2']],
  ['no line break at the end', 'title,author,year\nA,B,1', ['2: A|B|1']],
  ['CRLF', 'title,author,year\r\nA,B,1\r\nC,D,2\r\n', ['2: A|B|1', '3: C|D|2']],
  ['a byte order mark', '\uFEFFtitle\nA', ['2: A||0']],
  ['characters of several bytes', 'title,author\nGrandpré,書😀', ['2: Grandpré|書😀|0']],
  ['commas and quotes inside quotes', 'title,author\n"A, B","C ""D"""', ['2: A, B|C "D"|0']],
  ['a line break inside quotes', 'title\n"A\nB"\nC', ['2: A\nB||0', '4: C||0']],
  ['a CRLF inside quotes', 'title\r\n"A\r\nB"\r\nC\r\n', ['2: A\r\nB||0', '4: C||0']],
  ['a header of two lines', '"title\n(full)",title\nA,B', ['3: B||0']],
  ['empty lines', '\ntitle\n\n\nA\n\n"B\n\nC"\n\nD\n', ['5: A||0', '7: B\n\nC||0', '11: D||0']],
  ['space around a cell, which stays, but for a year', 'title,author,year\n A , B , 7 ', ['2:  A | B |7']],
  ['too few cells', 'title,author,year\nA\n', ['2: A||0']],
  ['too many cells', 'title\nA,B\n', ['2: it has 2 cells for 1 column']],
  ['too many cells, but empty ones', 'title\nA,,\n', ['2: A||0']],
  ['no title', 'title,author\n,B\n" ",B', ['2: it has no title', '3: it has no title']],
  ['a header alone', 'title\n', []],
  [
    'a table in Markdown',
    '| Title | Year |\n| :--- | ---: |\n| A - B | 1 |\n|  | 2 |\n',
    ['3: A - B||1', '4: it has no title'],
  ],
  [
    'bars and quotes in a table in Markdown',
    '| Title | Author |\n|---|---|\n| A \\| B | C |\n| 12" D | "E" F |\n| "G" | H |\n',
    ['3: A | B|C|0', '4: 12" D|"E" F|0', '5: "G"|H|0'],
  ],
  ['quotes in a table with bars', 'title|author\nA|B\n-|-\n"C|D"|E\n', ['2: A|B|0', '4: C|D|E|0']],
];

const quotes = 'its quotes do not match';
/** CSV with unmatched quotes. */
export const unmatchedQuotes: [what: string, file: string, rows: string[]][] = [
  ['a quote inside a cell', 'title\nA "B C\nD\n', [`2: ${quotes}`, '3: D||0']],
  [
    'text after the quotes, which are pairs: they are text',
    'title\n"A" B\nC\n"D"\nE\n',
    ['2: "A" B||0', '3: C||0', '4: D||0', '5: E||0'],
  ],
  ['never closed', 'title\nA\n"B\nC\nD\n', ['2: A||0', `3: ${quotes}`, '4: C||0', '5: D||0']],
  [
    'in a cell of two lines: until the columns fit again',
    'title,author\n"A "B"\nC",D\nE\nF,G\n',
    [`2: ${quotes}`, `3: ${quotes}`, `4: ${quotes}`, '5: F|G|0'],
  ],
  ['never closed, on the last line', 'title\nA\n"B', ['2: A||0', `3: ${quotes}`]],
  ['two in a row', 'title\nA"\nB"\nC', [`2: ${quotes}`, `3: ${quotes}`, '4: C||0']],
  [
    'after a row of several lines',
    'title\r\n"A\r\nA"\r\n\r\nB"\r\nC',
    ['2: A\r\nA||0', `5: ${quotes}`, '6: C||0'],
  ],
  ['reported in its place', 'title\nA\nB"\n" "\n', ['2: A||0', `3: ${quotes}`, '4: it has no title']],
];

const badByte = 'a byte that is not text in the encoding of the file (0xe9)';
/** Files with bytes that are not text: `~` stands for one. */
export const badBytes: [what: string, file: string, rows: string[]][] = [
  [
    'title',
    'title,author\né,B\nC~,D\nE,F\n',
    ['2: é|B|0', `3: its title has ${badByte}: line 3, column 2`, '4: E|F|0'],
  ],
  ['an unused column', 'title,x,author\né,,\nA,~,B\n', ['2: é||0', '3: A|B|0']],
  [
    'the second of two',
    'x,title\né,é\n~書~,"a\nbé~"\n',
    ['2: é||0', `3: its title has ${badByte}: line 4, column 3`],
  ],
  ['the year', 'title,year\né,1\nA,19~9\n', ['2: é||1', `3: its year has ${badByte}: line 3, column 5`]],
  ['the header', 'title,~,é\nA,B,C\n', ['2: A||0']],
  [
    'NDJSON',
    '{"title":"é"}\n{"title":"A~"}\n{"title":"B","x":"~"}\n',
    ['1: é||0', `2: its title has ${badByte}: line 2, column 12`, '3: B||0'],
  ],
  ['JSON', '[{"title":"é"},{"title":"A","author":["B","~"]}]', ['1: é||0', `2: its author has ${badByte}`]],
  [
    'a name in JSON',
    '[{"title":"é"},{"title":"A","author":[{"name":"~"}]}]',
    ['1: é||0', `2: its author has ${badByte}`],
  ],
];

/** Files that cannot be read, with the error. */
export const unreadableFiles: [
  what: string,
  file: string | Buffer,
  error: { name: string; message?: string | RegExp },
][] = [
  ['empty', '', { name: 'FileError', message: 'the file is empty' }],
  ['nothing but empty lines', '\n\n', { name: 'FileError', message: 'the file is empty' }],
  [
    'cut off in a character',
    Buffer.from('title\né\né').subarray(0, -1),
    { name: 'FileError', message: /^the file is cut off: its last character is incomplete; / },
  ],
  [
    'a header that is never closed',
    '"title\nA',
    { name: 'FileError', message: 'the quotes of the first line do not match' },
  ],
  ['no title', 'a,b\nA,B', { name: 'CommandError' }],
];

/** Files whose first character tells their format. */
export const firstCharacters: { what: string; file: string; unit: 'line' | 'book'; rows: string[] }[] = [
  { what: 'CSV', file: 'title\nA\n', unit: 'line', rows: ['2: A||0'] },
  { what: 'CSV behind empty lines', file: '\n\ntitle\nA\n', unit: 'line', rows: ['4: A||0'] },
  { what: 'CSV with quotes', file: '"title"\n"A"\n', unit: 'line', rows: ['2: A||0'] },
  { what: 'JSON', file: '[{"title":"A"}]', unit: 'book', rows: ['1: A||0'] },
  { what: 'JSON behind spaces', file: ' \r\n\t[{"title":"A"}]', unit: 'book', rows: ['1: A||0'] },
  { what: 'JSON with a byte order mark', file: '\uFEFF[{"title":"A"}]', unit: 'book', rows: ['1: A||0'] },
  { what: 'NDJSON', file: '{"title":"A"}\n', unit: 'line', rows: ['1: A||0'] },
  { what: 'NDJSON behind empty lines', file: '\n \n{"title":"A"}\n', unit: 'line', rows: ['3: A||0'] },
  { what: 'NDJSON with a byte order mark', file: '\uFEFF{"title":"A"}\n', unit: 'line', rows: ['1: A||0'] },
];

/** JSON arrays, with the rows that they have. */
export const jsonFiles: [what: string, file: string, rows: string[]][] = [
  ['compact', `[${emma},${emma}]`, ['1: Emma|Jane Austen|1815', '2: Emma|Jane Austen|1815']],
  ['laid out', `${JSON.stringify([{ title: 'A', year: 1 }], null, '\t')}\r\n\r\n`, ['1: A||1']],
  ['empty', '[]', []],
  ['empty, laid out', ' [ \n ] \n', []],
  ['members in another order', '[{"year":1,"title":"A"},{"title":"B","year":2}]', ['1: A||1', '2: B||2']],
  [
    'members that differ',
    '[{"title":"A"},{"Book Title":"B","writer":"C"},{"Title":"D","x":1}]',
    ['1: A||0', '2: B|C|0', '3: D||0'],
  ],
  [
    'nested values, which are ignored',
    '[{"title":"A","tags":[{"title":"B"},["C"]],"more":{"year":1,"a":{"b":[]}}},{"title":"D"}]',
    ['1: A||0', '2: D||0'],
  ],
  [
    'several authors',
    '[{"title":"A","authors":["B","C, D"]},{"title":"E","authors":[]}]',
    ['1: A|B; C, D|0', '2: E||0'],
  ],
  ['null is nothing', '[{"title":"A","author":null,"year":null}]', ['1: A||0']],
  [
    'text as it is',
    String.raw`[{"title":" \"A\"\n\u0000\u2028\ud83d\ude00","author":"a"}]`,
    ['1:  "A"\n\u0000\u2028😀|a|0'],
  ],
  [
    'byte order marks in a text',
    '[{"title":"\uFEFFA\uFEFFB","author":"\\ufeff"}]',
    ['1: \uFEFFA\uFEFFB|\uFEFF|0'],
  ],
  ['an empty title is one', '[{"title":"","year":1}]', ['1: ||1']],
  [
    'a title that is none',
    '[{"title":"A"},{},{"title":null},{"title":7},{"title":["A"]}]',
    ['1: A||0', '2: it has no title', '3: it has no title', '4: 7||0', '5: its title is not text: […]'],
  ],
  [
    'an author that is none',
    '[{"title":"A","author":7},{"title":"A","author":["B",1]},{"title":"A","author":{"a":"B"}}]',
    ['7', '[…]', '{…}'].map((author, i) => `${i + 1}: its author is not text: ${author}`),
  ],
  [
    'a value that is not an object',
    '[{"title":"A"},1,"a",null,true,["title"],[],{"title":"B"}]',
    ['1: A||0', ...[2, 3, 4, 5, 6, 7].map((line) => `${line}: it is not an object`), '8: B||0'],
  ],
  ['a value that is not an object first', '[null,{"title":"A"}]', ['1: it is not an object', '2: A||0']],
  ['nothing that is an object', '[1,[2]]', ['1: it is not an object', '2: it is not an object']],
  ['the last of two members with one name', '[{"title":"A","title":"B"}]', ['1: B||0']],
  [
    'members named like what every object has',
    '[{"title":"A","constructor":"x","toString":1,"hasOwnProperty":2}]',
    ['1: A||0'],
  ],
  [
    'a prototype is not a book',
    '[{"title":"A"},{"__proto__":{"title":"B","author":"C"}},{"title":"D","__proto__":{"author":"E"}}]',
    ['1: A||0', '2: it has no title', '3: D||0'],
  ],
  ['a member without a name is not a field', '[{"title":"A","":"B"}]', ['1: A||0']],
  [
    'an empty member that another one stands in for, and a list in a text, as in CSV',
    '[{"Title":"A","Author Details":"B|C","Original Publication Year":"","Year Published":"1999"}]',
    ['1: A|B; C|1999'],
  ],
  [
    'CSL-JSON, and an object that is none',
    '[{"type":"book","title":"A","author":[{"family":"B"}]},{"title":"C","author":"D","year":2000}]',
    ['1: A|B|0', '2: C|D|2000'],
  ],
];

const notJson = 'it is not JSON';
/** NDJSON, with the rows that it has. */
export const ndjsonFiles: [what: string, file: string, rows: string[]][] = [
  ['plain', `${emma}\n{"title":"B"}\n`, ['1: Emma|Jane Austen|1815', '2: B||0']],
  ['no line break at the end', '{"title":"A"}\n{"title":"B"}', ['1: A||0', '2: B||0']],
  ['CRLF', '{"title":"A"}\r\n{"title":"B"}\r\n', ['1: A||0', '2: B||0']],
  ['empty lines', '{"title":"A"}\n\n\r\n \t\n{"title":"B"}\n\n', ['1: A||0', '5: B||0']],
  [
    'other line breaks in text',
    '{"title":"A\u2028B\u2029C\u0085D"}\n{"title":"E"}\n',
    ['1: A\u2028B\u2029C\u0085D||0', '2: E||0'],
  ],
  [
    'a broken line is left out, and no other',
    '{"title":"A"}\n{"title":"B"\n"title"}\n{"title":"C"}\n',
    ['1: A||0', `2: ${notJson}`, `3: ${notJson}`, '4: C||0'],
  ],
  ['two objects on a line', '{"title":"A"}{"title":"B"}\n{"title":"C"}\n', [`1: ${notJson}`, '2: C||0']],
  ['a broken first line', '{title}\n{"title":"A"}\n', [`1: ${notJson}`, '2: A||0']],
  ['nothing but broken lines', '{a\n{b\n', [`1: ${notJson}`, `2: ${notJson}`]],
  [
    'a value that is not an object',
    '{"title":"A"}\n1\n"a"\ntrue\n[{"title":"B"}]\n{"title":"C"}\n',
    ['1: A||0', ...[2, 3, 4, 5].map((line) => `${line}: it is not an object`), '6: C||0'],
  ],
  ['null', '{"title":"A"}\nnull\n{"title":"B"}\n', ['1: A||0', '2: it is not an object', '3: B||0']],
  [
    'members in another order, and others, on each line',
    '{"title":"A","year":1}\n{"year":2,"title":"B"}\n{"name":"C","creator":"D"}\n{"year":3}\n',
    ['1: A||1', '2: B||2', '3: C|D|0', '4: it has no title'],
  ],
  [
    'a prototype is not a book',
    '{"title":"A"}\n{"__proto__":{"title":"B"}}\n{"title":"C","__proto__":{"author":"D"}}\n',
    ['1: A||0', '2: it has no title', '3: C||0'],
  ],
  ['a member without a name is not a field', '{"title":"A","":"B"}\n', ['1: A||0']],
];

const noJson = (count: number) =>
  `the file is not valid JSON after book ${count}; the rest of it was not read`;
const noEnd = (count: number) => cutOff(`its array does not end after book ${count}`);
/** Files that are damaged or cut off, with the rows before the damage. */
export const damagedFiles: { what: string; file: string; rows: string[]; message: string }[] = [
  {
    what: 'JSON, broken in the middle',
    file: '[{"title":"A"},{"title" "B"},{"title":"C"}]',
    rows: ['1: A||0'],
    message: noJson(1),
  },
  { what: 'JSON, a comma too many', file: '[{"title":"A"},]', rows: ['1: A||0'], message: noJson(1) },
  {
    what: 'JSON, a comma too few',
    file: '[{"title":"A"}{"title":"B"}]',
    rows: ['1: A||0'],
    message: noJson(1),
  },
  {
    what: 'JSON, another array behind it',
    file: '[{"title":"A"}]\n[]',
    rows: ['1: A||0'],
    message: noJson(1),
  },
  { what: 'JSON, broken at the start', file: '[}', rows: [], message: noJson(0) },
  { what: 'JSON, a control character in text', file: '[{"title":"A\nB"}]', rows: [], message: noJson(0) },
  {
    what: 'JSON, cut off behind a book',
    file: '[{"title":"A"},{"title":"B"}',
    rows: ['1: A||0', '2: B||0'],
    message: noEnd(2),
  },
  {
    what: 'JSON, cut off in a book',
    file: '[{"title":"A"},{"title":"B',
    rows: ['1: A||0'],
    message: noEnd(1),
  },
  { what: 'JSON, cut off at once', file: '[', rows: [], message: noEnd(0) },
  {
    what: 'NDJSON, cut off in a line',
    file: '{"title":"A"}\n{"title":"B',
    rows: ['1: A||0'],
    message: endsIn(2),
  },
  {
    what: 'CSV, cut off in a row',
    file: 'title,author,year\nA,B,1\nC,D',
    rows: ['2: A|B|1'],
    message: endsIn(3),
  },
  { what: 'CSV, cut off in its first cell', file: 'title,author\nA', rows: [], message: endsIn(2) },
  {
    what: 'CSV with CRLF, cut off',
    file: 'title,author\r\nA,B\r\nC',
    rows: ['2: A|B|0'],
    message: endsIn(3),
  },
];

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');

const goodreads =
  'Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies\n';
const libraryThing = [
  ...['Book Id', 'Title', 'Sort Character', 'Primary Author', 'Primary Author Role', 'Secondary Author'],
  ...[
    'Secondary Author Roles',
    'Publication',
    'Date',
    'Review',
    'Rating',
    'Comment',
    'Private Comment',
    'Summary',
  ],
  ...['Media', 'Physical Description', 'Acquired', 'Date Started', 'Date Read', 'ISBN', 'Entry Date'],
].join('\t');
const libraryThingRows = `${libraryThing}\r\n${[
  ...[
    '5498194',
    'Marelle',
    '1',
    'Cortázar, Julio',
    '',
    '',
    '',
    'Gallimard (1979), Poche',
    '[1979]',
    "chef d'oeuvre",
  ],
  ...[
    '4.5',
    '',
    '',
    'Marelle by Julio Cortázar (1979)',
    'Broché',
    '590 p.',
    '',
    '[2007-04-16]',
    '',
    '[2070291340]',
    '',
  ],
].join('\t')}\r\n`;
const libraryThingBooks = [['Marelle', 'Cortázar, Julio', 1979]];
const hardcover =
  'Title,Author,Series,Status,Privacy,Hardcover Book ID,Hardcover Edition ID,ISBN 10,ISBN 13,ASIN,Media,Country Code,Language Code,Binding,Pages,Duration in Seconds,Publish Date,Publisher,Genres,Moods,Tags,Content Warnings,Lists,Date Added,Date Started,Date Finished,Rating,Review\n';

const goodreadsShort =
  'Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Publisher,Year Published,Original Publication Year,Date Added\n';

/** What users have: files of programs and spreadsheets, with the books as `list` shows them. */
export const kindsOfFiles: [what: string, file: string | Uint8Array, books: string][] = [
  [
    'JSON',
    '[\n{"title":"A","author":["B","C"],"year":"1815-12-23"},{"year":2,"title":"D"}]',
    'A\tB; C\t1815\nD\t\t2\n',
  ],
  ['JSON of none', '[]', ''],
  ['NDJSON', '\n{"title":"A","year":-1}\r\n{"author":"C","title":"B"}', 'A\t\t-1\nB\tC\t0\n'],
  [
    'semicolons, in Windows-1252',
    latin1('Title;Author;Year\r\nGrandpr\xe9 \x96 \x80;Se\xf1or;1\r\n'),
    'Grandpré – €\tSeñor\t1\n',
  ],
  ['tabs, in UTF-16', utf16('title\tauthor\r\nGrandpré, 書\tB\r\n'), 'Grandpré, 書\tB\t0\n'],
  ['tabs, in UTF-16, big end first', utf16('title\tauthor\n書\tB\n').swap16(), '書\tB\t0\n'],
  [
    'Goodreads',
    `${goodreadsShort}1885,"Emma, or so",Jane Austen,"Austen, Jane",,="0141439580",="9780141439587",5,Penguin,2003,1815,2024/01/02\n7,The Epic of Gilgamesh,Anonymous,Anonymous,,="",="",0,X,1960,-1750,2024/01/02\n`,
    'Emma, or so\tJane Austen\t1815\nThe Epic of Gilgamesh\tAnonymous\t-1750\n',
  ],
  [
    'Goodreads, saved by a spreadsheet',
    `${goodreadsShort}1885,Emma,Jane Austen,"Austen, Jane",,"=""0141439580""",,5,Penguin,2003,1815,2024/01/02\n`,
    'Emma\tJane Austen\t1815\n',
  ],
  [
    'LibraryThing',
    "Book Id\tTitle\tSort Character\tPrimary Author\tPrimary Author Role\tSecondary Author\tPublication\tDate\tReview\n12\tEmma\t1\tAusten, Jane\tAuthor\t\tLondon: Penguin, 2003\t1815\t\n13\tThe Iliad\t5\tHomer\t\t\tX\t\tIt's fine; really, it is\n",
    'Emma\tAusten, Jane\t1815\nThe Iliad\tHomer\t0\n',
  ],
  [
    'calibre',
    '\uFEFFauthor_sort,authors,cover,id,pubdate,publisher,timestamp,title,title_sort\n"Austen, Jane","Jane Austen","/b/1.jpg","1","1815-12-23T00:00:00+00:00","","2024-01-02T10:00:00+01:00","Emma","Emma"\n"B","B & C","","2","0101-01-01T00:00:00+00:00","","2024-01-02T10:00:00+01:00","Undated, ""so""","x"\n',
    'Emma\tJane Austen\t1815\nUndated, "so"\tB & C\t0\n',
  ],
  [
    'goodbooks',
    'book_id,goodreads_book_id,isbn,authors,original_publication_year,original_title,title,language_code\n1,2767052,439023483,Suzanne Collins,2008.0,The Hunger Games,"The Hunger Games (The Hunger Games, #1)",eng\n2,3,,Unknown,-750.0,,The Odyssey,\n3,4,,Nobody,,,Undated,\n',
    'The Hunger Games (The Hunger Games, #1)\tSuzanne Collins\t2008\nThe Odyssey\tUnknown\t-750\nUndated\tNobody\t0\n',
  ],
];

/** Files that an import does not take whole: what the command says, and the books that it adds. */
export const failingFiles: { what: string; file: string | Uint8Array; said: RegExp; books: string }[] = [
  {
    what: 'a broken line of NDJSON',
    file: '{"title":"A"}\n{"title"\n{"title":"B"}\n',
    said: /\nline 2 left out: it is not JSON\n/,
    books: 'A\t\t0\nB\t\t0\n',
  },
  {
    what: 'null in NDJSON',
    file: '{"title":"A"}\nnull\n{"title":"B"}\n',
    said: /\nline 2 left out: it is not an object\n/,
    books: 'A\t\t0\nB\t\t0\n',
  },
  { what: 'JSON of no objects', file: '[1]', said: /^book 1 left out: it is not an object\n/, books: '' },
  {
    what: 'a cut off JSON array',
    file: '[{"title":"A"},{"title":"B"',
    said: /\nadded 1 book .+\nids: .+\nto take this back: .+\nshelflist: the file is cut off: its array does not end after book 1; import the whole file with --on-duplicate skip to add the rest\n$/,
    books: 'A\t\t0\n',
  },
  {
    what: 'a cut off CSV',
    file: 'title,year\nA,1\nB',
    said: /\nshelflist: the file is cut off: line 3 ends in the middle; import the whole file/,
    books: 'A\t\t1\n',
  },
  {
    what: 'a cut off UTF-16',
    file: utf16('title\nA\nB\n').subarray(0, -1),
    said: /shelflist: the file is cut off: its last character is incomplete/,
    books: 'A\t\t0\n',
  },
];

/** Exports of other programs, as they are, with their books. */
export const programExports: [program: string, file: string | Uint8Array, books: unknown[]][] = [
  [
    'Goodreads',
    `${goodreads}7235533,"The Way of Kings (The Stormlight Archive, #1)",Brandon Sanderson,"Sanderson, Brandon",Michael Kramer,="0765326353",="9780765326355",5,4.66,Tor,Hardcover,1007,2011,2010,2012/01/02,2011/12/25,,,read,,,,1,0\n52691223,Subcutanean,Aaron A. Reed,"Reed, Aaron A.",,="",="",0,4.45,,Paperback,232,2020,,2020/03/06,2020/03/05,,,read,,,,1,0\n`,
    [
      ['The Way of Kings (The Stormlight Archive, #1)', 'Brandon Sanderson', 2010],
      ['Subcutanean', 'Aaron A. Reed', 2020],
    ],
  ],
  ['LibraryThing, in UTF-8', libraryThingRows, libraryThingBooks],
  ['LibraryThing, in UTF-16', utf16(libraryThingRows), libraryThingBooks],
  ['LibraryThing, in Latin-1', latin1(libraryThingRows), libraryThingBooks],
  [
    'calibre',
    '\uFEFFauthors,author_sort,rating,library_name,timestamp,formats,size,isbn,identifiers,comments,tags,series,series_index,languages,title,cover,title_sort,publisher,pubdate,id,uuid\n"Terry Pratchett & Neil Gaiman","Pratchett, Terry & Gaiman, Neil","5","Bücher","2021-01-19T22:41:16+01:00","epub","1433809","9780756411800","isbn:9780756411800","","","","1.0","eng","Good Omens","/c.jpg","Good Omens","Gollancz","1990-05-01T01:00:00+01:00","864","3051"\n"Unknown","Unknown","","Bücher","2021-01-19T22:41:16+01:00","","","","","","","","1.0","eng","Undated","","Undated","","0101-01-01T00:00:00+00:00","865","3052"\n',
    [
      ['Good Omens', 'Terry Pratchett & Neil Gaiman', 1990],
      ['Undated', 'Unknown', 0],
    ],
  ],
  [
    'BookWyrm',
    'title,author_text,remote_id,openlibrary_key,inventaire_id,librarything_key,goodreads_key,bnf_id,viaf,wikidata,asin,aasin,isfdb,isbn_10,isbn_13,oclc_number,start_date,finish_date,stopped_date,rating,review_name,review_cw,review_content,review_published,shelf,shelf_name,shelf_date\n我穿我自己,琅俨,https://example.com/book/2010,,,,,,,,,,,,,,,,,,,,,,to-read,To Read,2024-08-10\n',
    [['我穿我自己', '琅俨', 0]],
  ],
  [
    'Openreads',
    'title,subtitle,author,description,status,favourite,deleted,rating,pages,publication_year,isbn,olid,tags,my_review,notes,book_format,readings,date_added,date_modified\nWild Flowers Electric Beasts,,Alina Leonova,"A ""line""\nbreak",planned,false,false,,,2023,,,1|||||Solarpunk,,,paperback,,2024-03-01T13:01:12.937,2024-03-01T13:01:12.937\n',
    [['Wild Flowers Electric Beasts', 'Alina Leonova', 2023]],
  ],
  [
    'StoryGraph',
    'Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,Diverse Characters?,Flawed Characters?,Star Rating,Review,Content Warnings,Content Warning Description,Tags,Owned?\nAlways Coming Home,"Ursula K. Le Guin, Todd Barton","",9780520227354,,to-read,2021/05/10,"","",0,"",,,,,,,,,"",,"",No\n',
    [['Always Coming Home', 'Ursula K. Le Guin, Todd Barton', 0]],
  ],
  [
    'Hardcover',
    `${hardcover}The Hobbit,J.R.R. Tolkien,The Lord of the Rings: (#0.5),Read,Public,382700,31454,,9780261103344,,Read,,,Paperback,310,,1937-09-21,Harper,,,,,,2025-01-01,,,,\n`,
    [['The Hobbit', 'J.R.R. Tolkien', 1937]],
  ],
  [
    'Hardcover, with its release date',
    'Title,Author,Status,Release Date,Date Added\nThe Hobbit,J.R.R. Tolkien,Read,1937-09-21,2025-01-01\n',
    [['The Hobbit', 'J.R.R. Tolkien', 1937]],
  ],
  [
    'Libib',
    'item_type,title,creators,first_name,last_name,collection,ean_isbn13,upc_isbn10,description,publisher,publish_date,group,tags,notes,price,length,number_of_discs,number_of_players,age_group,ensemble,aspect_ratio,esrb,rating,review,review_date,status,began,completed,added,copies\nbook,The Dispossessed,Ursula K. Le Guin,Ursula K.,Le Guin,My library,9780441478125,0441478123,,Harper,1974-05-01,,,,,304,,,,,,,,,,Completed,,,2026-01-05,1\n',
    [['The Dispossessed', 'Ursula K. Le Guin', 1974]],
  ],
  [
    'Book Catalogue',
    '"_id","author_details","title","isbn","publisher","date_published","rating","bookshelf_id","bookshelf","read","series_details","pages","notes","list_price","anthology","location","read_start","read_end","format","signed","loaned_to","anthology_titles","description","genre","language","date_added","goodreads_book_id","last_goodreads_sync_date","last_update_date","book_uuid",\n"1","Pratchett, Terry|Gaiman, Neil","Good Omens","0575048000","Gollancz","1990-05-01","5","1","Default","1","","288","","","0","","","","","0","","","","","","2012-01-01 10:00:00","","","2012-01-01 10:00:00","x",\n',
    [['Good Omens', 'Pratchett, Terry; Gaiman, Neil', 1990]],
  ],
  [
    'Jelu',
    'Title,Author,ISBN,Publisher,Date Read,Shelves,Bookshelves,read_dates,tags,authors,isbn10,isbn13,owned,dropped_dates,currently_reading\nbook1,test author,9781566199094,test-publisher,2022/02/10,currently-reading,sciencefiction fantasy,,"science fiction,fantasy","test author,author2 name",1566199093,9781566199094,,"2020/02/10,2021/02/10",2022/02/10\n',
    [['book1', 'test author,author2 name', 0]],
  ],
  [
    'Jelu, as JSON',
    '[{"title":"book1","authors":[{"id":"1","name":"test author"},{"id":"2","name":"author2 name"}],"publishedDate":"2018-03-01","isbn13":"9781566199094"}]',
    [['book1', 'test author, author2 name', 2018]],
  ],
  [
    'Notion',
    '\uFEFFName,Author,Status,Publishing/Release Date\nDune,Frank Herbert,Done,"August 1, 1965"\n',
    [['Dune', 'Frank Herbert', 1965]],
  ],
  [
    'Koha',
    'biblionumber,title,author,copyrightdate,isbn,itemcallnumber\n12,Emma /,"Austen, Jane,",c1996.,0141439580,FIC AUS\n',
    [['Emma /', 'Austen, Jane,', 1996]],
  ],
  [
    'Open Library',
    'Work ID,Title,Authors,First Publish Year,Edition ID,Edition Title,Bookshelf,My Ratings,Average Rating,Has Review\nOL66513W,Emma,Jane Austen,1815,OL7798182M,Emma,Already Read,,4.1,\n',
    [['Emma', 'Jane Austen', 1815]],
  ],
  [
    'Zotero',
    '"Key","Item Type","Publication Year","Author","Title","Publication Title","ISBN","Date","Date Added"\n"K","book","1815","Austen, Jane","Emma","","","12/1815","2020-01-01 10:00:00"\n',
    [['Emma', 'Austen, Jane', 1815]],
  ],
];

/** The headers of spreadsheets in other languages. */
export const headers: [language: string, header: string][] = [
  ['Russian', 'Название;Автор;Год издания'],
  ['Ukrainian', 'Назва;Автор;Рік видання'],
  ['German', 'Titel;Autor;Erscheinungsjahr'],
  ['German, of a library', 'TITEL;Verfasser/in;Jahr'],
  ['French', 'Titre;Auteur(s);Année de publication'],
  ['Italian', 'Titolo;Autori;Anno di pubblicazione'],
  ['Spanish', 'Título;Autor(es);Año'],
  ['Portuguese', 'Título;Autores;Ano de publicação'],
  ['Polish', 'Tytuł;Autorzy;Rok wydania'],
  ['Czech', 'Název;Autor;Rok vydání'],
  ['Romanian', 'Titlu;Autor;Anul apariției'],
  ['Dutch', 'Titel;Auteur;Jaar van uitgave'],
  ['Swedish', 'Titel;Författare;Utgivningsår'],
  ['Hungarian', 'Cím;Szerző;Kiadás éve'],
  ['Turkish', 'Başlık;Yazar;Yayın yılı'],
  ['Greek', 'Τίτλος;Συγγραφέας;Έτος έκδοσης'],
  ['Danish', 'Bogtitel;Forfatter(e);Udgivelsesår'],
  ['Norwegian', 'Tittel;Forfatter;Utgitt'],
  ['Finnish', 'Teoksen nimi;Kirjailija;Painovuosi'],
  ['Chinese, simplified', '标题;作者;出版日期'],
  ['Chinese, traditional', '題名;作者;出版年份'],
  ['Japanese', 'タイトル;著者名;発行年'],
  ['Korean', '도서명;저자;출판연도'],
  ['Arabic', 'عنوان الكتاب;المؤلف;سنة النشر'],
  ['Hebrew', 'שם הספר;מחבר;שנת הוצאה'],
  ['Hindi', 'शीर्षक;लेखक;प्रकाशन वर्ष'],
  ['abbreviated', 'Title;Auth.;Yr'],
];

const xml =
  '<collection xmlns="http://www.loc.gov/MARC21/slim"><record><controlfield tag="008">991020s1999    </controlfield>' +
  '<datafield tag="100" ind1="1" ind2=" "><subfield code="a">Hunt, Andrew</subfield></datafield>' +
  '<datafield tag="245" ind1="1" ind2="0"><subfield code="a">Größe :</subfield><subfield code="b">B /</subfield></datafield></record></collection>';
const csl = JSON.stringify([
  {
    id: 1,
    type: 'book',
    title: 'Größe: B',
    author: [{ family: 'Hunt', given: 'Andrew' }],
    issued: { 'date-parts': [[1999]] },
  },
]);

/** The same book in each format: `Größe: B`, by Andrew Hunt, 1999. */
export const formatFiles: readonly {
  what: string;
  file: string | Buffer;
  format: FormatName | undefined;
  unit: string;
}[] = [
  { what: 'CSV', file: 'title,author,year\nGröße: B,Andrew Hunt,1999\n', format: undefined, unit: 'line 2' },
  { what: 'TSV', file: 'title\tauthor\tyear\nGröße: B\tAndrew Hunt\t1999\n', format: 'tsv', unit: 'line 2' },
  {
    what: 'JSON',
    file: '[{"title":"Größe: B","author":"Andrew Hunt","year":1999}]',
    format: 'json',
    unit: 'book 1',
  },
  {
    what: 'NDJSON',
    file: '{"title":"Größe: B","author":"Andrew Hunt","year":1999}\n',
    format: 'ndjson',
    unit: 'line 1',
  },
  { what: 'CSL-JSON', file: csl, format: undefined, unit: 'book 1' },
  { what: 'CSL-JSON that is named', file: csl, format: 'csl-json', unit: 'book 1' },
  { what: 'CSL-JSON, an item a line', file: `${csl.slice(1, -1)}\n`, format: undefined, unit: 'line 1' },
  {
    what: 'RIS',
    file: 'TY  - BOOK\nTI  - Größe: B\nAU  - Hunt, Andrew\nPY  - 1999\nER  - \n',
    format: 'ris',
    unit: 'record 1',
  },
  {
    what: 'BibTeX',
    file: '@book{a, title={Gr{\\"o}{\\ss}e: B}, author={Hunt, Andrew}, year=1999}',
    format: 'bibtex',
    unit: 'record 1',
  },
  { what: 'MARCXML', file: xml, format: 'marcxml', unit: 'record 1' },
  {
    what: 'MARC21',
    file: marcRecord(['008 991020s1999    ', '100 1 $aHunt, Andrew', '245 10$aGröße :$bB /']),
    format: 'marc',
    unit: 'record 1',
  },
];
