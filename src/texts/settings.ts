import type { ChangeableSetting } from '../catalogue/changeable-settings.ts';
import type { Language } from './texts.ts';

/** The texts of the settings, in one language. */
export interface SettingsTexts {
  readonly title: string;
  readonly failed: string;
  /** The name of each setting, and what it does. */
  readonly settings: Readonly<Record<ChangeableSetting, readonly [name: string, hint: string]>>;
  /** The choice of the language of each reader. */
  readonly anyLanguage: string;
  readonly sortNames: Readonly<Record<'family' | 'written', string>>;
  readonly lookup: Readonly<Record<'off' | 'openlibrary' | 'other', string>>;
  readonly lookupAddress: string;
  readonly lookupHint: string;
  readonly wrongArticles: string;
  readonly wrongLookup: string;
  readonly refused: string;
  readonly notKept: string;
  readonly fixed: (source: string) => string;
  readonly saving: string;
  readonly saved: string;
  readonly unchanged: string;
  readonly unsaved: string;
  readonly restart: (names: string) => string;
  readonly password: string;
  readonly passwordHint: string;
  readonly others: string;
  readonly othersHint: string;
  readonly noOthers: string;
  readonly qr: (address: string) => string;
  readonly backup: string;
  readonly backupHint: string;
  readonly last: (time: string, days: number) => string;
  readonly none: string;
  readonly due: string;
  readonly unable: string;
  readonly copy: string;
  readonly copying: string;
  readonly copied: string;
  readonly busy: string;
}

