import { session } from '../../api/session.ts';

/** Opens the dialog for a login. */
export function askForLogin(): void {
  session.set({ phase: 'expired' });
}
