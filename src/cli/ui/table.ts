import type { Span } from '../../catalogue/highlights.ts';
import type { Style } from '../io.ts';

export interface TableColumn {
  head: string;
  align?: 'right';
  /** On a narrow terminal, the column is truncated to a width in this proportion. Without it, it never is. */
  weight?: number;
  style?: Style | undefined;
  /** Finds the parts of a cell that are bold. */
  marker?: ((cell: string) => readonly Span[]) | undefined;
}

export interface TableOptions {
  /** The width of the terminal, in cells; `undefined` to truncate nothing. */
  width: number | undefined;
  paint: (style: Style | undefined, text: string) => string;
}

const gap = '  ';

/** Lays out rows in columns under a header. Yields lines, each with a line feed. */
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
  const line = (
    cells: readonly string[],
    paintCell: (column: TableColumn, text: string, cell: string) => string,
  ) => {
    const padded = columns.map((column, i) => {
      const cell = cells[i] ?? '';
      const text = cut(cell, widths[i] ?? 0, measure);
      const space = ' '.repeat(Math.max((widths[i] ?? 0) - measure(text), 0));
      const painted = paintCell(column, text, cell);
      if (column.align === 'right') return space + painted;
      return painted + (i === columns.length - 1 ? '' : space);
    });
    return `${padded.join(gap)}\n`;
  };
  yield line(heads, (_, text) => paint('bold', text));
  for (const row of rows)
    yield line(row, ({ style, marker }, text, cell) =>
      marker === undefined ? paint(style, text) : paintSpans(text, marker(cell), paint),
    );
}

/** Paints some parts of a text, as far as they are not cut off. */
function paintSpans(text: string, spans: readonly Span[], paint: TableOptions['paint']): string {
  let [painted, from] = ['', 0];
  for (const [start, end] of spans.filter(([start]) => start < text.length)) {
    painted += text.slice(from, start) + paint('bold', text.slice(start, end));
    from = end;
  }
  return painted + text.slice(from);
}

/** The widths of the columns in a table that fits the terminal, as far as columns may be truncated. */
function fit(columns: readonly TableColumn[], natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  let room = width - gap.length * (columns.length - 1);
  let open: { at: number; weight: number; wish: number }[] = [];
  for (const [at, { weight }] of columns.entries()) {
    const wish = natural[at] ?? 0;
    if (weight === undefined) room -= wish;
    else open.push({ at, weight, wish });
  }
  // A column that needs less than its part gets what it needs. The others divide the rest by weight, above a minimum.
  for (;;) {
    const weights = open.reduce((sum, { weight }) => sum + weight, 0);
    const part = (weight: number) => Math.floor((room * weight) / weights);
    const settled = open.filter(({ wish, weight }) => wish <= part(weight) || part(weight) < minWidth);
    for (const { at, weight, wish } of settled.length > 0 ? settled : open)
      widths[at] = Math.min(wish, Math.max(part(weight), minWidth));
    if (settled.length === 0 || settled.length === open.length) return widths;
    for (const { at } of settled) room -= widths[at] ?? 0;
    open = open.filter((each) => !settled.includes(each));
  }
}

const minWidth = 4;

/** Truncates a text to a width, between graphemes, with an ellipsis. */
export function cut(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  let kept = '';
  let used = 1; // For the ellipsis.
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += measure(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

export interface Bar {
  readonly label: string;
  readonly count: number;
}

const maxBarWidth = 40;
/** The parts of a cell, by eighths. */
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Lays out a bar chart: a line for each bar with its label, its count and the bar. It fits the width. */
export async function layOutBars(bars: readonly Bar[], { width = 80, paint }: TableOptions): Promise<string> {
  const { default: measure } = await import('string-width');
  const largest = Math.max(1, ...bars.map(({ count }) => count));
  const countWidth = String(largest).length;
  const room = Math.max(0, width - countWidth - 2 * gap.length);
  // At least half of the room is for the bars.
  const labels = bars.map(({ label }) => cut(label, Math.max(1, Math.floor(room / 2)), measure));
  const labelWidth = Math.max(...labels.map((label) => measure(label)));
  const barWidth = Math.max(0, Math.min(maxBarWidth, room - labelWidth));
  return bars
    .map(({ count }, i) => {
      const label = labels[i] ?? '';
      const head = label + ' '.repeat(labelWidth - measure(label));
      return `${[head, String(count).padStart(countWidth), paint('cyan', barOf(count / largest, barWidth))].join(gap).trimEnd()}\n`;
    })
    .join('');
}

/** A bar of a share of the width; of any share above 0, something is visible. */
function barOf(share: number, width: number): string {
  const parts = Math.max(share > 0 ? 1 : 0, Math.round(share * width * 8));
  return width === 0 ? '' : '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}
