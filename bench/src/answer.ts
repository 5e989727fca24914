/** An answer of ours, as the ceiling repeats it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What Node adds by itself, or what depends on the connection. */
const added = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length']);

/** Asks once and keeps what is answered. */
export async function recordAnswer(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const body = await response.text();
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !added.has(name)));
  // A 304 has no body and so no length either.
  if (response.status !== 304) headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status: response.status, headers, body };
}
