import { strToU8, strFromU8, unzipSync, zipSync } from 'fflate';

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationsOf = (...targets: readonly string[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map((each, i) => {
      const [type = '', target = ''] = each.split(' ');
      return `<Relationship Id="rId${i + 1}" Type="${relations}/${type}" Target="${target}"/>`;
    })
    .join('')}</Relationships>`;

interface Contents {
  /** The XML of the rows of each sheet, by its name; a name that begins with `-` is hidden. */
  sheets: Readonly<Record<string, string>>;
  /** The XML of the texts that cells share. */
  shared?: string;
  /** The formats of numbers from 164 on; the styles of cells from 1 on have them, in this order. */
  formats?: readonly string[];
  /** The attributes of `workbookPr`. */
  properties?: string;
  /** Other parts, or other contents of these. */
  parts?: Readonly<Record<string, string | Uint8Array>>;
}

/** A workbook as Excel arranges it. */
export function workbook({
  sheets,
  shared = '',
  formats = [],
  properties = '',
  parts = {},
}: Contents): Buffer {
  const names = Object.keys(sheets);
  const codes = formats.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code}"/>`).join('');
  const styles = formats.map((_, i) => `<xf numFmtId="${164 + i}"/>`).join('');
  const files = {
    '_rels/.rels': relationsOf('officeDocument xl/workbook.xml'),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}"><workbookPr ${properties}/><sheets>${names
      .map(
        (name, i) =>
          `<sheet name="${name.replace(/^-/, '')}" sheetId="${i + 1}" r:id="rId${i + 3}"${name.startsWith('-') ? ' state="hidden"' : ''}/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsOf(
      'sharedStrings sharedStrings.xml',
      'styles /xl/styles.xml',
      ...names.map((_, i) => `worksheet worksheets/sheet${i + 1}.xml`),
    ),
    ...Object.fromEntries(
      names.map((name, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<?xml version="1.0"?>\n<worksheet ${main}><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    'xl/styles.xml': `<styleSheet ${main}><numFmts>${codes}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles}<xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${main}>${shared}</sst>`,
    ...parts,
  };
  return Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
      ),
    ),
  );
}

/** A row of texts and numbers. */
export const cellsOf = (...values: readonly (string | number)[]) =>
  `<row>${values
    .map((value) =>
      typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`,
    )
    .join('')}</row>`;

/** Edits the XML of the sheet of a workbook that was exported, as a user of Excel edits cells. */
export function editSheet(file: Uint8Array, edit: (xml: string) => string): Buffer {
  const parts = unzipSync(file);
  const name = 'xl/worksheets/sheet1.xml';
  const edited = strToU8(edit(strFromU8(parts[name] ?? new Uint8Array(0))));
  return Buffer.from(zipSync({ ...parts, [name]: edited }));
}

/**
 * A workbook with a part of many megabytes of white space, in few kilobytes.
 *
 * @param stated How many bytes the archive says that the part has, in both places; default: the truth.
 */
export function bomb(part: string, megabytes: number, stated?: number): Buffer {
  const file = workbook({
    sheets: { Books: `${cellsOf('title')}<row><c t="s"><v>0</v></c></row>` },
    parts: { [part]: `<sst ${main}>${' '.repeat(megabytes * 1_000_000)}` },
  });
  return stated === undefined ? file : restate(file, part, 'bytes', stated);
}

/** Changes what the archive says of a part, in both places. */
export function restate(file: Buffer, part: string, what: 'bytes' | 'crc', value: number): Buffer {
  for (const [signature, nameAt, bytesAt] of [
    ['PK\x03\x04', 30, 22],
    ['PK\x01\x02', 46, 24],
  ] as const)
    for (let at = file.indexOf(signature); at >= 0; at = file.indexOf(signature, at + 1))
      if (file.toString('latin1', at + nameAt, at + nameAt + part.length) === part)
        file.writeUInt32LE(value, at + bytesAt - (what === 'crc' ? 8 : 0));
  return file;
}
