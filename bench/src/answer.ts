import { ask, type Question } from './ask.ts';

/** A response of shelflist, for the `node:http` server to repeat. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers that Node adds by itself, or that depend on the connection. */
const added = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length']);

/** Sends a request and records the response. */
export async function recordAnswer(url: string, question: Question): Promise<Answer> {
  const { status, headers: all, body } = await ask(url, question);
  const headers = Object.fromEntries(Object.entries(all).filter(([name]) => !added.has(name)));
  // A 304 has neither body nor length.
  if (status !== 304) headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status, headers, body };
}
