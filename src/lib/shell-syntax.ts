/**
 * Finds what only a shell expands in a path: `~`, `$HOME`, `%USERPROFILE%`. No shell expands it in a `.env`, a systemd unit or
 * `--option=VALUE`, so the path would name a folder literally called that.
 */
export function findShellSyntax(path: string): string | undefined {
  return /^~[\w.-]*(?=[/\\]|$)|\$\{\w+\}|(?<=^|[/\\])\$[A-Za-z_]\w*|%[A-Za-z_]\w*%/.exec(path)?.[0];
}
