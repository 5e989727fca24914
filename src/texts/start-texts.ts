import type { Language } from './texts.ts';

/** The messages of `shelflist start`. */
interface StartTexts {
  readonly made: (folder: string) => string;
  readonly found: (version: string, folder: string) => string;
  readonly opened: (address: string) => string;
  readonly leaveOpen: string;
  readonly otherPort: (taken: number, port: number) => string;
  readonly runs: string;
  /** A question. An empty answer means yes, as does one that matches `yes`. */
  readonly replace: (theirs: string, ours: string) => string;
  readonly yes: RegExp;
  readonly staysOpen: string;
  readonly replaced: string;
}

export const startTexts: Readonly<Record<Language, StartTexts>> = {
  en: {
    made: (folder) => `Your books will be in ${folder}.`,
    found: (version, folder) => `shelflist ${version} has found your books in ${folder}.`,
    opened: (address) =>
      `The catalogue opens in your browser. If no page appears, type this address there: ${address}`,
    leaveOpen: 'Leave this window open: closing it stops the catalogue.',
    otherPort: (taken, port) =>
      `Another program uses port ${taken}, so the address of the catalogue ends with ${port} this time.`,
    runs: 'The catalogue is already running. Its page opens again.',
    replace: (theirs, ours) =>
      `shelflist ${theirs} is still running. Stop it, and use ${ours} from now on? [Y/n]`,
    yes: /^y/i,
    staysOpen:
      'The other shelflist does not stop. Close its window, or restart the computer; then start this one again.',
    replaced: 'Another shelflist was started, so this one stops.',
  },
  de: {
    made: (folder) => `Ihre Bücher werden in ${folder} gespeichert.`,
    found: (version, folder) => `shelflist ${version} hat Ihre Bücher in ${folder} gefunden.`,
    opened: (address) =>
      `Der Katalog öffnet sich im Browser. Wenn keine Seite erscheint, geben Sie dort diese Adresse ein: ${address}`,
    leaveOpen: 'Lassen Sie dieses Fenster offen: Wenn Sie es schließen, wird der Katalog beendet.',
    otherPort: (taken, port) =>
      `Ein anderes Programm benutzt den Port ${taken}; die Adresse des Katalogs endet deshalb diesmal mit ${port}.`,
    runs: 'Der Katalog läuft schon. Seine Seite öffnet sich noch einmal.',
    replace: (theirs, ours) => `shelflist ${theirs} läuft noch. Beenden und ab jetzt ${ours} benutzen? [J/n]`,
    yes: /^[jy]/i,
    staysOpen:
      'Das andere shelflist lässt sich nicht beenden. Schließen Sie sein Fenster, oder starten Sie den Computer neu; starten Sie danach dieses noch einmal.',
    replaced: 'Ein anderes shelflist wurde gestartet, deshalb wird dieses hier beendet.',
  },
  fr: {
    made: (folder) => `Vos livres seront dans ${folder}.`,
    found: (version, folder) => `shelflist ${version} a trouvé vos livres dans ${folder}.`,
    opened: (address) =>
      `Le catalogue s’ouvre dans votre navigateur. Si aucune page n’apparaît, saisissez-y cette adresse : ${address}`,
    leaveOpen: 'Laissez cette fenêtre ouverte : la fermer arrête le catalogue.',
    otherPort: (taken, port) =>
      `Un autre programme utilise le port ${taken} ; cette fois, l’adresse du catalogue se termine donc par ${port}.`,
    runs: 'Le catalogue est déjà en marche. Sa page s’ouvre de nouveau.',
    replace: (theirs, ours) =>
      `shelflist ${theirs} est encore en marche. L’arrêter et utiliser désormais ${ours} ? [O/n]`,
    yes: /^[oy]/i,
    staysOpen:
      'L’autre shelflist ne s’arrête pas. Fermez sa fenêtre ou redémarrez l’ordinateur, puis relancez celui-ci.',
    replaced: 'Un autre shelflist a été lancé ; celui-ci s’arrête donc.',
  },
  es: {
    made: (folder) => `Sus libros estarán en ${folder}.`,
    found: (version, folder) => `shelflist ${version} ha encontrado sus libros en ${folder}.`,
    opened: (address) =>
      `El catálogo se abre en su navegador. Si no aparece ninguna página, escriba allí esta dirección: ${address}`,
    leaveOpen: 'Deje abierta esta ventana: al cerrarla, el catálogo se detiene.',
    otherPort: (taken, port) =>
      `Otro programa usa el puerto ${taken}; por eso, esta vez la dirección del catálogo termina en ${port}.`,
    runs: 'El catálogo ya está en marcha. Su página se abre de nuevo.',
    replace: (theirs, ours) =>
      `shelflist ${theirs} sigue en marcha. ¿Detenerlo y usar ${ours} a partir de ahora? [S/n]`,
    yes: /^[sy]/i,
    staysOpen:
      'El otro shelflist no se detiene. Cierre su ventana o reinicie el ordenador; después, vuelva a iniciar este.',
    replaced: 'Se ha iniciado otro shelflist; por eso este se detiene.',
  },
};
