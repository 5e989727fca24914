import type { Operation, Parameter } from './operation.ts';
import { nothing } from './schemas.ts';

/** Whatever stands there: a page is to see the 404 of its own request. */
const anyId: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of a book, or anything else.',
  schema: { type: 'string', minLength: 1 },
};

/** What the document says of OPTIONS for a path. */
export function preflight(path: string): Operation {
  const words = path.match(/[a-z]+/g) ?? [];
  return {
    id: `preflight${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`,
    tag: 'cross-origin',
    summary: `What pages of other origins may send to ${path}`,
    description: 'Browsers ask it by themselves.',
    ...(path.endsWith('{id}') && { parameters: [anyId] }),
    data: nothing,
  };
}
