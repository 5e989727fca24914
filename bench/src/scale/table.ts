/** Prints a table in Markdown. */
export function printTable(title: string, rows: readonly Readonly<Record<string, string | number>>[]): void {
  const names = Object.keys(rows[0] ?? {});
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;
  process.stdout.write(`\n${title}\n\n${line(names)}${line(names.map(() => '---'))}`);
  for (const row of rows) process.stdout.write(line(names.map((name) => row[name] ?? '')));
}

/** A number with separators of thousands. */
export function readable(value: number): string {
  return Math.round(value).toLocaleString('en');
}
