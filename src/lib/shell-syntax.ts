/**
 * What only a shell replaces in a path: `~`, `$HOME`, `%USERPROFILE%`. No shell reads a `.env`, a systemd unit or an address after
 * an option, and the path would name a folder called so.
 */
export function findShellSyntax(path: string): string | undefined {
  return /^~[\w.-]*(?=[/\\]|$)|\$\{\w+\}|(?<=^|[/\\])\$[A-Za-z_]\w*|%[A-Za-z_]\w*%/.exec(path)?.[0];
}
