import { basename } from 'node:path';

/** The output of `--cpu-prof`: a tree of calls, and the call of each sample. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

const shown = 25;

/**
 * Formats two tables of the last seconds, without the start: the functions with the most self time, and those of shelflist with
 * the most total time.
 */
export function formatProfile({ nodes, samples, timeDeltas }: CpuProfile, seconds: number): string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const own = new Map<string, number>();
  const total = new Map<string, number>();
  let busy = 0;
  let left = timeDeltas.reduce((sum, each) => sum + each, 0);
  samples.forEach((id, index) => {
    const node = byId.get(id);
    const micros = timeDeltas[index] ?? 0;
    left -= micros;
    if (left > seconds * 1e6) return;
    if (node === undefined || ['(idle)', '(root)'].includes(node.callFrame.functionName)) return;
    busy += micros;
    add(own, nameOf(node), micros);
    const met = new Set<string>();
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const caller = byId.get(at);
      if (caller !== undefined && isOurs(caller)) met.add(nameOf(caller));
    }
    for (const name of met) add(total, name, micros);
  });
  return `${format('own time', own, busy)}\n\n${format('with what it calls', total, busy)}\n`;
}

function isOurs({ callFrame: { url } }: ProfileNode): boolean {
  return url.includes('/dist/') && !url.includes('/node_modules/');
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const place = url === '' ? '' : ` ${url.startsWith('node:') ? url : basename(url)}:${lineNumber + 1}`;
  return `${functionName || '(anonymous)'}${place}`;
}

function add(times: Map<string, number>, name: string, micros: number): void {
  times.set(name, (times.get(name) ?? 0) + micros);
}

function format(title: string, times: ReadonlyMap<string, number>, busy: number): string {
  const rows = [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, shown)
    .map(([name, micros]) => `| ${((micros / busy) * 100).toFixed(1)} % | \`${name}\` |`);
  return [`| ${title} | function |`, '| --: | --- |', ...rows].join('\n');
}
