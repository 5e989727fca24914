import type { Style } from './style.ts';

export interface TableColumn {
  head: string;
  align?: 'right';
  /** May be cut off, if the terminal is too narrow, to about this part of what the other columns leave. */
  share?: number;
  style?: Style | undefined;
}

export interface TableOptions {
  /** The terminal's, in cells; `undefined` where nothing has to be cut off. */
  width: number | undefined;
  paint: (style: Style | undefined, text: string) => string;
}

const gap = '  ';

/** Lays out rows under a head, in columns; a line at a time, each ended with a line feed. */
export async function* layOutTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  { width, paint }: TableOptions,
): AsyncGenerator<string> {
  const { default: measure } = await import('string-width');
  const heads = columns.map(({ head }) => head);
  const natural = columns.map((_, i) =>
    rows.reduce((widest, row) => Math.max(widest, measure(row[i] ?? '')), measure(heads[i] ?? '')),
  );
  const widths = width === undefined ? natural : fit(columns, natural, width);
  const line = (cells: readonly string[], styles: readonly (Style | undefined)[]) => {
    const padded = columns.map(({ align }, i) => {
      const text = cut(cells[i] ?? '', widths[i] ?? 0, measure);
      const space = ' '.repeat(Math.max((widths[i] ?? 0) - measure(text), 0));
      if (align === 'right') return space + paint(styles[i], text);
      return paint(styles[i], text) + (i === columns.length - 1 ? '' : space);
    });
    return `${padded.join(gap)}\n`;
  };
  yield line(
    heads,
    heads.map(() => 'bold'),
  );
  const styles = columns.map(({ style }) => style);
  for (const row of rows) yield line(row, styles);
}

/** The widths in which a table is no wider than the terminal, as far as its columns may be cut off. */
function fit(columns: readonly TableColumn[], natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  let room = width - gap.length * (columns.length - 1);
  let open: { at: number; share: number; wish: number }[] = [];
  for (const [at, { share }] of columns.entries()) {
    const wish = natural[at] ?? 0;
    if (share === undefined) room -= wish;
    else open.push({ at, share, wish });
  }
  // Who needs less than its part takes what it needs, nobody gets less than the least, and the others part the rest.
  for (;;) {
    const shares = open.reduce((sum, { share }) => sum + share, 0);
    const part = (share: number) => Math.floor((room * share) / shares);
    const settled = open.filter(({ wish, share }) => wish <= part(share) || part(share) < narrowest);
    for (const { at, share, wish } of settled.length > 0 ? settled : open)
      widths[at] = Math.min(wish, Math.max(part(share), narrowest));
    if (settled.length === 0 || settled.length === open.length) return widths;
    for (const { at } of settled) room -= widths[at] ?? 0;
    open = open.filter((each) => !settled.includes(each));
  }
}

/** What remains of a column, however narrow the terminal. */
const narrowest = 4;

/** Cuts a text to a width, between characters as a reader sees them, and marks the cut. */
function cut(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  let kept = '';
  let used = 1; // The mark's.
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += measure(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}
