/**
 * The column headers of imports by field, best first, in lower case without accents and punctuation.
 *
 * They are those of spreadsheets in English, German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Polish, Czech,
 * Russian, Ukrainian, Romanian, Hungarian, Turkish and Greek, and of the exports of Goodreads, LibraryThing, calibre, goodbooks,
 * BookWyrm, Openreads, StoryGraph, Hardcover, Libib, Book Catalogue, Jelu, Koha and Open Library.
 */
export const titleHeaders = (
  'title, book title, full title, original title, name, book name, titel, buchtitel, titre, titulo, ' +
  'titolo, tytul, titlu, название, заглавие, назва, заголовок, nazev, cim, baslik, kitap adi, τιτλοσ'
).split(', ');

export const authorHeaders = (
  'authors, author, author text, author name, author names, author details, book author, primary ' +
  'author, main author, author s, author first last, author last first, writer, writers, creators, ' +
  'creator, autor, autoren, autor in, autor innen, verfasser, verfasser in, auteur, auteurs, auteur s, ' +
  'autores, autor es, autore, autori, autorzy, автор, авторы, автор ы, автори, schrijver, forfattare, ' +
  'szerzo, szerzok, yazar, yazarlar, συγγραφεασ, author l f, author sort'
).split(', ');

export const yearHeaders = (
  'year, original publication year, first publish year, year first published, original year, ' +
  'publication year, publicationyear, year published, copyrightdate, copyright, copyright year, ' +
  'copyright date, published, year of publication, publish year, release year, publisheddate, published ' +
  'date, publish date, date published, publicationdate, pubdate, pub date, publication date, date of ' +
  'publication, release date, date, jahr, erscheinungsjahr, erscheinungsdatum, veroffentlichungsjahr, ' +
  'annee, annee de publication, annee de parution, date de publication, date de parution, ano, ano de ' +
  'publicacion, ano de edicion, ano de publicacao, ano de edicao, fecha de publicacion, data de ' +
  'publicacao, anno, anno di pubblicazione, data di pubblicazione, rok, rok wydania, rok vydani, год, ' +
  'год издания, год публикации, дата издания, рік, рік видання, an, anul, anul aparitiei, an aparitie, ' +
  'anul publicarii, jaar, jaar van uitgave, publicatiejaar, verschijningsjaar, ar, utgivningsar, ev, ' +
  'kiadas eve, megjelenes eve, yil, yayin yili, basim yili, ετοσ, ετοσ εκδοσησ'
).split(', ');
