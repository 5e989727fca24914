import { resolve, basename, dirname, isAbsolute, join } from 'node:path';
import { Argument, type Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { addJsonOption } from '../arguments.ts';
import { notice, shellWord, type Io, write, writeJson } from '../io.ts';
import { homedir } from 'node:os';
import { isSea } from 'node:sea';
import { readFile, writeFile } from 'node:fs/promises';
import { unreadable } from '../../config/environment.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { isMissing } from '../../lib/missing.ts';
import { findOutputFile } from '../ui/output-file.ts';

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
        throw new CommandError('usage', { message: `leave out ${wanted}, or write install for ${what}` });
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
 * name that is somebody else's. A single executable is seldom on the path.
 */
function programLine({ env }: Io, shell: Shell): string {
  if (env.npm_execpath === undefined && !isSea()) return 'shelflist';
  const paths = isSea() ? [process.execPath] : [process.execPath, resolve(process.argv[1] ?? '')];
  if (shell !== 'powershell') return paths.map(shellWord).join(' ');
  return `& ${paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(' ')}`;
}

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof shells)[number];

/**
 * The completion script of a shell. It calls `shelflist complete -- WORD…` with the words up to the cursor; PowerShell drops
 * empty words, and passes the last one as `--last`. The output has one line per candidate, with a description after a tab.
 * Without candidates, the shell completes file names.
 *
 * Command lines that begin with `npx shelflist` or `npx --no-install shelflist` are completed too; PowerShell excepted. Completions
 * of `npx` that exist already are left alone.
 *
 * @param program The command line that runs the program, quoted for the shell.
 */
function completionScript(shell: Shell, program: string): string {
  return scripts[shell](program);
}

const scripts: Record<Shell, (program: string) => string> = {
  bash: (program) => `# Completion of shelflist for bash.
_shelflist() {
  local line first=1 IFS=$'\\n'
  COMPREPLY=()
  if [[ \${COMP_WORDS[0]} == npx ]]; then
    while [[ $first -lt $COMP_CWORD && \${COMP_WORDS[first]} != shelflist ]]; do first=$((first + 1)); done
    first=$((first + 1))
    [[ $first -gt $COMP_CWORD ]] && return
  fi
  while read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(${program} complete -- "\${COMP_WORDS[@]:first:COMP_CWORD-first+1}" 2>/dev/null)
}
complete -o default -F _shelflist shelflist
complete -p npx >/dev/null 2>&1 || complete -o default -F _shelflist npx
`,
  zsh: (program) => `#compdef shelflist
# Completion of shelflist for zsh.
_shelflist() {
  local line first=2
  local -a candidates
  if [[ $words[1] == npx ]]; then
    first=$(( \${words[(i)shelflist]} + 1 ))
    if (( first > CURRENT )); then _files; return; fi
  fi
  while IFS= read -r line; do
    candidates+=("\${\${line//:/\\\\:}/$'\\t'/:}")
  done < <(${program} complete -- "\${(@)words[first,CURRENT]}" 2>/dev/null)
  if (( $#candidates )); then _describe shelflist candidates; else _files; fi
}
if [ "$funcstack[1]" = _shelflist ]; then
  _shelflist "$@"
else
  if ! whence compdef >/dev/null; then autoload -Uz compinit && compinit -i; fi
  compdef _shelflist shelflist
  (( $+_comps[npx] )) || compdef _shelflist npx
fi
`,
  fish: (program) => `# Completion of shelflist for fish.
function __shelflist_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l at (contains -i -- shelflist $words)
    test -n "$at" && test $at -lt (count $words) && ${program} complete -- $words[(math $at + 1)..-1] 2>/dev/null
end
complete -c shelflist -n 'test -n "$(__shelflist_complete)"' -f -a '(__shelflist_complete)'
complete -c npx -n 'test -n "$(__shelflist_complete)"' -f -a '(__shelflist_complete)'
`,
  powershell: (program) => `# Completion of shelflist for PowerShell.
Register-ArgumentCompleter -Native -CommandName shelflist -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    ${program} complete "--last=$wordToComplete" '--' @words 2>$null | ForEach-Object {
        $value, $about = $_ -split "\`t", 2
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
`,
};

/** What an installation wrote. All of it is in the user's own folders. */
interface Installation {
  readonly shell: Shell;
  readonly script: string;
  /** The start-up file of the shell, if it names the script. */
  readonly startup: string | null;
  /** Whether the start-up file was changed: the first installation changes it. */
  readonly isNew: boolean;
}

/** The lines of the start-up file that this command owns. */
const block = /^# >>> shelflist completion >>>\n[^]*?^# <<< shelflist completion <<<\n/m;

/** The shell of the user, by its login shell. @throws {CommandError} `usage`: it is not a supported one. */
function findShell({ env }: Io): Shell {
  const name = basename(env.SHELL ?? '');
  const found = shells.find((shell) => shell === name);
  if (found !== undefined) return found;
  throw new CommandError('usage', {
    message: `the variable SHELL names no supported shell; add one of ${shells.join(', ')}`,
  });
}

/**
 * Writes the completion script, and has bash or zsh read it when they start. Repeating it changes nothing more.
 *
 * @throws {CommandError} `failed`: a file cannot be written; `usage`: PowerShell alone knows its start-up file.
 */
async function installCompletion(io: Io, shell: Shell, program: string): Promise<Installation> {
  const home = io.env.HOME || homedir();
  const text = completionScript(shell, program);
  if (shell === 'powershell')
    throw new CommandError('usage', {
      message: 'PowerShell alone knows its profile; run: shelflist completion powershell >> $PROFILE',
    });
  if (shell === 'fish') {
    const config = absolute(io.env.XDG_CONFIG_HOME) ?? join(home, '.config');
    const script = join(config, 'fish/conf.d/shelflist.fish'); // Unlike completions/, it is read for npx, too.
    return { shell, script, startup: null, isNew: await replaceText(io, script, text) };
  }
  const script = join(
    absolute(io.env.XDG_DATA_HOME) ?? join(home, '.local/share'),
    `shelflist/completion.${shell}`,
  );
  await replaceText(io, script, text);
  // A terminal of macOS starts a login shell, and bash then reads another file.
  const bashFile = process.platform === 'darwin' ? '.bash_profile' : '.bashrc';
  const startup = shell === 'zsh' ? join(io.env.ZDOTDIR || home, '.zshrc') : join(home, bashFile);
  const before = (await readText(startup)) ?? '';
  const own = `# >>> shelflist completion >>>\n[ -r ${shellWord(script)} ] && . ${shellWord(script)}\n# <<< shelflist completion <<<\n`;
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  const after = block.test(before) ? before.replace(block, () => own) : `${before}${separator}${own}`;
  return { shell, script, startup, isNew: await replaceText(io, startup, after) };
}

/** The folder that a variable names. The XDG Base Directory Specification ignores a relative one, such as an unexpanded `~`. */
function absolute(folder = ''): string | undefined {
  return isAbsolute(folder) ? folder : undefined;
}

/** Writes a file in a folder that may not exist yet; returns whether this changed it. */
async function replaceText(io: Io, path: string, text: string): Promise<boolean> {
  if ((await readText(path)) === text) return false;
  const file = await findOutputFile(io, path, { replace: true });
  try {
    await file.attempt(() => Promise.resolve(makeFolder(dirname(path))));
    await file.attempt(() => writeFile(file.draft, text));
    await file.keep();
  } catch (error) {
    await file.drop();
    throw error;
  }
  return true;
}

/** The text of a file; `undefined` if it does not exist. */
async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(path, error)) return undefined;
    throw unreadable(path, error);
  }
}
