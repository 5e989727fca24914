import { win32 } from 'node:path';

/** The folder of the programs of Windows: a program named without its folder can come from the current one. */
export function systemFolder({ SystemRoot }: Readonly<Record<string, string | undefined>>): string {
  const root = SystemRoot !== undefined && win32.isAbsolute(SystemRoot) ? SystemRoot : 'C:\\Windows';
  return win32.join(root, 'System32');
}
