import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { fieldNames, fields } from '../../src/catalogue/fields.ts';
import type { BookFields, BookPatch } from '../../src/index.ts';
import { maxLoginBytes } from '../../src/server/http/body.ts';
import type { BodyCase } from './bodies.ts';
import { bookOf, emptyBook } from '../support/books.ts';
import type { TestService } from '../support/service.ts';
import type { Scope } from '../support/temp.ts';

interface Envelope {
  status: number;
  message: string;
  data: unknown;
}

const paths = { create: '/book', update: '/book/', token: '/token', array: '/books', lines: '/books' };

/** Sends bodies to a service, and compares its responses and stored books with the bodies. */
export class BodyCheck {
  /** The expected books. */
  readonly books = new Map<number, BookFields>();
  readonly #service: TestService;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });

  constructor(scope: Scope, service: TestService) {
    this.#service = service;
    scope.after(() => {
      this.#agent.destroy();
    });
  }

  /** Creates a book that a body can change; one at a time. */
  async makeTarget(): Promise<number> {
    return this.#created(await this.#send('POST', '/book', Buffer.from('{}')), bookOf({}));
  }

  /** Sends one body; `target` is the book that it changes if it is an update. */
  async check({ kind, body }: BodyCase, target: number): Promise<void> {
    const path = kind === 'update' ? `/book/${target}` : paths[kind];
    const answer = await this.#send(kind === 'update' ? 'PUT' : 'POST', path, body, kind === 'lines');
    if (kind === 'token') this.#checkToken(body, answer);
    else if (kind === 'create') await this.#checkOne(readBook(jsonOf(body)), answer);
    else if (kind === 'update') await this.#checkUpdate(patchOf(jsonOf(body)), target, answer);
    else await this.#checkSeveral(kind, body, answer);
  }

  /** Compares all stored books with the expected ones. */
  async checkAll(): Promise<void> {
    const { data } = await this.#send('GET', '/books', Buffer.alloc(0));
    const there = new Map((data as { id: number }[]).map(({ id, ...fields }) => [id, fields]));
    assert.deepEqual(there, new Map([...this.books].sort(([a], [b]) => a - b)));
  }

  #checkToken(body: Buffer, { status, message }: Envelope): void {
    // Too many refused logins make the service ask for a wait.
    if (body.length > maxLoginBytes) assert.deepEqual([status, message], [413, 'Request body too large']);
    else if (isLogin(jsonOf(body))) assert.ok([200, 401, 429].includes(status), message);
    else assert.deepEqual([status, message], [400, 'Invalid request payload']);
  }

  async #checkOne(expected: BookFields | undefined, answer: Envelope): Promise<void> {
    if (expected === undefined) assertRefused(answer);
    else await this.#stored(this.#created(answer, expected));
  }

  async #checkUpdate(patch: ReturnType<typeof patchOf>, target: number, answer: Envelope): Promise<void> {
    if (patch === undefined) assertRefused(answer);
    else {
      const fields = { ...(this.books.get(target) ?? assert.fail()), ...patch };
      this.books.set(target, fields);
      assert.deepEqual(answer, {
        status: 200,
        message: 'Book updated successfully',
        data: { id: target, ...fields },
      });
    }
    await this.#stored(target);
  }

  async #checkSeveral(kind: 'array' | 'lines', body: Buffer, answer: Envelope): Promise<void> {
    const elements = kind === 'array' ? elementsOf(body) : linesOf(body);
    if (elements === undefined) {
      assertRefused(answer);
      return;
    }
    const { ids, rejected } = answer.data as { ids: number[]; rejected: { line: number }[] };
    const good: BookFields[] = [];
    const bad: number[] = [];
    for (const { line, json } of elements) {
      const book = readBook(json);
      if (book === undefined) bad.push(line);
      else good.push(book);
    }
    assert.deepEqual(
      rejected.map(({ line }) => line),
      bad,
    );
    assert.equal(ids.length, good.length);
    for (const [i, book] of good.entries()) this.books.set(ids[i] ?? 0, book);
    await Promise.all(ids.map((id) => this.#stored(id)));
  }

  #created({ status, message, data }: Envelope, expected: BookFields): number {
    assert.deepEqual([status, message], [201, 'Book created successfully']);
    const { id } = data as { id: number };
    assert.deepEqual(data, { id, ...expected });
    assert.ok(!this.books.has(id), `the id ${id} was given twice`);
    this.books.set(id, expected);
    return id;
  }

  async #stored(id: number): Promise<void> {
    const { data } = await this.#send('GET', `/book/${id}`, Buffer.alloc(0));
    assert.deepEqual(data, { id, ...this.books.get(id) });
  }

  async #send(method: string, path: string, body: Buffer, isLines = false): Promise<Envelope> {
    const { port, token } = this.#service;
    const headers = {
      ...(path !== '/token' && { Authorization: token }),
      ...(isLines && { 'Content-Type': 'application/x-ndjson' }),
      ...(method !== 'GET' && { 'Content-Length': body.length }),
    };
    const sent = request({ agent: this.#agent, host: '127.0.0.1', port, method, path, headers }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const envelope = JSON.parse(Buffer.concat(chunks).toString()) as Envelope;
    assert.deepEqual(Object.keys(envelope), ['status', 'message', 'data']);
    assert.equal(envelope.status, response.statusCode);
    assert.ok(envelope.status < 500, envelope.message);
    return envelope;
  }
}

