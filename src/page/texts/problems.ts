import {
  describeCut,
  type Cut,
  type ProblemTexts,
  englishProblems,
  listNames,
} from '../../formats/problems.ts';
import { de } from './de.ts';
import type { Language } from './texts.ts';

/** Where the page has no options to name. */
const en: ProblemTexts = {
  ...englishProblems,
  mixedEncodings: () => 'the file mixes UTF-8 and Windows-1252; save it as “CSV UTF-8”',
  cutOff: (cut) =>
    `the file is cut off: ${describeCut(cut)}; to add the rest, import the whole file, and leave out the books that the catalogue has`,
};

const notRead = 'ab dort wurde nichts gelesen';
const cut: Readonly<Record<Cut['at'], (n: number) => string>> = {
  bibtex: (n) => `der Eintrag nach Datensatz ${n} ist nicht geschlossen`,
  character: () => 'ihr letztes Zeichen ist unvollständig',
  compression: () => 'ihre komprimierten Daten enden mittendrin',
  header: () => 'ihre erste Zeile ist unvollständig, weitere fehlen',
  json: (n) => `ihre Liste ist nach Buch ${n} nicht geschlossen`,
  line: (n) => `Zeile ${n} endet mittendrin`,
  marc: (n) => `Datensatz ${n + 1} endet mittendrin`,
  ris: (n) => `Datensatz ${n} hat keine Zeile ER`,
  xml: (n) => `sie endet nach Datensatz ${n}`,
  xmlRecord: (n) => `Datensatz ${n + 1} ist nicht geschlossen`,
};
const units = { line: 'Zeile', row: 'Zeile', book: 'Buch', record: 'Datensatz' } as const;
const { fields } = de;