/** They load with the script of the later views. */
export const settingsTexts: Readonly<Record<Language, SettingsTexts>> = {
  en: {
    title: 'Settings',
    failed: 'The settings could not be loaded',
    settings: {
      catalogueName: ['Name of the library', 'Shown at the top of the page, in its title and on prints.'],
      pageLanguage: ['Language of the page', 'For readers who have not chosen one in their browser.'],
      publicRead: [
        'Everybody may read the books',
        'Without a login. Changes, the trash and the history still need one.',
      ],
      sortArticles: [
        'Articles that do not count',
        'The order by title ignores these words at the beginning. Separate them with commas: the, a, an',
      ],
      sortNames: ['Order by author', 'Most shelves are in the order of family names.'],
      bookLookup: [
        'Look up books by ISBN',
        'The service then sends the numbers that you type or scan to this source, and nothing else.',
      ],
    },
    anyLanguage: 'That of the reader’s browser',
    sortNames: { family: 'By family name: Austen, Jane', written: 'As it is written: Jane Austen' },
    lookup: { off: 'Off', openlibrary: 'Open Library', other: 'Another source' },
    lookupAddress: 'Address of the source',
    lookupHint: 'An SRU address that begins with https:// and has {isbn} where the number belongs.',
    wrongArticles: 'At most 16 single words of letters, separated by commas.',
    wrongLookup: 'This needs an address that begins with https:// and contains {isbn}.',
    refused: 'The service does not accept one of these values, and has changed nothing.',
    notKept: 'The service could not save the settings. Its log says why.',
    fixed: (source) => `This cannot be changed here: it is set by “${source}”.`,
    saving: 'Saving…',
    saved: 'Saved.',
    unchanged: 'There is nothing to save.',
    unsaved: 'The changes are not saved yet.',
    restart: (names) => `Takes effect when shelflist is restarted: ${names}.`,
    password: 'Password',
    passwordHint: 'Everybody who changes books logs in with it. At least ten characters.',
    others: 'Address for others',
    othersHint: 'Other computers and phones in your network open the catalogue here.',
    noOthers:
      'Only this computer can open the catalogue. To let others in, write HOST=0.0.0.0 into the file .env and restart shelflist.',
    qr: (address) => `QR code of ${address}`,
    backup: 'Backup',
    backupHint:
      'A copy contains all books, the trash and the history. Keep it on another disk or a memory stick.',
    last: (time, days) =>
      days === 0 ? `Last copy: ${time}.` : `Last copy: ${time}, ${days} ${days === 1 ? 'day' : 'days'} ago.`,
    none: 'No copy is known yet.',
    due: 'The last copy of the books is older than 30 days, and books have changed since.',
    unable: 'The books are in another database, which has its own tools for copies.',
    copy: 'Save a copy',
    copying: 'Making the copy…',
    copied:
      'The copy is saved. Move it to another disk or a memory stick. How to bring the books back is in docs/damage.md.',
    busy: 'Another copy is being made. Try again in a moment.',
  },
  de: {
    title: 'Einstellungen',
    failed: 'Die Einstellungen konnten nicht geladen werden',
    settings: {
      catalogueName: ['Name der Bibliothek', 'Steht oben auf der Seite, in ihrem Titel und auf Ausdrucken.'],
      pageLanguage: ['Sprache der Seite', 'Für alle, die in ihrem Browser keine gewählt haben.'],
      publicRead: [
        'Alle dürfen die Bücher lesen',
        'Ohne Anmeldung. Änderungen, Papierkorb und Verlauf brauchen weiterhin eine.',
      ],
      sortArticles: [
        'Artikel, die nicht mitzählen',
        'Die Sortierung nach Titel übergeht diese Wörter am Anfang. Trennen Sie sie durch Kommas: der, die, das',
      ],
      sortNames: ['Sortierung nach Autor', 'In den meisten Regalen stehen die Bücher nach Familiennamen.'],
      bookLookup: [
        'Bücher nach ISBN nachschlagen',
        'Der Dienst sendet dann die Nummern, die Sie tippen oder scannen, an diese Quelle, und sonst nichts.',
      ],
    },
    anyLanguage: 'Die des Browsers',
    sortNames: {
      family: 'Nach Familiennamen: Austen, Jane',
      written: 'Wie er geschrieben ist: Jane Austen',
    },
    lookup: { off: 'Aus', openlibrary: 'Open Library', other: 'Eine andere Quelle' },
    lookupAddress: 'Adresse der Quelle',
    lookupHint: 'Eine SRU-Adresse, die mit https:// beginnt und {isbn} enthält, wo die Nummer hingehört.',
    wrongArticles: 'Höchstens 16 einzelne Wörter aus Buchstaben, durch Kommas getrennt.',
    wrongLookup: 'Nötig ist eine Adresse, die mit https:// beginnt und {isbn} enthält.',
    refused: 'Der Dienst nimmt einen dieser Werte nicht an und hat nichts geändert.',
    notKept: 'Der Dienst konnte die Einstellungen nicht speichern. Den Grund nennt sein Protokoll.',
    fixed: (source) => `Das lässt sich hier nicht ändern: „${source}“ legt es fest.`,
    saving: 'Wird gespeichert …',
    saved: 'Gespeichert.',
    unchanged: 'Es gibt nichts zu speichern.',
    unsaved: 'Die Änderungen sind noch nicht gespeichert.',
    restart: (names) => `Gilt nach einem Neustart von shelflist: ${names}.`,
    password: 'Passwort',
    passwordHint: 'Wer Bücher ändert, meldet sich damit an. Mindestens zehn Zeichen.',
    others: 'Adresse für andere',
    othersHint: 'Andere Computer und Handys in Ihrem Netz öffnen den Katalog hier.',
    noOthers:
      'Nur dieser Computer kann den Katalog öffnen. Damit andere das auch können, schreiben Sie HOST=0.0.0.0 in die Datei .env, und starten Sie shelflist neu.',
    qr: (address) => `QR-Code von ${address}`,
    backup: 'Sicherung',
    backupHint:
      'Eine Kopie enthält alle Bücher, den Papierkorb und den Verlauf. Bewahren Sie sie auf einer anderen Festplatte oder einem USB-Stick auf.',
    last: (time, days) =>
      days === 0
        ? `Letzte Kopie: ${time}.`
        : `Letzte Kopie: ${time}, vor ${days} ${days === 1 ? 'Tag' : 'Tagen'}.`,
    none: 'Noch ist keine Kopie bekannt.',
    due: 'Die letzte Kopie der Bücher ist älter als 30 Tage, und seither haben sich Bücher geändert.',
    unable: 'Die Bücher liegen in einer anderen Datenbank, die eigene Werkzeuge für Sicherungen hat.',
    copy: 'Kopie speichern',
    copying: 'Die Kopie wird erstellt …',
    copied:
      'Die Kopie ist gespeichert. Legen Sie sie auf eine andere Festplatte oder einen USB-Stick. Wie Sie die Bücher zurückholen, steht in docs/damage.md.',
    busy: 'Gerade wird eine andere Kopie erstellt. Versuchen Sie es gleich noch einmal.',
  },
  fr: {
    title: 'Réglages',
    failed: 'Les réglages n’ont pas pu être chargés',
    settings: {
      catalogueName: [
        'Nom de la bibliothèque',
        'Affiché en haut de la page, dans son titre et sur les impressions.',
      ],
      pageLanguage: ['Langue de la page', 'Pour les lecteurs qui n’en ont pas choisi dans leur navigateur.'],
      publicRead: [
        'Tout le monde peut lire les livres',
        'Sans connexion. Les modifications, la corbeille et l’historique en demandent toujours une.',
      ],
      sortArticles: [
        'Articles qui ne comptent pas',
        'Le tri par titre ignore ces mots au début. Séparez-les par des virgules\u202f: le, la, les',
      ],
      sortNames: ['Tri par auteur', 'Par nom de famille, comme sur la plupart des rayons.'],
      bookLookup: [
        'Chercher les livres par ISBN',
        'Le service envoie alors à cette source les numéros que vous tapez ou scannez, et rien d’autre.',
      ],
    },
    anyLanguage: 'Celle du navigateur',
    sortNames: {
      family: 'Par nom de famille\u202f: Austen, Jane',
      written: 'Comme il est écrit\u202f: Jane Austen',
    },
    lookup: { off: 'Désactivé', openlibrary: 'Open Library', other: 'Une autre source' },
    lookupAddress: 'Adresse de la source',
    lookupHint: 'Une adresse SRU qui commence par https:// et contient {isbn} à la place du numéro.',
    wrongArticles: 'Au plus 16 mots simples, séparés par des virgules.',
    wrongLookup: 'Il faut une adresse qui commence par https:// et contient {isbn}.',
    refused: 'Le service n’accepte pas l’une de ces valeurs et n’a rien changé.',
    notKept: 'Le service n’a pas pu enregistrer les réglages. Son journal dit pourquoi.',
    fixed: (source) => `Cela ne peut pas être changé ici\u202f: «\u202f${source}\u202f» le fixe.`,
    saving: 'Enregistrement…',
    saved: 'Enregistré.',
    unchanged: 'Il n’y a rien à enregistrer.',
    unsaved: 'Les modifications ne sont pas encore enregistrées.',
    restart: (names) => `Prend effet au redémarrage de shelflist\u202f: ${names}.`,
    password: 'Mot de passe',
    passwordHint: 'Tous ceux qui modifient des livres se connectent avec lui. Au moins dix caractères.',
    others: 'Adresse pour les autres',
    othersHint: 'Les autres ordinateurs et téléphones de votre réseau ouvrent le catalogue ici.',
    noOthers:
      'Seul cet ordinateur peut ouvrir le catalogue. Pour que d’autres le puissent, écrivez HOST=0.0.0.0 dans le fichier .env et redémarrez shelflist.',
    qr: (address) => `Code QR de ${address}`,
    backup: 'Sauvegarde',
    backupHint:
      'Une copie contient tous les livres, la corbeille et l’historique. Gardez-la sur un autre disque ou une clé USB.',
    last: (time, days) =>
      days === 0
        ? `Dernière copie\u202f: ${time}.`
        : `Dernière copie\u202f: ${time}, il y a ${days} ${days === 1 ? 'jour' : 'jours'}.`,
    none: 'Aucune copie n’est connue pour l’instant.',
    due: 'La dernière copie des livres a plus de 30 jours, et des livres ont changé depuis.',
    unable: 'Les livres sont dans une autre base de données, qui a ses propres outils de copie.',
    copy: 'Enregistrer une copie',
    copying: 'Création de la copie…',
    copied:
      'La copie est enregistrée. Mettez-la sur un autre disque ou une clé USB. docs/damage.md explique comment rétablir les livres.',
    busy: 'Une autre copie est en cours. Réessayez dans un instant.',
  },
  es: {
    title: 'Ajustes',
    failed: 'No se han podido cargar los ajustes',
    settings: {
      catalogueName: [
        'Nombre de la biblioteca',
        'Aparece arriba en la página, en su título y en las impresiones.',
      ],
      pageLanguage: ['Idioma de la página', 'Para quienes no han elegido uno en su navegador.'],
      publicRead: [
        'Todos pueden leer los libros',
        'Sin iniciar sesión. Los cambios, la papelera y el historial siguen requiriéndolo.',
      ],
      sortArticles: [
        'Artículos que no cuentan',
        'El orden por título pasa por alto estas palabras al principio. Sepárelas con comas: el, la, los',
      ],
      sortNames: ['Orden por autor', 'Por apellido, como en la mayoría de los estantes.'],
      bookLookup: [
        'Buscar libros por ISBN',
        'El servicio envía entonces a esta fuente los números que usted escribe o escanea, y nada más.',
      ],
    },
    anyLanguage: 'El del navegador',
    sortNames: { family: 'Por apellido: Austen, Jane', written: 'Como está escrito: Jane Austen' },
    lookup: { off: 'Desactivado', openlibrary: 'Open Library', other: 'Otra fuente' },
    lookupAddress: 'Dirección de la fuente',
    lookupHint: 'Una dirección SRU que empieza por https:// y tiene {isbn} en el lugar del número.',
    wrongArticles: 'Como máximo 16 palabras sueltas, separadas por comas.',
    wrongLookup: 'Hace falta una dirección que empiece por https:// y contenga {isbn}.',
    refused: 'El servicio no acepta uno de estos valores y no ha cambiado nada.',
    notKept: 'El servicio no ha podido guardar los ajustes. Su registro dice por qué.',
    fixed: (source) => `No se puede cambiar aquí: lo fija «${source}».`,
    saving: 'Guardando…',
    saved: 'Guardado.',
    unchanged: 'No hay nada que guardar.',
    unsaved: 'Los cambios aún no están guardados.',
    restart: (names) => `Surte efecto al reiniciar shelflist: ${names}.`,
    password: 'Contraseña',
    passwordHint: 'Quien cambia libros inicia sesión con ella. Diez caracteres como mínimo.',
    others: 'Dirección para los demás',
    othersHint: 'Otros ordenadores y teléfonos de su red abren el catálogo aquí.',
    noOthers:
      'Solo este ordenador puede abrir el catálogo. Para que otros puedan, escriba HOST=0.0.0.0 en el archivo .env y reinicie shelflist.',
    qr: (address) => `Código QR de ${address}`,
    backup: 'Copia de seguridad',
    backupHint:
      'Una copia tiene todos los libros, la papelera y el historial. Guárdela en otro disco o en una memoria USB.',
    last: (time, days) =>
      days === 0
        ? `Última copia: ${time}.`
        : `Última copia: ${time}, hace ${days} ${days === 1 ? 'día' : 'días'}.`,
    none: 'Todavía no se conoce ninguna copia.',
    due: 'La última copia de los libros tiene más de 30 días, y desde entonces han cambiado libros.',
    unable: 'Los libros están en otra base de datos, que tiene sus propias herramientas de copia.',
    copy: 'Guardar una copia',
    copying: 'Creando la copia…',
    copied:
      'La copia está guardada. Llévela a otro disco o a una memoria USB. docs/damage.md explica cómo recuperar los libros.',
    busy: 'Se está haciendo otra copia. Inténtelo de nuevo en un momento.',
  },
};
