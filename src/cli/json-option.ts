import { InvalidArgumentError, Option, type Command } from 'commander';

/** `--json`, or `--json id,title`: the next argument is a list of fields only if it can be one. */
export class JsonOption extends Option {
  readonly #names: readonly string[];

  /** @param names The fields of a record. */
  constructor(names: readonly string[]) {
    super('--json [fields]', 'the same as --format json, perhaps with some fields only; errors are JSON too');
    this.#names = names;
    this.argParser((text: string) => {
      this.fieldsOf(text);
      return true;
    });
  }

  /**
   * Whether an argument that follows `--json` names fields: a name, or several with commas and without spaces.
   *
   * @param writes Of a command that writes, a single name is a word that selects books: taken for a field, others would change.
   */
  takes(argument: string | undefined, writes: boolean): argument is string {
    if (argument === undefined) return false;
    return (!writes && this.#names.includes(argument)) || /^[a-z]\w*(?:,[a-z]\w*)+$/i.test(argument);
  }

  /** The fields that a value names; `undefined` for all of them. @throws {InvalidArgumentError} One does not exist. */
  fieldsOf(value: string): string[] | undefined {
    if (value === '') return undefined;
    const fields = value.split(',').map((name) => name.trim());
    const unknown = fields.find((name) => !this.#names.includes(name));
    if (unknown === undefined) return fields;
    throw new InvalidArgumentError(
      `no field is named ${JSON.stringify(unknown)}; expected some of ${this.#names.join(',')}`,
    );
  }
}

/** Adds the option to a command, which then has the options `json` and `fields`. */
export function addFieldsOption(command: Command, names: readonly string[]): Command {
  const option = new JsonOption(names).conflicts('format');
  return command.addOption(option).on('option:json', (value: string | null) => {
    command.setOptionValue('fields', option.fieldsOf(value ?? ''));
  });
}
