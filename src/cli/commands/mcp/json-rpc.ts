// JSON-RPC 2.0 over two streams, a message a line (https://www.jsonrpc.org/specification).
import { addAbortSignal, type Readable } from 'node:stream';
import { write, type Io } from '../../io.ts';

/** An error of the protocol, as an answer has it. That of a tool is a result. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The codes of errors that JSON-RPC defines. */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

/** Answers a request. @throws {ProtocolError} */
export type Handle = (method: string, params: unknown, signal: AbortSignal) => Promise<object>;

type RequestId = string | number;
type Members = Readonly<Record<string, unknown>>;

/** The maximum length of a message. */
const maxLineBytes = 4 * 2 ** 20;
/** The maximum number of requests in flight: further ones are read when an answer has been written. */
const maxRequests = 16;
/** The maximum number of messages in a batch, which revision 2025-03-26 of the protocol has. */
const maxBatch = 100;

/**
 * Answers requests until standard input ends, nobody reads the answers, or the signal aborts. After the end of the input, the
 * requests in flight are answered; after an abort, they are aborted, too.
 */
export async function serveJsonRpc(
  io: Pick<Io, 'stdin' | 'stdout'>,
  handle: Handle,
  signal: AbortSignal,
): Promise<void> {
  const requests = new Requests(handle);
  const running = new Set<Promise<void>>();
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    requests.abort();
  };
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const reply = async (line: Uint8Array | undefined) => {
    const answer = await requests.answerLine(line);
    if (answer !== undefined && !signal.aborted && !(await write(io, `${toLine(answer)}\n`))) end();
  };
  try {
    for await (const line of linesOf(addAbortSignal(ended.signal, io.stdin))) {
      const replying: Promise<void> = reply(line).finally(() => running.delete(replying));
      running.add(replying);
      if (running.size >= maxRequests) await Promise.race(running);
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error;
  } finally {
    await Promise.all(running);
    signal.removeEventListener('abort', end);
  }
}

/** The requests in flight, by their id. */
class Requests {
  readonly #handle: Handle;
  readonly #inFlight = new Map<RequestId, AbortController>();

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  abort(): void {
    for (const each of this.#inFlight.values()) each.abort();
  }

  /** The answer to a line; `undefined` if it needs none. @param line `undefined` if it is too long. */
  async answerLine(line: Uint8Array | undefined): Promise<object | undefined> {
    if (line === undefined)
      return failure(null, errorCodes.invalidRequest, `a message has at most ${maxLineBytes} bytes`);
    const message = parse(line);
    if (message === undefined) return failure(null, errorCodes.parse, 'a line is not JSON in UTF-8');
    if (!Array.isArray(message)) return this.#answer(message);
    if (message.length === 0 || message.length > maxBatch)
      return failure(null, errorCodes.invalidRequest, `a batch has 1 to ${maxBatch} messages`);
    const answers: object[] = [];
    for (const each of message) {
      const answer = await this.#answer(each);
      if (answer !== undefined) answers.push(answer);
    }
    return answers.length === 0 ? undefined : answers;
  }

  async #answer(message: unknown): Promise<object | undefined> {
    const { jsonrpc, id, method, params } = membersOf(message);
    if (jsonrpc !== '2.0' || typeof method !== 'string') {
      const isResponse = jsonrpc === '2.0' && ('result' in Object(message) || 'error' in Object(message));
      return isResponse ? undefined : failure(isId(id) ? id : null, errorCodes.invalidRequest, notRequest);
    }
    if (id === undefined) {
      if (method === 'notifications/cancelled') this.#cancel(membersOf(params).requestId);
      return undefined;
    }
    if (!isId(id)) return failure(null, errorCodes.invalidRequest, 'the id is neither a string nor a number');
    if (this.#inFlight.has(id)) return failure(id, errorCodes.invalidRequest, 'the id is in use');
    return this.#run(id, method, params);
  }

  async #run(id: RequestId, method: string, params: unknown): Promise<object | undefined> {
    const controller = new AbortController();
    this.#inFlight.set(id, controller);
    try {
      const result = await this.#handle(method, params, controller.signal);
      return controller.signal.aborted ? undefined : { jsonrpc: '2.0', id, result };
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      if (error instanceof ProtocolError) return failure(id, error.code, error.message, error.data);
      return failure(id, errorCodes.internal, error instanceof Error ? error.message : String(error));
    } finally {
      this.#inFlight.delete(id);
    }
  }

  #cancel(id: unknown): void {
    if (isId(id)) this.#inFlight.get(id)?.abort();
  }
}

const notRequest = 'a message is an object with "jsonrpc": "2.0" and a "method"';

function failure(id: RequestId | null, code: number, message: string, data?: unknown): object {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isFinite(value);
}

/** The members of a value; none if it is not an object. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function parse(line: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    return undefined;
  }
}

/** A message as JSON; an error instead of one that is not JSON. */
function stringify(message: object): string {
  try {
    return JSON.stringify(message);
  } catch (error) {
    const { id } = membersOf(message);
    return JSON.stringify(failure(isId(id) ? id : null, errorCodes.internal, (error as Error).message));
  }
}

/** One line: some readers take U+2028 and U+2029, which JSON allows in strings, for line ends. */
function toLine(message: object): string {
  return stringify(message).replace(/[\u2028\u2029]/g, (character) =>
    character === '\u2028' ? '\\u2028' : '\\u2029',
  );
}

/** The lines of a stream without blank ones; `undefined` for one that is too long, which is not kept. */
async function* linesOf(stream: Readable): AsyncGenerator<Uint8Array | undefined, void, undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length <= maxLineBytes) parts.push(part);
    else parts = [];
  };
  const take = (): Uint8Array | undefined => {
    const line = length > maxLineBytes ? undefined : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      add(chunk.subarray(start, end));
      const line = take();
      if (!isBlank(line)) yield line;
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  const last = take();
  if (!isBlank(last)) yield last;
}

function isBlank(line: Uint8Array | undefined): boolean {
  return line?.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d) === true;
}
