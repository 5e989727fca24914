import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends one request without additional headers, like the load generator: `fetch` adds `Cache-Control: no-cache`
 * to a conditional request, and Express then never answers 304.
 */
export async function ask(
  url: string,
  { method = 'GET', headers, body }: Question = {},
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const asked = request(url, {
    method,
    agent: false,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
  });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: await text(response),
  };
}
