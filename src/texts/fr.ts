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

const number = new Intl.NumberFormat('fr');
/** The singular is also that of 0. */
const count = (n: number, one: string, many = `${one}s`) => `${number.format(n)} ${n < 2 ? one : many}`;

const year = (value: number) => (value < 0 ? `${-value} av. J.-C.` : String(value));
const span = (first: number, last: number) =>
  first > 0 ? `${first}–${last}` : last < 0 ? `${-first}–${-last} av. J.-C.` : `${year(first)} à ${last}`;

const fields: Readonly<Record<FieldName, string>> = { title: 'Titre', author: 'Auteur', year: 'Année' };
const missing: Readonly<Record<FieldName, string>> = {
  title: 'Sans titre',
  author: 'Sans auteur',
  year: 'Sans année',
};

/** The texts in French, with narrow no-break spaces inside of quotation marks and before tall punctuation marks. */
export const fr: Texts = {
  language: 'fr',
  number: (n) => number.format(n),
  year,
  fields,
  missing,
  skip: 'Aller aux livres',
  loading: 'Chargement…',
  close: 'Fermer',
  cancel: 'Abandonner',
  save: 'Enregistrer',
  retry: 'Réessayer',
  undo: 'Annuler',
  more: 'Afficher plus',
  dismiss: 'Masquer',
  offline: 'Pas de connexion au catalogue. Votre saisie est conservée.',
  navigation: {
    label: 'Vues',
    menu: 'Menu',
    books: 'Livres',
    stats: 'Graphiques',
    authors: 'Auteurs',
    trash: 'Corbeille',
    activity: 'Activité',
    duplicates: 'Doublons',
    import: 'Importer',
    add: 'Nouveau livre',
    help: 'Raccourcis clavier',
    language: 'Langue',
    logIn: 'Se connecter',
    logOut: 'Se déconnecter',
    account: 'Compte et réglages',
    tidy: 'Mettre en ordre',
    settings: 'Réglages',
  },
  look: {
    theme: { label: 'Couleurs', choices: ['Comme le système', 'Clair', 'Sombre'] },
    density: { label: 'Lignes', choices: ['Aérées', 'Compactes'] },
    keys: { label: 'Raccourcis à une touche', choices: ['Activés', 'Désactivés'] },
  },
  login: {
    title: 'Se connecter',
    again: 'Se reconnecter',
    why: 'Votre session a expiré. Votre travail est conservé et reprendra après la connexion.',
    intro: 'Connectez-vous pour consulter et modifier les livres de ce catalogue.',
    username: 'Nom d’utilisateur',
    password: 'Mot de passe',
    show: 'Afficher le mot de passe',
    where:
      'Si vous avez démarré shelflist par un double-clic, recommencez. Si vous avez saisi une commande, lancez « npx --no-install shelflist open » dans le même dossier. Les deux vous connectent. Le nom d’utilisateur et le mot de passe se trouvent dans le fichier .env de ce dossier.',
    submit: 'Se connecter',
    busy: 'Connexion…',
    done: 'Vous êtes connecté.',
    out: 'Vous êtes déconnecté.',
    oldLink:
      'Ce lien a déjà servi ou date de plus d’une minute. Connectez-vous ici. Le programme de démarrage ou la commande « open » de shelflist crée un nouveau lien.',
  },
  password: {
    title: 'Changer le mot de passe',
  },
  books: {
    title: 'Livres',
    search: 'Rechercher des livres',
    placeholder: 'Titre, auteur, année',
    letter: (letter) => `Commencer par ${letter}`,
    clearSearch: 'Effacer la recherche',
    removeFilter: 'retirer ce filtre',
    filters: 'Filtres',
    author: 'Auteur',
    from: 'À partir de l’année',
    to: 'Jusqu’à l’année',
    yearsReversed: '« À partir de l’année » est postérieur à « Jusqu’à l’année ».',
    widthOf: (name) => `Largeur de la colonne ${name}`,
    widthHint:
      'Faites glisser pour changer la largeur ; ou cliquez, puis cliquez dans l’en-tête où la colonne doit finir. Un double clic rend à toutes les colonnes leur largeur habituelle.',
    only: (what) => `Afficher seulement : ${what}`,
    onlyWithoutYear: 'Seulement les livres sans année',
    clear: 'Tout retirer',
    clearSearchAndFilters: 'Effacer la recherche et les filtres',
    books: (n) => count(n, 'livre'),
    endsHere: (n) =>
      `Le tableau s’arrête ici, après ${number.format(n)} livres. Recherchez, filtrez ou triez pour voir les autres.`,
    found: (n) => (n === 0 ? 'Aucun livre trouvé' : count(n, 'livre trouvé', 'livres trouvés')),
    empty: 'Il n’y a pas encore de livres',
    emptyHint:
      'Déposez ici un fichier de livres, ajoutez le premier livre, ou découvrez le catalogue avec des exemples.',
    addSamples: 'Ajouter 100 livres d’exemple',
    samplesAdded: (n) => count(n, 'livre d’exemple ajouté.', 'livres d’exemple ajoutés.'),
    nothing: 'Aucun livre ne correspond',
    nothingHint: 'Essayez avec moins de mots ou moins de filtres.',
    oneWordHint: 'Vérifiez l’orthographe. Une partie du mot suffit.',
    didYouMean: 'Vouliez-vous dire',
    showing: 'Résultats pour',
    insteadFor: ['Rechercher', 'à la place'],
    parts: (words) =>
      `Aucun livre ne correspond à « ${words} » au début des mots ; voici ceux qui correspondent à l’intérieur des mots.`,
    order: 'Ordre',
    orders: {
      best: 'Les plus pertinents d’abord',
      id: 'Par ordre d’ajout',
      '-id': 'Ajoutés récemment',
      title: 'Titre, de A à Z',
      '-title': 'Titre, de Z à A',
      author: 'Auteur, de A à Z',
      '-author': 'Auteur, de Z à A',
      year: 'Année, anciens d’abord',
      '-year': 'Année, récents d’abord',
    },
    failed: 'Les livres n’ont pas pu être chargés',
    sortBy: (name) => `Trier par ${name.toLowerCase()}`,
    actions: 'Actions',
    saveAs: (format) => `Enregistrer en ${format}`,
    saving: (format) => `Enregistrement des livres en ${format}`,
    saveProgress: (done, total) => `${number.format(done)} sur ${count(total, 'livre')}`,
    saved: (n, format) => `${count(n, 'livre enregistré', 'livres enregistrés')} en ${format}.`,
    tooLargeForHtml:
      'Un fichier HTML contient au plus 10 000 livres. Limitez la liste par une recherche ou des filtres.',
    tooLargeForExcel:
      'Excel ne peut pas contenir ces livres : une feuille peut en contenir 1 048 575, et une cellule 32 767 caractères. Enregistrez-les en CSV.',
    print: 'Imprimer',
    printHint: (n) =>
      `Ceci imprime seulement ${count(n, 'ligne')} à l’écran. Le bouton « Imprimer » imprime tous les livres.`,
    decade: (from) => span(from || 1, from + 9),
    range: (from, to) =>
      from === undefined
        ? to === undefined
          ? ''
          : `jusqu’en ${year(to)}`
        : to === undefined
          ? `à partir de ${year(from)}`
          : span(from, to),
    suggestions: (n) => count(n, 'suggestion'),
    changed: 'La liste a été mise à jour.',
  },
  searches: {
    title: 'Recherches enregistrées',
    save: 'Enregistrer cette recherche sous',
    saved: (name) => `La recherche « ${name} » est enregistrée.`,
    forget: (name) => `Supprimer la recherche enregistrée ${name}`,
  },
  book: {
    title: (id) => `Livre ${id}`,
    open: (title) => `Ouvrir ${title}`,
    number: 'Numéro',
    history: 'Historique',
    noHistory: 'Aucune modification n’est enregistrée.',
    loginForHistory: 'Connectez-vous pour voir l’historique.',
    missing: 'Ce livre n’existe pas',
    missingHint: 'Il a peut-être été supprimé. Les livres supprimés sont dans la corbeille.',
    current: 'Maintenant',
    changes: { updated: 'Modifié', deleted: 'Supprimé', reverted: 'État antérieur restauré' },
    before: 'Avant',
    moreByAuthor: 'Du même auteur',
    previous: 'Livre précédent',
    next: 'Livre suivant',
    moreOfDecade: 'De la même décennie',
    share: 'Partager',
  },
  stats: {
    title: 'Graphiques',
    decades: 'Livres par décennie',
    authors: 'Auteurs les plus représentés',
    years: 'Années',
    books: 'Livres',
    without: 'Sans année',
    about: (n) => `environ ${number.format(n)}`,
    span: (first, last) => (first === last ? year(first) : span(first, last)),
    before: (year) => `Avant ${year}`,
    beforeChrist: 'Avant J.-C.',
    empty: 'Il n’y a rien à compter.',
    failed: 'Les graphiques n’ont pas pu être chargés',
  },
  changing: {
    add: 'Ajouter un livre',
    addAnyway: 'Ajouter quand même',
    added: (title) => `« ${title} » a été ajouté.`,
    show: 'Afficher',
    enterTitle: 'Saisissez un titre.',
    addUntitled: 'Ajouter sans titre',
    addAnother: 'Ajouter ensuite un autre livre',
    pasteRows: 'Coller des lignes',
    notAdded: 'Le nouveau livre n’a pas été ajouté.',
    same: 'Ce livre se trouve peut-être déjà dans le catalogue :',
    edit: 'Modifier',
    editBook: (title) => `Modifier ${title}`,
    saved: (title) => `« ${title} » a été enregistré.`,
    savedMerged: (title) => `« ${title} » a été enregistré, avec ce que quelqu’un d’autre vient de modifier.`,
    notSaved: (title) => `« ${title} » est encore en cours de modification.`,
    goOn: 'Y aller',
    delete: 'Supprimer',
    deleteBook: (title) => `Supprimer ${title}`,
    deletedOne: (title) => `« ${title} » a été supprimé.`,
    deleted: (n) => `${count(n, 'livre supprimé', 'livres supprimés')}.`,
    changed: (n) => `${count(n, 'livre modifié', 'livres modifiés')}.`,
    changedMeanwhile:
      'Quelqu’un d’autre vient de modifier ce livre. Consultez-le, puis supprimez-le de nouveau.',
    undone: 'Annulé.',
    undoneSome: (undone, left) =>
      `Annulé pour ${count(undone, 'livre')} ; modifiés depuis et laissés tels quels : ${number.format(left)}.`,
    wholeNumber: 'Saisissez un nombre entier.',
    restore: 'Restaurer',
    restoreState: (when) => `Restaurer l’état du ${when}`,
    restored: (title) => `« ${title} » a été restauré.`,
    restoreAndSave: 'Restaurer avec mes modifications',
    gone: 'Quelqu’un d’autre a supprimé ce livre. Votre saisie est toujours là.',
  },
  conflict: {
    title: 'Quelqu’un d’autre a modifié ce livre',
    intro:
      'Il a été enregistré pendant que vous le modifiiez. Rien ne sera remplacé avant que vous ne décidiez.',
    mine: 'Ma version',
    theirs: 'L’autre version',
    keepTheirs: 'Garder l’autre version',
    saveMine: 'Enregistrer ma version',
    goOn: 'Continuer la saisie',
  },
  cells: {
    title: 'Coller des cellules',
    tooMany:
      'Rien n’a été copié : certaines de ces lignes ne sont pas chargées. Sélectionnez moins de lignes, ou enregistrez les livres au format Excel.',
    copied: (n) => `${count(n, 'cellule copiée', 'cellules copiées')}.`,
    ask: (cells, books) => `Modifier ${count(cells, 'cellule')} dans ${count(books, 'livre')} ?`,
    undoHint: 'Une seule annulation rétablit tout.',
    nothing: 'Il n’y a rien à modifier.',
    outside: (n) =>
      `Laissé de côté, au-delà du dernier livre ou de la dernière colonne : ${count(n, 'cellule')}.`,
    untitled: (n) =>
      `Laissé de côté, car un livre garde son titre : ${count(n, 'cellule vide', 'cellules vides')}.`,
    notYears: (cells) =>
      `Laissé de côté, car ce n’est pas une année : ${cells.map((each) => `« ${each} »`).join(', ')}.`,
    skipped: (n) => `Modifié entre-temps par quelqu’un d’autre et laissé tel quel : ${count(n, 'livre')}.`,
  },
  many: {
    select: (title) => `Sélectionner ${title}`,
    selectShown: 'Sélectionner tous les livres chargés',
    selected: (n) => count(n, 'livre sélectionné', 'livres sélectionnés'),
    selectAll: (n) => `Sélectionner les ${number.format(n)}`,
    clear: 'Tout désélectionner',
    change: 'Modifier',
    changeTitle: (n) => `Modifier ${count(n, 'livre')}`,
    changeHint: 'Ne remplissez que ce qui est commun à tous. Les champs laissés vides ne changent pas.',
    deleteTitle: (n) => `Supprimer ${count(n, 'livre')} ?`,
    deleteHint: 'Vous pourrez l’annuler, et la corbeille les conserve.',
    listChanged: 'La liste trouve d’autres livres qu’avant. Sélectionnez de nouveau les livres.',
    nothing: 'Remplissez au moins un champ.',
    progress: (done, total) => `${number.format(done)} sur ${number.format(total)}`,
    discard: 'Abandonner votre saisie ?',
  },
  trash: {
    title: 'Corbeille',
    empty: 'La corbeille est vide',
    emptyHint: 'Les livres supprimés apparaissent ici et peuvent être restaurés.',
    failed: 'La corbeille n’a pas pu être chargée',
    deletedAt: 'Supprimé',
  },
  activity: {
    title: 'Activité',
    empty: 'Il ne s’est encore rien passé',
    emptyHint:
      'Les nouveaux livres, les importations, les modifications et les suppressions apparaissent ici et peuvent être annulés.',
    failed: 'L’activité n’a pas pu être chargée',
    created: (n) => count(n, 'livre ajouté', 'livres ajoutés'),
    updated: (n) => count(n, 'livre modifié', 'livres modifiés'),
    deleted: (n) => count(n, 'livre supprimé', 'livres supprimés'),
    reverted: (n) => count(n, 'livre restauré', 'livres restaurés'),
    ofUndo: (what) => `Annulation : ${what}`,
    undoEntry: (what, when) => `Annuler : ${what}, ${when}`,
    nothingToUndo: 'Plus rien à annuler',
    named: (what) => `${what} :`,
    incomplete: (done, total) => `Annulation incomplète : ${number.format(done)} sur ${number.format(total)}`,
    books: 'Afficher les livres',
    others: (n) => `et ${number.format(n)} ${n < 2 ? 'autre' : 'autres'}`,
    undoing: (n) => (n === 0 ? 'Annulation…' : `Annulation… ${count(n, 'livre')}`),
  },
  importing: {
    title: 'Importer',
    intro:
      'Un fichier Excel ou LibreOffice (.xlsx, .ods), une feuille de calcul enregistrée en « CSV UTF-8 », ou un export de Goodreads, LibraryThing ou calibre. Les fichiers JSON, MARC, RIS et BibTeX conviennent aussi, même compressés avec gzip. La première ligne d’une feuille de calcul nomme les colonnes.',
    choose: 'Choisir un fichier',
    drop: 'Déposez un fichier ici, ou',
    dropNow: 'Relâchez le fichier pour le lire',
    paste: 'Ou collez des lignes',
    pasteHint: 'Copiez les lignes dans votre feuille de calcul, avec la ligne des noms de colonnes.',
    pasted: 'Lignes collées',
    read: 'Aperçu',
    reading: (name) => `Lecture de ${name}`,
    preview: 'Aperçu',
    source: (name, rows) => `${name} : ${count(rows, 'ligne')}`,
    sheet: 'Feuille',
    format: 'Format',
    formatByContent: 'Reconnu par son contenu',
    encoding: 'Codage des caractères',
    chooseEncoding: 'Choisir…',
    uncertainEncoding:
      'Choisissez la ligne dont les lettres sont justes : le fichier ne dit pas comment ses lettres sont enregistrées.',
    noRevisions:
      'Le fichier n’a pas de colonne « revision ». Ne modifiez des livres que si l’aperçu montre vos propres modifications : le fichier peut être plus ancien que les livres, ou venir d’un autre catalogue.',
    match: 'Ce fichier a été exporté d’ici',
    matches: {
      change: ['Modifier les livres de ce fichier', 'Seul ce qui a été modifié est écrit.'],
      add: ['Ajouter comme nouveaux livres', 'La colonne « id » est ignorée.'],
    },
    comparing: 'Comparaison avec le catalogue…',
    matched: ({ updated, added, unchanged }) =>
      `${count(updated, 'livre')} à modifier, ${number.format(added)} à ajouter, ${number.format(unchanged)} comme dans le catalogue.`,
    startMatched: (updated, added) =>
      added === 0
        ? `Modifier ${count(updated, 'livre')}`
        : updated === 0
          ? `Ajouter ${count(added, 'livre')}`
          : `Modifier ${count(updated, 'livre')} et en ajouter ${number.format(added)}`,
    headerLine: (line) => `La ligne ${line} nomme les colonnes ; les lignes au-dessus sont ignorées.`,
    total: 'La dernière ligne ressemble à un total',
    totals: {
      total: ['L’ignorer', 'Elle n’est pas importée.'],
      book: ['C’est un livre', 'Elle est importée comme les autres.'],
    },
    moreColumns: 'Plusieurs colonnes pour un champ',
    parts: { subtitle: 'Sous-titre', volume: 'Tome', firstName: 'Prénom', lastName: 'Nom de famille' },
    headless: 'La première ligne ressemble à un livre',
    firstRow: {
      book: ['C’est un livre', 'Les colonnes n’ont pas de nom.'],
      names: ['Elle nomme les colonnes', 'Elle n’est pas importée.'],
    },
    unused: (names) => `Colonnes laissées de côté : ${names.join(', ')}`,
    columns: 'Associer les colonnes',
    column: (n) => `Colonne ${n}`,
    none: 'Aucune',
    first: (n) => (n === 1 ? 'Le premier livre' : `Les ${number.format(n)} premiers livres`),
    firstChanges: (n) =>
      n < 2 ? 'La première modification' : `Les ${number.format(n)} premières modifications`,
    before: 'avant :',
    after: 'après :',
    duplicates: 'Livres déjà présents dans le catalogue',
    choices: {
      skip: ['Les laisser de côté', 'Seuls les nouveaux livres sont ajoutés.'],
      update: ['Les mettre à jour', 'Le titre et l’auteur prennent l’orthographe du fichier.'],
      add: ['Les ajouter de nouveau', 'Chaque ligne devient un nouveau livre.'],
    },
    same: 'Livres ayant les mêmes titre, auteur et année. La casse, les accents et la ponctuation ne font pas de différence.',
    notBooks: (n) =>
      n < 2
        ? `${n} ligne ne peut pas être importée et sera rejetée`
        : `${number.format(n)} lignes ne peuvent pas être importées et seront rejetées`,
    toCheck: (n) => (n < 2 ? `${n} livre est à vérifier` : `${number.format(n)} livres sont à vérifier`),
    start: (n) => `Importer ${count(n, 'ligne')}`,
    discard: 'Choisir un autre fichier',
    sending: 'Importation en cours…',
    stopping: 'Arrêt en cours…',
    progress: (done, total) => `${number.format(done)} sur ${count(total, 'ligne')}`,
    paused: 'L’importation est interrompue',
    pausedHint: 'Elle reprend là où elle s’est arrêtée. Aucun livre n’est ajouté deux fois.',
    goOn: 'Continuer',
    stop: 'Arrêter ici',
    done: 'Importation terminée',
    stopped: 'Importation arrêtée',
    added: 'Ajoutés',
    updated: 'Mis à jour',
    skipped: 'Doublons laissés de côté',
    rejected: 'Rejetés',
    rejectedRows: 'Lignes rejetées',
    firstOf: (shown, total) => `Début de la liste : ${number.format(shown)} sur ${number.format(total)}.`,
    download: 'Enregistrer les lignes rejetées',
    unsure:
      'La dernière requête est restée sans réponse. Le catalogue l’a peut-être exécutée malgré tout ; « Annuler l’importation » revient aussi là-dessus.',
    nothingNew: 'Le catalogue contient déjà tous ces livres.',
    nothingPasted: 'Collez d’abord des lignes, ou choisissez un fichier.',
    undo: 'Annuler l’importation',
    undoing: 'Annulation…',
    undone: (undone, left) =>
      left === 0
        ? `L’importation est annulée : ${count(undone, 'livre')}.`
        : `L’importation est annulée : ${count(undone, 'livre')} ; modifiés depuis et laissés tels quels : ${number.format(left)}.`,
    again: 'Importer un autre fichier',
    show: 'Afficher les livres',
    units: {
      line: (n) => `Ligne ${n}`,
      row: (n) => `Ligne ${n}`,
      book: (n) => `Livre ${n}`,
      record: (n) => `Notice ${n}`,
    },
    noTitle: 'Choisissez la colonne des titres.',
    cannotRead: (name) => `${name} ne peut pas être lu`,
    nothingChanged: 'Rien n’a été importé.',
    noRows:
      'Il ne contient aucune ligne de livre. La première ligne nomme les colonnes ; les livres la suivent.',
    notLoaded:
      'Une partie de la page n’a pas pu être chargée, ou ne fonctionne pas. Vérifiez votre connexion, et rechargez la page.',
    unreadable:
      'Il a été déplacé, supprimé ou modifié pendant la lecture, ou c’est un dossier. Choisissez-le de nouveau.',
    readInPart: 'Seule une partie du fichier peut être lue',
  },
  authors: {
    title: 'Auteurs',
    order: 'Afficher',
    orders: {
      author: ['Par nom', 'De A à Z'],
      '-count': ['Par nombre de livres', 'Les plus représentés d’abord'],
      variants: ['Variantes', 'Orthographes d’un même nom'],
    },
    search: 'Nom ou partie du nom',
    letters: 'Initiales',
    letter: (letter) => `Noms dont un mot commence par ${letter}`,
    intro:
      'Ces orthographes semblent désigner un même nom. Choisissez-en une pour tous leurs livres. Vous pourrez l’annuler.',
    empty: 'Aucun auteur trouvé',
    noVariants: 'Aucun nom n’a plusieurs orthographes',
    failed: 'Les auteurs n’ont pas pu être chargés',
    computing: (seconds) =>
      `Tous les auteurs sont en train d’être comptés, pour la première fois depuis le démarrage du service. Cela prend environ ${count(seconds, 'seconde')}.`,
    rename: (author) => `Renommer ${author}`,
    newName: 'Nouveau nom',
    renames: (n) =>
      `${count(n, 'livre reçoit', 'livres reçoivent')} le nouveau nom. Une seule annulation rétablit l’ancien.`,
    becomeOne: (author, n) =>
      `${author} existe déjà, avec ${count(n, 'livre')} : les deux ne font plus qu’un.`,
    spellings: (n) => count(n, 'orthographe'),
    join: (n) => `Modifier ${count(n, 'livre')}`,
    joinOf: (n, author) => `Modifier ${count(n, 'livre')} : ${author}`,
  },
  duplicates: {
    title: 'Doublons',
    intro: 'Gardez un livre de chaque groupe, et supprimez les autres. Ils vont dans la corbeille.',
    level: 'Ce qui compte comme doublon',
    levels: {
      same: ['Identiques', 'Titre, auteur et année'],
      year: ['Autre année', 'Même titre et même auteur'],
      typo: ['Faute de frappe', 'Une lettre diffère, ou une année manque'],
    },
    empty: 'Aucun doublon',
    emptyHint: 'Aucun livre ne ressemble à un autre de cette façon.',
    failed: 'Les doublons n’ont pas pu être chargés',
    computing: (seconds) => `Comparaison des livres, encore ${number.format(seconds)} s environ`,
    keep: 'Garder',
    group: (n) => count(n, 'livre semblable', 'livres semblables'),
    merge: (n) => `Supprimer ${n === 1 ? 'l’autre' : `les ${number.format(n)} autres`}`,
    mergeOf: (title) => `doublons de ${title}`,
    merged: (n, id) => `Livre ${id} gardé ; ${count(n, 'doublon supprimé', 'doublons supprimés')}.`,
    changed: 'Un livre de ce groupe vient d’être modifié. Consultez-le, puis réessayez.',
    more: 'Afficher plus',
    number: (id) => `Livre ${id}`,
    showAll: (n) => `Afficher les ${number.format(n)}`,
  },
  errors: {
    unreachable: 'Le catalogue est injoignable. Vérifiez votre connexion.',
    bad_response: 'Le catalogue a donné une réponse inattendue. Réessayez.',
    invalid_credentials: 'Le nom d’utilisateur ou le mot de passe est incorrect.',
    too_many_attempts: 'Trop de tentatives. Patientez un instant, puis réessayez.',
    too_many_requests: 'Trop de requêtes viennent de votre réseau. Patientez un instant, puis réessayez.',
    token_required: 'Connectez-vous pour faire cela.',
    invalid_token: 'Votre session a expiré.',
    forbidden: 'Vous n’avez pas le droit de faire cela.',
    invalid_query: 'Le catalogue ne comprend pas cette recherche.',
    invalid_input: 'Le catalogue n’accepte pas ces valeurs.',
    book_not_found: 'Ce livre n’existe plus.',
    not_found: 'Cela n’existe plus.',
    precondition_failed: 'Quelqu’un d’autre a modifié ce livre.',
    body_too_large: 'C’est trop long pour le catalogue.',
    headers_too_large: 'Cette recherche est trop longue.',
    unavailable: 'Le catalogue est surchargé ou ne fonctionne pas. Réessayez dans une minute.',
    internal:
      'Une erreur est survenue dans le catalogue. Prévenez la personne qui s’en occupe ; le journal du service dit pourquoi.',
    other: 'Cela n’a pas fonctionné. Réessayez.',
  },
};

