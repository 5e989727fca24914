import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useState } from 'preact/hooks';
import type {
  BackupState,
  ChangeableSetting,
  ChangeableSettings,
  ServiceSettings,
  SettingsPatch,
} from '../../catalogue/changeable-settings.ts';
import { hasCode } from '../../catalogue/errors.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { languageNames, languageOf, languages } from '../../texts/texts.ts';
import { fetchBackup } from '../state/backup.ts';
import { daysSince, isBackupDue } from '../state/backup-age.ts';
import { useAnswer, useDraft } from '../state/hooks.ts';
import { openDialog } from '../state/navigation.ts';
import { asServiceError, canChangePassword, session } from '../state/service.ts';
import { changeSettings, readSettings } from '../state/settings.ts';
import { asObject, readJson, writeDraft, writeJson } from '../state/signal.ts';
import { describeError, formatTime, language, texts as common } from '../texts/current.ts';
import { Button, Icon } from '../ui/controls.tsx';
import { Failure, showToast } from '../ui/messages.tsx';
import { QrCode } from '../ui/qr.tsx';
import { saveFile } from '../state/save-file.ts';

const texts = settingsTexts[language];

/** How far the page was scrolled, in pixels, while it is loaded again with other settings. */
const savedKey = 'settings-saved';

/** The settings of the service, its address for others, and a copy of the books. */
export function SettingsView(): JSX.Element {
  const { value, error, again } = useAnswer('', (signal) => readSettings(signal));
  return (
    <div class="view settings">
      <h1>{texts.title}</h1>
      {error !== undefined && <Failure title={texts.failed} error={error} onRetry={again} />}
      {value !== undefined && error === undefined && (
        <>
          <SettingsForm report={value} />
          {canChangePassword && (
            <Section title={texts.password} hint={texts.passwordHint}>
              <Button
                icon="key"
                onClick={() => {
                  openDialog('password');
                }}
              >
                {common.password.title}
              </Button>
            </Section>
          )}
          <Addresses addresses={value.addresses} />
          <Backup state={value.backup} />
        </>
      )}
    </div>
  );
}

function Section({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: string;
  children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {children}
    </section>
  );
}

type Drafts = ChangeableSettings & { readonly articles: string };

const draftOf = (settings: ChangeableSettings): Drafts => ({
  ...settings,
  articles: settings.sortArticles.join(', '),
});

/** The draft of what is not saved: another view, or a reload, does not lose it. */
const draftName = 'settings';

// Who logs out leaves nothing of it behind.
session.subscribe(() => {
  if (session.value === 'out') writeDraft(draftName, undefined);
});

/** Whether a kept value has members of a draft, in their types. */
const isPartOf =
  (draft: Drafts) =>
  (kept: unknown): kept is Partial<Drafts> =>
    kept !== undefined &&
    Object.entries(asObject(kept)).every(([name, value]) => typeof value === typeof asObject(draft)[name]);

