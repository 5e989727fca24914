import type { Language } from './texts.ts';

/** The texts of the lookup by ISBN, in one language. */
export interface IsbnTexts {
  readonly isbn: string;
  readonly lookUp: string;
  readonly hint: string;
  readonly wrong: string;
  readonly unknown: string;
  readonly scanMany: string;
  readonly scanHint: string;
  readonly add: string;
  readonly addAnyway: string;
  readonly retry: string;
  readonly undoAll: string;
  readonly close: string;
  readonly states: Readonly<Record<'waiting' | 'added' | 'present' | 'unknown' | 'wrong' | 'failed', string>>;
  readonly again: (isbn: string) => string;
  readonly counts: (added: number, left: number) => string;
  readonly undone: string;
}

/** They load with the script that looks books up. */
export const isbnTexts: Readonly<Record<Language, IsbnTexts>> = {
  en: {
    isbn: 'ISBN',
    lookUp: 'Look up',
    hint: 'Type or scan the number: title, author and year are filled in.',
    wrong: 'This is not an ISBN, or a digit is wrong.',
    unknown: 'No book is known with this ISBN. Type its title below.',
    scanMany: 'Scan many',
    scanHint:
      'Scan a number, or type it and press Enter; then the next. Each book is added at once. You can also paste a list.',
    add: 'Add',
    addAnyway: 'Add anyway',
    retry: 'Try again',
    undoAll: 'Undo all',
    close: 'Close',
    states: {
      waiting: 'Looking it up…',
      added: 'Added',
      present: 'The catalogue has this book already',
      unknown: 'Not known: type its title',
      wrong: 'Not an ISBN, or a digit is wrong',
      failed: 'It could not be looked up',
    },
    again: (isbn) => `${isbn} is in the list already.`,
    counts: (added, left) => `${added} ${added === 1 ? 'book' : 'books'} added, ${left} to be looked at`,
    undone: 'Undone.',
  },
  de: {
    isbn: 'ISBN',
    lookUp: 'Nachschlagen',
    hint: 'Tippen oder scannen Sie die Nummer: Titel, Autor und Jahr werden ausgefüllt.',
    wrong: 'Das ist keine ISBN, oder eine Ziffer ist falsch.',
    unknown: 'Mit dieser ISBN ist kein Buch bekannt. Tippen Sie unten den Titel.',
    scanMany: 'Viele scannen',
    scanHint:
      'Scannen Sie eine Nummer, oder tippen Sie sie und drücken Sie Enter; dann die nächste. Jedes Buch wird sofort hinzugefügt. Sie können auch eine Liste einfügen.',
    add: 'Hinzufügen',
    addAnyway: 'Trotzdem hinzufügen',
    retry: 'Noch einmal versuchen',
    undoAll: 'Alles rückgängig machen',
    close: 'Schließen',
    states: {
      waiting: 'Wird nachgeschlagen …',
      added: 'Hinzugefügt',
      present: 'Der Katalog hat dieses Buch schon',
      unknown: 'Nicht bekannt: Tippen Sie den Titel',
      wrong: 'Keine ISBN, oder eine Ziffer ist falsch',
      failed: 'Konnte nicht nachgeschlagen werden',
    },
    again: (isbn) => `${isbn} steht schon in der Liste.`,
    counts: (added, left) =>
      `${added} ${added === 1 ? 'Buch' : 'Bücher'} hinzugefügt, ${left} noch anzusehen`,
    undone: 'Rückgängig gemacht.',
  },
  fr: {
    isbn: 'ISBN',
    lookUp: 'Rechercher',
    hint: 'Tapez ou scannez le numéro : titre, auteur et année sont remplis.',
    wrong: 'Ce n’est pas un ISBN, ou un chiffre est faux.',
    unknown: 'Aucun livre connu n’a cet ISBN. Tapez son titre ci-dessous.',
    scanMany: 'En scanner plusieurs',
    scanHint:
      'Scannez un numéro, ou tapez-le puis Entrée ; ensuite le suivant. Chaque livre est ajouté aussitôt. Vous pouvez aussi coller une liste.',
    add: 'Ajouter',
    addAnyway: 'Ajouter quand même',
    retry: 'Réessayer',
    undoAll: 'Tout annuler',
    close: 'Fermer',
    states: {
      waiting: 'Recherche…',
      added: 'Ajouté',
      present: 'Le catalogue a déjà ce livre',
      unknown: 'Inconnu : tapez son titre',
      wrong: 'Pas un ISBN, ou un chiffre est faux',
      failed: 'La recherche a échoué',
    },
    again: (isbn) => `${isbn} est déjà dans la liste.`,
    counts: (added, left) => `${added} ${added > 1 ? 'livres ajoutés' : 'livre ajouté'}, ${left} à regarder`,
    undone: 'Annulé.',
  },
  es: {
    isbn: 'ISBN',
    lookUp: 'Buscar',
    hint: 'Escriba o escanee el número: se rellenan título, autor y año.',
    wrong: 'No es un ISBN, o un dígito es incorrecto.',
    unknown: 'No se conoce ningún libro con este ISBN. Escriba su título abajo.',
    scanMany: 'Escanear varios',
    scanHint:
      'Escanee un número, o escríbalo y pulse Intro; luego el siguiente. Cada libro se añade enseguida. También puede pegar una lista.',
    add: 'Añadir',
    addAnyway: 'Añadir de todos modos',
    retry: 'Reintentar',
    undoAll: 'Deshacer todo',
    close: 'Cerrar',
    states: {
      waiting: 'Buscando…',
      added: 'Añadido',
      present: 'El catálogo ya tiene este libro',
      unknown: 'No se conoce: escriba su título',
      wrong: 'No es un ISBN, o un dígito es incorrecto',
      failed: 'No se pudo buscar',
    },
    again: (isbn) => `${isbn} ya está en la lista.`,
    counts: (added, left) =>
      `${added} ${added === 1 ? 'libro añadido' : 'libros añadidos'}, ${left} por revisar`,
    undone: 'Deshecho.',
  },
};
