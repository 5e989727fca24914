import type { FieldName } from '../catalogue/fields.ts';
import {
  type Cut,
  describeKind,
  listNames,
  listReadings,
  type OtherKindTexts,
  type ProblemTexts,
} from '../formats/problems.ts';
import type { ServerTexts } from './server-texts.ts';
import type { Texts } from './texts.ts';

const number = new Intl.NumberFormat('de');
const count = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;

const year = (value: number) => (value < 0 ? `${-value} v. Chr.` : String(value));
const span = (first: number, last: number) =>
  first > 0 ? `${first}–${last}` : last < 0 ? `${-first}–${-last} v. Chr.` : `${year(first)} bis ${last}`;

const fields: Readonly<Record<FieldName, string>> = { title: 'Titel', author: 'Autor', year: 'Jahr' };
const missing: Readonly<Record<FieldName, string>> = {
  title: 'Ohne Titel',
  author: 'Ohne Autor',
  year: 'Ohne Jahr',
};

/** The texts in German. */
export const de: Texts = {
  language: 'de',
  number: (n) => number.format(n),
  year,
  fields,
  missing,
  skip: 'Zu den Büchern springen',
  loading: 'Wird geladen …',
  close: 'Schließen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  retry: 'Noch einmal versuchen',
  undo: 'Rückgängig',
  more: 'Mehr zeigen',
  dismiss: 'Ausblenden',
  offline: 'Keine Verbindung zum Katalog. Ihre Eingaben bleiben erhalten.',
  navigation: {
    label: 'Ansichten',
    menu: 'Menü',
    books: 'Bücher',
    stats: 'Diagramme',
    trash: 'Papierkorb',
    activity: 'Aktivität',
    authors: 'Autoren',
    duplicates: 'Dubletten',
    import: 'Import',
    add: 'Neues Buch',
    help: 'Tastenkürzel',
    language: 'Sprache',
    logIn: 'Anmelden',
    logOut: 'Abmelden',
    account: 'Konto und Einstellungen',
    tidy: 'Aufräumen',
    settings: 'Einstellungen',
  },
  look: {
    theme: { label: 'Farben', choices: ['Wie das System', 'Hell', 'Dunkel'] },
    density: { label: 'Zeilen', choices: ['Bequem', 'Kompakt'] },
    keys: { label: 'Ein-Tasten-Kürzel', choices: ['An', 'Aus'] },
  },
  login: {
    title: 'Anmelden',
    again: 'Erneut anmelden',
    why: 'Ihre Anmeldung ist abgelaufen. Ihre Arbeit bleibt erhalten und geht nach der Anmeldung weiter.',
    intro: 'Melden Sie sich an, um die Bücher dieses Katalogs zu sehen und zu ändern.',
    username: 'Benutzername',
    password: 'Passwort',
    show: 'Passwort anzeigen',
    where:
      'Haben Sie shelflist mit einem Doppelklick gestartet, doppelklicken Sie noch einmal. Haben Sie einen Befehl eingegeben, führen Sie „npx --no-install shelflist open“ im selben Ordner aus. Beides meldet Sie an. Benutzername und Passwort stehen in der Datei .env in diesem Ordner.',
    submit: 'Anmelden',
    busy: 'Anmeldung läuft …',
    done: 'Sie sind angemeldet.',
    out: 'Sie sind abgemeldet.',
    oldLink:
      'Dieser Link wurde schon benutzt oder ist älter als eine Minute. Melden Sie sich hier an. Das Startprogramm oder der Befehl „open“ von shelflist macht einen neuen Link.',
  },
  password: {
    title: 'Passwort ändern',
  },
  books: {
    title: 'Bücher',
    search: 'Bücher suchen',
    placeholder: 'Titel, Autor, Jahr',
    letter: (letter) => `Mit ${letter} beginnen`,
    clearSearch: 'Suche leeren',
    removeFilter: 'diesen Filter entfernen',
    filters: 'Filter',
    author: 'Autor',
    from: 'Ab Jahr',
    to: 'Bis Jahr',
    yearsReversed: '„Ab Jahr“ liegt nach „Bis Jahr“.',
    widthOf: (name) => `Breite der Spalte ${name}`,
    widthHint:
      'Ziehen ändert die Breite; oder klicken Sie, und dann im Tabellenkopf dorthin, wo die Spalte enden soll. Ein Doppelklick stellt die übliche Breite aller Spalten wieder her.',
    only: (what) => `Nur zeigen: ${what}`,
    onlyWithoutYear: 'Nur Bücher ohne Jahr',
    clear: 'Alle entfernen',
    clearSearchAndFilters: 'Suche und Filter entfernen',
    books: (n) => count(n, 'Buch', 'Bücher'),
    endsHere: (n) =>
      `Die Tabelle endet hier, nach ${number.format(n)} Büchern. Suchen, filtern oder sortieren Sie, um die übrigen zu sehen.`,
    found: (n) => (n === 0 ? 'Keine Bücher gefunden' : `${count(n, 'Buch', 'Bücher')} gefunden`),
    empty: 'Noch keine Bücher',
    emptyHint:
      'Ziehen Sie eine Datei mit Büchern hierher, fügen Sie das erste Buch hinzu, oder sehen Sie sich mit Beispielen um.',
    addSamples: '100 Beispielbücher hinzufügen',
    samplesAdded: (n) => `${count(n, 'Beispielbuch', 'Beispielbücher')} hinzugefügt.`,
    nothing: 'Kein Buch passt',
    nothingHint: 'Suchen Sie mit weniger Wörtern, oder entfernen Sie einen Filter.',
    oneWordHint: 'Prüfen Sie die Schreibweise. Ein Teil des Wortes genügt.',
    didYouMean: 'Meinten Sie',
    showing: 'Ergebnisse für',
    insteadFor: ['Stattdessen nach', 'suchen'],
    parts: (words) =>
      `Kein Buch passt am Anfang von Wörtern zu „${words}“; hier sind Treffer im Inneren von Wörtern.`,
    order: 'Sortierung',
    orders: {
      best: 'Beste Treffer zuerst',
      id: 'Älteste Einträge zuerst',
      '-id': 'Zuletzt hinzugefügt',
      title: 'Titel, A bis Z',
      '-title': 'Titel, Z bis A',
      author: 'Autor, A bis Z',
      '-author': 'Autor, Z bis A',
      year: 'Jahr, älteste Bücher zuerst',
      '-year': 'Jahr, neueste Bücher zuerst',
    },
    failed: 'Die Bücher konnten nicht geladen werden',
    sortBy: (name) => `Nach ${name} sortieren`,
    actions: 'Aktionen',
    saveAs: (format) => `Als ${format} speichern`,
    saving: (format) => `Die Bücher werden als ${format} gespeichert`,
    saveProgress: (done, total) => `${number.format(done)} von ${number.format(total)} Büchern`,
    saved: (n, format) => `${count(n, 'Buch', 'Bücher')} als ${format} gespeichert.`,
    tooLargeForHtml:
      'Eine HTML-Datei fasst höchstens 10.000 Bücher. Grenzen Sie die Liste mit einer Suche oder mit Filtern ein.',
    tooLargeForExcel:
      'Excel kann diese Bücher nicht aufnehmen: Auf einem Blatt ist Platz für 1.048.575, in einer Zelle für 32.767 Zeichen. Speichern Sie sie als CSV.',
    printHint: (n) =>
      `So ${n === 1 ? 'wird' : 'werden'} nur ${count(n, 'Zeile', 'Zeilen')} vom Bildschirm gedruckt. Die Schaltfläche „Drucken“ druckt alle Bücher.`,
    print: 'Drucken',
    decade: (from) => span(from || 1, from + 9),
    range: (from, to) =>
      from === undefined
        ? to === undefined
          ? ''
          : `bis ${year(to)}`
        : to === undefined
          ? `ab ${year(from)}`
          : span(from, to),
    suggestions: (n) => count(n, 'Vorschlag', 'Vorschläge'),
    changed: 'Die Liste wurde aktualisiert.',
  },
  searches: {
    title: 'Gespeicherte Suchen',
    save: 'Diese Suche speichern als',
    saved: (name) => `Die Suche „${name}“ ist gespeichert.`,
    forget: (name) => `Gespeicherte Suche ${name} entfernen`,
  },
  book: {
    title: (id) => `Buch ${id}`,
    open: (title) => `${title} öffnen`,
    number: 'Nummer',
    history: 'Verlauf',
    noHistory: 'Es sind keine Änderungen verzeichnet.',
    loginForHistory: 'Melden Sie sich an, um den Verlauf zu sehen.',
    missing: 'Dieses Buch gibt es nicht',
    missingHint: 'Vielleicht wurde es gelöscht. Gelöschte Bücher sind im Papierkorb.',
    current: 'Jetzt',
    changes: { updated: 'Geändert', deleted: 'Gelöscht', reverted: 'Früherer Stand wiederhergestellt' },
    before: 'Vorher',
    moreByAuthor: 'Mehr von diesem Autor',
    previous: 'Voriges Buch',
    next: 'Nächstes Buch',
    moreOfDecade: 'Mehr aus diesem Jahrzehnt',
    share: 'Teilen',
  },
  stats: {
    title: 'Diagramme',
    decades: 'Bücher nach Jahrzehnt',
    authors: 'Häufigste Autoren',
    years: 'Jahre',
    books: 'Bücher',
    without: 'Ohne Jahr',
    about: (n) => `etwa ${number.format(n)}`,
    span: (first, last) => (first === last ? year(first) : span(first, last)),
    before: (year) => `Vor ${year}`,
    beforeChrist: 'Vor Christus',
    empty: 'Es gibt nichts zu zählen.',
    failed: 'Die Diagramme konnten nicht geladen werden',
  },
  changing: {
    add: 'Buch hinzufügen',
    addAnyway: 'Trotzdem hinzufügen',
    added: (title) => `„${title}“ wurde hinzugefügt.`,
    show: 'Zeigen',
    enterTitle: 'Geben Sie einen Titel ein.',
    addUntitled: 'Ohne Titel hinzufügen',
    addAnother: 'Danach ein weiteres Buch hinzufügen',
    pasteRows: 'Zeilen einfügen',
    notAdded: 'Das neue Buch wurde nicht hinzugefügt.',
    same: 'Der Katalog hat dieses Buch vielleicht schon:',
    edit: 'Bearbeiten',
    editBook: (title) => `${title} bearbeiten`,
    saved: (title) => `„${title}“ wurde gespeichert.`,
    savedMerged: (title) =>
      `„${title}“ wurde gespeichert, zusammen mit dem, was jemand anderes gerade geändert hat.`,
    notSaved: (title) => `„${title}“ ist noch in Bearbeitung.`,
    goOn: 'Zum Buch',
    delete: 'Löschen',
    deleteBook: (title) => `${title} löschen`,
    deletedOne: (title) => `„${title}“ wurde gelöscht.`,
    deleted: (n) => `${count(n, 'Buch', 'Bücher')} gelöscht.`,
    changed: (n) => `${count(n, 'Buch', 'Bücher')} geändert.`,
    changedMeanwhile:
      'Jemand anderes hat dieses Buch gerade geändert. Sehen Sie es an, und löschen Sie es dann erneut.',
    undone: 'Rückgängig gemacht.',
    undoneSome: (undone, left) =>
      `Rückgängig gemacht: ${count(undone, 'Buch', 'Bücher')}; seither geändert und so belassen: ${number.format(left)}.`,
    wholeNumber: 'Geben Sie eine ganze Zahl ein.',
    restore: 'Wiederherstellen',
    restoreState: (when) => `Stand vom ${when} wiederherstellen`,
    restored: (title) => `„${title}“ wurde wiederhergestellt.`,
    restoreAndSave: 'Mit meinen Änderungen wiederherstellen',
    gone: 'Jemand anderes hat dieses Buch gelöscht. Was Sie getippt haben, ist noch da.',
  },
  conflict: {
    title: 'Jemand anderes hat dieses Buch geändert',
    intro:
      'Es wurde gespeichert, während Sie es bearbeitet haben. Nichts wird überschrieben, bevor Sie entscheiden.',
    mine: 'Meine Fassung',
    theirs: 'Andere Fassung',
    keepTheirs: 'Andere Fassung behalten',
    saveMine: 'Meine Fassung speichern',
    goOn: 'Weiter bearbeiten',
  },
  cells: {
    title: 'Zellen einfügen',
    tooMany:
      'Nichts wurde kopiert: Einige dieser Zeilen sind nicht geladen. Wählen Sie weniger Zeilen aus, oder speichern Sie die Bücher als Excel-Datei.',
    copied: (n) => `${count(n, 'Zelle', 'Zellen')} kopiert.`,
    ask: (cells, books) => `${count(cells, 'Zelle', 'Zellen')} in ${count(books, 'Buch', 'Büchern')} ändern?`,
    undoHint: 'Einmal „Rückgängig“ nimmt alles zurück.',
    nothing: 'Es gibt nichts zu ändern.',
    outside: (n) =>
      `Weggelassen, jenseits des letzten Buchs oder der letzten Spalte: ${count(n, 'Zelle', 'Zellen')}.`,
    untitled: (n) =>
      `Weggelassen, weil ein Buch seinen Titel behält: ${count(n, 'leere Zelle', 'leere Zellen')}.`,
    notYears: (cells) =>
      `Weggelassen, weil es kein Jahr ist: ${cells.map((each) => `„${each}“`).join(', ')}.`,
    skipped: (n) => `Inzwischen von jemand anderem geändert und so belassen: ${count(n, 'Buch', 'Bücher')}.`,
  },
  many: {
    select: (title) => `${title} auswählen`,
    selectShown: 'Alle geladenen Bücher auswählen',
    selected: (n) => `${count(n, 'Buch', 'Bücher')} ausgewählt`,
    selectAll: (n) => `Alle ${number.format(n)} auswählen`,
    clear: 'Auswahl aufheben',
    change: 'Ändern',
    changeTitle: (n) => `${count(n, 'Buch', 'Bücher')} ändern`,
    changeHint:
      'Füllen Sie nur aus, was bei allen gleich ist. Felder, die Sie leer lassen, ändern sich nicht.',
    deleteTitle: (n) => `${count(n, 'Buch', 'Bücher')} löschen?`,
    deleteHint: 'Das lässt sich rückgängig machen, und der Papierkorb bewahrt sie auf.',
    listChanged: 'Die Liste findet andere Bücher als zuvor. Wählen Sie die Bücher noch einmal aus.',
    nothing: 'Füllen Sie mindestens ein Feld aus.',
    progress: (done, total) => `${number.format(done)} von ${number.format(total)}`,
    discard: 'Ihre Eingaben verwerfen?',
  },
  trash: {
    title: 'Papierkorb',
    empty: 'Der Papierkorb ist leer',
    emptyHint: 'Gelöschte Bücher erscheinen hier und lassen sich wiederherstellen.',
    failed: 'Der Papierkorb konnte nicht geladen werden',
    deletedAt: 'Gelöscht',
  },
  activity: {
    title: 'Aktivität',
    empty: 'Noch ist nichts geschehen',
    emptyHint:
      'Neue Bücher, Importe, Änderungen und Löschungen erscheinen hier und lassen sich rückgängig machen.',
    failed: 'Die Aktivität konnte nicht geladen werden',
    created: (n) => `${count(n, 'Buch', 'Bücher')} hinzugefügt`,
    updated: (n) => `${count(n, 'Buch', 'Bücher')} geändert`,
    deleted: (n) => `${count(n, 'Buch', 'Bücher')} gelöscht`,
    reverted: (n) => `${count(n, 'Buch', 'Bücher')} wiederhergestellt`,
    ofUndo: (what) => `Rückgängig gemacht: ${what}`,
    undoEntry: (what, when) => `Rückgängig machen: ${what}, ${when}`,
    nothingToUndo: 'Nichts mehr rückgängig zu machen',
    named: (what) => `${what}:`,
    incomplete: (done, total) =>
      `Nur zum Teil rückgängig gemacht: ${number.format(done)} von ${number.format(total)}`,
    books: 'Bücher anzeigen',
    others: (n) => `und ${number.format(n)} ${n === 1 ? 'weiteres' : 'weitere'}`,
    undoing: (n) =>
      n === 0 ? 'Wird rückgängig gemacht …' : `Wird rückgängig gemacht … ${count(n, 'Buch', 'Bücher')}`,
  },
  importing: {
    title: 'Import',
    intro:
      'Eine Datei von Excel oder LibreOffice (.xlsx, .ods), eine Tabelle, als „CSV UTF-8“ gespeichert, oder ein Export von Goodreads, LibraryThing oder calibre. Auch Dateien in JSON, MARC, RIS und BibTeX, auch mit gzip komprimiert. Die erste Zeile einer Tabelle benennt die Spalten.',
    choose: 'Datei wählen',
    drop: 'Datei hierher ziehen, oder',
    dropNow: 'Loslassen, um die Datei zu lesen',
    paste: 'Oder Zeilen einfügen',
    pasteHint: 'Kopieren Sie die Zeilen in Ihrer Tabelle, zusammen mit der Zeile der Spaltennamen.',
    pasted: 'Eingefügte Zeilen',
    read: 'Vorschau',
    reading: (name) => `${name} wird gelesen`,
    preview: 'Vorschau',
    source: (name, rows) => `${name}: ${count(rows, 'Zeile', 'Zeilen')}`,
    sheet: 'Blatt',
    format: 'Format',
    formatByContent: 'Am Inhalt erkannt',
    encoding: 'Zeichenkodierung',
    chooseEncoding: 'Bitte wählen …',
    uncertainEncoding:
      'Wählen Sie die Zeile, deren Buchstaben stimmen: Die Datei sagt nicht, wie ihre Buchstaben gespeichert sind.',
    noRevisions:
      'Die Datei hat keine Spalte „revision“. Ändern Sie Bücher nur, wenn die Vorschau Ihre eigenen Änderungen zeigt: Die Datei kann älter sein als die Bücher oder aus einem anderen Katalog stammen.',
    match: 'Diese Datei wurde hier exportiert',
    matches: {
      change: ['Die Bücher dieser Datei ändern', 'Nur was bearbeitet wurde, wird geschrieben.'],
      add: ['Als neue Bücher hinzufügen', 'Die Spalte „id“ wird nicht beachtet.'],
    },
    comparing: 'Vergleich mit dem Katalog …',
    matched: ({ updated, added, unchanged }) =>
      `${count(updated, 'Buch', 'Bücher')} zu ändern, ${number.format(added)} hinzuzufügen, ${number.format(unchanged)} wie im Katalog.`,
    startMatched: (updated, added) =>
      added === 0
        ? `${count(updated, 'Buch', 'Bücher')} ändern`
        : updated === 0
          ? `${count(added, 'Buch', 'Bücher')} hinzufügen`
          : `${count(updated, 'Buch', 'Bücher')} ändern und ${number.format(added)} hinzufügen`,
    headerLine: (line) => `Zeile ${line} benennt die Spalten; die Zeilen darüber bleiben weg.`,
    total: 'Die letzte Zeile sieht wie eine Summe aus',
    totals: {
      total: ['Auslassen', 'Sie wird nicht importiert.'],
      book: ['Sie ist ein Buch', 'Sie wird importiert wie die anderen.'],
    },
    moreColumns: 'Mehrere Spalten für ein Feld',
    parts: { subtitle: 'Untertitel', volume: 'Band', firstName: 'Vorname', lastName: 'Nachname' },
    headless: 'Die erste Zeile sieht wie ein Buch aus',
    firstRow: {
      book: ['Sie ist ein Buch', 'Die Spalten haben keine Namen.'],
      names: ['Sie benennt die Spalten', 'Sie wird nicht importiert.'],
    },
    unused: (names) => `Spalten, die wegbleiben: ${names.join(', ')}`,
    columns: 'Spalten zuordnen',
    column: (n) => `Spalte ${n}`,
    none: 'Keine',
    first: (n) => (n === 1 ? 'Das erste Buch' : `Die ersten ${number.format(n)} Bücher`),
    firstChanges: (n) => (n === 1 ? 'Die erste Änderung' : `Die ersten ${number.format(n)} Änderungen`),
    before: 'vorher:',
    after: 'nachher:',
    duplicates: 'Bücher, die schon im Katalog sind',
    choices: {
      skip: ['Auslassen', 'Nur neue Bücher kommen hinzu.'],
      update: ['Aktualisieren', 'Titel und Autor werden wie in der Datei geschrieben.'],
      add: ['Noch einmal hinzufügen', 'Jede Zeile wird ein neues Buch.'],
    },
    same: 'Bücher mit gleichem Titel, Autor und Jahr. Großschreibung, Akzente und Satzzeichen spielen keine Rolle.',
    notBooks: (n) =>
      n === 1
        ? '1 Zeile lässt sich nicht importieren und wird abgelehnt'
        : `${number.format(n)} Zeilen lassen sich nicht importieren und werden abgelehnt`,
    toCheck: (n) => (n === 1 ? '1 Buch ist zu prüfen' : `${number.format(n)} Bücher sind zu prüfen`),
    start: (n) => `${count(n, 'Zeile', 'Zeilen')} importieren`,
    discard: 'Andere Datei wählen',
    sending: 'Import läuft …',
    stopping: 'Import wird beendet …',
    progress: (done, total) => `${number.format(done)} von ${number.format(total)} Zeilen`,
    paused: 'Der Import ist unterbrochen',
    pausedHint: 'Er geht dort weiter, wo er aufgehört hat. Kein Buch kommt doppelt hinzu.',
    goOn: 'Fortsetzen',
    stop: 'Hier beenden',
    done: 'Import abgeschlossen',
    stopped: 'Import beendet',
    added: 'Hinzugefügt',
    updated: 'Aktualisiert',
    skipped: 'Dubletten ausgelassen',
    rejected: 'Abgelehnt',
    rejectedRows: 'Abgelehnte Zeilen',
    firstOf: (shown, total) => `Die ersten ${number.format(shown)} von ${number.format(total)}.`,
    download: 'Abgelehnte Zeilen speichern',
    unsure:
      'Die letzte Anfrage blieb ohne Antwort. Vielleicht hat der Katalog sie trotzdem ausgeführt; „Rückgängig“ nimmt auch das zurück.',
    nothingNew: 'Der Katalog hat alle diese Bücher schon.',
    nothingPasted: 'Fügen Sie zuerst Zeilen ein, oder wählen Sie eine Datei.',
    undo: 'Import rückgängig machen',
    undoing: 'Wird rückgängig gemacht …',
    undone: (undone, left) =>
      left === 0
        ? `Der Import ist rückgängig gemacht: ${count(undone, 'Buch', 'Bücher')}.`
        : `Der Import ist rückgängig gemacht: ${count(undone, 'Buch', 'Bücher')}; seither geändert und so belassen: ${number.format(left)}.`,
    again: 'Weitere Datei importieren',
    show: 'Bücher zeigen',
    units: {
      line: (n) => `Zeile ${n}`,
      row: (n) => `Zeile ${n}`,
      book: (n) => `Buch ${n}`,
      record: (n) => `Datensatz ${n}`,
    },
    noTitle: 'Wählen Sie die Spalte mit den Titeln.',
    cannotRead: (name) => `${name} ist nicht lesbar`,
    nothingChanged: 'Es wurde nichts importiert.',
    noRows:
      'Sie hat keine Zeilen mit Büchern. Die erste Zeile benennt die Spalten, danach kommen die Bücher.',
    notLoaded:
      'Ein Teil der Seite konnte nicht geladen werden oder funktioniert nicht. Prüfen Sie Ihre Verbindung, und laden Sie die Seite neu.',
    unreadable:
      'Sie wurde verschoben, gelöscht oder geändert, während sie gelesen wurde, oder ist ein Ordner. Wählen Sie sie noch einmal.',
    readInPart: 'Nur ein Teil der Datei ist lesbar',
  },
  authors: {
    title: 'Autoren',
    order: 'Zeigen',
    orders: {
      author: ['Nach Namen', 'Von A bis Z'],
      '-count': ['Nach Anzahl der Bücher', 'Die meisten Bücher zuerst'],
      variants: ['Varianten', 'Schreibweisen eines Namens'],
    },
    search: 'Name oder Teil davon',
    letters: 'Anfangsbuchstaben',
    letter: (letter) => `Namen mit einem Wort, das mit ${letter} beginnt`,
    intro:
      'Diese Schreibweisen meinen wohl einen Namen. Wählen Sie eine für alle ihre Bücher. Sie können das rückgängig machen.',
    empty: 'Kein Autor gefunden',
    noVariants: 'Kein Name hat mehrere Schreibweisen',
    failed: 'Die Autoren konnten nicht geladen werden',
    computing: (seconds) =>
      `Alle Autoren werden gezählt, zum ersten Mal seit dem Start des Dienstes. Das dauert etwa ${count(seconds, 'Sekunde', 'Sekunden')}.`,
    rename: (author) => `${author} umbenennen`,
    newName: 'Neuer Name',
    renames: (n) =>
      `${count(n, 'Buch erhält', 'Bücher erhalten')} den neuen Namen. Einmal „Rückgängig“ nimmt das zurück.`,
    becomeOne: (author, n) =>
      `${author} gibt es schon, mit ${count(n, 'Buch', 'Büchern')}: Aus beiden wird einer.`,
    spellings: (n) => count(n, 'Schreibweise', 'Schreibweisen'),
    join: (n) => `${count(n, 'Buch', 'Bücher')} ändern`,
    joinOf: (n, author) => `${count(n, 'Buch', 'Bücher')} ändern zu ${author}`,
  },
  duplicates: {
    title: 'Dubletten',
    intro: 'Behalten Sie ein Buch einer Gruppe, und löschen Sie die anderen. Sie kommen in den Papierkorb.',
    level: 'Was als Dublette zählt',
    levels: {
      same: ['Gleich', 'Titel, Autor und Jahr'],
      year: ['Anderes Jahr', 'Titel und Autor gleich'],
      typo: ['Tippfehler', 'Ein Buchstabe ist anders, oder ein Jahr fehlt'],
    },
    empty: 'Keine Dubletten',
    emptyHint: 'So ähnlich sind sich keine zwei Bücher.',
    failed: 'Die Dubletten konnten nicht geladen werden',
    computing: (seconds) => `Die Bücher werden verglichen, noch etwa ${number.format(seconds)} s`,
    keep: 'Behalten',
    group: (n) => `${number.format(n)} ähnliche Bücher`,
    merge: (n) => (n === 1 ? 'Das andere löschen' : `Die ${number.format(n)} anderen löschen`),
    mergeOf: (title) => `Dubletten von ${title}`,
    merged: (n, id) => `Buch ${id} behalten, ${count(n, 'Dublette', 'Dubletten')} gelöscht.`,
    changed:
      'Ein Buch dieser Gruppe wurde gerade geändert. Sehen Sie es an, und versuchen Sie es dann erneut.',
    more: 'Mehr zeigen',
    number: (id) => `Buch ${id}`,
    showAll: (n) => `Alle ${number.format(n)} zeigen`,
  },
  errors: {
    unreachable: 'Der Katalog ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
    bad_response: 'Der Katalog hat unerwartet geantwortet. Versuchen Sie es noch einmal.',
    invalid_credentials: 'Benutzername oder Passwort ist falsch.',
    too_many_attempts: 'Zu viele Versuche. Warten Sie einen Moment, und versuchen Sie es dann erneut.',
    too_many_requests:
      'Zu viele Anfragen aus Ihrem Netz. Warten Sie einen Moment, und versuchen Sie es noch einmal.',
    token_required: 'Dafür müssen Sie sich anmelden.',
    invalid_token: 'Ihre Anmeldung ist abgelaufen.',
    forbidden: 'Das dürfen Sie nicht.',
    invalid_query: 'Der Katalog versteht diese Suche nicht.',
    invalid_input: 'Der Katalog nimmt diese Werte nicht an.',
    book_not_found: 'Dieses Buch gibt es nicht mehr.',
    not_found: 'Das gibt es nicht mehr.',
    precondition_failed: 'Jemand anderes hat dieses Buch geändert.',
    body_too_large: 'Das ist zu lang für den Katalog.',
    headers_too_large: 'Diese Suche ist zu lang.',
    unavailable:
      'Der Katalog ist ausgelastet oder funktioniert nicht. Versuchen Sie es in einer Minute noch einmal.',
    internal:
      'Im Katalog ist ein Fehler aufgetreten. Sagen Sie es der Person, die ihn betreibt; das Protokoll des Dienstes nennt den Grund.',
    other: 'Das hat nicht geklappt. Versuchen Sie es noch einmal.',
  },
};

