import { recordAnswer, type Answer } from '../answer.ts';
import type { RequestTemplate } from '../load/job.ts';

/** A request of a workload, for any server. */
export interface Request {
  readonly method: RequestTemplate['method'];
  readonly path: string;
  readonly body?: string;
  /** Whether it is conditional on the tag of the previous response. */
  readonly isConditional?: boolean;
}

/** As long as an average book of goodbooks. */
const created = JSON.stringify({
  title: 'The War of the Garden and the Sea',
  author: 'Jane Austen',
  year: 1815,
});

export const requests = {
  book: { method: 'GET', path: '/book/7' },
  page: { method: 'GET', path: '/books?sort=title&limit=100' },
  search: { method: 'GET', path: '/books?q=austen&limit=20' },
  searchDifferent: { method: 'GET', path: '/books?q=austen&limit=20&yearFrom=-{id}' },
  searchNothing: { method: 'GET', path: '/books?q=nowhere{id}&limit=20' },
  searchWords: { method: 'GET', path: '/books?q=zadie+queen&limit=20' },
  list: { method: 'GET', path: '/books' },
  unchangedList: { method: 'GET', path: '/books', isConditional: true },
  create: { method: 'POST', path: '/book', body: created },
  update: { method: 'PUT', path: '/book/{id}', body: '{"year":{year}}' },
} as const satisfies Record<string, Request>;

/** Sends a request to a server once; returns its template and the response. */
export async function tryRequest(
  url: string,
  { method, path, body, isConditional }: Request,
  loggedIn: Readonly<Record<string, string>>,
): Promise<{ template: RequestTemplate; answer: Answer }> {
  const headers = { ...loggedIn };
  const send = () =>
    recordAnswer(url + path.replace('{id}', '1000'), {
      method,
      headers,
      ...(body !== undefined && { body: body.replace('{year}', '1000') }),
    });
  let answer = await send();
  if (isConditional === true) {
    headers['If-None-Match'] = answer.headers.etag ?? '"none"';
    answer = await send();
  }
  if (answer.status >= 400 || (answer.status >= 300 && answer.status !== 304))
    throw new Error(`${method} ${path} is answered with ${answer.status}: ${answer.body.slice(0, 200)}`);
  return {
    template: { method, path, headers, ...(body !== undefined && { body }), expected: answer.status },
    answer,
  };
}