/** The texts of what the server renders, for readers without JavaScript. The script of the page does not contain them. */
export const frServer: ServerTexts = {
  list: {
    heading: 'Livres',
    search: 'Rechercher',
    from: 'à partir de',
    to: 'jusqu’à',
    count: (n) => count(n, 'livre'),
    untitled: '(sans titre)',
    nothingFound: 'Aucun livre trouvé.',
    didYouMean: 'Vouliez-vous dire :',
    remove: 'retirer ce filtre',
    nextPage: 'Page suivante',
    firstPage: 'Première page',
    pages: 'Pages',
    allBooks: 'Tous les livres',
  },
  server: {
    description: 'Un catalogue de livres.',
    needsScript:
      'Cette page a besoin de JavaScript. Sans lui, la ligne de commande fonctionne : shelflist login, shelflist list, shelflist add.',
    changesNeedScript: 'Pour modifier des livres, connectez-vous : cela nécessite JavaScript.',
    viewNeedsScript: 'Cette vue a besoin de JavaScript.',
    invalidQuery: 'Cette adresse n’est pas valide',
    bookNotFound: 'Ce livre n’existe pas',
    notFound: 'Il n’y a pas de page à cette adresse',
    unknownUser: 'Connectez-vous au site dont fait partie ce catalogue',
    failed: 'Cette page n’a pas pu démarrer dans ce navigateur. Mettez-le à jour, ou essayez-en un autre.',
    unavailable: 'Le catalogue est injoignable pour le moment',
    tooManyRequests: 'Trop de requêtes sont venues de votre réseau',
    tryAgain: 'Réessayez dans quelques secondes.',
  },
};

