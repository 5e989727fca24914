/**
 * Rows as CSV (RFC 4180, but with a line feed alone): whatever a cell holds comes back from a reader as it was.
 * A lone carriage return is quoted too, since some readers end a row there.
 */
export async function createCsvFormat(): Promise<(rows: readonly (readonly string[])[]) => string> {
  const { stringify } = await import('csv-stringify/sync');
  return (rows) =>
    stringify(
      rows.map((row) => [...row]),
      { quoted_match: /[\r\n]/ },
    );
}