const german: ProblemTexts = {
  missing: ({ field }) => `${fields[field]} fehlt`,
  notUnderstood: ({ field, shown }) => `${fields[field]} nicht erkannt: ${shown}`,
  notText: ({ field, shown }) => `${fields[field]} ist kein Text: ${shown}`,
  badByte: ({ field, byte, line, column }) =>
    `${fields[field]} enthält ein Byte, das in der Kodierung der Datei ungültig ist${
      byte === undefined ? '' : ` (0x${byte.toString(16)})`
    }${line === undefined ? '' : `: Zeile ${line}, Spalte ${column}`}`,
  cells: ({ cells, columns }) => `mehr Zellen (${cells}) als Spalten (${columns})`,
  quotes: ({ line, lastLine }) =>
    `ein Anführungszeichen fehlt oder ist zu viel${lastLine > line ? ` (bis Zeile ${lastLine})` : ''}`,
  notJson: () => 'kein JSON',
  notObject: () => 'kein Objekt',
  deletedRecord: () => 'als gelöscht gekennzeichnet',
  noTitleField: ({ isUnimarc }) => `kein Titel (Feld 245)${isUnimarc ? '; UNIMARC wird nicht gelesen' : ''}`,
  recordTooLong: ({ maxBytes }) => `länger als ${maxBytes} Byte`,
  noLeader: () => 'kein Leader',
  recordLength: ({ stated, found }) => `laut Leader ${stated} Byte, tatsächlich ${found}`,
  notUtf8: () => 'der Text ist kein gültiges UTF-8',
  marc8: () =>
    'in MARC-8; wandeln Sie die Datei in UTF-8 um, zum Beispiel mit MarcEdit oder yaz-marcdump -t utf-8',
  directory: () => 'das Verzeichnis der Felder ist beschädigt',
  directoryMismatch: () => 'das Verzeichnis der Felder passt nicht zu den Feldern',
  noEr: () => 'keine Zeile ER',
  braces: () => 'die Klammern passen nicht zusammen',
  entryFields: ({ at }) => `die Felder sind nicht lesbar bei ${JSON.stringify(at)}`,
  macro: ({ field, macro }) => `${field} verwendet ${macro}, das kein @string definiert`,
  macrosTooLong: ({ maxKib }) => `die Makros sind länger als ${maxKib} KiB`,
  crossref: ({ key }) => `crossref verweist auf ${key}; der Eintrag fehlt in der Datei`,
  badId: ({ shown }) => `ungültige id: ${shown}`,
  badRevision: ({ shown }) =>
    `die revision ist beschädigt: ${shown}; leeren Sie die Zelle, um das Buch zu ändern, wie es jetzt ist`,
  unknownId: ({ id }) =>
    `es gibt kein Buch mit der id ${id}; ohne id wird die Zeile als neues Buch hinzugefügt`,
  repeatedId: ({ unit, line }) => `${units[unit]} ${line} hat dieselbe id`,
  conflict: ({ id, now }) =>
    `Buch ${id} wurde seit dem Export geändert: ${now.map(({ field, shown }) => `${fields[field]} ist jetzt ${shown}`).join(', ')}`,
  lostCharacters: ({ field }) =>
    `in ${fields[field]} wurden Zeichen durch „?“ ersetzt; speichern Sie die Datei als „CSV UTF-8“`,
  deletedMeanwhile: ({ id }) =>
    `Buch ${id} wurde inzwischen gelöscht; importieren Sie die Zeile noch einmal, um es hinzuzufügen`,
  refused: ({ message }) => `vom Dienst abgelehnt: ${message}`,

  empty: () => 'die Datei ist leer',
  spreadsheet: () =>
    'dies ist eine Tabelle, aber keine lesbare Excel-Mappe; speichern Sie sie als .xlsx ohne Kennwort oder als CSV in UTF-8',
  workbook: ({ part }) =>
    `die Excel-Datei ist beschädigt (${part}); öffnen Sie sie in einem Tabellenprogramm, und speichern Sie sie neu als .xlsx`,
  workbookTooLarge: () =>
    'die Excel-Datei ist größer als 64 MiB oder entpackt größer als 256 MiB; speichern Sie das Blatt als „CSV UTF-8“, und importieren Sie das',
  sheets: ({ names }) => `die Datei hat mehrere Blätter: ${listNames(names)}`,
  noSheet: ({ name, names }) =>
    `die Datei hat kein Blatt ${JSON.stringify(name)} mit Zeilen; sie hat: ${listNames(names)}`,
  mixedEncodings: () => 'die Datei mischt UTF-8 und Windows-1252; speichern Sie sie als „CSV UTF-8“',
  encoding: ({ label }) => `unbekannte Kodierung ${label}`,
  compression: ({ detail }) =>
    `die komprimierte Datei ist beschädigt (${detail}); der Rest wurde nicht gelesen`,
  cutOff: ({ at, number = 0 }) =>
    `die Datei ist abgeschnitten: ${cut[at](number)}; importieren Sie die ganze Datei, und wählen Sie „Auslassen“, um den Rest hinzuzufügen`,
  header: () => 'die Anführungszeichen der ersten Zeile passen nicht zusammen',
  whiteSpace: () =>
    'die Datei beginnt mit mehr als 16 MiB Leerzeichen und Leerzeilen; sie wurde nicht gelesen',
  rowTooLong: ({ unit, number }) =>
    `${unit === 'row' ? 'der Datensatz ab Zeile' : units[unit]} ${number} ist länger als 16 MiB; ein Anführungszeichen oder eine Klammer wurde dort vermutlich nicht geschlossen; ${notRead}`,
  linesOfObject: ({ line }) =>
    `ein Objekt geht nach Zeile ${line} weiter; schreiben Sie jedes Objekt in eine Zeile oder alle in eine Liste`,
  invalidJson: ({ book }) =>
    `nach Buch ${book} ist die Datei kein gültiges JSON mehr; der Rest wurde nicht gelesen`,
  invalidXml: ({ record, detail }) =>
    `nach Datensatz ${record} ist die Datei kein gültiges XML mehr (${detail}); der Rest wurde nicht gelesen`,
  xmlEncoding: ({ encoding }) =>
    `das XML ist in ${JSON.stringify(encoding)} kodiert; wandeln Sie es in UTF-8 um`,
  tagTooLong: ({ record }) => `Datensatz ${record} hat ein Element mit mehr als 8 KiB; ${notRead}`,
  fileRecordTooLong: ({ format, record }) =>
    ({
      bibtex: `der Eintrag nach Datensatz ${record} ist länger als 16 MiB; eine Klammer wurde dort vermutlich nicht geschlossen; ${notRead}`,
      marcxml: `Datensatz ${record} ist länger als 16 MiB; ${notRead}`,
      ris: `Datensatz ${record} ist länger als 16 MiB; seine Zeile ER fehlt vermutlich; ${notRead}`,
    })[format],
  otherFormat: ({ format }) =>
    ({
      marc: 'die Datei ist kein MARC21: Sie beginnt nicht mit einem Leader',
      marcxml: 'die Datei ist kein MARCXML: Sie enthält keinen Datensatz',
      ris: 'die Datei ist kein RIS: Keine Zeile beginnt einen Datensatz (TY  - BOOK)',
    })[format],
};

/** What is wrong with a file or a row, in each language of the page. They load with the script of the import. */
export const problemTexts: Readonly<Record<Language, ProblemTexts>> = { en, de: german };
