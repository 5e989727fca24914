// Titles and authors in twenty languages, and the encodings in which programs write them.

/** Books of a language, their parts separated by `|`. */
export interface Shelf {
  readonly encodings: readonly string[];
  readonly titles: readonly string[];
  readonly authors: readonly string[];
}

const shelf = (encodings: string, titles: string, authors: string): Shelf => ({
  encodings: encodings.split(' '),
  titles: titles.split('|'),
  authors: authors.split('|'),
});

export const shelves: Readonly<Record<string, Shelf>> = {
  de: shelf(
    'windows-1252 iso-8859-15 macintosh cp850 cp437 windows-1250',
    'Die Verwandlung|Der Prozeß|Die Blechtrommel|Über den Umgang mit Menschen|Das Parfum|Die unendliche Geschichte|Der Zauberberg|Effi Briest|Die Leiden des jungen Werther|Jugend ohne Gott|Der Schimmelreiter|Die Räuber|Das Glasperlenspiel|Ansichten eines Clowns|Der Vorleser|Drei Männer im Schnee|Tintenherz|Mädchen in Uniform|Schuld und Sühne|Kleider machen Leute|Die Buddenbrooks|Das fliegende Klassenzimmer|Krabat|Momo|Gedichte und Balladen|Der kleine Hobbit|Jäger und Sammler|Kochbuch für Anfänger|Österreichische Küche|Die Prüfung|Wörterbuch der Gegenwart|Straße der Ölsardinen',
    'Franz Kafka|Günter Grass|Adolph Freiherr Knigge|Patrick Süskind|Michael Ende|Thomas Mann|Theodor Fontane|Johann Wolfgang von Goethe|Ödön von Horváth|Theodor Storm|Friedrich Schiller|Hermann Hesse|Heinrich Böll|Bernhard Schlink|Erich Kästner|Cornelia Funke|Jürgen Müller|Otfried Preußler|Annette von Droste-Hülshoff|Elfriede Jelinek|Herta Müller|Christa Wolf',
  ),
  fr: shelf(
    'windows-1252 iso-8859-15 macintosh cp850 cp437',
    "Les Misérables|L’Étranger|Le Petit Prince|À la recherche du temps perdu|Madame Bovary|Germinal|Le Rouge et le Noir|Vingt mille lieues sous les mers|La Peste|Bonjour tristesse|Le Père Goriot|Notre-Dame de Paris|Candide|L'Écume des jours|Les Fleurs du mal|Thérèse Raquin|Le Deuxième Sexe|La Nausée|Huis clos|Mémoires d'Hadrien|L'Élégance du hérisson|Au bonheur des dames|Le Château de ma mère|La Gloire de mon père|Les Trois Mousquetaires|Le Tour du monde en quatre-vingts jours|Cœur simple|Où es-tu ?|La Bête humaine|Français pour débutants|L'Île mystérieuse|Zadig",
    'Victor Hugo|Albert Camus|Antoine de Saint-Exupéry|Marcel Proust|Gustave Flaubert|Émile Zola|Stendhal|Jules Verne|Françoise Sagan|Honoré de Balzac|Voltaire|Boris Vian|Charles Baudelaire|Simone de Beauvoir|Jean-Paul Sartre|Marguerite Yourcenar|Muriel Barbery|Marcel Pagnol|Alexandre Dumas|Michel Houellebecq|André Gide|François Mauriac|Amélie Nothomb',
  ),
  es: shelf(
    'windows-1252 iso-8859-15 macintosh cp850 cp437',
    'Cien años de soledad|El amor en los tiempos del cólera|La casa de los espíritus|Don Quijote de la Mancha|La sombra del viento|Rayuela|Ficciones|Pedro Páramo|La ciudad y los perros|Crónica de una muerte anunciada|El túnel|Bodas de sangre|La colmena|Nada|Niebla|El señor presidente|Como agua para chocolate|Los detectives salvajes|La regenta|Platero y yo|El otoño del patriarca|Campos de Castilla|Historia de España|¿Quién mató a Palomino Molero?|Lazarillo de Tormes|El corazón helado|Mañana en la batalla piensa en mí|La tía Julia y el escribidor',
    'Gabriel García Márquez|Isabel Allende|Miguel de Cervantes|Carlos Ruiz Zafón|Julio Cortázar|Jorge Luis Borges|Juan Rulfo|Mario Vargas Llosa|Ernesto Sábato|Federico García Lorca|Camilo José Cela|Carmen Laforet|Miguel de Unamuno|Miguel Ángel Asturias|Laura Esquivel|Roberto Bolaño|Leopoldo Alas|Juan Ramón Jiménez|Antonio Machado|Almudena Grandes|Javier Marías',
  ),
  pt: shelf(
    'windows-1252 iso-8859-1 macintosh cp850',
    'Memorial do Convento|Ensaio sobre a Cegueira|Os Maias|Dom Casmurro|Grande Sertão: Veredas|A Hora da Estrela|Capitães da Areia|O Crime do Padre Amaro|Os Lusíadas|Livro do Desassossego|Memórias Póstumas de Brás Cubas|Amor de Perdição|Vidas Secas|O Alquimista|A Paixão segundo G.H.|Terra Sonâmbula|Ficção e história|O Evangelho segundo Jesus Cristo|A Cidade e as Serras|Triste Fim de Policarpo Quaresma|Estação das Chuvas|Três Mulheres|Introdução à Música|O Cortiço',
    'José Saramago|Eça de Queirós|Machado de Assis|João Guimarães Rosa|Clarice Lispector|Jorge Amado|Luís de Camões|Fernando Pessoa|Camilo Castelo Branco|Graciliano Ramos|Paulo Coelho|Mia Couto|Lima Barreto|Sophia de Mello Breyner|António Lobo Antunes|Lídia Jorge|Érico Veríssimo|João Simões|Aluísio Azevedo',
  ),
  it: shelf(
    'windows-1252 macintosh cp850',
    "Il nome della rosa|Se questo è un uomo|La coscienza di Zeno|Il Gattopardo|Il barone rampante|Le città invisibili|I promessi sposi|La divina commedia|Uno, nessuno e centomila|Il fu Mattia Pascal|Cristo si è fermato a Eboli|Va' dove ti porta il cuore|L'amica geniale|La solitudine dei numeri primi|Perché leggere i classici|Così parlò Bellavista|Lessico famigliare|Io non ho paura|Oceano mare|Il deserto dei Tartari|La verità sul caso|Libertà e proprietà",
    'Umberto Eco|Primo Levi|Italo Svevo|Giuseppe Tomasi di Lampedusa|Italo Calvino|Alessandro Manzoni|Dante Alighieri|Luigi Pirandello|Carlo Levi|Susanna Tamaro|Elena Ferrante|Paolo Giordano|Luciano De Crescenzo|Natalia Ginzburg|Niccolò Ammaniti|Alessandro Baricco|Dino Buzzati|Niccolò Machiavelli',
  ),
  pl: shelf(
    'windows-1250 iso-8859-2',
    'Pan Tadeusz|Quo vadis|Lalka|Ferdydurke|Książę Niezłomny|Potop|Ogniem i mieczem|Solaris|Wesele|Chłopi|Nad Niemnem|Zbrodnia i kara|Ziemia obiecana|Krzyżacy|Przedwiośnie|Noce i dnie|Opowiadania|Żółw i zając|Dzieje grzechu|Cesarz|Mały Książę|Dziady|Kordian|Medaliony|Wiedźmin|Ostatnie życzenie|Miecz przeznaczenia|Szczęście w nieszczęściu|Bieguni|Księgi Jakubowe',
    'Adam Mickiewicz|Henryk Sienkiewicz|Bolesław Prus|Witold Gombrowicz|Juliusz Słowacki|Stanisław Lem|Stanisław Wyspiański|Władysław Reymont|Eliza Orzeszkowa|Stefan Żeromski|Maria Dąbrowska|Ryszard Kapuściński|Zofia Nałkowska|Andrzej Sapkowski|Olga Tokarczuk|Czesław Miłosz|Wisława Szymborska|Łukasz Żak',
  ),
  cs: shelf(
    'windows-1250 iso-8859-2',
    'Osudy dobrého vojáka Švejka|Nesnesitelná lehkost bytí|Babička|Válka s mloky|R.U.R.|Kytice|Ostře sledované vlaky|Saturnin|Máj|Žert|Obsluhoval jsem anglického krále|Příliš hlučná samota|Povídky malostranské|Spalovač mrtvol|Romeo, Julie a tma|Smrt krásných srnců|Bylo nás pět|Malý princ|Vyhnání Gerty Schnirch|Staré pověsti české|Krysař|Proměna|Kuchařka pro začátečníky|Dějiny českých zemí',
    'Jaroslav Hašek|Milan Kundera|Božena Němcová|Karel Čapek|Karel Jaromír Erben|Bohumil Hrabal|Zdeněk Jirotka|Karel Hynek Mácha|Jan Neruda|Ladislav Fuks|Jan Otčenášek|Ota Pavel|Karel Poláček|Kateřina Tučková|Alois Jirásek|Viktor Dyk|Jiří Wolker|Vítězslav Nezval',
  ),
  hu: shelf(
    'windows-1250 iso-8859-2',
    'A Pál utcai fiúk|Egri csillagok|Az ember tragédiája|Sorstalanság|A kőszívű ember fiai|Az ajtó|Légy jó mindhalálig|Szent Péter esernyője|Abigél|Édes Anna|Tüskevár|A gyertyák csonkig égnek|Iskola a határon|Bánk bán|János vitéz|Toldi|Az arany ember|Utas és holdvilág|Rokonok|Őszi versek|Bűn és bűnhődés|Magyar költők',
    'Molnár Ferenc|Gárdonyi Géza|Madách Imre|Kertész Imre|Jókai Mór|Szabó Magda|Móricz Zsigmond|Mikszáth Kálmán|Kosztolányi Dezső|Fekete István|Márai Sándor|Ottlik Géza|Katona József|Petőfi Sándor|Arany János|Szerb Antal|Ady Endre|Esterházy Péter',
  ),
  ro: shelf(
    'windows-1250 iso-8859-2',
    'Amintiri din copilărie|Moromeţii|Enigma Otiliei|Baltagul|Maitreyi|Pădurea spânzuraţilor|Ion|Ultima noapte de dragoste, întâia noapte de război|Luceafărul|O scrisoare pierdută|Morometii|Cel mai iubit dintre pământeni|Nostalgia|Orbitor|Patul lui Procust|Răscoala|Poezii|Cireşarii|La ţigănci|Viaţa pe un peron',
    'Ion Creangă|Marin Preda|George Călinescu|Mihail Sadoveanu|Mircea Eliade|Liviu Rebreanu|Camil Petrescu|Mihai Eminescu|Ion Luca Caragiale|Mircea Cărtărescu|Constantin Chiriţă|Lucian Blaga|Tudor Arghezi|Nichita Stănescu|Octavian Paler',
  ),
  tr: shelf(
    'windows-1254 iso-8859-9',
    'İnce Memed|Kürk Mantolu Madonna|Benim Adım Kırmızı|Saatleri Ayarlama Enstitüsü|Tutunamayanlar|Çalıkuşu|Kar|Masumiyet Müzesi|Aşk-ı Memnu|Huzur|Sinekli Bakkal|Yaban|İçimizdeki Şeytan|Kuyucaklı Yusuf|Beyaz Kale|Yeşil Gece|Aşk|Dokuzuncu Hariciye Koğuşu|Bereketli Topraklar Üzerinde|Eylül|Küçük Prens|Suç ve Ceza',
    'Yaşar Kemal|Sabahattin Ali|Orhan Pamuk|Ahmet Hamdi Tanpınar|Oğuz Atay|Reşat Nuri Güntekin|Halit Ziya Uşaklıgil|Halide Edib Adıvar|Yakup Kadri Karaosmanoğlu|Elif Şafak|Peyami Safa|Orhan Kemal|Mehmet Rauf|Nâzım Hikmet|Aziz Nesin|Ömer Seyfettin',
  ),
  ru: shelf(
    'windows-1251 koi8-r ibm866 iso-8859-5 x-mac-cyrillic',
    'Мастер и Маргарита|Война и мир|Преступление и наказание|Анна Каренина|Идиот|Братья Карамазовы|Мёртвые души|Евгений Онегин|Отцы и дети|Вишнёвый сад|Двенадцать стульев|Тихий Дон|Доктор Живаго|Обломов|Герой нашего времени|Собачье сердце|Пикник на обочине|Чайка|Капитанская дочка|Архипелаг ГУЛАГ|Горе от ума|Белая гвардия|Мы|Лолита|Гроза|Шинель',
    'Булгаков, Михаил|Толстой, Лев|Достоевский, Фёдор|Гоголь, Николай|Пушкин, Александр|Тургенев, Иван|Чехов, Антон|Ильф, Илья|Шолохов, Михаил|Борис Пастернак|Гончаров, Иван|Лермонтов, Михаил|Аркадий и Борис Стругацкие|Солженицын, Александр|Грибоедов, Александр|Замятин, Евгений|Набоков, Владимир|Александр Островский',
  ),
  uk: shelf(
    'windows-1251 koi8-u',
    "Кобзар|Тіні забутих предків|Лісова пісня|Захар Беркут|Тигролови|Маруся Чурай|Чорна рада|Енеїда|Собор|Місто|Хіба ревуть воли, як ясла повні?|Земля|Я (Романтика)|Солодка Даруся|Ворошиловград|Кайдашева сім'я|Інтермецо|Сад Гетсиманський",
    "Тарас Шевченко|Михайло Коцюбинський|Леся Українка|Іван Франко|Іван Багряний|Ліна Костенко|Пантелеймон Куліш|Іван Котляревський|Олесь Гончар|Валер'ян Підмогильний|Панас Мирний|Ольга Кобилянська|Микола Хвильовий|Марія Матіос|Сергій Жадан",
  ),
  el: shelf(
    'windows-1253 iso-8859-7',
    'Βίος και Πολιτεία του Αλέξη Ζορμπά|Ο τελευταίος πειρασμός|Η φόνισσα|Το Άξιον Εστί|Λωξάντρα|Η μεγάλη χίμαιρα|Ματωμένα χώματα|Ο Χριστός ξανασταυρώνεται|Ποιήματα|Οδύσσεια|Ιλιάδα|Το τρίτο στεφάνι|Άρτεμις|Έγκλημα και τιμωρία|Μυθιστόρημα|Στου Χατζηφράγκου|Η ζωή εν τάφω|Καπετάν Μιχάλης',
    'Νίκος Καζαντζάκης|Αλέξανδρος Παπαδιαμάντης|Οδυσσέας Ελύτης|Μαρία Ιορδανίδου|Μ. Καραγάτσης|Διδώ Σωτηρίου|Κωνσταντίνος Καβάφης|Όμηρος|Κώστας Ταχτσής|Γιώργος Σεφέρης|Στρατής Μυριβήλης|Άγγελος Σικελιανός',
  ),
  he: shelf(
    'windows-1255 iso-8859-8',
    'סיפור על אהבה וחושך|מיכאל שלי|ימי צקלג|שירה|תמול שלשום|החיים כמשל|אישה בורחת מבשורה|הספר שלי|מסע אל תום האלף|בעל זבוב|התגנבות יחידים|נוילנד|הר אדוני|יונה ונער|קופסה שחורה|המאהב',
    'עמוס עוז|ס. יזהר|שמואל יוסף עגנון|דויד גרוסמן|אברהם ב. יהושע|יהושע קנז|אשכול נבו|מאיר שלו|לאה גולדברג|נתן אלתרמן|חיים נחמן ביאליק|יהודה עמיחי',
  ),
  ar: shelf(
    'windows-1256 iso-8859-6',
    'ألف ليلة وليلة|موسم الهجرة إلى الشمال|أولاد حارتنا|بين القصرين|الخبز الحافي|رجال في الشمس|ذاكرة الجسد|عمارة يعقوبيان|الأيام|زقاق المدق|النبي|مدن الملح|اللص والكلاب|عائد إلى حيفا|ثرثرة فوق النيل',
    'الطيب صالح|نجيب محفوظ|محمد شكري|غسان كنفاني|أحلام مستغانمي|علاء الأسواني|طه حسين|جبران خليل جبران|عبد الرحمن منيف|توفيق الحكيم|محمود درويش|نزار قباني',
  ),
  ja: shelf(
    'shift_jis euc-jp',
    '吾輩は猫である|坊っちゃん|こころ|雪国|ノルウェイの森|海辺のカフカ|人間失格|走れメロス|銀河鉄道の夜|羅生門|金閣寺|伊豆の踊子|砂の女|沈黙|容疑者Xの献身|博士の愛した数式|コンビニ人間|キッチン|細雪|舞姫|火花|1Q84|バトル・ロワイアル|下町ロケット',
    '夏目漱石|川端康成|村上春樹|太宰治|宮沢賢治|芥川龍之介|三島由紀夫|安部公房|遠藤周作|東野圭吾|小川洋子|村田沙耶香|吉本ばなな|谷崎潤一郎|森鴎外|又吉直樹|高見広春|池井戸潤',
  ),
  zh: shelf(
    'gbk gb18030',
    '红楼梦|三国演义|水浒传|西游记|围城|活着|许三观卖血记|平凡的世界|白鹿原|边城|骆驼祥子|呐喊|家|三体|长恨歌|狼图腾|红高粱家族|射雕英雄传|倾城之恋|子夜|朝花夕拾|城南旧事|小王子|百年孤独',
    '曹雪芹|罗贯中|施耐庵|吴承恩|钱钟书|余华|路遥|陈忠实|沈从文|老舍|鲁迅|巴金|刘慈欣|王安忆|姜戎|莫言|金庸|张爱玲|茅盾|林海音',
  ),
  zht: shelf(
    'big5',
    '紅樓夢|三國演義|水滸傳|西遊記|圍城|傾城之戀|半生緣|臺北人|孽子|城南舊事|射鵰英雄傳|天龍八部|笑傲江湖|撒哈拉的故事|未央歌|家變|荒人手記|小王子|百年孤寂|解憂雜貨店|挪威的森林|哈利波特',
    '曹雪芹|羅貫中|施耐庵|吳承恩|錢鍾書|張愛玲|白先勇|林海音|金庸|三毛|鹿橋|王文興|朱天文|龍應台|余光中|村上春樹|東野圭吾',
  ),
  ko: shelf(
    'euc-kr',
    '채식주의자|소년이 온다|엄마를 부탁해|난장이가 쏘아올린 작은 공|토지|태백산맥|아리랑|칼의 노래|광장|살인자의 기억법|82년생 김지영|아몬드|운수 좋은 날|무진기행|삼대|메밀꽃 필 무렵|어린 왕자|불편한 편의점',
    '한강|신경숙|조세희|박경리|조정래|김훈|최인훈|김영하|조남주|손원평|현진건|김승옥|염상섭|이효석|김호연|황석영|이문열',
  ),
  sv: shelf(
    'windows-1252 iso-8859-1 macintosh cp850',
    'Gösta Berlings saga|Pippi Långstrump|Bröderna Lejonhjärta|Män som hatar kvinnor|Utvandrarna|Doktor Glas|Röda rummet|Nils Holgerssons underbara resa|Hemsöborna|Fröken Julie|Låt den rätte komma in|Körkarlen|Mio min Mio|Barabbas|Kallocain|Vägen till Klockrike|En man som heter Ove',
    'Selma Lagerlöf|Astrid Lindgren|Stieg Larsson|Vilhelm Moberg|Hjalmar Söderberg|August Strindberg|John Ajvide Lindqvist|Pär Lagerkvist|Karin Boye|Harry Martinson|Fredrik Backman|Tove Jansson|Håkan Nesser',
  ),
  da: shelf(
    'windows-1252 iso-8859-1 macintosh cp850',
    'Den lille havfrue|Frøken Smillas fornemmelse for sne|Den grimme ælling|Lykke-Per|Pelle Erobreren|Kongens Fald|Niels Lyhne|Det forsømte forår|Eventyr|Brødre|Sult|Et dukkehjem|Kvinden i buret|Midt i en jazztid|Vildanden|Hærværk|Syv fantastiske fortællinger|Brønden',
    'H.C. Andersen|Peter Høeg|Henrik Pontoppidan|Martin Andersen Nexø|Johannes V. Jensen|J.P. Jacobsen|Hans Scherfig|Søren Kierkegaard|Knut Hamsun|Henrik Ibsen|Jussi Adler-Olsen|Tom Kristensen|Karen Blixen|Jo Nesbø|Bjørnstjerne Bjørnson',
  ),
  en: shelf(
    'windows-1252 macintosh cp850',
    'Pride and Prejudice|Emma|Jane Eyre|Wuthering Heights|The Great Gatsby|Moby-Dick|Dracula|Middlemarch|Beloved|Ulysses|1984|Brave New World|Frankenstein|The Hobbit|Persuasion|Great Expectations|The Waste Land|Mrs Dalloway|On the Road|Invisible Man|The Handmaid’s Tale|A Room of One’s Own|Café Society|Finnegans Wake|The Hound of the Baskervilles',
    'Jane Austen|Charlotte Brontë|Emily Brontë|F. Scott Fitzgerald|Herman Melville|Bram Stoker|George Eliot|Toni Morrison|James Joyce|George Orwell|Aldous Huxley|Mary Shelley|J.R.R. Tolkien|Charles Dickens|T.S. Eliot|Virginia Woolf|Jack Kerouac|Ralph Ellison|Margaret Atwood|Gabriel García Márquez|Stanisław Lem|Haruki Murakami',
  ),
  lt: shelf(
    'windows-1257',
    'Altorių šešėly|Metai|Anykščių šilelis|Dievų miškas|Balta drobulė|Silva rerum|Sename dvare|Tūla|Kaimynai|Lietuvos istorija|Brisiaus galas|Pavasario balsai|Vilniaus pokeris|Mėnesiena',
    'Vincas Mykolaitis-Putinas|Kristijonas Donelaitis|Antanas Baranauskas|Balys Sruoga|Antanas Škėma|Kristina Sabaliauskaitė|Šatrijos Ragana|Jurgis Kunčinas|Jonas Biliūnas|Maironis|Ričardas Gavelis|Žemaitė',
  ),
  is: shelf(
    'windows-1252 iso-8859-1 macintosh',
    'Sjálfstætt fólk|Íslandsklukkan|Brennu-Njáls saga|Mýrin|Hundrað dyr í golunni|Egils saga|Salka Valka|Ljósa|Englar alheimsins|Himnaríki og helvíti|Snorra-Edda|Grafarþögn|Kristnihald undir Jökli',
    'Halldór Laxness|Arnaldur Indriðason|Yrsa Sigurðardóttir|Sjón|Jón Kalman Stefánsson|Einar Már Guðmundsson|Kristín Steinsdóttir|Snorri Sturluson|Þórbergur Þórðarson',
  ),
};
