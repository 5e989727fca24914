// A catalogue in one HTML file, which searches without a service: for a memory stick, or the web space of a school.
import { sha256 } from '@noble/hashes/sha2';
import type { Book } from '../catalogue/book.ts';
import { escapeHtml, toScriptText } from '../lib/html-text.ts';

/** More would make the file slow to open on a phone. */
export const maxFileBooks = 10_000;

/** The contents of a catalogue file besides its books. */
export interface CatalogueFile {
  /** The name of the library. */
  readonly name: string;
  /** The language of its texts, such as `de`. */
  readonly language: string;
  /** When it was made: the day alone is shown. */
  readonly madeAt: Date;
  /** For browsers without JavaScript. */
  readonly needsScript: string;
  /** The program that finds and shows the books (`src/page/viewer`). It goes into the file unchanged, so it must not contain `</script`. */
  readonly viewer: string;
}

/** The data for the viewer. */
export interface CatalogueData {
  readonly name: string;
  readonly language: string;
  /** `2026-11-29` */
  readonly day: string;
  readonly books: readonly (readonly [id: number, title: string, author: string, year: number])[];
}

/**
 * Writes the file. Nothing in it can load anything: its policy allows its own script, by its hash, and no text of a book can end the
 * data that it is in.
 *
 * @throws {RangeError} There are more books than {@link maxFileBooks}.
 */
export function writeCatalogueFile(
  books: readonly Book[],
  { name, language, madeAt, needsScript, viewer }: CatalogueFile,
): string {
  if (books.length > maxFileBooks) throw new RangeError(`more than ${maxFileBooks} books`);
  const data: CatalogueData = {
    name,
    language,
    day: madeAt.toISOString().slice(0, 10),
    books: books.map(({ id, title, author, year }) => [id, title, author, year]),
  };
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${btoa(String.fromCharCode(...sha256(viewer)))}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(name)}</title>
</head>
<body>
<noscript><p>${escapeHtml(needsScript)}</p></noscript>
<script type="application/json" id="catalogue">${toScriptText(data)}</script>
<script>${viewer}</script>
</body>
</html>
`;
}
