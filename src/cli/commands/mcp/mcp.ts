import type { Command } from 'commander';
import { Semaphore } from '../../../lib/semaphore.ts';
import { addServiceOptions } from '../../arguments.ts';
import { asFailure, messageOf } from '../../command-error.ts';
import { notice, paragraph, type Io } from '../../io.ts';
import { withLogin } from '../../session/session.ts';
import { findTarget, type SessionOptions, type Target } from '../../session/target.ts';
import { withInterrupt } from '../../ui/interrupt.ts';
import { serveJsonRpc } from './json-rpc.ts';
import { createProtocol } from './protocol.ts';
import { problemOf } from './tool-arguments.ts';
import type { Tool } from './tools.ts';

const help = `
${paragraph(
  'Speaks the Model Context Protocol on standard input and output. An assistant starts it as a server of type "stdio", and gets ' +
    'tools to search, get, count, add, import, change and delete books, and to undo. Log in first: `shelflist login`. The ' +
    'assistant has your permissions.',
)}
${paragraph(
  'Each call that writes is a batch: its answer says how to undo it, and `shelflist undo --list` shows it. Books are changed and ' +
    'deleted by id only. The command ends when its input ends, or on Ctrl-C.',
)}
Examples:
  $ shelflist mcp
  $ claude mcp add books -- shelflist mcp
  $ claude mcp add books -- shelflist mcp --url https://books.example.org --username ada`;

export function defineMcp(command: Command, io: Io): void {
  addServiceOptions(command)
    .addHelpText('after', help)
    .action((options: SessionOptions) => serve(io, options));
}

async function serve(io: Io, options: SessionOptions): Promise<void> {
  // Once: while this runs, a login to another service must not lead calls there.
  const target = await findTarget(io, options);
  if (io.stdin.isTTY === true)
    notice(io, 'an assistant starts this command; see docs/cli.md; Ctrl-C ends it');
  const calls = new Semaphore(1); // In their order: a search after a change finds it.
  const protocol = createProtocol((tool, input, signal) =>
    calls.run(() => callTool(io, { target, options }, tool, input, signal), signal),
  );
  await withInterrupt(io, (signal) => serveJsonRpc(io, protocol, signal));
}

/** The maximum length of an answer. A book may be as long as the service allows. */
const maxAnswerLength = 2 ** 20;

/** The result of a call, as the protocol has it. It contains texts of books as JSON only. */
async function callTool(
  io: Io,
  { target, options }: { target: Target; options: SessionOptions },
  tool: Tool,
  input: unknown,
  signal: AbortSignal,
): Promise<object> {
  try {
    const problem = problemOf(input, tool.input, 'arguments');
    if (problem !== undefined) return failed(problem);
    const result = await withLogin(io, target, options, (client) =>
      tool.run(client, tool.input.parse(input) as never, signal),
    );
    if (signal.aborted && 'undo' in result) notice(io, `cancelled too late; ${String(result.undo)}`);
    const text = JSON.stringify(result);
    if (text.length > maxAnswerLength)
      return failed('the books are too long for an answer; ask for fewer of them');
    return { content: [{ type: 'text', text }], structuredContent: result };
  } catch (error) {
    const message = messageOf(io, asFailure(error));
    if (signal.aborted && error !== signal.reason) notice(io, `cancelled: ${message}`);
    return failed(message);
  }
}

function failed(message: string): object {
  return { content: [{ type: 'text', text: message }], isError: true };
}
