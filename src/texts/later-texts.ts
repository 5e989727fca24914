import type { Language } from './texts.ts';

type Rows = readonly (readonly [term: string, text: string])[];

/** The texts of dialogs that few readers open. They load with these dialogs. */
interface LaterTexts {
  readonly help: {
    readonly title: string;
    readonly keys: Rows;
    readonly computer: { readonly title: string; readonly rows: Rows };
  };
  readonly link: {
    readonly title: string;
    readonly as: (user: string) => string;
    readonly accept: (user: string) => string;
  };
}

export const laterTexts: Readonly<Record<Language, LaterTexts>> = {
  en: {
    help: {
      title: 'Keyboard shortcuts',
      keys: [
        ['/', 'Search'],
        ['n', 'New book, outside the table'],
        ['?', 'This help'],
        ['/ n ?', 'Can be turned off under “Account and settings”'],
        ['↑ ↓ ← →', 'Move in the table'],
        ['Home, End', 'First or last column'],
        ['Page Up, Page Down', 'A screen up or down'],
        ['Ctrl+Home, Ctrl+End', 'First or last book'],
        ['Enter', 'Open the book from its title; edit another cell'],
        ['Any letter or digit', 'Replace the text of the cell'],
        ['F2, double click', 'Edit the cell'],
        ['Enter, Shift+Enter', 'While editing: save, and go down or up'],
        ['Tab, Shift+Tab', 'While editing: next or previous cell; the row is saved when you leave it'],
        ['Escape', 'Cancel editing; close a dialog'],
        ['Shift+↑ ↓ ← →', 'Select cells; also with Shift+click'],
        ['Ctrl+C, Ctrl+V', 'Copy and paste cells, also from and to Excel'],
        ['Ctrl+D', 'Fill down'],
        ['Delete', 'Delete the book from its title; empty other cells'],
        ['Space', 'Select the book'],
        ['Ctrl+Z', 'Undo the last change'],
      ],
      computer: {
        title: 'Your books on this computer',
        rows: [
          [
            'Where they are',
            'With the starter: in the folder shelflist in your documents. Without it: in the folder in which you started shelflist (.env and data). This folder is the catalogue.',
          ],
          [
            'Update',
            'Unpack the newer archive, and double-click its starter: it finds your books, and offers to stop the older version.',
          ],
          [
            'Back up',
            'Close the window of the starter, then copy the folder, for example to a memory stick.',
          ],
          ['Move', 'Copy the folder into the documents of the other computer, and start shelflist there.'],
          [
            'Go back',
            '“Undo” and “Activity” take back changes. To go back to a copy: close the window of the starter, and put the copy in the place of the folder.',
          ],
        ],
      },
    },
    link: {
      title: 'Log in with this link?',
      as: (user) =>
        `The link logs you in as “${user}”. Continue only if you have opened shelflist yourself: with somebody else’s link, you would work under their name.`,
      accept: (user) => `Log in as ${user}`,
    },
  },
  de: {
    help: {
      title: 'Tastenkürzel',
      keys: [
        ['/', 'Suchen'],
        ['n', 'Neues Buch, außerhalb der Tabelle'],
        ['?', 'Diese Hilfe'],
        ['/ n ?', 'Unter „Konto und Einstellungen“ abschaltbar'],
        ['↑ ↓ ← →', 'In der Tabelle bewegen'],
        ['Pos1, Ende', 'Erste oder letzte Spalte'],
        ['Bild auf, Bild ab', 'Einen Bildschirm auf oder ab'],
        ['Strg+Pos1, Strg+Ende', 'Erstes oder letztes Buch'],
        ['Eingabe', 'Im Titel das Buch öffnen; eine andere Zelle bearbeiten'],
        ['Buchstabe oder Ziffer', 'Den Text der Zelle ersetzen'],
        ['F2, Doppelklick', 'Die Zelle bearbeiten'],
        ['Eingabe, Umschalt+Eingabe', 'Beim Bearbeiten: speichern und nach unten oder oben gehen'],
        [
          'Tab, Umschalt+Tab',
          'Beim Bearbeiten: nächste oder vorige Zelle; wer die Zeile verlässt, speichert sie',
        ],
        ['Escape', 'Bearbeiten abbrechen; Dialog schließen'],
        ['Umschalt+↑ ↓ ← →', 'Zellen auswählen; auch mit Umschalt+Klick'],
        ['Strg+C, Strg+V', 'Zellen kopieren und einfügen, auch aus und nach Excel'],
        ['Strg+D', 'Nach unten ausfüllen'],
        ['Entf', 'Im Titel das Buch löschen; andere Zellen leeren'],
        ['Leertaste', 'Das Buch auswählen'],
        ['Strg+Z', 'Die letzte Änderung rückgängig machen'],
      ],
      computer: {
        title: 'Ihre Bücher auf diesem Computer',
        rows: [
          [
            'Wo sie sind',
            'Mit dem Startprogramm: im Ordner shelflist Ihrer Dokumente. Ohne es: in dem Ordner, in dem Sie shelflist gestartet haben (.env und data). Dieser Ordner ist der Katalog.',
          ],
          [
            'Aktualisieren',
            'Entpacken Sie das neuere Archiv, und doppelklicken Sie auf sein Startprogramm: Es findet Ihre Bücher und bietet an, die ältere Version zu beenden.',
          ],
          [
            'Sichern',
            'Schließen Sie das Fenster des Startprogramms, und kopieren Sie dann den Ordner, zum Beispiel auf einen USB-Stick.',
          ],
          [
            'Umziehen',
            'Kopieren Sie den Ordner in die Dokumente des anderen Computers, und starten Sie shelflist dort.',
          ],
          [
            'Wiederherstellen',
            '„Rückgängig“ und „Aktivität“ nehmen Änderungen zurück. Um zu einer Kopie zurückzukehren: Schließen Sie das Fenster des Startprogramms, und legen Sie die Kopie an die Stelle des Ordners.',
          ],
        ],
      },
    },
    link: {
      title: 'Mit diesem Link anmelden?',
      as: (user) =>
        `Der Link meldet Sie als „${user}“ an. Fahren Sie nur fort, wenn Sie shelflist selbst geöffnet haben: Mit dem Link einer anderen Person würden Sie unter deren Namen arbeiten.`,
      accept: (user) => `Als ${user} anmelden`,
    },
  },
  fr: {
    help: {
      title: 'Raccourcis clavier',
      keys: [
        ['/', 'Rechercher'],
        ['n', 'Nouveau livre, hors du tableau'],
        ['?', 'Cette aide'],
        ['/ n ?', 'À désactiver, au choix, sous « Compte et réglages »'],
        ['↑ ↓ ← →', 'Se déplacer dans le tableau'],
        ['Origine, Fin', 'Première ou dernière colonne'],
        ['Pg préc., Pg suiv.', 'Un écran vers le haut ou vers le bas'],
        ['Ctrl+Origine, Ctrl+Fin', 'Premier ou dernier livre'],
        ['Entrée', 'Ouvrir le livre depuis son titre ; modifier une autre cellule'],
        ['Lettre ou chiffre', 'Remplacer le texte de la cellule'],
        ['F2, double clic', 'Modifier la cellule'],
        ['Entrée, Maj+Entrée', 'Pendant la modification : enregistrer, et descendre ou monter'],
        [
          'Tab, Maj+Tab',
          'Pendant la modification : cellule suivante ou précédente ; la ligne est enregistrée quand on la quitte',
        ],
        ['Échap', 'Abandonner la modification ; fermer une boîte de dialogue'],
        ['Maj+↑ ↓ ← →', 'Sélectionner des cellules ; aussi par Maj+clic'],
        ['Ctrl+C, Ctrl+V', 'Copier et coller des cellules, aussi depuis et vers Excel'],
        ['Ctrl+D', 'Recopier vers le bas'],
        ['Suppr', 'Supprimer le livre depuis son titre ; vider d’autres cellules'],
        ['Espace', 'Sélectionner le livre'],
        ['Ctrl+Z', 'Annuler la dernière modification'],
      ],
      computer: {
        title: 'Vos livres sur cet ordinateur',
        rows: [
          [
            'Où ils sont',
            'Avec le programme de démarrage : dans le dossier shelflist de vos documents. Sans lui : dans le dossier où vous avez démarré shelflist (.env et data). Ce dossier est le catalogue.',
          ],
          [
            'Mettre à jour',
            'Décompressez l’archive plus récente et double-cliquez sur son programme de démarrage : il trouve vos livres et propose d’arrêter l’ancienne version.',
          ],
          [
            'Sauvegarder',
            'Fermez la fenêtre du programme de démarrage, puis copiez le dossier, par exemple sur une clé USB.',
          ],
          [
            'Changer d’ordinateur',
            'Copiez le dossier dans les documents de l’autre ordinateur et lancez-y shelflist.',
          ],
          [
            'Revenir en arrière',
            '« Annuler » et « Activité » annulent des modifications. Pour revenir à une copie, fermez la fenêtre du programme de démarrage et mettez la copie à la place du dossier.',
          ],
        ],
      },
    },
    link: {
      title: 'Se connecter avec ce lien ?',
      as: (user) =>
        `Le lien vous connecte en tant que « ${user} ». Ne continuez que si vous avez ouvert shelflist vous-même : avec le lien d’une autre personne, vous travailleriez sous son nom.`,
      accept: (user) => `Se connecter en tant que ${user}`,
    },
  },
  es: {
    help: {
      title: 'Atajos de teclado',
      keys: [
        ['/', 'Buscar'],
        ['n', 'Nuevo libro, fuera de la tabla'],
        ['?', 'Esta ayuda'],
        ['/ n ?', 'Se desactivan en «Cuenta y ajustes»'],
        ['↑ ↓ ← →', 'Moverse por la tabla'],
        ['Inicio, Fin', 'Primera o última columna'],
        ['Re Pág, Av Pág', 'Una pantalla hacia arriba o hacia abajo'],
        ['Ctrl+Inicio, Ctrl+Fin', 'Primer o último libro'],
        ['Intro', 'Abrir el libro desde su título; editar otra celda'],
        ['Letra o cifra', 'Reemplazar el texto de la celda'],
        ['F2, doble clic', 'Editar la celda'],
        ['Intro, Mayús+Intro', 'Al editar: guardar y bajar o subir'],
        ['Tab, Mayús+Tab', 'Al editar: celda siguiente o anterior; la fila se guarda al salir de ella'],
        ['Esc', 'Cancelar la edición; cerrar un cuadro de diálogo'],
        ['Mayús+↑ ↓ ← →', 'Seleccionar celdas; también con Mayús+clic'],
        ['Ctrl+C, Ctrl+V', 'Copiar y pegar celdas, también de Excel y a Excel'],
        ['Ctrl+D', 'Rellenar hacia abajo'],
        ['Supr', 'Eliminar el libro desde su título; vaciar otras celdas'],
        ['Espacio', 'Seleccionar el libro'],
        ['Ctrl+Z', 'Deshacer el último cambio'],
      ],
      computer: {
        title: 'Sus libros en este ordenador',
        rows: [
          [
            'Dónde están',
            'Con el programa de inicio: en la carpeta shelflist de sus documentos. Sin él: en la carpeta en la que inició shelflist (.env y data). Esa carpeta es el catálogo.',
          ],
          [
            'Actualizar',
            'Descomprima el archivo más reciente y haga doble clic en su programa de inicio: encuentra sus libros y ofrece detener la versión anterior.',
          ],
          [
            'Copia de seguridad',
            'Cierre la ventana del programa de inicio y copie la carpeta, por ejemplo, en una memoria USB.',
          ],
          [
            'Cambiar de ordenador',
            'Copie la carpeta en los documentos del otro ordenador e inicie shelflist allí.',
          ],
          [
            'Volver atrás',
            '«Deshacer» y «Actividad» revierten los cambios. Para volver a una copia, cierre la ventana del programa de inicio y ponga la copia en el lugar de la carpeta.',
          ],
        ],
      },
    },
    link: {
      title: '¿Iniciar sesión con este enlace?',
      as: (user) =>
        `El enlace inicia la sesión como «${user}». Continúe solo si usted mismo ha abierto shelflist: con el enlace de otra persona, trabajaría con su nombre.`,
      accept: (user) => `Iniciar sesión como ${user}`,
    },
  },
};