const nothingRead = 'rien n’a été lu à partir de là';
const ofField: Readonly<Record<FieldName, string>> = {
  title: 'le titre',
  author: 'l’auteur',
  year: 'l’année',
};
const units = {
  line: 'la ligne',
  row: 'la ligne',
  book: 'le livre',
  record: 'la notice',
} as const;
const cut: Readonly<Record<Cut['at'], (n: number) => string>> = {
  bibtex: (n) => `l’entrée qui suit la notice ${n} n’est pas fermée`,
  character: () => 'son dernier caractère est incomplet',
  compression: () => 'ses données compressées s’arrêtent au milieu',
  header: () => 'sa première ligne est incomplète, et aucune autre ne suit',
  json: (n) => `sa liste n’est pas fermée après le livre ${n}`,
  line: (n) => `la ligne ${n} s’arrête au milieu`,
  marc: (n) => `la notice ${n + 1} s’arrête au milieu`,
  ris: (n) => `la notice ${n} n’a pas de ligne ER`,
  xml: (n) => `il s’arrête après la notice ${n}`,
  xmlRecord: (n) => `la notice ${n + 1} n’est pas fermée`,
};

const otherKinds: OtherKindTexts = {
  names: {
    xls: 'un fichier Excel d’avant 2007 (.xls) ou protégé par un mot de passe',
    xlsb: 'un classeur Excel binaire (.xlsb)',
    locked: 'un document de LibreOffice protégé par un mot de passe',
    excelXml: 'un fichier Excel au format XML de 2003',
    numbers: 'un document d’Apple Numbers, Pages ou Keynote',
    word: 'un document Word',
    openDocument: 'un document de LibreOffice qui n’est pas une feuille de calcul, comme .odt',
    slides: 'une présentation PowerPoint',
    pdf: 'un PDF',
    picture: 'une image',
    binary: 'un fichier binaire',
    epub: 'un livre numérique (EPUB)',
    zip: 'une archive ZIP',
    archive: 'une archive (RAR, 7z, bzip2 ou xz)',
    database: 'une base de données (SQLite ou Access)',
    onix: 'de l’ONIX',
    pubmed: 'une liste de PubMed',
    webOfScience: 'une liste de Web of Science',
  },
  advice: {
    save: ' ; ouvrez-le et enregistrez-le en .xlsx sans mot de passe, ou en CSV UTF-8',
    table: ', pas un tableau de livres ; enregistrez votre tableau en .xlsx ou en CSV UTF-8',
    one: ' ; c’est un seul livre, pas une liste de livres',
    unpack: ' ; décompressez-la et importez le fichier qu’elle contient',
    export: ' ; exportez les livres en CSV UTF-8 ou en .xlsx',
    ris: ' ; exportez la liste en RIS ou en BibTeX',
  },
};
/** What is wrong with a file or a row. */
export const frProblems: ProblemTexts = {
  missing: ({ field }) => `il manque ${ofField[field]}`,
  notUnderstood: ({ field, shown }) => `${ofField[field]} n’est pas compréhensible : ${shown}`,
  notText: ({ field, shown }) => `${ofField[field]} n’est pas un texte : ${shown}`,
  badByte: ({ field, byte, line, column }) =>
    `${ofField[field]} contient un octet qui n’est pas valide dans le codage du fichier${
      byte === undefined ? '' : ` (0x${byte.toString(16)})`
    }${line === undefined ? '' : ` : ligne ${line}, colonne ${column}`}`,
  cells: ({ cells, columns }) => `plus de cellules (${cells}) que de colonnes (${columns})`,
  quotes: ({ line, lastLine }) =>
    `un guillemet manque ou est en trop${lastLine > line ? ` (jusqu’à la ligne ${lastLine})` : ''}`,
  badIsbn: ({ shown }) => `ce n’est pas un ISBN, ou sa clé de contrôle est fausse : ${shown}`,
  unknownIsbn: ({ isbn }) => `aucun livre connu n’a l’ISBN ${isbn}`,
  total: () => 'c’est un total, pas un livre',
  notJson: () => 'ce n’est pas du JSON',
  notObject: () => 'ce n’est pas un objet',
  deletedRecord: () => 'marquée comme supprimée',
  noTitleField: () => 'pas de titre (zone 245)',
  recordTooLong: ({ maxBytes }) => `plus de ${maxBytes} octets`,
  noLeader: () => 'pas de label',
  recordLength: ({ stated, found }) => `le label annonce ${stated} octets, mais il y en a ${found}`,
  notUtf8: () => 'le texte n’est pas de l’UTF-8 valide',
  eastAsian: ({ field }) =>
    `${ofField[field]} est en caractères chinois, japonais ou coréens de MARC-8 ; convertissez le fichier en UTF-8, par exemple avec MarcEdit ou yaz-marcdump -t utf-8`,
  directory: () => 'le répertoire des zones est endommagé',
  directoryMismatch: () => 'le répertoire des zones ne correspond pas aux zones',
  braces: () => 'les accolades ne correspondent pas',
  entryFields: ({ at }) => `les champs ne peuvent pas être lus à partir de ${JSON.stringify(at)}`,
  macro: ({ field, macro }) => `${field} utilise ${macro}, qu’aucun @string ne définit`,
  macrosTooLong: ({ maxKib }) => `les macros dépassent ${maxKib} Kio`,
  crossref: ({ key }) => `crossref renvoie à ${key}, que le fichier ne contient pas`,
  badId: ({ shown }) => `id non valide : ${shown}`,
  badRevision: ({ shown }) =>
    `la revision est endommagée : ${shown} ; videz la cellule pour modifier le livre tel qu’il est maintenant`,
  unknownId: ({ id }) =>
    `aucun livre n’a l’id ${id} ; videz la cellule pour ajouter la ligne comme un nouveau livre`,
  repeatedId: ({ unit, line, file }) =>
    `${units[unit]} ${line}${file === undefined ? '' : ` de ${file}`} a le même id`,
  conflict: ({ id, now }) =>
    `le livre ${id} a été modifié depuis l’export : ${now.map(({ field, shown }) => `${ofField[field]} est maintenant ${shown}`).join(', ')}`,
  lostCharacters: ({ field }) =>
    `des caractères ont été remplacés par « ? » dans ${ofField[field]} ; enregistrez le fichier en « CSV UTF-8 »`,
  deletedMeanwhile: ({ id }) =>
    `le livre ${id} a été supprimé entre-temps ; importez de nouveau la ligne pour l’ajouter`,
  refused: ({ message }) => `le service refuse : ${message}`,

  yearLeftOut: ({ shown }) => `${ofField.year} n’est pas compréhensible et reste vide : ${shown}`,
  farYear: ({ year }) => `l’année est loin dans l’avenir : ${year}`,
  shortYear: ({ year }) => `l’année a deux chiffres et est lue comme l’an ${year}`,
  transcription: () => 'lu en transcription, car l’écriture d’origine en MARC-8 n’est pas lisible',
  mergedCell: ({ field }) => `${ofField[field]} vient d’une cellule fusionnée`,

  empty: () => 'le fichier est vide',
  noLookup: () =>
    'c’est une liste d’ISBN, et le service ne recherche pas de livres ; définissez BOOK_LOOKUP dans ses réglages',
  otherKind: ({ kind }) => `c’est ${describeKind(kind, otherKinds)}`,
  workbook: ({ part }) =>
    `le classeur est endommagé (${part}) ; ouvrez-le dans un tableur, et enregistrez-le de nouveau en .xlsx`,
  workbookTooLarge: () =>
    'le classeur dépasse 128 Mio, ou 1 Gio une fois décompressé, ou a une ligne de plus de 16 Mio ; enregistrez sa feuille en « CSV UTF-8 », et importez celle-ci',
  sheets: ({ names }) => `le fichier a plusieurs feuilles : ${listNames(names)}`,
  noSheet: ({ name, names }) =>
    `le fichier n’a pas de feuille ${JSON.stringify(name)} avec des lignes ; il a : ${listNames(names)}`,
  mixedEncodings: () => 'le fichier mélange UTF-8 et Windows-1252 ; enregistrez-le en « CSV UTF-8 »',
  severalEncodings: ({ readings }) => `le codage du fichier est incertain : ${listReadings(readings)}`,
  encoding: ({ label }) => `codage inconnu : ${label}`,
  compression: ({ detail }) => `le fichier compressé est endommagé (${detail}) ; le reste n’a pas été lu`,
  cutOff: ({ at, number: n = 0 }) =>
    `le fichier est tronqué : ${cut[at](n)} ; importez le fichier entier, et choisissez « Les laisser de côté », pour ajouter le reste`,
  header: () => 'les guillemets de la première ligne ne correspondent pas',
  whiteSpace: () => 'le fichier commence par plus de 16 Mio d’espaces et de lignes vides ; il n’a pas été lu',
  tooManyColumns: ({ max }) =>
    `la première ligne a plus de ${max} colonnes ; le séparateur est peut-être un autre, ou les fins de ligne manquent`,
  rowTooLong: ({ unit, number: n }) =>
    `${unit === 'row' ? 'l’enregistrement de la ligne' : units[unit]} ${n} dépasse 16 Mio ; un guillemet ou un crochet n’y est sans doute pas fermé ; ${nothingRead}`,
  invalidJson: ({ book }) =>
    `après le livre ${book}, le fichier n’est plus du JSON valide ; le reste n’a pas été lu`,
  invalidXml: ({ record, detail }) =>
    `après la notice ${record}, le fichier n’est plus du XML valide (${detail}) ; le reste n’a pas été lu`,
  tagTooLong: ({ record }) => `la notice ${record} a une balise de plus de 8 Kio ; ${nothingRead}`,
  fileRecordTooLong: ({ format, record }) =>
    ({
      bibtex: `l’entrée qui suit la notice ${record} dépasse 16 Mio ; une accolade n’y est sans doute pas fermée ; ${nothingRead}`,
      other: `la notice ${record} dépasse 16 Mio ; ${nothingRead}`,
      ris: `la notice ${record} dépasse 16 Mio ; sa ligne ER manque sans doute ; ${nothingRead}`,
    })[format],
  otherFormat: ({ format }) =>
    ({
      html: 'le fichier est une page web sans tableau',
      marc: 'le fichier n’est pas du MARC21 : il ne commence pas par un label',
      marcxml: 'le fichier n’est pas du MARCXML : il ne contient aucune notice',
      ris: 'le fichier n’est pas du RIS : aucune ligne ne commence une notice (TY  - BOOK)',
    })[format],
};
