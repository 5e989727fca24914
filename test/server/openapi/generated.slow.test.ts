import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { createJudge } from '../../support/answers.ts';
import { fitting } from '../../support/arbitraries.ts';
import { everything, operationsOf, parseDocument, type Parameter } from '../../support/document.ts';
import { startBookSource } from '../../support/book-source.ts';
import { embeddedStore, startService } from '../../support/service.ts';
import type { Scope } from '../../support/temp.ts';
import { sized } from '../../support/size.ts';

const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

const source = await startBookSource(wholeFile, { '9780141439587': { title: 'Emma' } });
const service = await startService(wholeFile, {
  ...everything,
  ...(await embeddedStore(wholeFile)), // Only this one can be copied.
  bookLookup: source.openLibrary,
});
const document = parseDocument(await (await fetch(`${service.url}/openapi.json`)).text());
const judge = createJudge(document);
const ajv = new Ajv2020({ strict: false, formats: { password: true, 'date-time': true } });
const agent = new http.Agent({ keepAlive: true });
cleanup.push(() => {
  agent.destroy();
});

/** Creates a book; gives its id. */
async function createBook(headers: Record<string, string> = {}): Promise<string> {
  const { envelope } = await service.request('POST', '/book', { token: service.token, body: {}, headers });
  return String((envelope?.data as { id: number }).id);
}

const books = [await createBook(), await createBook(), await createBook()];

interface GeneratedRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

interface GeneratedAnswer {
  status: number;
  message: string | undefined;
}

