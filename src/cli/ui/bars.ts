import { cut, type TableOptions } from './table.ts';

export interface Bar {
  readonly label: string;
  readonly count: number;
}

const gap = '  ';
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
