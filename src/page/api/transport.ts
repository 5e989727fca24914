import type { Envelope } from '../../catalogue/envelope.ts';
import { isOnline } from '../state/connection.ts';
import { ApiError, isAbort } from './api-error.ts';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly data: unknown;
  readonly headers: Headers;
}

/** Sends a request once. @throws {ApiError} Nothing answered. */
export async function open(
  path: string,
  { method = 'GET', headers, body, signal }: RequestOptions,
  token: string | undefined,
): Promise<Response> {
  try {
    const response = await fetch(new URL(path, document.baseURI), {
      method,
      headers: { ...headers, ...(token !== undefined && { Authorization: token }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ?? null,
    });
    isOnline.set(true);
    return response;
  } catch (error) {
    if (isAbort(error)) throw error;
    isOnline.set(false);
    throw new ApiError(0, 'unreachable');
  }
}

/** The data of a response. @throws {ApiError} It is an error, or not an envelope of the service. */
export async function read(response: Response): Promise<Answer> {
  const envelope = await readEnvelope(response);
  if (response.ok && envelope !== undefined) return { data: envelope.data, headers: response.headers };
  const message = envelope?.message ?? response.statusText;
  throw new ApiError(response.status, message, response.headers.get('Retry-After'));
}

async function readEnvelope(response: Response): Promise<Envelope | undefined> {
  try {
    return toEnvelope(await response.json());
  } catch (error) {
    if (isAbort(error)) throw error;
    return undefined;
  }
}

function toEnvelope(value: unknown): Envelope | undefined {
  const { status, message, data } = Object(value) as Record<string, unknown>;
  if (typeof status !== 'number' || typeof message !== 'string' || data === undefined) return undefined;
  return { status, message, data };
}