/** Sends a request; checks that the document lists its response, and that it is not a failure. */
async function send({ method, target, headers, body }: GeneratedRequest): Promise<GeneratedAnswer> {
  const request = http.request({
    agent,
    host: '127.0.0.1',
    port: service.port,
    method,
    path: target,
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    if (response.headers['content-type'] === 'text/event-stream') break; // It does not end.
  }
  const text = Buffer.concat(chunks).toString();
  const status = response.statusCode ?? 0;
  const { rawHeaders } = response;
  const lines = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1] ?? ''}`] : []));
  const head = [`HTTP/1.1 ${status} x`, ...lines].join('\r\n');
  assert.equal(judge({ method, target, head, body: text }), undefined, text);
  assert.ok(status < 500, text);
  const isEnvelope = response.headers['content-type'] === 'application/json' && text !== '';
  return { status, message: isEnvelope ? (JSON.parse(text) as { message?: string }).message : undefined };
}

const printable = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
});
/** One that the source knows, and one that it does not. */
const isbns = ['9780141439587', '0140620109'];
const anyText = fc.string({ unit: 'binary', minLength: 1 });

/** Values of parameters that fit, those that are not required left out at times; with `odd`, other text at times. */
function values(parameters: Parameter[], place: Parameter['in'], odd?: fc.Arbitrary<string>) {
  const chosen = parameters.filter((each) => each.in === place);
  const entries = chosen.map(({ name, schema }) => {
    let fits = fitting(schema).map(String);
    if (place === 'header') fits = fits.map((text) => text.replace(/[^\x20-\x7e]/g, '-'));
    if (name === 'isbn') fits = fc.constantFrom(...isbns); // A schema cannot say what a check digit is.
    if (place === 'path') fits = fc.oneof(fits, fc.constantFrom(...books));
    return [name, odd === undefined ? fits : fc.oneof({ arbitrary: fits, weight: 3 }, odd)] as const;
  });
  const requiredKeys = chosen.filter(({ required }) => required === true).map(({ name }) => name);
  return fc.record(Object.fromEntries(entries), { requiredKeys }) as fc.Arbitrary<Record<string, string>>;
}

function targetOf(path: string, inPath: Record<string, string>, query: Record<string, string>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''));
  const text = new URLSearchParams(query).toString();
  return text === '' ? filled : `${filled}?${text}`;
}

const oddHeaders = fc.record(
  {
    'Content-Type': fc.oneof(fc.constantFrom('text/plain', 'application/x-ndjson; charset=x'), printable),
    'Content-Encoding': fc.constantFrom('gzip', 'identity', 'br'),
    Expect: fc.constantFrom('100-continue', 'the-moon'),
    Origin: printable,
    Accept: printable,
  },
  { requiredKeys: [] },
);

/** The statuses for requests that do not match the document. */
const refusals = [400, 405, 413, 415, 417, 431];

const operations = operationsOf(document).map(({ method, path, operation }) => {
  const own = operation.parameters ?? [];
  const inherited = (document.paths[path]?.parameters ?? []).filter(
    (parameter) => !own.some((each) => each.in === parameter.in && each.name === parameter.name),
  );
  const parameters = [...inherited, ...own];
  const content = Object.entries(operation.requestBody?.content ?? {});
  const bodies = content.map(([type, { schema }]) =>
    fitting(schema).map((value) => ({
      type,
      body: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  );
  const fittingBody = bodies.length === 0 ? fc.constant({ type: '', body: '' }) : fc.oneof(...bodies);
  return { method, path, operation, parameters, fittingBody };
});

/** A schema cannot say what an article or an address is. */
const exact = operations.filter(({ method, path }) => `${method} ${path}` !== 'PATCH /settings');

describe('a request that matches the OpenAPI document is not refused', () => {
  for (const { method, path, operation, parameters, fittingBody } of exact) {
    const request = fc
      .tuple(
        values(parameters, 'path'),
        // The service alone makes a cursor.
        values(
          parameters.filter(({ name }) => name !== 'after'),
          'query',
        ),
        // The service alone makes the batch of an undo.
        values(
          parameters.filter(({ name }) => name !== 'Batch' || path !== '/batch/{batch}/undo'),
          'header',
        ),
        fittingBody,
      )
      .map(([inPath, query, inHeader, { type, body }]): GeneratedRequest => {
        const token = operation.security.length === 0 ? {} : { Authorization: service.token };
        return {
          method,
          target: targetOf(path, inPath, query),
          headers: { ...inHeader, ...token, ...(type !== '' && { 'Content-Type': type }) },
          body,
        };
      });
    test(`${method} ${path}`, async () => {
      await fc.assert(
        fc.asyncProperty(request, async (each) => {
          const { status } = await send(each);
          assert.ok(!refusals.includes(status), `${status}`);
          // The password of the service is not among those that are generated.
          if (operation.security.length > 0 && path !== '/password') assert.notEqual(status, 401);
        }),
        { seed: 1, numRuns: sized({ short: 6, long: 40 }) },
      );
    });
  }
});

/** Paths that are unknown to most requests: batches and files that do not exist, the page for others than browsers, and what only public catalogues have. */
const mayBeUnknown = /^\/($|batch\/|assets\/|(sitemap|opensearch)\.xml)/;

describe('the response to any request matches the OpenAPI document', () => {
  for (const { method, path, parameters, fittingBody } of operations) {
    const request = fc
      .record({
        method: fc.oneof(
          { arbitrary: fc.constant(method), weight: 5 },
          fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
        ),
        inPath: values(parameters, 'path', anyText),
        query: fc.tuple(
          values(parameters, 'query', anyText),
          fc.dictionary(anyText, anyText, { maxKeys: 1 }),
        ),
        inHeader: values(parameters, 'header', printable),
        token: fc.oneof({ arbitrary: fc.constant(service.token), weight: 5 }, fc.constant(''), printable),
        odd: oddHeaders,
        body: fc.oneof(
          fittingBody.map(({ body }) => body),
          fc.json(),
          anyText,
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
      })
      .map(({ method, inPath, query, inHeader, token, odd, body }): GeneratedRequest => ({
        method,
        target: targetOf(path, inPath, { ...query[1], ...query[0] }),
        headers: { ...odd, ...inHeader, Authorization: token },
        body,
      }));
    test(`${method} ${path}`, async () => {
      await fc.assert(
        fc.asyncProperty(request, async (each) => {
          const { message } = await send(each);
          if (!mayBeUnknown.test(path)) assert.notEqual(message, 'Not found');
        }),
        { seed: 1, numRuns: sized({ short: 12, long: 100 }) },
      );
    });
  }
});

describe('a JSON object is refused exactly if it does not match its schema', () => {
  for (const { method, path, operation } of exact) {
    const { schema } = operation.requestBody?.content['application/json'] ?? {};
    if (schema?.type !== 'object') continue;
    const members = fc.dictionary(
      fc.constantFrom(...Object.keys(schema.properties as object)),
      fc.oneof(fc.jsonValue(), fc.string(), fc.integer()),
    );
    const body = fc.oneof(fitting(schema), members, fc.jsonValue()).map((value) => JSON.stringify(value));
    test(`${method} ${path}`, async () => {
      const Batch = 'batch-of-the-book';
      const target = path.replace('{id}', await createBook({ Batch })).replace('{batch}', Batch);
      await fc.assert(
        fc.asyncProperty(body, async (text) => {
          const headers = { Authorization: service.token };
          const { status } = await send({ method, target, headers, body: text });
          assert.equal(status === 400, !ajv.validate(schema, JSON.parse(text)));
        }),
        { seed: 1, numRuns: sized({ short: 25, long: 200 }) },
      );
    });
  }
});
