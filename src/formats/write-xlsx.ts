// Excel workbooks, written: the rows of one sheet as text, and the archive around it, piece by piece.
import { strToU8, Zip, ZipDeflate } from 'fflate';
import { ShelflistError } from '../catalogue/errors.ts';
import { escapeXml } from './xml.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const packages = 'http://schemas.openxmlformats.org/package/2006';

const relationsOf = (...targets: readonly (readonly [type: string, target: string])[]) =>
  `${declaration}<Relationships xmlns="${packages}/relationships">${targets
    .map(
      ([type, target], i) =>
        `<Relationship Id="rId${i + 1}" Type="${relations}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** The parts of a workbook beside its sheet. The second style of cells is text: Excel does not turn `1/2` into a date there. */
const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  '_rels/.rels': relationsOf(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Books" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relationsOf(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']),
  'xl/styles.xml': `${declaration}<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf numFmtId="49" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
};

interface SheetColumn {
  /** In characters. */
  readonly width: number;
  readonly isHidden: boolean;
}

/** The part of a sheet before its rows: it freezes the first row, and sets the columns. */
export function sheetHead(columns: readonly SheetColumn[]): string {
  const cols = columns.map(
    ({ width, isHidden }, i) =>
      `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"${isHidden ? ' hidden="1"' : ''}/>`,
  );
  return `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols.join('')}</cols><sheetData>`;
}

export const sheetFoot = '</sheetData></worksheet>';

/** The limits of Excel. */
const maxRows = 1_048_576;
const maxCellLength = 32_767;
/** Excel keeps 15 digits of a number. */
const maxNumber = 1e15;

/** Formats a row of a sheet. @param row Counted from 1. @throws {ShelflistError} Excel could not open the file. */
export function formatSheetRow(row: number, cells: readonly (string | number)[]): string {
  if (row > maxRows)
    throw new ShelflistError('invalid_input', {
      message: `a sheet of Excel has at most ${maxRows - 1} books; export to .csv instead`,
    });
  const formatted = cells.map((cell, at) => {
    const place = `r="${String.fromCharCode(65 + at)}${row}"`;
    if (typeof cell === 'number' && Math.abs(cell) < maxNumber) return `<c ${place}><v>${cell}</v></c>`;
    const text = String(cell);
    if (text.length > maxCellLength)
      throw new ShelflistError('invalid_input', {
        message: `a cell of Excel has at most ${maxCellLength} characters, row ${row} has ${text.length} in one; export to .csv instead`,
      });
    return `<c ${place} s="1" t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`;
  });
  return `<row r="${row}">${formatted.join('')}</row>`;
}

/** Characters that XML cannot contain or that its readers change, and text that looks like their escape. */
// eslint-disable-next-line no-control-regex -- These are what it looks for.
const escaped = /[\0-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9a-f]{4})/gi;

function escapeText(text: string): string {
  const code = (unit: string) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  return escapeXml(text.replace(escaped, code));
}

/** Packs the text of a sheet as a workbook. */
export class WorkbookPacker {
  readonly #ready: Uint8Array[] = [];
  readonly #zip = new Zip((error, piece) => {
    if (error) throw error;
    this.#ready.push(piece);
  });
  readonly #sheet = new ZipDeflate('xl/worksheets/sheet1.xml');

  constructor() {
    for (const [name, text] of Object.entries(parts)) {
      const part = new ZipDeflate(name);
      this.#zip.add(part);
      part.push(strToU8(text), true);
    }
    this.#zip.add(this.#sheet);
  }

  /** Takes the next piece of text; returns the bytes that are ready. */
  push(text: string): Uint8Array[] {
    this.#sheet.push(strToU8(text));
    return this.#ready.splice(0);
  }

  end(): Uint8Array[] {
    this.#sheet.push(new Uint8Array(0), true);
    this.#zip.end();
    return this.#ready.splice(0);
  }
}
