import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { gzipSync, strToU8, zipSync } from 'fflate';
import { createTokens } from '../../src/auth/tokens.ts';
import { parseBookFields, parseBookPatch } from '../../src/catalogue/book.ts';
import { readFrames } from '../../src/catalogue/changes.ts';
import {
  formatAuthorCursor,
  formatCursor,
  formatGroupCursor,
  parseAuthorCursor,
  parseCursor,
  parseGroupCursor,
} from '../../src/api/cursor.ts';
import { ShelflistError } from '../../src/catalogue/errors.ts';
import { foldText } from '../../src/catalogue/fold.ts';
import { toFilter } from '../../src/catalogue/query.ts';
import { pageParameters } from '../../src/api/queries.ts';
import { formatQuery, readQuery, withCursor } from '../../src/api/query-string.ts';
import { indexWords } from '../../src/catalogue/words.ts';
import {
  findCutVariables,
  findIgnoredLines,
  parseDotenv,
  replaceVariable,
} from '../../src/config/environment.ts';
import type { FormatName } from '../../src/formats/file-formats.ts';
import { describe, FileError } from '../../src/formats/problems.ts';
import { parseLibraryYear } from '../../src/formats/year.ts';
import { decodeText } from '../../src/import/decode-text.ts';
import { gunzip } from '../../src/import/gunzip.ts';
import { readBooks } from '../../src/import/read-books.ts';
import { ArraySplitter, JsonArrayParser } from '../../src/lib/json.ts';
import { readTokenTimes, readTokenUser } from '../../src/lib/token-claims.ts';
import { readToken } from '../../src/server/http/call.ts';
import { acceptedType, chooseEncoding, readQualities } from '../../src/server/http/negotiation.ts';
import { readPreconditions } from '../../src/server/http/preconditions.ts';
import { parseTarget } from '../../src/server/http/request.ts';
import { parsePageState } from '../../src/server/page/page-state.ts';
import {
  damagedFiles,
  formatFiles,
  csvFiles,
  jsonFiles,
  kindsOfFiles,
  ndjsonFiles,
} from '../import/files.ts';
import { marcExamples, marcRecord } from '../support/marc-file.ts';
import { cellOf, rowOf, spreadsheet } from '../support/open-document.ts';
import { cellsOf, workbook } from '../support/workbook.ts';

/** The bytes of an input as they arrive. */
type Source = AsyncIterable<Uint8Array>;

