import { flagName, settingNames, type SettingName } from '../../../config/settings.ts';
import { programName, shellWord, type Io } from '../../io.ts';

export interface ServeOptions extends Partial<Record<SettingName, string>> {
  json?: boolean;
}

/** The command line that starts the service with these options, for messages. */
export function serveLine(io: Io, { json, ...flags }: ServeOptions): string {
  const command = io.env.npm_lifecycle_event === 'start' ? 'npm start --' : `${programName(io)} serve`;
  const words = settingNames.flatMap((name) => {
    const value = flags[name];
    return value === undefined ? [] : [flagName(name), shellWord(value)];
  });
  return [command, ...words, ...(json ? ['--json'] : [])].join(' ');
}
