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

const number = new Intl.NumberFormat('es');
const count = (n: number, one: string, many = `${one}s`) => `${number.format(n)} ${n === 1 ? one : many}`;

const year = (value: number) => (value < 0 ? `${-value} a. C.` : String(value));
const span = (first: number, last: number) =>
  first > 0 ? `${first}–${last}` : last < 0 ? `${-first}–${-last} a. C.` : `${year(first)} a ${last}`;

const fields: Readonly<Record<FieldName, string>> = { title: 'Título', author: 'Autor', year: 'Año' };
const missing: Readonly<Record<FieldName, string>> = {
  title: 'Sin título',
  author: 'Sin autor',
  year: 'Sin año',
};

/** The texts in Spanish. */
export const es: Texts = {
  language: 'es',
  number: (n) => number.format(n),
  year,
  fields,
  missing,
  skip: 'Ir a los libros',
  loading: 'Cargando…',
  close: 'Cerrar',
  cancel: 'Cancelar',
  save: 'Guardar',
  retry: 'Reintentar',
  undo: 'Deshacer',
  more: 'Mostrar más',
  dismiss: 'Ocultar',
  offline: 'Sin conexión con el catálogo. Lo que ha escrito se conserva.',
  navigation: {
    label: 'Vistas',
    menu: 'Menú',
    books: 'Libros',
    stats: 'Gráficos',
    authors: 'Autores',
    trash: 'Papelera',
    activity: 'Actividad',
    duplicates: 'Duplicados',
    import: 'Importar',
    add: 'Nuevo libro',
    help: 'Atajos de teclado',
    language: 'Idioma',
    logIn: 'Iniciar sesión',
    logOut: 'Cerrar sesión',
    account: 'Cuenta y ajustes',
    tidy: 'Poner en orden',
    settings: 'Ajustes',
  },
  look: {
    theme: { label: 'Colores', choices: ['Como el sistema', 'Claro', 'Oscuro'] },
    density: { label: 'Filas', choices: ['Amplias', 'Compactas'] },
    keys: { label: 'Atajos de una tecla', choices: ['Activados', 'Desactivados'] },
  },
  login: {
    title: 'Iniciar sesión',
    again: 'Iniciar sesión de nuevo',
    why: 'Su sesión ha caducado. Su trabajo se conserva y continuará cuando inicie sesión.',
    intro: 'Inicie sesión para ver y modificar los libros de este catálogo.',
    username: 'Nombre de usuario',
    password: 'Contraseña',
    show: 'Mostrar la contraseña',
    where:
      'Si inició shelflist con un doble clic, repítalo. Si escribió una orden, ejecute «npx --no-install shelflist open» en la misma carpeta. Ambos inician la sesión. El nombre de usuario y la contraseña están en el archivo .env de esa carpeta.',
    submit: 'Iniciar sesión',
    busy: 'Iniciando sesión…',
    done: 'Ha iniciado sesión.',
    out: 'Ha cerrado la sesión.',
    oldLink:
      'Este enlace ya se ha usado o tiene más de un minuto. Inicie sesión aquí. El programa de inicio o la orden «open» de shelflist crea un enlace nuevo.',
  },
  password: {
    title: 'Cambiar la contraseña',
  },
  books: {
    title: 'Libros',
    search: 'Buscar libros',
    placeholder: 'Título, autor, año',
    letter: (letter) => `Empezar por ${letter}`,
    clearSearch: 'Borrar la búsqueda',
    removeFilter: 'quitar este filtro',
    filters: 'Filtros',
    author: 'Autor',
    from: 'Desde el año',
    to: 'Hasta el año',
    yearsReversed: '«Desde el año» es posterior a «Hasta el año».',
    widthOf: (name) => `Ancho de la columna ${name}`,
    widthHint:
      'Arrastre para cambiar el ancho; o haga clic, y después en el encabezado, donde deba terminar la columna. Un doble clic devuelve a todas las columnas el habitual.',
    only: (what) => `Mostrar solo: ${what}`,
    onlyWithoutYear: 'Solo libros sin año',
    clear: 'Quitar todos',
    clearSearchAndFilters: 'Borrar la búsqueda y los filtros',
    books: (n) => count(n, 'libro'),
    endsHere: (n) =>
      `La tabla termina aquí, tras ${number.format(n)} libros. Busque, filtre u ordene para ver los demás.`,
    found: (n) =>
      n === 0 ? 'No se ha encontrado ningún libro' : count(n, 'libro encontrado', 'libros encontrados'),
    empty: 'Todavía no hay libros',
    emptyHint: 'Añada el primero, suelte aquí un archivo de libros o explore con ejemplos.',
    addSamples: 'Añadir 100 libros de ejemplo',
    samplesAdded: (n) => count(n, 'libro de ejemplo añadido.', 'libros de ejemplo añadidos.'),
    nothing: 'Ningún libro coincide',
    nothingHint: 'Pruebe con menos palabras o menos filtros.',
    oneWordHint: 'Revise la ortografía. Basta una parte de la palabra.',
    didYouMean: 'Quizá quiso decir',
    showing: 'Resultados de',
    insteadFor: ['Buscar', 'en su lugar'],
    parts: (words) =>
      `Ningún libro coincide con «${words}» al principio de palabras; se muestran coincidencias dentro de palabras.`,
    order: 'Orden',
    orders: {
      best: 'Los más relevantes primero',
      id: 'Por orden de entrada',
      '-id': 'Añadidos recientemente',
      title: 'Título, de la A a la Z',
      '-title': 'Título, de la Z a la A',
      author: 'Autor, de la A a la Z',
      '-author': 'Autor, de la Z a la A',
      year: 'Año, los más antiguos primero',
      '-year': 'Año, los más recientes primero',
    },
    failed: 'No se han podido cargar los libros',
    sortBy: (name) => `Ordenar por ${name.toLowerCase()}`,
    actions: 'Acciones',
    saveAs: (format) => `Guardar como ${format}`,
    saving: (format) => `Guardando los libros como ${format}`,
    saveProgress: (done, total) => `${number.format(done)} de ${count(total, 'libro')}`,
    saved: (n, format) => `${count(n, 'libro guardado', 'libros guardados')} como ${format}.`,
    tooLargeForHtml:
      'Un archivo HTML contiene como máximo 10.000 libros. Limite la lista con una búsqueda o con filtros.',
    tooLargeForExcel:
      'Estos libros no caben en Excel: en una hoja caben 1.048.575, y en una celda 32.767 caracteres. Guárdelos como CSV.',
    print: 'Imprimir',
    printHint: (n) =>
      `Así solo se imprime lo que hay en pantalla: ${count(n, 'fila')}. El botón «Imprimir» imprime todos los libros.`,
    decade: (from) => span(from || 1, from + 9),
    range: (from, to) =>
      from === undefined
        ? to === undefined
          ? ''
          : `hasta ${year(to)}`
        : to === undefined
          ? `desde ${year(from)}`
          : span(from, to),
    suggestions: (n) => count(n, 'sugerencia'),
    changed: 'La lista se ha actualizado.',
  },
  searches: {
    title: 'Búsquedas guardadas',
    save: 'Guardar esta búsqueda como',
    saved: (name) => `La búsqueda «${name}» se ha guardado.`,
    forget: (name) => `Quitar la búsqueda guardada ${name}`,
  },
  book: {
    title: (id) => `Libro ${id}`,
    open: (title) => `Abrir ${title}`,
    number: 'Número',
    history: 'Historial',
    noHistory: 'No hay cambios registrados.',
    loginForHistory: 'Inicie sesión para ver el historial.',
    missing: 'Este libro no existe',
    missingHint: 'Puede que se haya eliminado. Los libros eliminados están en la papelera.',
    current: 'Ahora',
    changes: { updated: 'Modificado', deleted: 'Eliminado', reverted: 'Estado anterior restaurado' },
    before: 'Antes',
    moreByAuthor: 'Más de este autor',
    previous: 'Libro anterior',
    next: 'Libro siguiente',
    moreOfDecade: 'Más de esta década',
    share: 'Compartir',
  },
  stats: {
    title: 'Gráficos',
    decades: 'Libros por década',
    authors: 'Autores más frecuentes',
    years: 'Años',
    books: 'Libros',
    without: 'Sin año',
    about: (n) => `unos ${number.format(n)}`,
    span: (first, last) => (first === last ? year(first) : span(first, last)),
    before: (year) => `Antes de ${year}`,
    beforeChrist: 'Antes de Cristo',
    empty: 'No hay nada que contar.',
    failed: 'No se han podido cargar los gráficos',
  },
  changing: {
    add: 'Añadir libro',
    addAnyway: 'Añadir de todos modos',
    added: (title) => `Se ha añadido «${title}».`,
    show: 'Mostrar',
    enterTitle: 'Escriba un título.',
    addUntitled: 'Añadir sin título',
    addAnother: 'Añadir otro libro después de este',
    pasteRows: 'Pegar filas',
    notAdded: 'El nuevo libro no se ha añadido.',
    same: 'Puede que el catálogo ya tenga este libro:',
    edit: 'Editar',
    editBook: (title) => `Editar ${title}`,
    saved: (title) => `Se ha guardado «${title}».`,
    savedMerged: (title) => `Se ha guardado «${title}», junto con lo que otra persona acaba de modificar.`,
    notSaved: (title) => `«${title}» todavía se está editando.`,
    goOn: 'Ir a él',
    delete: 'Eliminar',
    deleteBook: (title) => `Eliminar ${title}`,
    deletedOne: (title) => `Se ha eliminado «${title}».`,
    deleted: (n) => `${count(n, 'libro eliminado', 'libros eliminados')}.`,
    changed: (n) => `${count(n, 'libro modificado', 'libros modificados')}.`,
    changedMeanwhile: 'Otra persona acaba de modificar este libro. Revíselo y vuelva a eliminarlo.',
    undone: 'Deshecho.',
    undoneSome: (undone, left) =>
      `Deshecho en ${count(undone, 'libro')}; modificados desde entonces y dejados como están: ${number.format(left)}.`,
    wholeNumber: 'Escriba un número entero.',
    restore: 'Restaurar',
    restoreState: (when) => `Restaurar el estado del ${when}`,
    restored: (title) => `Se ha restaurado «${title}».`,
    restoreAndSave: 'Restaurarlo con mis cambios',
    gone: 'Otra persona ha eliminado este libro. Lo que ha escrito sigue aquí.',
  },
  conflict: {
    title: 'Otra persona ha modificado este libro',
    intro: 'Se guardó mientras usted lo editaba. No se sobrescribe nada hasta que usted decida.',
    mine: 'Mi versión',
    theirs: 'La otra versión',
    keepTheirs: 'Conservar la otra versión',
    saveMine: 'Guardar mi versión',
    goOn: 'Seguir editando',
  },
  cells: {
    title: 'Pegar celdas',
    tooMany:
      'No se ha copiado nada: algunas de estas filas no están cargadas. Seleccione menos filas o guarde los libros como Excel.',
    copied: (n) => `${count(n, 'celda copiada', 'celdas copiadas')}.`,
    ask: (cells, books) => `¿Modificar ${count(cells, 'celda')} en ${count(books, 'libro')}?`,
    undoHint: 'Con un solo «Deshacer» se recupera todo.',
    nothing: 'No hay nada que modificar.',
    outside: (n) =>
      `Se omite lo que queda más allá del último libro o de la última columna: ${count(n, 'celda')}.`,
    untitled: (n) =>
      `Se omite, porque un libro conserva su título: ${count(n, 'celda vacía', 'celdas vacías')}.`,
    notYears: (cells) => `Se omite, porque no es un año: ${cells.map((each) => `«${each}»`).join(', ')}.`,
    skipped: (n) => `Otra persona lo ha modificado entretanto y queda como está: ${count(n, 'libro')}.`,
  },
  many: {
    select: (title) => `Seleccionar ${title}`,
    selectShown: 'Seleccionar todos los libros cargados',
    selected: (n) => count(n, 'libro seleccionado', 'libros seleccionados'),
    selectAll: (n) => `Seleccionar los ${number.format(n)}`,
    clear: 'Anular la selección',
    change: 'Modificar',
    changeTitle: (n) => `Modificar ${count(n, 'libro')}`,
    changeHint: 'Rellene solo lo que sea igual en todos. Los campos que deje vacíos no cambian.',
    deleteTitle: (n) => `¿Eliminar ${count(n, 'libro')}?`,
    deleteHint: 'Puede deshacerlo, y la papelera los conserva.',
    listChanged: 'La lista encuentra otros libros que antes. Seleccione los libros de nuevo.',
    nothing: 'Rellene al menos un campo.',
    progress: (done, total) => `${number.format(done)} de ${number.format(total)}`,
    discard: '¿Descartar lo que ha escrito?',
  },
  trash: {
    title: 'Papelera',
    empty: 'La papelera está vacía',
    emptyHint: 'Los libros eliminados aparecen aquí y se pueden restaurar.',
    failed: 'No se ha podido cargar la papelera',
    deletedAt: 'Eliminado',
  },
  activity: {
    title: 'Actividad',
    empty: 'Todavía no ha ocurrido nada',
    emptyHint:
      'Los libros nuevos, las importaciones, los cambios y las eliminaciones aparecen aquí y se pueden deshacer.',
    failed: 'No se ha podido cargar la actividad',
    created: (n) => count(n, 'libro añadido', 'libros añadidos'),
    updated: (n) => count(n, 'libro modificado', 'libros modificados'),
    deleted: (n) => count(n, 'libro eliminado', 'libros eliminados'),
    reverted: (n) => count(n, 'libro restaurado', 'libros restaurados'),
    ofUndo: (what) => `Deshecho: ${what}`,
    undoEntry: (what, when) => `Deshacer: ${what}, ${when}`,
    nothingToUndo: 'No queda nada por deshacer',
    named: (what) => `${what}:`,
    incomplete: (done, total) => `Deshecho solo en parte: ${number.format(done)} de ${number.format(total)}`,
    books: 'Mostrar los libros',
    others: (n) => `y ${number.format(n)} más`,
    undoing: (n) => (n === 0 ? 'Deshaciendo…' : `Deshaciendo… ${count(n, 'libro')}`),
  },
  importing: {
    title: 'Importar',
    intro:
      'Un archivo de Excel o LibreOffice (.xlsx, .ods), una hoja de cálculo guardada como «CSV UTF-8», o una exportación de Goodreads, LibraryThing o calibre. También archivos JSON, MARC, RIS y BibTeX, incluso comprimidos con gzip. La primera fila de una hoja de cálculo contiene los nombres de las columnas.',
    choose: 'Elegir un archivo',
    drop: 'Arrastre un archivo hasta aquí o',
    dropNow: 'Suelte el archivo para leerlo',
    paste: 'O pegue filas',
    pasteHint: 'Copie las filas en su hoja de cálculo, junto con la fila de los nombres de las columnas.',
    pasted: 'Filas pegadas',
    read: 'Vista previa',
    reading: (name) => `Leyendo ${name}`,
    preview: 'Vista previa',
    source: (name, rows) => `${name}: ${count(rows, 'fila')}`,
    sheet: 'Hoja',
    format: 'Formato',
    formatByContent: 'Reconocido por su contenido',
    encoding: 'Codificación de caracteres',
    chooseEncoding: 'Elegir…',
    uncertainEncoding:
      'Elija la línea cuyas letras son correctas: el archivo no dice cómo están guardadas sus letras.',
    noRevisions:
      'El archivo no tiene la columna «revision». Modifique libros solo si la vista previa muestra sus propios cambios: el archivo puede ser anterior a los libros o de otro catálogo.',
    match: 'Este archivo se exportó desde aquí',
    matches: {
      change: ['Modificar los libros de este archivo', 'Solo se escribe lo que se ha editado.'],
      add: ['Añadir como libros nuevos', 'La columna «id» se ignora.'],
    },
    comparing: 'Comparando con el catálogo…',
    matched: ({ updated, added, unchanged }) =>
      `${count(updated, 'libro')} por modificar, ${number.format(added)} por añadir, ${number.format(unchanged)} como en el catálogo.`,
    startMatched: (updated, added) =>
      added === 0
        ? `Modificar ${count(updated, 'libro')}`
        : updated === 0
          ? `Añadir ${count(added, 'libro')}`
          : `Modificar ${count(updated, 'libro')} y añadir ${number.format(added)}`,
    headerLine: (line) => `La fila ${line} nombra las columnas; las filas de arriba se omiten.`,
    total: 'La última fila parece un total',
    totals: {
      total: ['Omitirla', 'No se importa.'],
      book: ['Es un libro', 'Se importa como las demás.'],
    },
    moreColumns: 'Varias columnas para un campo',
    parts: { subtitle: 'Subtítulo', volume: 'Tomo', firstName: 'Nombre', lastName: 'Apellidos' },
    headless: 'La primera fila parece un libro',
    firstRow: {
      book: ['Es un libro', 'Las columnas no tienen nombre.'],
      names: ['Contiene los nombres de las columnas', 'No se importa.'],
    },
    unused: (names) => `Columnas que se omiten: ${names.join(', ')}`,
    columns: 'Asignar las columnas',
    column: (n) => `Columna ${n}`,
    none: 'Ninguna',
    first: (n) => (n === 1 ? 'El primer libro' : `Los primeros ${number.format(n)} libros`),
    firstChanges: (n) => (n === 1 ? 'El primer cambio' : `Los primeros ${number.format(n)} cambios`),
    before: 'antes:',
    after: 'después:',
    duplicates: 'Libros que ya están en el catálogo',
    choices: {
      skip: ['Omitirlos', 'Solo se añaden los libros nuevos.'],
      update: ['Actualizarlos', 'El título y el autor se escriben como en el archivo.'],
      add: ['Añadirlos de nuevo', 'Cada fila se convierte en un libro nuevo.'],
    },
    same: 'Libros con el mismo título, autor y año. Las mayúsculas, los acentos y la puntuación no importan.',
    notBooks: (n) =>
      n === 1
        ? '1 fila no se puede importar y se rechazará'
        : `${number.format(n)} filas no se pueden importar y se rechazarán`,
    toCheck: (n) => (n === 1 ? '1 libro por revisar' : `${number.format(n)} libros por revisar`),
    start: (n) => `Importar ${count(n, 'fila')}`,
    discard: 'Elegir otro archivo',
    sending: 'Importando…',
    stopping: 'Deteniendo…',
    progress: (done, total) => `${number.format(done)} de ${count(total, 'fila')}`,
    paused: 'La importación está en pausa',
    pausedHint: 'Continuará donde se detuvo. Ningún libro se añade dos veces.',
    goOn: 'Continuar',
    stop: 'Detener aquí',
    done: 'Importación terminada',
    stopped: 'Importación detenida',
    added: 'Añadidos',
    updated: 'Actualizados',
    skipped: 'Duplicados omitidos',
    rejected: 'Rechazados',
    rejectedRows: 'Filas rechazadas',
    firstOf: (shown, total) => `Comienzo de la lista: ${number.format(shown)} de ${number.format(total)}.`,
    download: 'Guardar las filas rechazadas',
    unsure:
      'La última petición quedó sin respuesta. Puede que el catálogo la haya ejecutado de todos modos; «Deshacer la importación» también la revierte.',
    nothingNew: 'El catálogo ya tiene todos estos libros.',
    nothingPasted: 'Pegue primero las filas o elija un archivo.',
    undo: 'Deshacer la importación',
    undoing: 'Deshaciendo…',
    undone: (undone, left) =>
      left === 0
        ? `La importación se ha deshecho: ${count(undone, 'libro')}.`
        : `La importación se ha deshecho: ${count(undone, 'libro')}; modificados desde entonces y dejados como están: ${number.format(left)}.`,
    again: 'Importar otro archivo',
    show: 'Mostrar los libros',
    units: {
      line: (n) => `Línea ${n}`,
      row: (n) => `Fila ${n}`,
      book: (n) => `Libro ${n}`,
      record: (n) => `Registro ${n}`,
    },
    noTitle: 'Elija la columna de los títulos.',
    cannotRead: (name) => `No se puede leer ${name}`,
    nothingChanged: 'No se ha importado nada.',
    noRows:
      'No tiene filas de libros. La primera fila contiene los nombres de las columnas; después van los libros.',
    notLoaded:
      'Una parte de la página no se ha podido cargar o no funciona. Compruebe su conexión y vuelva a cargar la página.',
    unreadable: 'Se movió, se eliminó o se modificó mientras se leía, o es una carpeta. Elíjalo de nuevo.',
    readInPart: 'Solo se puede leer una parte del archivo',
  },
  authors: {
    title: 'Autores',
    order: 'Mostrar',
    orders: {
      author: ['Por nombre', 'De la A a la Z'],
      '-count': ['Por número de libros', 'Primero los que tienen más libros'],
      variants: ['Variantes', 'Grafías de un mismo nombre'],
    },
    search: 'Nombre o parte del nombre',
    letters: 'Iniciales',
    letter: (letter) => `Nombres con una palabra que empieza por ${letter}`,
    intro: 'Estas grafías parecen ser de un mismo nombre. Elija una para todos sus libros. Puede deshacerlo.',
    empty: 'No se ha encontrado ningún autor',
    noVariants: 'Ningún nombre tiene varias grafías',
    failed: 'No se han podido cargar los autores',
    computing: (seconds) =>
      `Se están contando todos los autores, por primera vez desde que se inició el servicio. Tardará alrededor de ${count(seconds, 'segundo')}.`,
    rename: (author) => `Cambiar el nombre de ${author}`,
    newName: 'Nuevo nombre',
    renames: (n) =>
      `${count(n, 'libro recibe', 'libros reciben')} el nuevo nombre. Con un solo «Deshacer» se recupera el anterior.`,
    becomeOne: (author, n) => `${author} ya existe, con ${count(n, 'libro')}: los dos se unen.`,
    spellings: (n) => count(n, 'grafía'),
    join: (n) => `Modificar ${count(n, 'libro')}`,
    joinOf: (n, author) => `Modificar ${count(n, 'libro')}: ${author}`,
  },
  duplicates: {
    title: 'Duplicados',
    intro: 'Conserve un libro de cada grupo y elimine los demás. Van a la papelera.',
    level: 'Qué cuenta como duplicado',
    levels: {
      same: ['Iguales', 'Título, autor y año'],
      year: ['Otro año', 'Mismo título y mismo autor'],
      typo: ['Errata', 'Una letra es distinta o falta un año'],
    },
    empty: 'No hay duplicados',
    emptyHint: 'No hay dos libros que se parezcan de este modo.',
    failed: 'No se han podido cargar los duplicados',
    computing: (seconds) => `Comparando los libros, quedan unos ${number.format(seconds)} s`,
    keep: 'Conservar',
    group: (n) => count(n, 'libro similar', 'libros similares'),
    merge: (n) => `Eliminar ${n === 1 ? 'el otro' : `los otros ${number.format(n)}`}`,
    mergeOf: (title) => `duplicados de ${title}`,
    merged: (n, id) => `Libro ${id} conservado; ${count(n, 'duplicado eliminado', 'duplicados eliminados')}.`,
    changed: 'Un libro de este grupo acaba de cambiar. Revíselo y vuelva a intentarlo.',
    more: 'Mostrar más',
    number: (id) => `Libro ${id}`,
    showAll: (n) => `Mostrar los ${number.format(n)}`,
  },
  errors: {
    unreachable: 'No se puede acceder al catálogo. Compruebe su conexión.',
    bad_response: 'El catálogo ha dado una respuesta inesperada. Inténtelo de nuevo.',
    invalid_credentials: 'El nombre de usuario o la contraseña no son correctos.',
    too_many_attempts: 'Demasiados intentos. Espere un momento e inténtelo de nuevo.',
    too_many_requests: 'Demasiadas peticiones desde su red. Espere un momento e inténtelo de nuevo.',
    token_required: 'Inicie sesión para hacer esto.',
    invalid_token: 'Su sesión ha caducado.',
    forbidden: 'No tiene permiso para hacer esto.',
    invalid_query: 'El catálogo no entiende esta búsqueda.',
    invalid_input: 'El catálogo no acepta estos valores.',
    book_not_found: 'Este libro ya no existe.',
    not_found: 'Esto ya no existe.',
    precondition_failed: 'Otra persona ha modificado este libro.',
    body_too_large: 'Esto es demasiado largo para el catálogo.',
    headers_too_large: 'Esta búsqueda es demasiado larga.',
    unavailable: 'El catálogo está sobrecargado o no funciona. Inténtelo de nuevo dentro de un minuto.',
    internal:
      'Algo ha fallado en el catálogo. Avise a la persona que lo administra; el registro del servicio indica la causa.',
    other: 'No ha funcionado. Inténtelo de nuevo.',
  },
};

