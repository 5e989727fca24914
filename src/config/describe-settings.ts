import { wrapText } from '../lib/wrap-text.ts';
import { clientVariables, rowOf, settingNames, type SettingName } from './settings.ts';

/** The settings for the help of `serve`: a variable, what it is, and its default, in lines of at most 80 characters. */
export function describeSettings(): string {
  return describeVariables(
    settingNames.map((name) => {
      const { variable, help, isRequired, default: value } = rowOf(name);
      return { variable, help: `${help}${isRequired ? ' Required.' : value ? ` Default ${value}.` : ''}` };
    }),
  );
}

/** Variables and their help texts, as two columns. */
export function describeVariables(rows: readonly { variable: string; help: string }[]): string {
  const width = Math.max(...rows.map(({ variable }) => variable.length));
  return rows
    .map(({ variable, help }) => {
      const lines = wrapText(help, 76 - width);
      return lines.map((line, i) => `  ${(i === 0 ? variable : '').padEnd(width)}  ${line}\n`).join('');
    })
    .join('');
}

/** A `.env` that sets some settings, each under its description. The quotes keep every character of a value. */
export function formatDotenv(values: Readonly<Partial<Record<SettingName, string | undefined>>>): string {
  return settingNames
    .flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [entry(rowOf(name).help, `${rowOf(name).variable}=${quote(value)}`)];
    })
    .join('\n');
}

/** A shell may read the file, too: hence the quotes. */
function quote(value: string): string {
  if (/^[\w:./-]*$/.test(value)) return value;
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}

/** The text of `.env.example`: every setting with its default. */
export function formatExample(): string {
  const head = comment(
    'The settings of `shelflist serve`. `shelflist init` writes a .env with random secrets. Flags and the environment ' +
      'take precedence over this file. An empty value counts as not set. X_FILE names a file that holds the value of X.',
  );
  const entries = settingNames.map((name) => {
    const { variable, help, isRequired, default: value, example = '' } = rowOf(name);
    if (isRequired) return entry(`${help} Required.`, `${variable}=`);
    return entry(help, value ? `${variable}=${value}` : `# ${variable}=${example}`);
  });
  const { variable, help } = clientVariables.url;
  return [head, ...entries, entry(help, `# ${variable}=https://books.example`)].join('\n');
}

function entry(help: string, line: string): string {
  return `${comment(help)}${line}\n`;
}

function comment(text: string): string {
  return wrapText(text, 98)
    .map((line) => `# ${line}\n`)
    .join('');
}
