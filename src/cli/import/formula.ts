/**
 * Takes a text out of the formula that tells a spreadsheet to leave it as it is: `="0141439580"`, as Goodreads writes
 * an ISBN. In CSV a quote within a cell that has none around it is an error, and would cost the whole row.
 */
export async function* unwrapFormulas(
  text: AsyncGenerator<string>,
  delimiter: string,
): AsyncGenerator<string> {
  const pattern = new RegExp(`(?<=^|[${delimiter}\r\n])="([^"\r\n]*)"(?=[${delimiter}\r\n]|$)`, 'g');
  const unwrap = (whole: string) => (whole.includes('="') ? whole.replace(pattern, '"$1"') : whole);
  let held: string[] = []; // The last line, which is not whole.
  for await (const chunk of text) {
    const end = chunk.lastIndexOf('\n') + 1;
    if (end > 0) yield unwrap(held.join('') + chunk.slice(0, end));
    held = [...(end > 0 ? [] : held), chunk.slice(end)];
  }
  yield unwrap(held.join(''));
}
