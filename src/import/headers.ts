// The headers by which an import finds its columns, in about 40 languages and in the exports of many programs.

import type { ColumnPart } from './column-parts.ts';

/** Where an import finds a part. */
interface Headers {
  /** The column headers, best first, folded: in lower case without accents and punctuation. */
  readonly headers: readonly string[];
  /** Headers whose empty cells are filled from the column with another header, if both are present. */
  readonly fallbackHeaders?: Readonly<Record<string, string>>;
  /** Headers whose cells are lists, with what separates their elements. */
  readonly separators?: Readonly<Record<string, string>>;
}

/**
 * The column headers of imports.
 *
 * They are those of spreadsheets, and of the exports of Goodreads, LibraryThing, calibre, goodbooks, BookWyrm, Openreads,
 * StoryGraph, Hardcover, Libib, Book Catalogue, Jelu, Koha, Open Library, inventaire.io, Destiny, LibraryWorld, Douban, Librarika,
 * BookBuddy, CLZ, Delicious Library, Handy Library, Skoob and Babelio.
 */
export const importHeaders: Readonly<Record<ColumnPart, Headers>> = {
  title: {
    headers: (
      'title, book title, full title, original title, book name, titel, buchtitel, titre, titulo, ' +
      'titolo, tytul, titlu, название, заглавие, назва, заголовок, nazev, cim, baslik, kitap adi, ' +
      'τιτλοσ, tittel, nimeke, teoksen nimi, kirjan nimi, 书名, 标题, 書名, 標題, 题名, 題名, 书籍名称, タイトル, 本のタイトル, ' +
      '作品名, 제목, 책제목, 도서명, 서명, 책 이름, العنوان, عنوان, عنوان الكتاب, اسم الكتاب, نام ' +
      'کتاب, שם הספר, כותר, כותרת, शीर्षक, पुस्तक का नाम, naslov, naslov knjige, nazov, titol, ' +
      'pealkiri, nosaukums, pavadinimas, titill, ten sach, nhan de, judul, judul buku, ชื่อเรื่อง, ' +
      'ชื่อหนังสือ, наслов, edition title, works titles, title of book, title of the book, boktitel, ' +
      'bogtitel, boktittel, titolo del libro, titulo del libro, titulo do livro, titre du livre, nombre ' +
      'del libro, nome do livro, tytul ksiazki, название книги, назва книги, nazev knihy, konyv cime, ' +
      'name'
    ).split(', '),
  },
  subtitle: {
    headers: (
      'subtitle, sub title, edition subtitle, untertitel, sous titre, subtitulo, sottotitolo, ' +
      'ondertitel, undertitel, undertittel, alaotsikko, alanimeke, podtytul, podtitul, podnaslov, ' +
      'подзаголовок, підзаголовок, subtitlu, alcim, alt baslik, υποτιτλοσ, 副标题, 副標題, 副書名, サブタイトル, 副題, ' +
      '부제, 부제목, العنوان الفرعي, כותרת משנה, subjudul, remainder of title, other title information'
    ).split(', '),
  },
  volume: {
    headers: (
      'volume, volume number, vol, part, part number, volume title, band, bandnummer, tome, tomo, ' +
      'volumen, deel, том, 卷, 册, 巻, 권'
    ).split(', '),
  },
  author: {
    headers: (
      'authors, author, author text, author name, author names, author details, book author, primary ' +
      'author, main author, author s, author first last, author last first, writer, writers, creators, ' +
      'creator, autor, autoren, autor in, autor innen, verfasser, verfasser in, auteur, auteurs, auteur ' +
      's, autores, autor es, autore, autori, autorzy, автор, авторы, автор ы, автори, schrijver, ' +
      'forfattare, szerzo, szerzok, yazar, yazarlar, συγγραφεασ, author l f, author sort, forfatter, ' +
      'forfattere, tekija, tekijat, kirjailija, kirjoittaja, 作者, 著者, 著者名, 作者名, 著, 저자, 지은이, ' +
      '글쓴이, 작가, المؤلف, المؤلفون, اسم المؤلف, الكاتب, نویسنده, מחבר, מחברים, המחבר, שם ' +
      'המחבר, סופר, लेखक, avtor, avtorji, pisac, autors, autorius, hofundur, tac gia, penulis, ' +
      'pengarang, ผู้แต่ง, аутор, писац, authors labels, auth, author full name, name of author, last ' +
      'name first name, first name last name, author last name first name, author last name first, ' +
      'auteurs et autrices, autrice, auteur trice, autor ka, forfatter e, forfattarna, verfassername, ' +
      'autorenname, verfasser innen, nom de l auteur, nom de lauteur, nome dellautore, nombre del autor, nome do autor, nome dell ' +
      'autore, naam auteur, autorzy i redaktorzy, автор книги'
    ).split(', '),
    separators: { 'author details': '|' },
  },
  firstName: {
    headers: (
      'first name, firstname, first names, given name, given names, forename, forenames, middle name, ' +
      'middle initial, vorname, vornamen, prenom, prenoms, nombre, nombres, nome, voornaam, voornamen, ' +
      'fornamn, fornavn, etunimi, imie, jmeno, krestni jmeno, ime, имя, имя автора, ім я, keresztnev, ' +
      'prenume, ad, isim, ονομα, 名'
    ).split(', '),
  },
  lastName: {
    headers: (
      'last name, lastname, last names, family name, surname, surnames, nachname, familienname, zuname, ' +
      'nom, nom de famille, apellido, apellidos, cognome, achternaam, efternamn, efternavn, etternavn, ' +
      'sukunimi, nazwisko, prijmeni, prezime, priimek, фамилия, фамилия автора, прізвище, sobrenome, ' +
      'apelido, vezeteknev, nume, nume de familie, soyad, soyadi, επωνυμο, 姓'
    ).split(', '),
  },
  year: {
    headers: (
      'year, original publication year, first publish year, year first published, original year, ' +
      'publication year, publicationyear, year published, copyrightdate, copyright, copyright year, ' +
      'copyright date, published, year of publication, publish year, release year, publisheddate, ' +
      'published date, publish date, date published, publicationdate, pubdate, pub date, publication ' +
      'date, date of publication, release date, publishing release date, date, jahr, erscheinungsjahr, erscheinungsdatum, ' +
      'veroffentlichungsjahr, annee, annee de publication, annee de parution, date de publication, date ' +
      'de parution, ano, ano de publicacion, ano de edicion, ano de publicacao, ano de edicao, fecha de ' +
      'publicacion, data de publicacao, anno, anno di pubblicazione, data di pubblicazione, rok, rok ' +
      'wydania, rok vydani, год, год издания, год публикации, дата издания, рік, рік видання, an, anul, ' +
      'anul aparitiei, an aparitie, anul publicarii, jaar, jaar van uitgave, publicatiejaar, ' +
      'verschijningsjaar, ar, utgivningsar, ev, kiadas eve, megjelenes eve, yil, yayin yili, basim ' +
      'yili, ετοσ, ετοσ εκδοσησ, pub year, pub yr, yr, publ year, year pub, publishing year, year of ' +
      'pub, date of pub, date pub, copyright yr, c year, c date, cdate, edition publication date, ' +
      'edition date, year of issue, udgivelsesar, udgivet, udgivelsesdato, utgivelsesar, utgitt, ' +
      'utgivelsesdato, utgiven, arstal, artal, arstall, trykkear, julkaisuvuosi, vuosi, painovuosi, ' +
      'ilmestymisvuosi, 出版年, 出版年份, 出版日期, 出版时间, 出版時間, 年份, 年, 出版年月, 発行年, 発行日, 発行年月, 発売日, 出版日, 刊行年, 刊行年月, ' +
      '출판년도, 출판연도, 출판년, 출판일, 발행년, 발행년도, 발행연도, 발행일, ' +
      '출간일, 출간년도, 연도, 년도, السنة, سنة النشر, تاريخ النشر, سنة الإصدار, تاريخ ' +
      'الإصدار, سال, سال انتشار, שנה, שנת הוצאה, שנת הוצאה לאור, שנת פרסום, वर्ष, प्रकाशन वर्ष, ' +
      'godina, godina izdanja, leto, leto izdaje, leto izida, година, година издања, година на ' +
      'издаване, any, any de publicacio, aasta, ilmumisaasta, gads, izdosanas gads, metai, leidimo ' +
      'metai, utgafuar, nam, nam xuat ban, tahun, tahun terbit, ปี, ปีที่พิมพ์, rok vydania, ano ' +
      'publicacao, publicado, publicado en, anno edizione, anno pubblicazione, data pubblicazione, ' +
      'annee publication, annee d edition, annee dedition, date dedition, annee edition, date d edition, date parution, parution, ' +
      'publie, druckjahr, publikationsjahr, publikationsdatum, jahr der veroffentlichung, ' +
      'veroffentlicht, veroffentlichung, uitgavejaar, year first publ, first published, original ' +
      'publication date, original date published, original year published, annee de la premiere ' +
      'publication'
    ).split(', '),
    // Goodreads leaves the first empty where it does not know it; the second is the year of the edition.
    fallbackHeaders: { 'original publication year': 'year published' },
  },
};

/** The headers of columns with further authors. */
export const coauthorHeaders: readonly string[] = (
  'co author, coauthor, co authors, coauthors, other authors, further authors, mitautor, ' +
  'mitautoren, weitere autoren, weitere verfasser, coauteur, coauteurs, co auteur, co auteurs, ' +
  'autres auteurs, coautor, coautores, otros autores, outros autores, coautore, coautori, altri ' +
  'autori, medforfatter, medforfattere, medforfattare, wspolautor, wspolautorzy, spoluautor, ' +
  'соавтор, соавторы, 合著者, 共著者'
).split(', ');

/** The headers of columns that tell the series of a book: a volume beside them is not part of the title. */
export const seriesHeaders: readonly string[] =
  'series, series name, series title, serie, reihe, collection, coleccion, colecao, collana, cykl, reeks, серия'.split(
    ', ',
  );
