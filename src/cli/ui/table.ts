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

/** The number of rows whose widths decide those of the columns. They are written at once, the others as they arrive. */
const maxMeasured = 1000;

type Row = readonly string[];
type Measure = (text: string) => number;

/**
 * Lays out rows in columns under a header. Yields lines, each with a line feed. A later cell that is wider than its column is
 * truncated, if the column may be; else it moves the rest of its line.
 */
export async function* layOutTable(
  columns: readonly TableColumn[],
  rows: Iterable<Row> | AsyncIterable<Row>,
  options: TableOptions,
): AsyncGenerator<string> {
  const { default: measure } = await import('string-width');
  const first: Row[] = [];
  let layOut: ((row: Row) => string) | undefined;
  const begin = () => {
    const widths = measureColumns(columns, first, options, measure);
    layOut = (row) => layOutRow(columns, row, widths, options, measure);
    const heads = columns.map(
      ({ head, align }) => ({ head, style: 'bold', ...(align && { align }) }) as const,
    );
    const head = layOutRow(
      heads,
      heads.map(({ head: text }) => text),
      widths,
      options,
      measure,
    );
    return [head, ...first.map(layOut)];
  };
  for await (const row of rows) {
    if (layOut !== undefined) yield layOut(row);
    else if (first.push(row) === maxMeasured) yield* begin();
  }
  if (layOut === undefined) yield* begin();
}

function measureColumns(
  columns: readonly TableColumn[],
  rows: readonly Row[],
  { width }: TableOptions,
  measure: Measure,
): number[] {
  const natural = columns.map(({ head }, i) =>
    rows.reduce((widest, row) => Math.max(widest, measure(row[i] ?? '')), measure(head)),
  );
  return width === undefined ? natural : fit(columns, natural, width);
}

function layOutRow(
  columns: readonly TableColumn[],
  row: Row,
  widths: readonly number[],
  { width, paint }: TableOptions,
  measure: Measure,
): string {
  const cells = columns.map(({ align, weight, style, marker }, i) => {
    const cell = row[i] ?? '';
    const room = widths[i] ?? 0;
    const text = width === undefined || weight === undefined ? cell : cut(cell, room, measure);
    const space = ' '.repeat(Math.max(room - measure(text), 0));
    const painted = marker === undefined ? paint(style, text) : paintSpans(text, marker(cell), paint);
    if (align === 'right') return space + painted;
    return painted + (i === columns.length - 1 ? '' : space);
  });
  return `${cells.join(gap)}\n`;
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
  let open: { at: number; weight: number; naturalWidth: number }[] = [];
  for (const [at, { weight }] of columns.entries()) {
    const naturalWidth = natural[at] ?? 0;
    if (weight === undefined) room -= naturalWidth;
    else open.push({ at, weight, naturalWidth });
  }
  // A column that needs less than its part gets what it needs. The others divide the rest by weight, above a minimum.
  for (;;) {
    const weights = open.reduce((sum, { weight }) => sum + weight, 0);
    const part = (weight: number) => Math.floor((room * weight) / weights);
    const settled = open.filter(
      ({ naturalWidth, weight }) => naturalWidth <= part(weight) || part(weight) < minWidth,
    );
    for (const { at, weight, naturalWidth } of settled.length > 0 ? settled : open)
      widths[at] = Math.min(naturalWidth, Math.max(part(weight), minWidth));
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
