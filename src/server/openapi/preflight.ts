import type { Operation } from './operation.ts';
import { nothing } from './schemas.ts';

/** What the document says of OPTIONS for a path. */
export function preflight(path: string): Operation {
  const words = path.match(/[a-z]+/g) ?? [];
  return {
    id: `preflight${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`,
    tag: 'cross-origin',
    summary: `What pages of other origins may send to ${path}`,
    description: 'Browsers ask it by themselves.',
    data: nothing,
  };
}
