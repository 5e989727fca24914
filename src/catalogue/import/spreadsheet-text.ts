/** The column of an export in which each row carries a digest of what it was. */
export const revisionColumn = 'revision';

/** What a spreadsheet program takes for a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
/** What it shows as a number or a date, and then saves in another form: `007`, `1/2`, `1e5`, `TRUE`. */
const altered = /^(?:(?![1-9]\d{0,14}$|0$)\d[\d\s.,:/e%-]*|true|false)$/i;

/** Makes a text harmless for a spreadsheet program, which takes a cell that starts with an apostrophe for a text. */
export function escapeCell(text: string): string {
  return needsPrefix(text) ? `'${text}` : text;
}

/** Takes away the prefix of {@link escapeCell}, and no other apostrophe. */
export function unescapeCell(text: string): string {
  return text.startsWith("'") && needsPrefix(text) ? text.slice(1) : text;
}

/** Texts that look like an escaped one are escaped too: otherwise they would lose their own apostrophe. */
function needsPrefix(text: string): boolean {
  const bare = text.replace(/^'+/, '');
  return formula.test(bare) || altered.test(bare);
}

/** Whether the cells of a row are escaped. Its revision says so, because no program changes that cell. */
export function isEscaped(revision: unknown): boolean {
  return typeof revision === 'string' && /^x[0-9a-f]{12}$/.test(revision.trim());
}