/** The texts of what the server renders, for readers without JavaScript. The script of the page does not contain them. */
export const esServer: ServerTexts = {
  list: {
    heading: 'Libros',
    search: 'Buscar',
    from: 'desde',
    to: 'hasta',
    count: (n) => count(n, 'libro'),
    untitled: '(sin título)',
    nothingFound: 'No se ha encontrado ningún libro.',
    didYouMean: 'Quizá quiso decir:',
    remove: 'quitar este filtro',
    nextPage: 'Página siguiente',
    firstPage: 'Primera página',
    pages: 'Páginas',
    allBooks: 'Todos los libros',
  },
  server: {
    description: 'Un catálogo de libros.',
    needsScript:
      'Esta página necesita JavaScript. Sin él, funciona la línea de órdenes: shelflist login, shelflist list, shelflist add.',
    changesNeedScript: 'Para modificar libros, inicie sesión: para eso se necesita JavaScript.',
    viewNeedsScript: 'Esta vista necesita JavaScript.',
    invalidQuery: 'Esta dirección no es válida',
    bookNotFound: 'Este libro no existe',
    notFound: 'No hay ninguna página en esta dirección',
    unknownUser: 'Inicie sesión en el sitio al que pertenece este catálogo',
    failed: 'Esta página no ha podido iniciarse en este navegador. Actualícelo o pruebe con otro.',
    unavailable: 'No se puede acceder al catálogo en este momento',
    tooManyRequests: 'Han llegado demasiadas peticiones desde su red',
    tryAgain: 'Inténtelo de nuevo dentro de unos segundos.',
  },
};