/** The texts of what the server renders, for readers without JavaScript. The script of the page does not contain them. */
export const deServer: ServerTexts = {
  list: {
    heading: 'Bücher',
    search: 'Suchen',
    from: 'von',
    to: 'bis',
    count: (count) => (count === 1 ? '1 Buch' : `${number.format(count)} Bücher`),
    untitled: '(ohne Titel)',
    nothingFound: 'Kein Buch gefunden.',
    didYouMean: 'Meinten Sie:',
    remove: 'diesen Filter entfernen',
    nextPage: 'Nächste Seite',
    firstPage: 'Erste Seite',
    pages: 'Seiten',
    allBooks: 'Alle Bücher',
  },
  server: {
    description: 'Ein Katalog von Büchern.',
    needsScript:
      'Diese Seite braucht JavaScript. Ohne geht es mit der Kommandozeile: shelflist login, shelflist list, shelflist add.',
    changesNeedScript: 'Zum Ändern von Büchern melden Sie sich an: Das braucht JavaScript.',
    viewNeedsScript: 'Diese Ansicht braucht JavaScript.',
    invalidQuery: 'Diese Adresse ist ungültig',
    bookNotFound: 'Dieses Buch gibt es nicht',
    notFound: 'Unter dieser Adresse gibt es keine Seite',
    unknownUser: 'Melden Sie sich bei der Website an, zu der dieser Katalog gehört',
    failed:
      'Diese Seite konnte in diesem Browser nicht starten. Aktualisieren Sie ihn, oder nehmen Sie einen anderen.',
    unavailable: 'Der Katalog ist gerade nicht erreichbar',
    tooManyRequests: 'Aus Ihrem Netz kamen zu viele Anfragen',
    tryAgain: 'Versuchen Sie es in einigen Sekunden wieder.',
  },
};

