import { isBackupDue } from '../state/backup-age.ts';
import { navigate } from '../state/navigation.ts';
import { readSettings } from '../state/settings.ts';
import { readJson, writeJson } from '../state/signal.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { language, texts } from '../texts/current.ts';
import { showToast } from './messages.tsx';

/** Set when the reader of this tab was reminded, or needs no reminder. */
const key = 'backup-reminder';

/** Reminds the reader, once in a tab, that the copy of the books is old. */
export async function remindOfBackup(): Promise<void> {
  if (readJson(key) === true) return;
  writeJson(key, true);
  const { backup } = await readSettings();
  if (backup === null || !isBackupDue(backup)) return;
  const run = () => {
    navigate({ view: 'settings', query: {} });
  };
  showToast({
    text: settingsTexts[language].due,
    actions: [{ label: texts.navigation.settings, icon: 'settings', run }],
  });
}
