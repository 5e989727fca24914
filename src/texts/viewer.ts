import type { Language } from './texts.ts';

/** The texts of a catalogue in one file, in one language. */
export interface ViewerTexts {
  readonly search: string;
  readonly placeholder: string;
  readonly books: (count: number, number: string) => string;
  readonly nothing: string;
  readonly sortBy: (column: string) => string;
  readonly bestFirst: string;
  readonly more: string;
  readonly untitled: string;
  readonly beforeChrist: (year: string) => string;
  readonly fields: Readonly<Record<'title' | 'author' | 'year', string>>;
  /** When the file was made. */
  readonly asOf: (day: string) => string;
  readonly needsScript: string;
}

export const viewerTexts: Readonly<Record<Language, ViewerTexts>> = {
  en: {
    search: 'Search books',
    placeholder: 'Title, author, year',
    books: (count, number) => `${number} ${count === 1 ? 'book' : 'books'}`,
    nothing: 'No book was found. Try fewer words.',
    sortBy: (column) => `Sort by ${column}`,
    bestFirst: 'best match first',
    more: 'Show more',
    untitled: 'Untitled',
    beforeChrist: (year) => `${year} BC`,
    fields: { title: 'Title', author: 'Author', year: 'Year' },
    asOf: (day) => `As of ${day}`,
    needsScript: 'This catalogue needs JavaScript.',
  },
  de: {
    search: 'Bücher suchen',
    placeholder: 'Titel, Autor, Jahr',
    books: (count, number) => `${number} ${count === 1 ? 'Buch' : 'Bücher'}`,
    nothing: 'Kein Buch gefunden. Versuchen Sie weniger Wörter.',
    sortBy: (column) => `Sortieren nach ${column}`,
    bestFirst: 'beste Treffer zuerst',
    more: 'Mehr anzeigen',
    untitled: 'Ohne Titel',
    beforeChrist: (year) => `${year} v. Chr.`,
    fields: { title: 'Titel', author: 'Autor', year: 'Jahr' },
    asOf: (day) => `Stand: ${day}`,
    needsScript: 'Dieser Katalog braucht JavaScript.',
  },
  fr: {
    search: 'Rechercher des livres',
    placeholder: 'Titre, auteur, année',
    books: (count, number) => `${number} ${count < 2 ? 'livre' : 'livres'}`,
    nothing: 'Aucun livre trouvé. Essayez avec moins de mots.',
    sortBy: (column) => `Trier par ${column.toLowerCase()}`,
    bestFirst: 'les plus pertinents d’abord',
    more: 'Afficher plus',
    untitled: 'Sans titre',
    beforeChrist: (year) => `${year} av. J.-C.`,
    fields: { title: 'Titre', author: 'Auteur', year: 'Année' },
    asOf: (day) => `État au ${day}`,
    needsScript: 'Ce catalogue a besoin de JavaScript.',
  },
  es: {
    search: 'Buscar libros',
    placeholder: 'Título, autor, año',
    books: (count, number) => `${number} ${count === 1 ? 'libro' : 'libros'}`,
    nothing: 'No se encontró ningún libro. Pruebe con menos palabras.',
    sortBy: (column) => `Ordenar por ${column.toLowerCase()}`,
    bestFirst: 'los más relevantes primero',
    more: 'Mostrar más',
    untitled: 'Sin título',
    beforeChrist: (year) => `${year} a. C.`,
    fields: { title: 'Título', author: 'Autor', year: 'Año' },
    asOf: (day) => `Datos del ${day}`,
    needsScript: 'Este catálogo necesita JavaScript.',
  },
};
