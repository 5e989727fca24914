// Books to try the catalogue with.
import type { BookFields } from '../../catalogue/book.ts';

/** Classics that are in the public domain: author, then titles with the year of their first publication. */
const classics = `
Jane Austen|Sense and Sensibility 1811|Pride and Prejudice 1813|Emma 1815|Persuasion 1817
Mary Shelley|Frankenstein; or, The Modern Prometheus 1818
Charlotte Brontë|Jane Eyre 1847
Emily Brontë|Wuthering Heights 1847
Anne Brontë|The Tenant of Wildfell Hall 1848
Charles Dickens|Oliver Twist 1838|A Christmas Carol 1843|David Copperfield 1850|A Tale of Two Cities 1859|Great Expectations 1861
William Makepeace Thackeray|Vanity Fair 1848
George Eliot|Silas Marner 1861|Middlemarch 1871
Lewis Carroll|Alice’s Adventures in Wonderland 1865|Through the Looking-Glass 1871
Robert Louis Stevenson|Treasure Island 1883|Strange Case of Dr Jekyll and Mr Hyde 1886
Bram Stoker|Dracula 1897
Oscar Wilde|The Picture of Dorian Gray 1890
H. G. Wells|The Time Machine 1895|The War of the Worlds 1898
Rudyard Kipling|The Jungle Book 1894|Kim 1901
Joseph Conrad|Heart of Darkness 1899
Thomas Hardy|Tess of the d’Urbervilles 1891
Arthur Conan Doyle|A Study in Scarlet 1887|The Hound of the Baskervilles 1902
Kenneth Grahame|The Wind in the Willows 1908
Virginia Woolf|Mrs Dalloway 1925|To the Lighthouse 1927
Daniel Defoe|Robinson Crusoe 1719
Jonathan Swift|Gulliver’s Travels 1726
Laurence Sterne|The Life and Opinions of Tristram Shandy, Gentleman 1759
Herman Melville|Moby-Dick; or, The Whale 1851
Nathaniel Hawthorne|The Scarlet Letter 1850
Henry David Thoreau|Walden; or, Life in the Woods 1854
Harriet Beecher Stowe|Uncle Tom’s Cabin 1852
Louisa May Alcott|Little Women 1868
Mark Twain|The Adventures of Tom Sawyer 1876|Adventures of Huckleberry Finn 1884
Henry James|The Portrait of a Lady 1881
Jack London|The Call of the Wild 1903
Edith Wharton|The Age of Innocence 1920
F. Scott Fitzgerald|The Great Gatsby 1925
L. M. Montgomery|Anne of Green Gables 1908
Johann Wolfgang von Goethe|Die Leiden des jungen Werthers 1774|Faust. Eine Tragödie 1808
Friedrich Schiller|Die Räuber 1781
Heinrich von Kleist|Michael Kohlhaas 1810
E. T. A. Hoffmann|Der Sandmann 1816
Joseph von Eichendorff|Aus dem Leben eines Taugenichts 1826
Annette von Droste-Hülshoff|Die Judenbuche 1842
Johanna Spyri|Heidis Lehr- und Wanderjahre 1880
Theodor Storm|Der Schimmelreiter 1888
Theodor Fontane|Effi Briest 1895
Thomas Mann|Buddenbrooks 1901|Der Tod in Venedig 1912
Franz Kafka|Die Verwandlung 1915|Der Process 1925
Madame de La Fayette|La Princesse de Clèves 1678
Voltaire|Candide, ou l’Optimisme 1759
Stendhal|Le Rouge et le Noir 1830
Victor Hugo|Notre-Dame de Paris 1831|Les Misérables 1862
George Sand|Indiana 1832
Honoré de Balzac|Le Père Goriot 1835
Alexandre Dumas|Les Trois Mousquetaires 1844
Gustave Flaubert|Madame Bovary 1857
Charles Baudelaire|Les Fleurs du mal 1857
Jules Verne|Vingt mille lieues sous les mers 1870
Émile Zola|Germinal 1885
Guy de Maupassant|Bel-Ami 1885
Marcel Proust|Du côté de chez Swann 1913
|Lazarillo de Tormes 1554
Miguel de Cervantes|Don Quijote de la Mancha 1605
Leopoldo Alas|La Regenta 1884
Benito Pérez Galdós|Fortunata y Jacinta 1887
Miguel de Unamuno|Niebla 1914
Niccolò Machiavelli|Il Principe 1532
Alessandro Manzoni|I promessi sposi 1827
Giovanni Verga|I Malavoglia 1881
Carlo Collodi|Le avventure di Pinocchio 1883
Luís de Camões|Os Lusíadas 1572
Eça de Queirós|Os Maias 1888
Machado de Assis|Dom Casmurro 1899
Александр Пушкин|Евгений Онегин 1833
Николай Гоголь|Мёртвые души 1842
Фёдор Достоевский|Преступление и наказание 1866|Братья Карамазовы 1880
Лев Толстой|Война и мир 1869|Анна Каренина 1878
Hans Christian Andersen|Eventyr, fortalte for Børn 1835
Adam Mickiewicz|Pan Tadeusz 1834
Multatuli|Max Havelaar 1860
Henrik Ibsen|Et dukkehjem 1879
Selma Lagerlöf|Gösta Berlings saga 1891
夏目漱石|吾輩は猫である 1905
`;

/** A hundred books, the oldest first. */
export const sampleBooks: readonly BookFields[] = classics
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [author = '', ...titles] = line.split('|');
    return titles.map((each) => ({ title: each.slice(0, -5), author, year: Number(each.slice(-4)) }));
  })
  .sort((a, b) => a.year - b.year);
