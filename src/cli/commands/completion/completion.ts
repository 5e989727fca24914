import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { addJsonOption } from '../../arguments.ts';
import { notice, shellWord, type Io } from '../../io.ts';
import { write, writeJson } from '../../ui/terminal.ts';
import { type Shell, completionScript, findShell, installCompletion, shells } from './shells.ts';

const help = `
\`install\` writes a script to your own folders, and makes your shell load it: the shell
that you name, else the one in SHELL. Repeating it does no harm.

To try it in the current shell only:

  bash         source <(shelflist completion bash)
  zsh          source <(shelflist completion zsh)
  fish         shelflist completion fish | source
  powershell   shelflist completion powershell | Out-String | Invoke-Expression

In PowerShell, install it with: shelflist completion powershell >> $PROFILE

Examples:
  $ shelflist completion install
  $ shelflist completion install zsh
  $ shelflist completion bash
  $ shelflist completion zsh --json`;

export function defineCompletion(command: Command, io: Io): void {
  addJsonOption(command)
    .addArgument(
      new Argument('<shell>', 'a shell, to print its script; or install').choices([...shells, 'install']),
    )
    .addArgument(new Argument('[for]', 'the shell to install for').choices(shells))
    .addHelpText('after', help)
    .action(async (what: Shell | 'install', wanted: Shell | undefined, { json }: { json?: boolean }) => {
      if (what === 'install') {
        await install(io, wanted ?? findShell(io), json === true);
        return;
      }
      if (wanted !== undefined)
        throw new ShelflistError('usage', { message: `leave out ${wanted}, or write install for ${what}` });
      const script = completionScript(what, programLine(io, what));
      if (json) await writeJson(io, { shell: what, script });
      else await write(io, script);
    });
}

async function install(io: Io, shell: Shell, json: boolean): Promise<void> {
  const installation = await installCompletion(io, shell, programLine(io, shell));
  const { script, startup, isNew } = installation;
  if (json) {
    await writeJson(io, installation);
    return;
  }
  notice(io, `wrote ${script}`);
  if (startup !== null) notice(io, `${startup} ${isNew ? 'reads it from now on' : 'reads it already'}`);
  notice(io, `open a new terminal, and press Tab after shelflist`);
}

/**
 * The command line that runs this program from any folder. `npx shelflist` would not: elsewhere, it may fetch a package of this
 * name that is somebody else's.
 */
function programLine({ env }: Io, shell: Shell): string {
  if (env.npm_execpath === undefined) return 'shelflist';
  const paths = [process.execPath, resolve(process.argv[1] ?? '')];
  if (shell !== 'powershell') return paths.map(shellWord).join(' ');
  return `& ${paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(' ')}`;
}