function assertRefused(answer: Envelope): void {
  assert.deepEqual(answer, { status: 400, message: 'Invalid input', data: null });
}

interface Element {
  line: number;
  json: { value: unknown } | undefined;
}

function elementsOf(body: Buffer): Element[] | undefined {
  const value = jsonOf(body)?.value;
  // A body with more than a hundred levels is refused as a whole.
  if (!Array.isArray(value) || value.some((each) => depthOf(each) > 100)) return undefined;
  return value.map((each: unknown, i) => ({ line: i + 1, json: { value: each } }));
}

function depthOf(value: unknown): number {
  let depth = 0;
  for (let level = [value]; ; depth++) {
    level = level.filter((each) => typeof each === 'object' && each !== null);
    if (level.length === 0) return depth;
    level = level.flatMap((each) => Object.values(each as object) as unknown[]);
  }
}

/** Blank lines are skipped. */
function linesOf(body: Buffer): Element[] | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
  const lines = text.split('\n').map((each, i) => ({ line: i + 1, text: each }));
  return lines
    .filter((each) => each.text.trim() !== '')
    .map((each) => ({ line: each.line, json: jsonOf(each.text) }));
}

/**
 * A second, simple implementation of the specification for bodies: numbers are doubles, as in all JSON parsers (RFC 8259,
 * section 6), and of two members with the same name the last one counts.
 */
function jsonOf(body: Uint8Array | string): { value: unknown } | undefined {
  try {
    const text =
      typeof body === 'string'
        ? body
        : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The fields of a book that a JSON value has. Only its own members count. */
function patchOf(json: { value: unknown } | undefined): BookPatch | undefined {
  const value = json?.value;
  if (Object.prototype.toString.call(value) !== '[object Object]') return undefined;
  const members = new Map<string, unknown>(Object.entries(value as object));
  const patch: BookPatch = {};
  for (const name of fieldNames) {
    if (!members.has(name)) continue;
    const given = members.get(name);
    if (!(fields[name].type === 'integer' ? isInteger(given) : isText(given))) return undefined;
    Object.assign(patch, { [name]: given === 0 ? 0 : given });
  }
  return patch;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && !/\p{Surrogate}/u.test(value);
}

function isInteger(value: unknown): boolean {
  return typeof value === 'number' && value % 1 === 0 && Math.abs(value) < 2 ** 53;
}

/** The book that a JSON value describes, if it is a book. Missing fields are empty. */
function readBook(json: { value: unknown } | undefined): BookFields | undefined {
  const patch = patchOf(json);
  return patch && { ...emptyBook, ...patch };
}

/** Whether a JSON value is a login. */
function isLogin(json: { value: unknown } | undefined): boolean {
  const value = json?.value;
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  return typeof members.get('username') === 'string' && typeof members.get('password') === 'string';
}
