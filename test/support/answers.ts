import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  documentText,
  everything,
  operationFor,
  outcomesOf,
  parseDocument,
  type ApiDocument,
  type Response,
  type Schema,
} from './document.ts';
import { recordsOf, testsAt } from './output.ts';

/** A response of a service, as `recorder.mjs` writes it. Method and target are empty if there was no valid request. */
export interface SentAnswer {
  method: string;
  target: string;
  /** The status line and the headers. */
  head: string;
  /** `null` when it was too long to keep. */
  body: string | null;
}

interface RecordedAnswer extends SentAnswer {
  /** When its request arrived. */
  at: number;
}

/** Returns why a document does not list a response; `undefined` if it does. */
export type Judge = (answer: SentAnswer) => string | undefined;

/** Headers of HTTP itself, which no document lists. */
const ofHttp = ['date', 'connection', 'keep-alive', 'content-type', 'content-length', 'transfer-encoding'];

/** Creates the check of responses against a document, wherever the service is mounted. */
export function createJudge(document: ApiDocument): Judge {
  const options = { strict: false, formats: { password: true as const, 'date-time': true as const } };
  const bodies = new Ajv2020(options);
  const texts = new Ajv2020({ ...options, coerceTypes: true });
  const misfit = (ajv: Ajv2020, schema: Schema, value: unknown) =>
    ajv.validate(schema, value) ? undefined : ajv.errorsText();
  const { NotFound, MethodNotAllowed, ...others } = document.components.responses;

  function misfitOf(response: Response, headers: Map<string, string>, body: string | null, isHead: boolean) {
    for (const [name, { required, schema }] of Object.entries(response.headers)) {
      const value = headers.get(name.toLowerCase());
      if (value === undefined && required === true) return `no header ${name}`;
      const wrong = value === undefined ? undefined : misfit(texts, schema, value);
      if (wrong !== undefined) return `header ${name}: ${wrong}`;
    }
    const listed = [...ofHttp, ...Object.keys(response.headers).map((name) => name.toLowerCase())];
    const more = [...headers.keys()].filter((name) => !listed.includes(name));
    if (more.length > 0) return `no such header: ${more.join(', ')}`;
    if (body === null) return undefined;
    if (isHead || response.content === undefined) return body === '' ? undefined : 'a body';
    const type = headers.get('content-type') ?? '';
    const schema = response.content[type]?.schema;
    if (schema === undefined) return `no such content type: ${type}`;
    return misfit(bodies, schema, type === 'application/json' ? parse(body) : body);
  }

  return ({ method, target, head, body }) => {
    const [, status = ''] = head.split(' ', 2);
    const headers = new Map(
      [...head.matchAll(/^([^:\r\n]+): *(.*?)\r?$/gm)].map(([, name = '', value = '']) => [
        name.toLowerCase(),
        value,
      ]),
    );
    // A redirect to the page, or the page of a wrong address: its own path has no operation.
    const isWrongAddress = status === '404' && (headers.get('content-type') ?? '').startsWith('text/html');
    const found = isWrongAddress ? '/' : status === '308' ? target.replace(/(\?.*)?$/s, '/$1') : target;
    const operation = operationFor(document, method, found);
    // A service with fewer options enabled has fewer paths and methods.
    const candidates = [
      ...(operation === undefined
        ? Object.values(others).filter(has(status))
        : [operation.responses[status]]),
      ...[NotFound, MethodNotAllowed].filter(has(status)),
    ];
    const wrongs = candidates
      .filter((response) => response !== undefined)
      .map((response) => misfitOf(response, headers, body, method === 'HEAD'));
    return wrongs.includes(undefined) ? undefined : (wrongs[0] ?? 'no such status');
  };
}

function has(status: string) {
  return (response: Response | undefined) =>
    response !== undefined && String(outcomesOf(response)?.status) === status;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks all responses of a test run; `text` is the report. */
export async function judgeAnswers(folder: string): Promise<{ text: string; wrong: number }> {
  const texts = [await documentText(), await documentText({ ...everything, publicRead: true })];
  const [judge, ofPublic] = texts.map((text) => createJudge(parseDocument(text))) as [Judge, Judge];
  const distinct = new Map<string, SentAnswer & { where: () => string }>();
  for (const path of recordsOf(folder, '.ndjson')) {
    for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
      const { at, ...answer } = JSON.parse(line) as RecordedAnswer;
      distinct.set(JSON.stringify(answer), { ...answer, where: () => testsAt(path, at) });
    }
  }
  const wrong = [...distinct.values()].flatMap((answer) => {
    // Only a service that everybody may read limits requests.
    const isLimit = answer.head.startsWith('HTTP/1.1 429');
    const why = judge(answer) && (isLimit ? ofPublic(answer) : judge(answer));
    return why === undefined
      ? []
      : [
          `${answer.method} ${answer.target}, ${answer.where()}: ${why}\n${answer.head}${answer.body ?? ''}\n`,
        ];
  });
  const long = [...distinct.values()].filter(({ body }) => body === null).length;
  const total = `answers validated: ${distinct.size}, ${long} of them without their long body, ${wrong.length} wrong\n`;
  return { text: [...wrong.slice(0, 10), total].join('\n'), wrong: wrong.length };
}
