import { ask, type Question } from './ask.ts';

/** An answer of ours, as the ceiling repeats it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What Node adds by itself, or what depends on the connection. */
const added = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length']);

/** Asks once and keeps what is answered. */
export async function recordAnswer(url: string, question: Question): Promise<Answer> {
  const { status, headers: all, body } = await ask(url, question);
  const headers = Object.fromEntries(Object.entries(all).filter(([name]) => !added.has(name)));
  // A 304 has no body and so no length either.
  if (status !== 304) headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status, headers, body };
}
