import type { JSX } from 'preact';
import type { TaggedBook } from '../../client/methods.ts';
import type { View } from '../state/navigation.ts';
import '../main.tsx'; // The script that has what they share: it runs already.
import { ActivityView } from './activity.tsx';
import { AddDialog } from './add.tsx';
import { AuthorsView } from './authors.tsx';
import { Clipboard } from './clipboard.tsx';
import { ConflictDialog } from './conflict.tsx';
import { DuplicatesView } from './duplicates.tsx';
import { ExportDialog } from './export.tsx';
import { Filters } from './filters.tsx';
import { HistoryOfBook } from './history.tsx';
import { HelpDialog } from './help.tsx';
import { ImportView } from './import.tsx';
import { LinkDialog } from './link.tsx';
import { ManyBar } from './many.tsx';
import { PasswordDialog } from './password.tsx';
import { PasteDialog } from './paste.tsx';
import { SampleBooks } from './samples.tsx';
import { SettingsView } from './settings.tsx';
import { ShareDialog } from './share.tsx';
import { StartView } from './start.tsx';
import { StatsView } from './stats.tsx';
import { TrashView } from './trash.tsx';

export { openDropped } from '../state/import.ts';
export { remindOfBackup } from '../ui/backup-reminder.ts';

/** A view that the script of the page does not have: whoever only looks a book up needs none of them. */
export type LaterView = Exclude<View, 'list'>;
/** A dialog of that script. */
export type LaterDialog = 'password' | 'help' | 'add' | 'conflict' | 'paste' | 'share';
/** A part of that script. */
export type LaterPart =
  | LaterView
  | LaterDialog
  | 'clipboard'
  | 'link'
  | 'filters'
  | 'history'
  | 'many'
  | 'samples'
  | 'start'
  | 'export';

/** The properties of a component that shows a part of a book. */
export interface LaterProps {
  readonly shown?: TaggedBook;
}

export const views: Readonly<Record<LaterPart, (props: LaterProps) => JSX.Element | null>> = {
  stats: StatsView,
  authors: AuthorsView,
  trash: TrashView,
  import: ImportView,
  duplicates: DuplicatesView,
  activity: ActivityView,
  settings: SettingsView,
  password: PasswordDialog,
  help: HelpDialog,
  link: LinkDialog,
  filters: Filters,
  samples: SampleBooks,
  share: ShareDialog,
  start: StartView,
  export: ExportDialog,
  many: ManyBar,
  history: HistoryOfBook,
  add: AddDialog,
  conflict: ConflictDialog,
  paste: PasteDialog,
  clipboard: Clipboard,
};