/** The articles of a text. */
function readArticles(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** The settings that the draft changes. */
function changesOf(draft: Drafts, settings: ChangeableSettings): SettingsPatch {
  const { articles, ...rest } = draft;
  const wanted: ChangeableSettings = { ...rest, sortArticles: readArticles(articles) };
  const names = Object.keys(settings) as ChangeableSetting[];
  return Object.fromEntries(
    names.flatMap((name) =>
      JSON.stringify(wanted[name]) === JSON.stringify(settings[name]) ? [] : [[name, wanted[name]]],
    ),
  );
}

/** Says why a change cannot be saved; `undefined` if it can. The service checks everything again. */
function findProblem({ sortArticles = [], bookLookup = 'off' }: SettingsPatch): string | undefined {
  if (!sortArticles.every((word) => /^[\p{L}\p{M}]+['’]?$/u.test(word))) return texts.wrongArticles;
  const isAddress = /^https?:\/\/[^\s]+$/.test(bookLookup) && bookLookup.includes('{isbn}');
  return ['off', 'openlibrary'].includes(bookLookup) || isAddress ? undefined : texts.wrongLookup;
}

function SettingsForm({ report }: { report: ServiceSettings }): JSX.Element {
  const [{ settings, fixed, restart }, setReport] = useState(report);
  // Only what was edited: the other settings can be changed elsewhere meanwhile.
  const [edits, setEdits, forget] = useDraft<Partial<Drafts>>(
    draftName,
    () => ({}),
    isPartOf(draftOf(settings)),
  );
  const draft = { ...draftOf(settings), ...edits };
  const isChanged = Object.keys(changesOf(draft, settings)).length > 0;
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  useLayoutEffect(() => {
    const scrolled = readJson(savedKey);
    if (typeof scrolled !== 'number') return;
    writeJson(savedKey, undefined);
    scrollTo(0, scrolled); // The browser did so before the settings were there.
    showToast({ text: texts.saved });
  }, []);
  const change = (changes: Partial<Drafts>) => {
    setEdits({ ...edits, ...changes });
  };
  const sourceOf = (name: ChangeableSetting) => fixed.find(({ setting }) => setting === name)?.source;
  /** The attributes of a control, which its hint describes. */
  const control = (name: ChangeableSetting) => ({
    id: `${id}-${name}`,
    'aria-describedby': `${id}-${name}-hint`,
    disabled: sourceOf(name) !== undefined,
  });
  const hint = (name: ChangeableSetting) => {
    const source = sourceOf(name);
    return (
      <span id={`${id}-${name}-hint`} class="hint">
        {texts.settings[name][1]} {source !== undefined && texts.fixed(source)}
      </span>
    );
  };
  const label = (name: ChangeableSetting) => <label for={`${id}-${name}`}>{texts.settings[name][0]}</label>;

  const save = async () => {
    const patch = changesOf(draft, settings);
    const found = findProblem(patch);
    setProblem(found);
    if (found !== undefined) return;
    if (Object.keys(patch).length === 0) {
      showToast({ text: texts.unchanged });
      return;
    }
    setBusy(true);
    try {
      const next = await changeSettings(patch);
      setReport(next);
      setEdits({});
      forget();
      showToast({ text: texts.saved });
      if (Object.keys(patch).some((name) => !next.restart.some((each) => each === name))) {
        writeJson(savedKey, scrollY);
        location.reload(); // The document carries these settings for the whole page.
      }
    } catch (error) {
      const { code } = asServiceError(error);
      setProblem(
        code === 'invalid_input'
          ? texts.refused
          : code === 'unavailable'
            ? texts.notKept
            : describeError({ code }),
      );
    } finally {
      setBusy(false);
    }
  };

  const source = ['off', 'openlibrary'].includes(draft.bookLookup) ? draft.bookLookup : 'other';
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void save();
      }}
    >
      <div class="field">
        {label('catalogueName')}
        <input
          {...control('catalogueName')}
          required
          maxLength={100}
          autocomplete="off"
          value={draft.catalogueName}
          onInput={({ currentTarget }) => {
            change({ catalogueName: currentTarget.value });
          }}
        />
        {hint('catalogueName')}
      </div>
      <div class="choice-line">
        <input
          {...control('publicRead')}
          type="checkbox"
          checked={draft.publicRead}
          onChange={({ currentTarget }) => {
            change({ publicRead: currentTarget.checked });
          }}
        />
        <span>
          {label('publicRead')}
          {hint('publicRead')}
        </span>
      </div>
      <div class="field">
        {label('pageLanguage')}
        <select
          {...control('pageLanguage')}
          value={draft.pageLanguage}
          onChange={({ currentTarget }) => {
            change({ pageLanguage: languageOf(currentTarget.value) ?? 'auto' });
          }}
        >
          <option value="auto">{texts.anyLanguage}</option>
          {languages.map((each) => (
            <option key={each} value={each} lang={each}>
              {languageNames[each]}
            </option>
          ))}
        </select>
        {hint('pageLanguage')}
      </div>
      <div class="field">
        {label('sortNames')}
        <select
          {...control('sortNames')}
          value={draft.sortNames}
          onChange={({ currentTarget }) => {
            change({ sortNames: currentTarget.value === 'written' ? 'written' : 'family' });
          }}
        >
          {(['family', 'written'] as const).map((each) => (
            <option key={each} value={each}>
              {texts.sortNames[each]}
            </option>
          ))}
        </select>
        {hint('sortNames')}
      </div>
      <div class="field">
        {label('sortArticles')}
        <input
          {...control('sortArticles')}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={draft.articles}
          onInput={({ currentTarget }) => {
            change({ articles: currentTarget.value });
          }}
        />
        {hint('sortArticles')}
      </div>
      <div class="field">
        {label('bookLookup')}
        <select
          {...control('bookLookup')}
          value={source}
          onChange={({ currentTarget: { value } }) => {
            change({ bookLookup: value === 'other' ? 'https://' : value });
          }}
        >
          {(['off', 'openlibrary', 'other'] as const).map((each) => (
            <option key={each} value={each}>
              {texts.lookup[each]}
            </option>
          ))}
        </select>
        {hint('bookLookup')}
      </div>
      {source === 'other' && (
        <div class="field">
          <label for={`${id}-address`}>{texts.lookupAddress}</label>
          <input
            id={`${id}-address`}
            aria-describedby={`${id}-address-hint`}
            disabled={sourceOf('bookLookup') !== undefined}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            inputmode="url"
            value={draft.bookLookup}
            onInput={({ currentTarget }) => {
              change({ bookLookup: currentTarget.value.trim() });
            }}
          />
          <span id={`${id}-address-hint`} class="hint">
            {texts.lookupHint}
          </span>
        </div>
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons start">
        <Button type="submit" look="primary" icon="check" aria-disabled={isBusy}>
          {isBusy ? texts.saving : common.save}
        </Button>
      </div>
      <div role="status">
        {isChanged && <p class="hint">{texts.unsaved}</p>}
        {restart.length > 0 && (
          <p class="due">
            <Icon name="warning" />
            {texts.restart(restart.map((name) => texts.settings[name][0]).join(', '))}
          </p>
        )}
      </div>
    </form>
  );
}

/** Whether the page was opened by an address that only this machine knows. */
const isLocal = () => /^(localhost|127\.|\[::1\])/.test(location.hostname);

function Addresses({ addresses }: { addresses: readonly string[] }): JSX.Element {
  const folder = new URL('./', document.baseURI);
  // Behind a proxy, only the browser knows the address.
  const all = isLocal() ? addresses.map((each) => `${each.replace(/\/$/, '')}/`) : [folder.href];
  return (
    <Section title={texts.others} hint={all.length === 0 ? texts.noOthers : texts.othersHint}>
      {all.map((address) => (
        <div key={address}>
          <a href={address}>{address}</a>
          <QrCode text={address} title={texts.qr(address)} />
        </div>
      ))}
    </Section>
  );
}

function Backup({ state }: { state: BackupState | null }): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const [problem, setProblem] = useState<string>();
  const [copiedAt, setCopiedAt] = useState<Date>(); // The service notes it a moment later.
  if (state === null)
    return (
      <Section title={texts.backup}>
        <p class="hint">{texts.unable}</p>
      </Section>
    );
  const at = copiedAt ?? state.at;
  const save = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    setMessage(texts.copying);
    try {
      const { name, content } = await fetchBackup();
      saveFile(name, [content], content.type);
      setMessage(texts.copied);
      setCopiedAt(new Date());
    } catch (error) {
      setMessage('');
      setProblem(hasCode(error, 'unavailable') ? texts.busy : describeError(asServiceError(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={texts.backup} hint={texts.backupHint}>
      {copiedAt === undefined && isBackupDue(state) && (
        <p class="due">
          <Icon name="warning" />
          {texts.due}
        </p>
      )}
      <p class="hint">{at === null ? texts.none : texts.last(formatTime(at), daysSince(at))}</p>
      <Button icon="download" aria-disabled={isBusy} onClick={() => void save()}>
        {texts.copy}
      </Button>
      <p role="status">{message}</p>
      <p class="problem" role="alert">
        {problem}
      </p>
    </Section>
  );
}
