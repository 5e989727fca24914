import { strToU8, zipSync } from 'fflate';

const namespaces = ['office', 'style', 'text', 'table', 'draw', 'dc', 'calcext']
  .map((prefix) => `xmlns:${prefix}="urn:${prefix}"`)
  .join(' ');

/** A document as LibreOffice arranges it, or with other entries. */
export function openDocument(
  body: string,
  { styles = '', entries = {} }: { styles?: string; entries?: Readonly<Record<string, string>> } = {},
): Buffer {
  const content = `<?xml version="1.0"?>\n<office:document-content ${namespaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`;
  const files = {
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': content,
    ...entries,
  };
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
  );
}

/** A spreadsheet. @param sheets The XML of the rows of each sheet, by its name; a name that begins with `-` is hidden. */
export function spreadsheet(sheets: Readonly<Record<string, string>>): Buffer {
  const styles =
    '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style>' +
    '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
  const tables = Object.entries(sheets).map(
    ([name, rows]) =>
      `<table:table table:name="${name.replace(/^-/, '')}" table:style-name="${name.startsWith('-') ? 'ta2' : 'ta1'}">` +
      `<table:table-column table:number-columns-repeated="16384"/>${rows}</table:table>`,
  );
  return openDocument(`<office:spreadsheet>${tables.join('')}</office:spreadsheet>`, { styles });
}

/** A cell. @param attributes Those of the cell beside its text. */
export const cellOf = (text: string, attributes = '') =>
  `<table:table-cell office:value-type="string" ${attributes}><text:p>${text}</text:p></table:table-cell>`;

/** A row of cells in XML, or of texts. */
export const rowOf = (...cells: readonly string[]) =>
  `<table:table-row>${cells.map((cell) => (cell.startsWith('<') ? cell : cellOf(cell))).join('')}</table:table-row>`;
