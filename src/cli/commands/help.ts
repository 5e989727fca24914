import type { Command } from 'commander';
import { type Io, writeJson } from '../io.ts';
import { writePaged } from '../ui/pager.ts';
import { topicNames, topics } from '../topics.ts';

const help = `
Topics: ${topicNames.join(', ')}

Examples:
  $ shelflist help import
  $ shelflist help exit-codes
  $ shelflist help formats --json`;

export function defineHelp(command: Command, io: Io): void {
  command
    .argument('[command...]', 'a command or a topic')
    .option('--json', 'write the text as JSON')
    .addHelpText('after', help)
    .action(async (words: string[], { json }: { json?: boolean }) => {
      const text = await findText(command, words);
      if (json) await writeJson(io, { about: words.join(' ') || 'shelflist', text });
      else await writePaged(io, text);
    });
}

async function findText(command: Command, words: readonly string[]): Promise<string> {
  const program = command.parent ?? command;
  const name = words.join(' ');
  const topic = topicNames.includes(name) ? topics[name] : undefined;
  if (topic !== undefined) return topic;
  let found = program;
  for (const word of words) {
    const next = found.commands.find((each) => each.name() === word || each.alias() === word);
    if (next === undefined) await program.parseAsync(words, { from: 'user' }); // Reports that it is unknown.
    found = next ?? found;
  }
  return helpOf(found);
}

/** Captures the help: commander writes the text after the options to its output only. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    ...command.configureOutput(),
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}
