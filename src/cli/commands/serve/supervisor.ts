import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Reports the state of the service, or a problem. */
export type Say = (text: string, level?: 'info' | 'warn') => void;

/** What the program that runs the service hears of it, and how it may signal it: systemd, or a terminal. */
export class Supervisor {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #say: Say;
  readonly #reload: (() => Promise<string>) | undefined;

  /** @param reload What SIGHUP does. Resolves with a line for the log; rejects if all stays as it was. */
  constructor(
    env: Readonly<Record<string, string | undefined>>,
    say: Say,
    reload: (() => Promise<string>) | undefined,
  ) {
    this.#env = env;
    this.#say = say;
    this.#reload = reload;
    process.on('SIGHUP', this.#onHangUp);
  }

  /** The default of SIGHUP would end the process: `systemctl reload`, or a terminal that is closed. */
  readonly #onHangUp = () => {
    if (this.#reload === undefined)
      this.#say('SIGHUP is ignored: settings are read at the start; restart the service to change them');
    else
      this.#reload().then(
        (done) => {
          this.#say(done);
        },
        (error: unknown) => {
          this.#say(`the certificate stays as it was: ${(error as Error).message}`, 'warn');
        },
      );
  };

  /**
   * Reports a state to systemd, if it wants to know (`Type=notify`, `NotifyAccess=all`), by its own program: Node has no
   * datagram sockets of Unix.
   */
  async notify(state: 'READY=1' | 'STOPPING=1'): Promise<void> {
    if (!this.#env.NOTIFY_SOCKET) return;
    try {
      const { NOTIFY_SOCKET, PATH } = this.#env;
      await run('systemd-notify', [state, `--pid=${process.pid}`], { env: { NOTIFY_SOCKET, PATH } });
    } catch (error) {
      this.#say(`cannot notify systemd: ${(error as Error).message.split('\n')[0] ?? ''}`, 'warn');
    }
  }

  release(): void {
    process.off('SIGHUP', this.#onHangUp);
  }
}
