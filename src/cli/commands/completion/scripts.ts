/** The supported shells. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/**
 * The completion script of a shell. It calls `shelflist complete -- WORD…` with the words up to the cursor; PowerShell drops
 * empty words, and passes the last one as `--last`. The output has one line per candidate, with a description after a tab.
 * Without candidates, the shell completes file names.
 *
 * @param program The command that runs the program: `shelflist`, or `npx shelflist`.
 */
export function completionScript(shell: Shell, program: string): string {
  return scripts[shell](program);
}

const scripts: Record<Shell, (program: string) => string> = {
  bash: (program) => `# Completion of shelflist for bash.
_shelflist() {
  local line IFS=$'\\n'
  COMPREPLY=()
  while read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(${program} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _shelflist shelflist
`,
  zsh: (program) => `#compdef shelflist
# Completion of shelflist for zsh.
_shelflist() {
  local line
  local -a candidates
  while IFS= read -r line; do
    candidates+=("\${\${line//:/\\\\:}/$'\\t'/:}")
  done < <(${program} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#candidates )); then _describe shelflist candidates; else _files; fi
}
if [ "$funcstack[1]" = _shelflist ]; then _shelflist "$@"; else compdef _shelflist shelflist; fi
`,
  fish: (program) => `# Completion of shelflist for fish.
function __shelflist_complete
    set -l words (commandline -opc) (commandline -ct)
    ${program} complete -- $words[2..-1] 2>/dev/null
end
complete -c shelflist -n 'test -n "$(__shelflist_complete)"' -f -a '(__shelflist_complete)'
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
