/** The supported shells. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

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
export function completionScript(shell: Shell, program: string): string {
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
