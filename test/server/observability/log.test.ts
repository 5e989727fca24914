import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLogger, type LogFormat, type LogLevel } from '../../../src/server/observability/log.ts';

/** The time that begins a text line: ISO 8601, UTC. */
const timeOfLine = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;

/** The lines that a logger writes for one event of every level, with a dash for the time of text lines. */
function written(level: LogLevel, format: LogFormat, fields = {}): string[] {
  const lines: string[] = [];
  const logger = createLogger(level, format, (line) => lines.push(line.replace(timeOfLine, '- ')));
  for (const each of ['info', 'warn', 'error'] as const) logger[each](fields, `an ${each}`);
  return lines;
}

describe('a log level includes the more severe ones', () => {
  const table: [level: LogLevel, lines: string[]][] = [
    ['error', ['- shelflist error: an error\n']],
    ['warn', ['- shelflist warning: an warn\n', '- shelflist error: an error\n']],
    [
      'info',
      ['- shelflist info: an info\n', '- shelflist warning: an warn\n', '- shelflist error: an error\n'],
    ],
  ];
  for (const [level, lines] of table) {
    test(level, () => {
      assert.deepEqual(written(level, 'text'), lines);
      const levels = written(level, 'json').map((line) => (JSON.parse(line) as { level: string }).level);
      assert.deepEqual(levels, ['info', 'warn', 'error'].slice(3 - lines.length));
    });
  }
});

test('the JSON format writes one line per event, with time, level, message and the defined fields', () => {
  const [line = '', ...more] = written('error', 'json', { requestId: 'x', status: 500, code: undefined });
  assert.deepEqual(more, []);
  assert.match(line, /^[^\n]+\n$/);
  const { time, ...rest } = JSON.parse(line) as { time: string };
  assert.equal(new Date(time).toISOString(), time);
  assert.deepEqual(rest, { level: 'error', message: 'an error', requestId: 'x', status: 500 });
});

test('a message of a log of text escapes control characters, and keeps its line breaks', () => {
  const lines: string[] = [];
  createLogger('info', 'text', (line) => lines.push(line)).warn({}, 'a\u001b]0;b\u0007\u009b2J\n\tc');
  assert.ok(lines[0]?.endsWith(String.raw` warning: a\u001b]0;b\u0007\u009b2J` + '\n\tc\n'), lines[0]);
});

test('log lines escape control characters and line breaks', () => {
  const path = '/\u001b[2J\u009b2J\u202e\n"';
  const escaped = String.raw`"/\u001b[2J\u009b2J\u202e\n\""`;
  assert.deepEqual(written('error', 'text', { path }), [`- shelflist error: an error path=${escaped}\n`]);
  assert.ok(written('error', 'json', { path })[0]?.includes(`"path":${escaped}`));
});
