/**
 * Unwraps a text from the formula that keeps spreadsheets from changing it: `="0141439580"`, as Goodreads writes an ISBN.
 * CSV does not allow quotes inside an unquoted cell: the whole row would be lost.
 */
export async function* unwrapFormulas(
  text: AsyncGenerator<string>,
  delimiter: string,
): AsyncGenerator<string> {
  const pattern = new RegExp(`(?<=^|[${delimiter}\r\n])="([^"\r\n]*)"(?=[${delimiter}\r\n]|$)`, 'g');
  const unwrap = (whole: string) => (whole.includes('="') ? whole.replace(pattern, '"$1"') : whole);
  let held: string[] = []; // The last, incomplete line.
  for await (const chunk of text) {
    const end = chunk.lastIndexOf('\n') + 1;
    if (end > 0) yield unwrap(held.join('') + chunk.slice(0, end));
    held = [...(end > 0 ? [] : held), chunk.slice(end)];
  }
  yield unwrap(held.join(''));
}
