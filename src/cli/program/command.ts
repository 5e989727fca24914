import { Command, type Option } from 'commander';
import { JsonOption } from '../json-option.ts';

/**
 * A command that reads its options in two ways unlike commander: an unknown option is reported before the values of others
 * (`--order -year` is not the year `ear`), and `--json` takes the next argument only if it names fields.
 */
export class ShelflistCommand extends Command {
  override createCommand(name?: string): ShelflistCommand {
    return new ShelflistCommand(name);
  }

  override parseOptions(args: string[]): { operands: string[]; unknown: string[] } {
    // A command with commands passes on what it does not know.
    return super.parseOptions(this.commands.length > 0 ? args : this.#prepare(args));
  }

  /** The arguments with an explicit value for each `--json`; only the unknown option, if there is one. */
  #prepare(args: readonly string[]): string[] {
    const prepared: string[] = [];
    const writes = this.#find('--dry-run') !== undefined;
    for (let i = 0; i < args.length; i++) {
      const word = args[i] ?? '';
      if (word === '--') return [...prepared, ...args.slice(i)];
      const option = this.#find(word);
      const next = args[i + 1];
      if (option instanceof JsonOption) {
        const takesNext = option.takes(next, writes);
        prepared.push(`--json=${takesNext ? next : ''}`);
        if (takesNext) i++;
      } else if (option?.required === true && next !== undefined) {
        prepared.push(word, next);
        i++;
      } else if (option === undefined && word.startsWith('--') && !this.#isKnown(word))
        return [word.split('=', 1)[0] ?? word]; // Its value may be a password.
      else prepared.push(word);
    }
    return prepared;
  }

  #find(word: string): Option | undefined {
    return this.options.find(({ short, long }) => word === short || word === long);
  }

  #isKnown(word: string): boolean {
    const [name = ''] = word.split('=', 1);
    return name === '--help' || this.#find(name) !== undefined;
  }
}