/** A parser of untrusted bytes. */
export interface Target {
  /** Reads an input. Resolves to what it is, as JSON; the only errors are those of the types `ShelflistError` and `FileError`. */
  readonly read: (bytes: Uint8Array, inPieces: (bytes: Uint8Array) => Source) => unknown;
  readonly seeds: readonly (string | Uint8Array)[];
  /** Words of the format, which mutations insert. */
  readonly tokens: readonly string[];
  /** Whether the lengths of the pieces may change what is read, which a file's encoding and its damage do. */
  readonly dependsOnPieces?: boolean;
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
/** A header as Node gives it: each byte is a character. */
const headerOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const filesOf = (table: readonly (readonly [string, string | Uint8Array, ...unknown[]])[]) =>
  table.map(([, file]) => file);
const filesOfFormat = (...formats: readonly (FormatName | undefined)[]) =>
  formatFiles.filter(({ format }) => formats.includes(format)).map(({ file }) => file);

/** Reads the rows of a file, and why it ended early. */
async function readRows(chunks: Source, format?: FormatName, encoding?: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  try {
    for await (const row of readBooks(chunks, { format, encoding, onStart: () => undefined }))
      rows.push([row.unit, row.line, 'problem' in row ? describe(row.problem) : row.fields]);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    rows.push(error.message);
  }
  return rows;
}

/** A file of a format, in an encoding that its first bytes do not decide. */
function fileTarget(format: FormatName, seeds: Target['seeds'], tokens: string): Target {
  return {
    read: (bytes, inPieces) => readRows(inPieces(bytes), format, 'utf-8'),
    seeds,
    tokens: tokens.split(' ').map((token) => token.replaceAll('␠', ' ').replaceAll('␤', '\n')),
  };
}

/** A parser of a text that either succeeds or throws. */
function textTarget(read: (text: string) => unknown, seeds: readonly string[], tokens: string): Target {
  return { read: (bytes) => read(textOf(bytes)), seeds, tokens: tokens.split(' ') };
}

/** The lines of a text as fields of a MARC record: random bytes rarely have the lengths that such a file states. */
const marcFields = (bytes: Uint8Array) =>
  marcRecord(textOf(bytes).slice(0, 9000).split('\n').filter((line) => line.length > 3)); // prettier-ignore

/** The parts of a text as those of a workbook: random bytes rarely have the checksums that a ZIP archive states. */
function workbookOf(bytes: Uint8Array): Uint8Array {
  const [sheet = '', shared = '', styles = '', book = ''] = textOf(bytes).split('\u241e');
  const parts = { ...(styles !== '' && { 'xl/styles.xml': styles }), ...(book !== '' && { 'xl/workbook.xml': book }) };
  return workbook({ sheets: { Books: sheet }, shared, parts });
} // prettier-ignore

const bibtexEntries = [
  '@book{a, title={Emma}, author={Austen, Jane and {A B}}, year=1815}',
  '@string{p = "Pub"}\n@InBook(b, title = "A " # p # {{\\"o}\\ss}, crossref = {c}, editor="{von} Last, Jr, First",)\n@comment{x}\n@proceedings{c, date={2001-05}}',
  '@book{a title={family=Hunt, given=Andrew}}\n@book{x, title={a\n@book{y, title={B}}',
];
const xmlTokens =
  '<record> </record> <collection␠xmlns="http://www.loc.gov/MARC21/slim"> <datafield␠tag="245"␠ind1="0"␠ind2="0"> <subfield␠code="a"> <subfield␠code="b"> </subfield> </datafield> <leader> </leader> <controlfield␠tag="008"> &amp; &#0; &#xd800; <![CDATA[ ]]> <!-- --> <!DOCTYPE <?xml␠version="1.0"␠encoding="latin1"?> xmlns:a=" a: ␠/␠ ␠:␠ 700 880 264';
const marcTokens =
  '␤245␠10$a ␤700␠1␠$a ␤880␠10$6 ␤264␠␠1$c ␤046␠␠␠$b ␤110␠2␠$a ␤008␠991020s1999 $b $n $p $c $e $4 ␠/ ␠: ␠= ,$d Jr. aut edt ii';

const secret = 'a secret of the fuzz tests, which is long enough';
const tokensOf = createTokens(secret, {
  now: () => 1_700_000_000_000,
  session: { login: { username: 'ann', password: 'a password' }, sessionHours: 1 },
});
const base64 = (text: string) => Buffer.from(text).toString('base64url');

/** A token with any header and payload, with a valid signature. */
function sign(header: string, payload: string): string {
  const signed = `${base64(header)}.${base64(payload)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** Queries whose cursors are read. */
const filters = [{}, { sort: '-year', q: 'x' }, { sort: 'title' }, { sort: 'author', year: 3 }] as const;
const authorQueries = [{}, { sort: '-count', q: 'a' }, { variants: true }] as const;
const exampleCursors = [
  ...filters.map((query) => formatCursor(toFilter(query), { key: query === filters[0] ? 7 : 'emma', id: 7 })),
  formatCursor(toFilter({ sort: 'title' }), { key: 'emma', id: 7, order: '0a1b2c3d' }),
  formatGroupCursor('same', 7),
  ...authorQueries.map((query) => formatAuthorCursor(query, { key: 'austen', count: 3 })),
];

/** Returns `undefined` where the text is refused, so that all of several readers are called. */
function orRefused(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof ShelflistError) return undefined;
    throw error;
  }
}

const labels = [undefined, 'utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'shift_jis', 'gb18030', 'latin2'];

/** Every parser of bytes that others send or that a file has, by the name that `npm run fuzz` takes. */
export const targets: Readonly<Record<string, Target>> = {
  // Files
  marc: fileTarget('marc', marcExamples.map(({ fields }) => marcRecord(fields)), '\u001d \u001e \u001f a␠4500 00026 nam␠a22 0000␠'),
  'marc-fields': {
    read: (bytes, inPieces) => readRows(inPieces(marcFields(bytes)), 'marc'),
    seeds: marcExamples.map(({ fields }) => fields.join('\n')),
    tokens: marcTokens.split(' ').map((token) => token.replaceAll('␠', ' ').replaceAll('␤', '\n')),
  },
  marcxml: fileTarget('marcxml', filesOfFormat('marcxml'), xmlTokens),
  ris: fileTarget('ris', [...filesOfFormat('ris'), 'TY  - CHAP\nT1  - A\n B\nA1  - Hunt, A, Jr.\nY1  - 1999/10/20/x\nU1  - shelflist: {"title":"A"}\nER  - \n'], 'TY␠␠-␠BOOK␤ ER␠␠-␠␤ TI␠␠-␠ AU␠␠-␠ PY␠␠-␠ ED␠␠-␠ U1␠␠-␠shelflist:␠{ ␤ 1999/'),
  bibtex: fileTarget('bibtex', [...filesOfFormat('bibtex'), ...bibtexEntries], '@book{ @string{ @comment{ title␠=␠{ author={ crossref={ ␠and␠ ␤@book{ } ) ( " # \\"o \\ss␠ \\\' {\\v␠c} family= jan , = $ ~ -- `` year=1999'),
  csl: fileTarget('csl-json', filesOfFormat('csl-json'), '[ ] { } , "type":"book" "title":" "author":[ "family":" "literal":" "issued":{ "date-parts":[[ "raw":" "custom":{"shelflist":{ <i> </i> \\ud800 1e400 null'),
  csv: fileTarget('csv', [...filesOf(csvFiles), ...filesOf(kindsOfFiles).filter((file) => typeof file === 'string'), 'id,title,author,year,revision\n7,"=1+1","",0,"x0123456789ab"\n'], 'title author year id revision , ; ␤ \r "" " =" sep=; | \t ,, n.d. c1999'),
  xlsx: {
    read: (bytes, inPieces) => readRows(inPieces(bytes), 'xlsx'),
    seeds: [workbook({ sheets: { A: cellsOf('title', 'year') + cellsOf('Emma', 1815) } }), zipSync({ 'xl/workbook.xml': strToU8('<a/>') })],
    tokens: ['PK\u0003\u0004', 'PK\u0001\u0002', 'PK\u0005\u0006', 'PK\u0006\u0006', 'xl/workbook.xml', '\0\0', '\u00ff\u00ff\u00ff\u00ff'],
  },
  'xlsx-parts': {
    read: (bytes, inPieces) => readRows(inPieces(workbookOf(bytes)), 'xlsx'),
    seeds: [
      `${cellsOf('title', 'year') + cellsOf('Emma', 1815)}<row r="4"><c r="B4" t="s" s="1"><v>0</v></c></row>␞<si><t>x</t></si><si><r><t>y</t></r></si>`,
      `${cellsOf('title', 'year')}<row><c t="b"><v>1</v></c><c s="1"><v>44197.5</v></c><c t="e"><v>#N/A</v></c></row>␞␞<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts><numFmt numFmtId="164" formatCode="yyyy"/></numFmts><cellXfs><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ],
    tokens: '<row> </row> <c> </c> <v> </v> <c␠t="s"> <c␠t="inlineStr"><is><t> </t></is> <c␠r="XFD1"> <c␠r="ZZZZ9"> r="1048577" <row␠r="9"> ␞ <si> </si> s="1" t="d" _x000D_ <rPh> 1e308 -1'.split(' ').map((token) => token.replaceAll('␠', ' ')),
  },
  ods: {
    read: (bytes, inPieces) => readRows(inPieces(spreadsheet({ A: textOf(bytes) })), 'ods'),
    seeds: [`${rowOf('title', 'year')}${rowOf('Emma', '1815')}`, `${rowOf('title')}${rowOf(cellOf('Emma', 'table:number-columns-repeated="2" table:number-rows-spanned="2"'))}`],
    tokens: '<table:table-row> </table:table-row> <table:table-cell> </table:table-cell> <table:covered-table-cell/> <text:p> </text:p> <text:s␠text:c="9"/> <text:tab/> <office:annotation> </office:annotation> <table:table> </table:table> table:number-columns-repeated="2" table:number-rows-repeated="1048576" table:number-rows-spanned="9" office:value-type="float" office:value="1" office:value-type="date" office:date-value="2010-03-05" 1e308 -1'.split(' ').map((token) => token.replaceAll('␠', ' ')),
  },
  json: fileTarget('json', filesOf(jsonFiles), '[ ] { } , : " "title":" "author":[ {"name":" "year": \\" \\\\ \\u0000 \\ud800 1e400 -0 null true "__proto__":{'),
  ndjson: fileTarget('ndjson', filesOf(ndjsonFiles), '[ ] {"title":" "} "author":[ "year": ␤ \r , " \\" \\ud800 {"type":"book","author":[{"family":" "id":1 null'),
  file: {
    read: (bytes, inPieces) => readRows(inPieces(bytes)),
    seeds: [...filesOf(kindsOfFiles), ...damagedFiles.map(({ file }) => file), ...filesOfFormat(undefined)],
    tokens: ['\ufeff', '\u00ff\u00fe', '\u00e9', '%PDF-', '\u00d0\u00cf\u0011\u00e0', '\u001f\u008b', 'title', ',', '\n', '[{', '\0'],
    dependsOnPieces: true,
  },
  gzip: {
    read: async (bytes, inPieces) => {
      let length = 0;
      for await (const piece of gunzip(inPieces(bytes))) length += piece.length;
      return length;
    },
    seeds: [gzipSync(strToU8('title\nEmma\n'), { mtime: 0 }), gzipSync(strToU8('title\n'.repeat(999)), { mtime: 0, filename: 'a.csv' })],
    tokens: ['\u001f\u008b\u0008', '\0\0\0\0', '\u0001\0\0\u00ff\u00ff'],
    dependsOnPieces: true,
  },
  encoding: {
    // The first byte chooses the label.
    read: async (bytes, inPieces) => {
      let text = '';
      const pieces = inPieces(bytes.subarray(1));
      for await (const piece of decodeText(pieces, { encoding: labels[(bytes[0] ?? 0) % labels.length] })) text += piece;
      return text;
    },
    seeds: labels.map((_, i) => Buffer.concat([Buffer.of(i), Buffer.from('title é 書 😀', i === 2 ? 'utf16le' : 'utf8')])),
    tokens: ['\u00ed\u00a0\u0080', '\u00f0\u009f', '\u00e9', '\u00ff\u00fe', '\u00fe\u00ff', '\u00ef\u00bb\u00bf', '\u00d8\0', '\u0081', '\u00c0\u0080'],
    dependsOnPieces: true,
  },
  year: textTarget(parseLibraryYear, ['[1979]', 'ca. 1880', '44 BC', '1999 [i.e. 1998]', '197-', '25.10.2019', 'n.d.', '1813-01-28T00:00:00+00:00'], '[ ] c ca. BC i.e. 19-- ? n.d. v.␠Chr. 1999 01 - . , + e9'),
  dotenv: textTarget(
    async (text) => {
      const replaced = await replaceVariable(text, 'AUTH_PASSWORD', 'new');
      if (replaced !== undefined && (await parseDotenv(replaced)).AUTH_PASSWORD !== 'new') throw new Error('not replaced');
      return [await parseDotenv(text), findCutVariables(text), findIgnoredLines(text), replaced];
    },
    ['AUTH_PASSWORD=abc#def\n# note\nPORT=80\nexport A="b\nc" # d\nnonsense\n', "A: 'x\\'y'\nAUTH_PASSWORD=`a`\r\nB=\n"],
    'AUTH_PASSWORD= export␠ # \' " ` \\\' \\" \n \r\n : = A=',
  ),
  // Requests
  body: textTarget(
    (text) => {
      const value: unknown = orRefused(() => parseJson(text));
      return [orRefused(() => parseBookFields(value)), orRefused(() => parseBookPatch(value))];
    },
    ['{"title":"Emma","author":"Jane Austen","year":1815}', '{"title":"\\ud83d\\ude00","year":-0,"id":3}'],
    '{ } "title": "author": "year": \\ud800 1e400 -0 null [ ] 9007199254740992',
  ),
  'bulk-body': {
    read: async (bytes, inPieces) => {
      const found: unknown[] = [];
      const parser = new JsonArrayParser({ read: parseJson, fail: () => new ShelflistError('invalid_input') });
      const splitter = new ArraySplitter();
      try {
        for await (const piece of inPieces(bytes)) for (const each of parser.push(headerOf(piece))) found.push(each);
        parser.end();
        for await (const piece of inPieces(bytes.subarray(1))) for (const text of splitter.push(headerOf(piece))) found.push(text);
      } catch (error) {
        if (!(error instanceof ShelflistError) && !(error instanceof SyntaxError)) throw error;
        found.push(error.message);
      }
      return found;
    },
    seeds: filesOf(jsonFiles),
    tokens: ['[', ']', '{', '}', ',', '"', '\\', '\\"', ':', '1', ' '],
  },
  cursor: textTarget(
    (text) => [
      ...filters.map((query) => orRefused(() => parseCursor(toFilter(query), text))),
      orRefused(() => parseGroupCursor('same', text)),
      ...authorQueries.map((query) => orRefused(() => parseAuthorCursor(query, text))),
    ],
    exampleCursors,
    'W10 IiI LDE = - _ WyJ',
  ),
  query: textTarget(
    (text) => {
      const query = readQuery(text, pageParameters);
      const spelled = formatQuery(query, pageParameters);
      if (JSON.stringify(readQuery(spelled, pageParameters)) !== JSON.stringify(readQuery(formatQuery(readQuery(spelled, pageParameters), pageParameters), pageParameters)))
        throw new Error('a query changes when it is formatted and parsed');
      return [query, toFilter(query), spelled, withCursor(text, 'abc')];
    },
    ['q=emma&sort=-title&limit=10&yearFrom=1800&yearTo=1900&count=true', 'titleWords=a+b&author=J%C3%A9&after=abc'],
    'q= sort= limit= & %20 + %C3%A9 %F0%9F%98%80 %ED%A0%80 titleWords= year= yearTo= title= count=true after= -1 9007199254740993',
  ),
  'page-query': textTarget((text) => [parsePageState(text), parseTarget(text, '/shelf')], ['q=emma&view=trash&book=7&level=same', '/shelf/book/7?q=a', 'http://a/shelf?x'], 'view= book= level= q= & = % %2f /shelf http:// ? #'),
  words: textTarget((text) => [foldText(text), indexWords({ title: text, author: text.slice(1) })], ['The Hobbit, 2nd ed.', 'Ævar Þór: “O’Brien’s” 紅樓夢 ½', 'ﬁ-ﬂ ȧ̈ 𝔘 Straße'], "' ’ \u0301 \u0323 ﬁ ß İ 紅 ㈱ - . Ⅷ \u200d \ufe0f 😀 \ud7a3"),
  etag: {
    read: (bytes) => {
      const value = headerOf(bytes);
      return ['if-match', 'if-none-match'].map((name) => {
        const conditions = readPreconditions({ [name]: value });
        return ['"1-a"', 'W/"1-a"', undefined].map((tag) => orRefused(() => [conditions.check(tag), tag !== undefined && conditions.isNotModified(tag)]));
      });
    },
    seeds: ['"1-a"', 'W/"1-a", "b" ,, "c"', '*', ' , *'],
    tokens: ['"', 'W/"', '*', ',', ' ', '\t', '"1-a"', ', '],
  },
  accept: {
    read: (bytes) => {
      const value = headerOf(bytes);
      return [[...readQualities(value)], chooseEncoding(value), acceptedType(value, ['text/html', 'text/csv'])];
    },
    seeds: ['text/html, application/json;q=0.9, */*;q=0.1', 'gzip, br;q=0.5, identity;q=0', 'de-DE,de;q=0.9'],
    tokens: ['q=', ';q=0.', ',', ';', 'text/html', 'application/*', '*/*', 'gzip', 'br', 'identity', ' = ', '*'],
  },
  token: {
    // Two parts are a header and a payload, which are signed: random bytes have no valid signature.
    read: async (bytes) => {
      const text = headerOf(bytes);
      const [header = '', payload] = text.split('\n');
      const token = payload === undefined ? readToken(text, true) : sign(header, payload);
      const tokens = await tokensOf;
      const verified = await Promise.resolve(orRefused(() => tokens.verify(token))).catch((error: unknown) => orRefused(() => { throw error; }));
      const renewed = await tokens.renew(token).then(() => true, (error: unknown) => orRefused(() => { throw error; }));
      return [verified, renewed, readTokenTimes(token), readTokenUser(token)];
    },
    seeds: [
      '{"alg":"HS256"}\n{"exp":1700000900,"iat":1700000000,"sub":"ann","auth_time":1700000000}',
      `Bearer ${sign('{"alg":"HS256","typ":"JWT"}', '{"exp":1700000900}')}`,
      sign('{"alg":"none"}', '{"exp":1e309}'),
    ],
    tokens: ['{"alg":"HS512"}', '"crit":["b64"],"b64":false', '"exp":', '1e309', '"nbf":', '"iat":', '"sub":', '"login":"', '"auth_time":', 'Bearer ', '.', '\n', 'eyJ', '-', '_', '='],
  },
  events: {
    read: async (bytes, inPieces) => {
      const frames: unknown[] = [];
      for await (const frame of readFrames(inPieces(bytes))) frames.push(frame);
      return frames;
    },
    seeds: ['id: 7\nevent: change\ndata: {"id":1,"change":"created"}\n\n: heartbeat\n\nevent: reset\nid: a.b\ndata: {}\n\n', 'id:1\r\nevent:change\r\ndata:{"id":2,"change":"deleted"}\r\n\r\n'],
    tokens: ['id: ', 'event: change', 'event: reset', 'data: ', '\n\n', '\r\n\r\n', '\r', '{"id":1,"change":"updated"}', ':', '\ufeff'],
  },
}; // prettier-ignore

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ShelflistError('invalid_input');
  }
}