const nothingRead = 'no se ha leído nada a partir de ahí';
const ofField: Readonly<Record<FieldName, string>> = {
  title: 'el título',
  author: 'el autor',
  year: 'el año',
};
const units = {
  line: 'la línea',
  row: 'la fila',
  book: 'el libro',
  record: 'el registro',
} as const;
const cut: Readonly<Record<Cut['at'], (n: number) => string>> = {
  bibtex: (n) => `la entrada que sigue al registro ${n} no está cerrada`,
  character: () => 'su último carácter está incompleto',
  compression: () => 'sus datos comprimidos terminan a la mitad',
  header: () => 'su primera línea está incompleta y no sigue ninguna otra',
  json: (n) => `su lista no está cerrada después del libro ${n}`,
  line: (n) => `la línea ${n} termina a la mitad`,
  marc: (n) => `el registro ${n + 1} termina a la mitad`,
  ris: (n) => `el registro ${n} no tiene línea ER`,
  xml: (n) => `termina después del registro ${n}`,
  xmlRecord: (n) => `el registro ${n + 1} no está cerrado`,
};

const otherKinds: OtherKindTexts = {
  names: {
    xls: 'un archivo de Excel anterior a 2007 (.xls) o con contraseña',
    xlsb: 'un libro binario de Excel (.xlsb)',
    locked: 'un documento de LibreOffice con contraseña',
    excelXml: 'un archivo de Excel en el formato XML de 2003',
    numbers: 'un documento de Apple Numbers, Pages o Keynote',
    word: 'un documento de Word',
    openDocument: 'un documento de LibreOffice que no es una hoja de cálculo, como .odt',
    slides: 'una presentación de PowerPoint',
    pdf: 'un PDF',
    picture: 'una imagen',
    binary: 'un archivo binario',
    epub: 'un libro electrónico (EPUB)',
    zip: 'un archivo ZIP',
    archive: 'un archivo comprimido (RAR, 7z, bzip2 o xz)',
    database: 'una base de datos (SQLite o Access)',
    onix: 'ONIX',
    pubmed: 'una lista de PubMed',
    webOfScience: 'una lista de Web of Science',
  },
  advice: {
    save: '; ábralo y guárdelo como .xlsx sin contraseña, o como CSV en UTF-8',
    table: ', no una tabla de libros; guarde su hoja de cálculo como .xlsx o como CSV en UTF-8',
    one: '; es un solo libro, no una lista de libros',
    unpack: '; descomprímalo e importe el archivo que contiene',
    export: '; exporte los libros como CSV en UTF-8 o como .xlsx',
    ris: '; exporte la lista como RIS o BibTeX',
  },
};
/** What is wrong with a file or a row. */
export const esProblems: ProblemTexts = {
  missing: ({ field }) => `falta ${ofField[field]}`,
  notUnderstood: ({ field, shown }) => `no se entiende ${ofField[field]}: ${shown}`,
  notText: ({ field, shown }) => `${ofField[field]} no es un texto: ${shown}`,
  badByte: ({ field, byte, line, column }) =>
    `${ofField[field]} contiene un byte que no es válido en la codificación del archivo${
      byte === undefined ? '' : ` (0x${byte.toString(16)})`
    }${line === undefined ? '' : `: línea ${line}, columna ${column}`}`,
  cells: ({ cells, columns }) => `más celdas (${cells}) que columnas (${columns})`,
  quotes: ({ line, lastLine }) =>
    `falta o sobra una comilla${lastLine > line ? ` (hasta la línea ${lastLine})` : ''}`,
  badIsbn: ({ shown }) => `no es un ISBN, o su dígito de control es incorrecto: ${shown}`,
  unknownIsbn: ({ isbn }) => `no se conoce ningún libro con el ISBN ${isbn}`,
  total: () => 'es un total, no un libro',
  notJson: () => 'no es JSON',
  notObject: () => 'no es un objeto',
  deletedRecord: () => 'marcado como eliminado',
  noTitleField: () => 'sin título (campo 245)',
  recordTooLong: ({ maxBytes }) => `más de ${maxBytes} bytes`,
  noLeader: () => 'sin cabecera',
  recordLength: ({ stated, found }) => `la cabecera indica ${stated} bytes, pero son ${found}`,
  notUtf8: () => 'el texto no es UTF-8 válido',
  eastAsian: ({ field }) =>
    `${ofField[field]} está en caracteres chinos, japoneses o coreanos de MARC-8; convierta el archivo a UTF-8, por ejemplo con MarcEdit o yaz-marcdump -t utf-8`,
  directory: () => 'el directorio de los campos está dañado',
  directoryMismatch: () => 'el directorio de los campos no corresponde a los campos',
  braces: () => 'las llaves no concuerdan',
  entryFields: ({ at }) => `los campos no se pueden leer a partir de ${JSON.stringify(at)}`,
  macro: ({ field, macro }) => `${field} usa ${macro}, que ningún @string define`,
  macrosTooLong: ({ maxKib }) => `las macros ocupan más de ${maxKib} KiB`,
  crossref: ({ key }) => `crossref remite a ${key}, que no está en el archivo`,
  badId: ({ shown }) => `id no válido: ${shown}`,
  badRevision: ({ shown }) =>
    `la revision está dañada: ${shown}; vacíe la celda para modificar el libro tal como está ahora`,
  unknownId: ({ id }) =>
    `ningún libro tiene el id ${id}; vacíe la celda para añadir la fila como libro nuevo`,
  repeatedId: ({ unit, line, file }) =>
    `${units[unit]} ${line}${file === undefined ? '' : ` de ${file}`} tiene el mismo id`,
  conflict: ({ id, now }) =>
    `el libro ${id} se ha modificado desde la exportación: ${now.map(({ field, shown }) => `${ofField[field]} es ahora ${shown}`).join(', ')}`,
  lostCharacters: ({ field }) =>
    `en ${ofField[field]} hay caracteres sustituidos por «?»; guarde el archivo como «CSV UTF-8»`,
  deletedMeanwhile: ({ id }) =>
    `el libro ${id} se ha eliminado entretanto; importe la fila de nuevo para añadirlo`,
  refused: ({ message }) => `el servicio la rechaza: ${message}`,

  yearLeftOut: ({ shown }) => `no se entiende ${ofField.year}, y queda sin valor: ${shown}`,
  farYear: ({ year }) => `el año está muy lejos en el futuro: ${year}`,
  shortYear: ({ year }) => `el año tiene dos cifras y se toma como el año ${year}`,
  transcription: () => 'leído en transcripción, porque la escritura original en MARC-8 no es legible',
  mergedCell: ({ field }) => `${ofField[field]} procede de una celda combinada`,

  empty: () => 'el archivo está vacío',
  noLookup: () => 'es una lista de ISBN, y el servicio no busca libros; defina BOOK_LOOKUP en sus ajustes',
  otherKind: ({ kind }) => `es ${describeKind(kind, otherKinds)}`,
  workbook: ({ part }) =>
    `el libro de cálculo está dañado (${part}); ábralo en un programa de hojas de cálculo y guárdelo de nuevo como .xlsx`,
  workbookTooLarge: () =>
    'el libro de cálculo ocupa más de 128 MiB, o más de 1 GiB descomprimido, o tiene una fila de más de 16 MiB; guarde su hoja como «CSV UTF-8» e importe ese archivo',
  sheets: ({ names }) => `el archivo tiene varias hojas: ${listNames(names)}`,
  noSheet: ({ name, names }) =>
    `el archivo no tiene ninguna hoja ${JSON.stringify(name)} con filas; tiene: ${listNames(names)}`,
  mixedEncodings: () => 'el archivo mezcla UTF-8 y Windows-1252; guárdelo como «CSV UTF-8»',
  severalEncodings: ({ readings }) => `la codificación del archivo es incierta: ${listReadings(readings)}`,
  encoding: ({ label }) => `codificación desconocida: ${label}`,
  compression: ({ detail }) => `el archivo comprimido está dañado (${detail}); el resto no se ha leído`,
  cutOff: ({ at, number: n = 0 }) =>
    `el archivo está cortado: ${cut[at](n)}; para añadir el resto, importe el archivo entero y elija «Omitirlos»`,
  header: () => 'las comillas de la primera línea no concuerdan',
  whiteSpace: () => 'el archivo empieza con más de 16 MiB de espacios y líneas vacías; no se ha leído',
  tooManyColumns: ({ max }) =>
    `la primera fila tiene más de ${max} columnas; quizá el separador sea otro, o al archivo le falten los saltos de línea`,
  rowTooLong: ({ unit, number: n }) =>
    `${unit === 'row' ? 'la fila de la línea' : units[unit]} ${n} ocupa más de 16 MiB; es posible que ahí falte cerrar una comilla o un corchete; ${nothingRead}`,
  invalidJson: ({ book }) =>
    `después del libro ${book}, el archivo ya no es JSON válido; el resto no se ha leído`,
  invalidXml: ({ record, detail }) =>
    `después del registro ${record}, el archivo ya no es XML válido (${detail}); el resto no se ha leído`,
  tagTooLong: ({ record }) => `el registro ${record} tiene una etiqueta de más de 8 KiB; ${nothingRead}`,
  fileRecordTooLong: ({ format, record }) =>
    ({
      bibtex: `la entrada que sigue al registro ${record} ocupa más de 16 MiB; es posible que ahí falte cerrar una llave; ${nothingRead}`,
      other: `el registro ${record} ocupa más de 16 MiB; ${nothingRead}`,
      ris: `el registro ${record} ocupa más de 16 MiB; es posible que falte su línea ER; ${nothingRead}`,
    })[format],
  otherFormat: ({ format }) =>
    ({
      html: 'el archivo es una página web sin tabla',
      marc: 'el archivo no es MARC21: no empieza con una cabecera',
      marcxml: 'el archivo no es MARCXML: no contiene ningún registro',
      ris: 'el archivo no es RIS: ninguna línea inicia un registro (TY  - BOOK)',
    })[format],
};
