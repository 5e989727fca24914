import { Argument, type Command } from 'commander';
import { type Io, paragraph, write } from '../io.ts';

const help = `
${paragraph(
  'Prints a script that completes the names of commands and of their options. Let your shell run it when it starts:',
)}
  bash         echo 'eval "$(shelflist completion bash)"' >> ~/.bashrc
  zsh          echo 'eval "$(shelflist completion zsh)"' >> ~/.zshrc
  fish         shelflist completion fish > ~/.config/fish/completions/shelflist.fish
  powershell   shelflist completion powershell >> $PROFILE

Examples:
  $ shelflist completion bash`;

export function defineCompletion(command: Command, io: Io): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action(async (shell: keyof typeof scripts) => {
      await write(io, scripts[shell](listCommands(command.parent ?? command)));
    });
}

/** A command, and what may follow it: options, and names of its own commands. */
interface Completed {
  readonly names: readonly string[];
  readonly about: string;
  readonly words: readonly { readonly word: string; readonly about: string }[];
}

function listCommands(program: Command): Completed[] {
  return program.commands.map((command) => ({
    names: [command.name(), ...command.aliases()],
    about: command.description(),
    words: [
      // The arguments of `help` are commands.
      ...(command.name() === 'help' ? program : command).commands.map((each) => ({
        word: each.name(),
        about: each.description(),
      })),
      ...[program, command, ...command.commands]
        .flatMap((each) => each.createHelp().visibleOptions(each))
        .filter(({ long }) => long !== '--version')
        .map(({ long, description }) => ({ word: long ?? '', about: description })),
    ].filter(({ word }, i, all) => all.findIndex((each) => each.word === word) === i),
  }));
}

const namesOf = (commands: readonly Completed[]) => commands.flatMap(({ names }) => names).join(' ');
const wordsOf = ({ words }: Completed) => words.map(({ word }) => word).join(' ');
const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;

/** The scripts of the shells. Where a word is neither a command nor an option, the shell completes names of files. */
const scripts = {
  bash: (commands: readonly Completed[]) => `# Completion of shelflist.
_shelflist() {
  local word=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then words='${namesOf(commands)} --help --version'
  else
    case \${COMP_WORDS[1]} in
${commands.map((each) => `      ${each.names.join('|')}) words='${wordsOf(each)}' ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _shelflist shelflist
`,
  zsh: (commands: readonly Completed[]): string =>
    `autoload -U +X compinit && compinit -i\nautoload -U +X bashcompinit && bashcompinit\n${scripts.bash(commands)}`,
  fish: (commands: readonly Completed[]) => `# Completion of shelflist.
${commands
  .flatMap(({ names, about, words }) => [
    ...names.map((name) => `complete -c shelflist -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`),
    ...words.map(
      ({ word, about: what }) =>
        `complete -c shelflist -n '__fish_seen_subcommand_from ${names.join(' ')}' ${word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`} -d ${quoted(what)}`,
    ),
  ])
  .join('\n')}
`,
  powershell: (commands: readonly Completed[]) => `# Completion of shelflist.
Register-ArgumentCompleter -Native -CommandName shelflist -ScriptBlock {
  param($word, $ast, $position)
  $words = @{
${commands.flatMap((each) => each.names.map((name) => `    '${name}' = '${wordsOf(each)}'`)).join('\n')}
  }
  $command = $ast.CommandElements | Select-Object -Skip 1 -First 1 | ForEach-Object { $_.ToString() }
  $all = if ($command -and $command -ne $word) { $words[$command] } else { '${namesOf(commands)} --help --version' }
  "$all".Split(' ') | Where-Object { $_ -and $_.StartsWith($word) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
};
