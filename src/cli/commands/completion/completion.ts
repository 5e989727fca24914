import { Argument, type Command } from 'commander';
import { completionScript, shells, type Shell } from './scripts.ts';
import { addJsonOption } from '../../arguments.ts';
import { programName, type Io } from '../../io.ts';
import { write, writeJson } from '../../ui/records.ts';

const help = `
To try it in the current shell, and to install it:

  bash         source <(shelflist completion bash)
               shelflist completion bash > ~/.local/share/bash-completion/completions/shelflist
  zsh          source <(shelflist completion zsh)
               shelflist completion zsh > "\${fpath[1]}/_shelflist"
  fish         shelflist completion fish | source
               shelflist completion fish > ~/.config/fish/completions/shelflist.fish
  powershell   shelflist completion powershell | Out-String | Invoke-Expression
               shelflist completion powershell >> $PROFILE

Examples:
  $ shelflist completion bash
  $ shelflist completion zsh --json`;

export function defineCompletion(command: Command, io: Io): void {
  addJsonOption(command)
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText('after', help)
    .action(async (shell: Shell, { json }: { json?: boolean }) => {
      const script = completionScript(shell, programName(io));
      if (json) await writeJson(io, { shell, script });
      else await write(io, script);
    });
}
