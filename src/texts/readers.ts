import type { Language } from './texts.ts';

/** The texts of what readers use beside the list, in one language. */
export interface ReaderTexts {
  readonly share: {
    readonly title: string;
    readonly link: string;
    readonly copy: string;
    readonly copied: string;
    /** Where the browser does not let the page copy. */
    readonly copyYourself: string;
    /** Leads to what the system of a phone offers. */
    readonly other: string;
    readonly code: string;
    readonly codeHint: string;
    /** The address leads to this computer only. */
    readonly onlyHere: string;
    readonly needsLogin: string;
  };
  readonly start: {
    readonly recent: string;
    readonly decades: string;
    readonly surprise: string;
  };
}

/** They load with the script of the later views. */
export const readerTexts: Readonly<Record<Language, ReaderTexts>> = {
  en: {
    share: {
      title: 'Share this book',
      link: 'Link to the book',
      copy: 'Copy link',
      copied: 'The link has been copied.',
      copyYourself: 'The link is selected. Press Ctrl+C (on a Mac, ⌘C) to copy it.',
      other: 'Share in another way',
      code: 'QR code of the link to this book',
      codeHint: 'The camera of a phone opens it.',
      onlyHere:
        'This link works on this computer only. First open the catalogue at its address in the network.',
      needsLogin: 'Only those who can log in to this catalogue see the book.',
    },
    start: {
      recent: 'Recently added',
      decades: 'By decade',
      surprise: 'Surprise me',
    },
  },
  de: {
    share: {
      title: 'Dieses Buch teilen',
      link: 'Link zum Buch',
      copy: 'Link kopieren',
      copied: 'Der Link wurde kopiert.',
      copyYourself: 'Der Link ist markiert. Kopieren Sie ihn mit Strg+C (am Mac mit ⌘C).',
      other: 'Anders teilen',
      code: 'QR-Code des Links zu diesem Buch',
      codeHint: 'Die Kamera eines Telefons öffnet ihn.',
      onlyHere:
        'Dieser Link funktioniert nur auf diesem Computer. Öffnen Sie den Katalog zuerst unter seiner Adresse im Netzwerk.',
      needsLogin: 'Das Buch sehen nur die, die sich bei diesem Katalog anmelden können.',
    },
    start: {
      recent: 'Neu im Katalog',
      decades: 'Nach Jahrzehnt',
      surprise: 'Überraschen Sie mich',
    },
  },
  fr: {
    share: {
      title: 'Partager ce livre',
      link: 'Lien vers le livre',
      copy: 'Copier le lien',
      copied: 'Le lien a été copié.',
      copyYourself: 'Le lien est sélectionné. Copiez-le avec Ctrl+C (sur un Mac, ⌘C).',
      other: 'Partager autrement',
      code: 'Code QR du lien vers ce livre',
      codeHint: 'L’appareil photo d’un téléphone l’ouvre.',
      onlyHere:
        'Ce lien ne fonctionne que sur cet ordinateur. Ouvrez d’abord le catalogue par son adresse dans le réseau.',
      needsLogin: 'Seules les personnes qui peuvent se connecter à ce catalogue voient le livre.',
    },
    start: {
      recent: 'Ajouts récents',
      decades: 'Par décennie',
      surprise: 'Un livre au hasard',
    },
  },
  es: {
    share: {
      title: 'Compartir este libro',
      link: 'Enlace al libro',
      copy: 'Copiar el enlace',
      copied: 'El enlace se ha copiado.',
      copyYourself: 'El enlace está seleccionado. Cópielo con Ctrl+C (en un Mac, ⌘C).',
      other: 'Compartir de otro modo',
      code: 'Código QR del enlace a este libro',
      codeHint: 'La cámara de un teléfono lo abre.',
      onlyHere:
        'Este enlace solo funciona en este ordenador. Abra primero el catálogo por su dirección en la red.',
      needsLogin: 'Solo ven el libro quienes pueden iniciar sesión en este catálogo.',
    },
    start: {
      recent: 'Añadidos recientemente',
      decades: 'Por década',
      surprise: 'Un libro al azar',
    },
  },
};