const notRead = 'ab dort wurde nichts gelesen';
const cut: Readonly<Record<Cut['at'], (n: number) => string>> = {
  bibtex: (n) => `der Eintrag nach Datensatz ${n} ist nicht geschlossen`,
  character: () => 'ihr letztes Zeichen ist unvollständig',
  compression: () => 'ihre komprimierten Daten enden mittendrin',
  header: () => 'ihre erste Zeile ist unvollständig, weitere fehlen',
  json: (n) => `ihre Liste ist nach Buch ${n} nicht geschlossen`,
  line: (n) => `Zeile ${n} endet mittendrin`,
  marc: (n) => `Datensatz ${n + 1} endet mittendrin`,
  ris: (n) => `Datensatz ${n} hat keine Zeile ER`,
  xml: (n) => `sie endet nach Datensatz ${n}`,
  xmlRecord: (n) => `Datensatz ${n + 1} ist nicht geschlossen`,
};
const units = { line: 'Zeile', row: 'Zeile', book: 'Buch', record: 'Datensatz' } as const;
const otherKinds: OtherKindTexts = {
  names: {
    xls: 'eine Excel-Datei im Format vor 2007 (.xls) oder mit einem Kennwort',
    xlsb: 'eine binäre Excel-Mappe (.xlsb)',
    locked: 'ein Dokument von LibreOffice mit einem Kennwort',
    excelXml: 'eine Excel-Datei im XML-Format von 2003',
    numbers: 'ein Dokument von Apple Numbers, Pages oder Keynote',
    word: 'ein Word-Dokument',
    openDocument: 'ein Dokument von LibreOffice, das keine Tabelle ist, wie .odt',
    slides: 'eine PowerPoint-Präsentation',
    pdf: 'ein PDF',
    picture: 'ein Bild',
    binary: 'eine Binärdatei',
    epub: 'ein E-Book (EPUB)',
    zip: 'ein ZIP-Archiv',
    archive: 'ein Archiv (RAR, 7z, bzip2 oder xz)',
    database: 'eine Datenbank (SQLite oder Access)',
    onix: 'ONIX',
    pubmed: 'eine Liste von PubMed',
    webOfScience: 'eine Liste von Web of Science',
  },
  advice: {
    save: '; öffnen Sie sie, und speichern Sie sie als .xlsx ohne Kennwort oder als CSV in UTF-8',
    table: ', keine Tabelle von Büchern; speichern Sie Ihre Tabelle als .xlsx oder als CSV in UTF-8',
    one: '; sie ist ein einzelnes Buch, keine Liste von Büchern',
    unpack: '; entpacken Sie die Datei, und importieren Sie, was sie enthält',
    export: '; exportieren Sie die Bücher als CSV in UTF-8 oder als .xlsx',
    ris: '; exportieren Sie die Liste als RIS oder BibTeX',
  },
};
/** What is wrong with a file or a row. */
export const deProblems: ProblemTexts = {
  missing: ({ field }) => `${fields[field]} fehlt`,
  notUnderstood: ({ field, shown }) => `${fields[field]} nicht erkannt: ${shown}`,
  notText: ({ field, shown }) => `${fields[field]} ist kein Text: ${shown}`,
  badByte: ({ field, byte, line, column }) =>
    `${fields[field]} enthält ein Byte, das in der Kodierung der Datei ungültig ist${
      byte === undefined ? '' : ` (0x${byte.toString(16)})`
    }${line === undefined ? '' : `: Zeile ${line}, Spalte ${column}`}`,
  cells: ({ cells, columns }) => `mehr Zellen (${cells}) als Spalten (${columns})`,
  quotes: ({ line, lastLine }) =>
    `ein Anführungszeichen fehlt oder ist zu viel${lastLine > line ? ` (bis Zeile ${lastLine})` : ''}`,
  badIsbn: ({ shown }) => `keine ISBN, oder die Prüfziffer ist falsch: ${shown}`,
  unknownIsbn: ({ isbn }) => `kein Buch mit der ISBN ${isbn} ist bekannt`,
  total: () => 'eine Summe, kein Buch',
  notJson: () => 'kein JSON',
  notObject: () => 'kein Objekt',
  deletedRecord: () => 'als gelöscht gekennzeichnet',
  noTitleField: () => 'kein Titel (Feld 245)',
  recordTooLong: ({ maxBytes }) => `länger als ${maxBytes} Byte`,
  noLeader: () => 'kein Leader',
  recordLength: ({ stated, found }) => `laut Leader ${stated} Byte, tatsächlich ${found}`,
  notUtf8: () => 'der Text ist kein gültiges UTF-8',
  eastAsian: ({ field }) =>
    `${fields[field]} ist chinesisch, japanisch oder koreanisch in MARC-8; wandeln Sie die Datei in UTF-8 um, zum Beispiel mit MarcEdit oder yaz-marcdump -t utf-8`,
  directory: () => 'das Verzeichnis der Felder ist beschädigt',
  directoryMismatch: () => 'das Verzeichnis der Felder passt nicht zu den Feldern',
  braces: () => 'die Klammern passen nicht zusammen',
  entryFields: ({ at }) => `die Felder sind nicht lesbar bei ${JSON.stringify(at)}`,
  macro: ({ field, macro }) => `${field} verwendet ${macro}, das kein @string definiert`,
  macrosTooLong: ({ maxKib }) => `die Makros sind länger als ${maxKib} KiB`,
  crossref: ({ key }) => `crossref verweist auf ${key}; der Eintrag fehlt in der Datei`,
  badId: ({ shown }) => `ungültige id: ${shown}`,
  badRevision: ({ shown }) =>
    `die revision ist beschädigt: ${shown}; leeren Sie die Zelle, um das Buch zu ändern, wie es jetzt ist`,
  unknownId: ({ id }) =>
    `es gibt kein Buch mit der id ${id}; leeren Sie die Zelle, um die Zeile als neues Buch hinzuzufügen`,
  repeatedId: ({ unit, line, file }) =>
    `${units[unit]} ${line}${file === undefined ? '' : ` von ${file}`} hat dieselbe id`,
  conflict: ({ id, now }) =>
    `Buch ${id} wurde seit dem Export geändert: ${now.map(({ field, shown }) => `${fields[field]} ist jetzt ${shown}`).join(', ')}`,
  lostCharacters: ({ field }) =>
    `in ${fields[field]} wurden Zeichen durch „?“ ersetzt; speichern Sie die Datei als „CSV UTF-8“`,
  deletedMeanwhile: ({ id }) =>
    `Buch ${id} wurde inzwischen gelöscht; importieren Sie die Zeile noch einmal, um es hinzuzufügen`,
  refused: ({ message }) => `vom Dienst abgelehnt: ${message}`,

  yearLeftOut: ({ shown }) => `${fields.year} nicht erkannt und leer gelassen: ${shown}`,
  farYear: ({ year }) => `das Jahr liegt weit in der Zukunft: ${year}`,
  shortYear: ({ year }) => `das Jahr hat zwei Ziffern und gilt als das Jahr ${year}`,
  transcription: () => 'in Umschrift gelesen, da die Originalschrift in MARC-8 nicht lesbar ist',
  mergedCell: ({ field }) => `${fields[field]} stammt aus einer verbundenen Zelle`,

  empty: () => 'die Datei ist leer',
  noLookup: () =>
    'das ist eine Liste von ISBNs, und der Dienst schlägt keine Bücher nach; setzen Sie BOOK_LOOKUP in seinen Einstellungen',
  otherKind: ({ kind }) => `dies ist ${describeKind(kind, otherKinds)}`,
  workbook: ({ part }) =>
    `die Arbeitsmappe ist beschädigt (${part}); öffnen Sie sie in einem Tabellenprogramm, und speichern Sie sie neu als .xlsx`,
  workbookTooLarge: () =>
    'die Arbeitsmappe ist größer als 128 MiB oder entpackt größer als 1 GiB, oder eine Zeile ist größer als 16 MiB; speichern Sie das Blatt als „CSV UTF-8“, und importieren Sie das',
  sheets: ({ names }) => `die Datei hat mehrere Blätter: ${listNames(names)}`,
  noSheet: ({ name, names }) =>
    `die Datei hat kein Blatt ${JSON.stringify(name)} mit Zeilen; sie hat: ${listNames(names)}`,
  mixedEncodings: () => 'die Datei mischt UTF-8 und Windows-1252; speichern Sie sie als „CSV UTF-8“',
  severalEncodings: ({ readings }) => `die Kodierung der Datei ist unsicher: ${listReadings(readings)}`,
  encoding: ({ label }) => `unbekannte Kodierung ${label}`,
  compression: ({ detail }) =>
    `die komprimierte Datei ist beschädigt (${detail}); der Rest wurde nicht gelesen`,
  cutOff: ({ at, number: n = 0 }) =>
    `die Datei ist abgeschnitten: ${cut[at](n)}; importieren Sie die ganze Datei, und wählen Sie „Auslassen“, um den Rest hinzuzufügen`,
  header: () => 'die Anführungszeichen der ersten Zeile passen nicht zusammen',
  whiteSpace: () =>
    'die Datei beginnt mit mehr als 16 MiB Leerzeichen und Leerzeilen; sie wurde nicht gelesen',
  tooManyColumns: ({ max }) =>
    `die erste Zeile hat mehr als ${max} Spalten; vielleicht ist das Trennzeichen ein anderes, oder der Datei fehlen die Zeilenenden`,
  rowTooLong: ({ unit, number: n }) =>
    `${unit === 'row' ? 'der Datensatz ab Zeile' : units[unit]} ${n} ist länger als 16 MiB; ein Anführungszeichen oder eine Klammer wurde dort vermutlich nicht geschlossen; ${notRead}`,
  invalidJson: ({ book }) =>
    `nach Buch ${book} ist die Datei kein gültiges JSON mehr; der Rest wurde nicht gelesen`,
  invalidXml: ({ record, detail }) =>
    `nach Datensatz ${record} ist die Datei kein gültiges XML mehr (${detail}); der Rest wurde nicht gelesen`,
  tagTooLong: ({ record }) => `Datensatz ${record} hat ein Element mit mehr als 8 KiB; ${notRead}`,
  fileRecordTooLong: ({ format, record }) =>
    ({
      bibtex: `der Eintrag nach Datensatz ${record} ist länger als 16 MiB; eine Klammer wurde dort vermutlich nicht geschlossen; ${notRead}`,
      other: `Datensatz ${record} ist länger als 16 MiB; ${notRead}`,
      ris: `Datensatz ${record} ist länger als 16 MiB; seine Zeile ER fehlt vermutlich; ${notRead}`,
    })[format],
  otherFormat: ({ format }) =>
    ({
      html: 'die Datei ist eine Webseite ohne Tabelle',
      marc: 'die Datei ist kein MARC21: Sie beginnt nicht mit einem Leader',
      marcxml: 'die Datei ist kein MARCXML: Sie enthält keinen Datensatz',
      ris: 'die Datei ist kein RIS: Keine Zeile beginnt einen Datensatz (TY  - BOOK)',
    })[format],
};
