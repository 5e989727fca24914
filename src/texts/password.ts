import type { Language } from './texts.ts';

/** The texts of the dialog that changes the password, in one language. */
export interface PasswordTexts {
  readonly intro: string;
  readonly now: string;
  readonly next: string;
  readonly repeat: string;
  readonly differs: string;
  readonly tooShort: (n: number) => string;
  readonly strengths: Readonly<Record<'weak' | 'fair' | 'strong', string>>;
  readonly busy: string;
  readonly done: string;
  readonly errors: Readonly<Record<'invalid_credentials' | 'invalid_payload' | 'unavailable', string>>;
}

/** They load with the script of the later views. */
export const passwordTexts: Readonly<Record<Language, PasswordTexts>> = {
  en: {
    intro:
      'Everybody who uses this catalogue logs in with the same password. Tell them the new one: the page asks for it within 15 minutes.',
    now: 'Current password',
    next: 'New password',
    repeat: 'New password again',
    differs: 'The two new passwords are not the same.',
    tooShort: (n: number) => `The new password needs at least ${n} characters.`,
    strengths: {
      weak: 'Weak: easy to guess. Several words that do not belong together are better.',
      fair: 'Fair. One more word makes it strong.',
      strong: 'Strong.',
    },
    busy: 'Changing the password…',
    done: 'The password has been changed.',
    errors: {
      invalid_credentials: 'This is not the current password.',
      invalid_payload: 'The service cannot keep this password. Choose another one.',
      unavailable:
        'The service could not store the new password, and the old one remains. The log of the service says why.',
    },
  },
  de: {
    intro:
      'Alle, die diesen Katalog nutzen, melden sich mit demselben Passwort an. Geben Sie ihnen das neue: Sie werden innerhalb von 15 Minuten danach gefragt.',
    now: 'Bisheriges Passwort',
    next: 'Neues Passwort',
    repeat: 'Neues Passwort noch einmal',
    differs: 'Die beiden neuen Passwörter sind nicht gleich.',
    tooShort: (n) => `Das neue Passwort braucht mindestens ${n} Zeichen.`,
    strengths: {
      weak: 'Schwach: leicht zu erraten. Besser sind mehrere Wörter, die nicht zusammengehören.',
      fair: 'Mittel. Ein Wort mehr macht es stark.',
      strong: 'Stark.',
    },
    busy: 'Passwort wird geändert …',
    done: 'Das Passwort wurde geändert.',
    errors: {
      invalid_credentials: 'Das ist nicht das bisherige Passwort.',
      invalid_payload: 'Der Dienst kann dieses Passwort nicht speichern. Wählen Sie ein anderes.',
      unavailable:
        'Der Dienst konnte das neue Passwort nicht speichern; das bisherige gilt weiter. Den Grund nennt das Protokoll des Dienstes.',
    },
  },
  fr: {
    intro:
      'Toutes les personnes qui utilisent ce catalogue se connectent avec le même mot de passe. Donnez-leur le nouveau : il leur sera demandé dans les 15 minutes.',
    now: 'Mot de passe actuel',
    next: 'Nouveau mot de passe',
    repeat: 'Nouveau mot de passe, encore une fois',
    differs: 'Les deux nouveaux mots de passe ne sont pas identiques.',
    tooShort: (n) => `Le nouveau mot de passe doit avoir au moins ${n} caractères.`,
    strengths: {
      weak: 'Faible : facile à deviner. Plusieurs mots sans rapport entre eux valent mieux.',
      fair: 'Moyen. Un mot de plus le rend fort.',
      strong: 'Fort.',
    },
    busy: 'Changement du mot de passe…',
    done: 'Le mot de passe a été changé.',
    errors: {
      invalid_credentials: 'Ce n’est pas le mot de passe actuel.',
      invalid_payload: 'Le service ne peut pas conserver ce mot de passe. Choisissez-en un autre.',
      unavailable:
        'Le service n’a pas pu enregistrer le nouveau mot de passe ; l’ancien reste valable. Son journal en donne la raison.',
    },
  },
  es: {
    intro:
      'Todas las personas que usan este catálogo inician sesión con la misma contraseña. Deles la nueva: se les pedirá en un plazo de 15 minutos.',
    now: 'Contraseña actual',
    next: 'Contraseña nueva',
    repeat: 'Contraseña nueva, otra vez',
    differs: 'Las dos contraseñas nuevas no son iguales.',
    tooShort: (n) => `La contraseña nueva necesita al menos ${n} caracteres.`,
    strengths: {
      weak: 'Débil: fácil de adivinar. Son mejores varias palabras sin relación entre sí.',
      fair: 'Media. Con una palabra más será fuerte.',
      strong: 'Fuerte.',
    },
    busy: 'Cambiando la contraseña…',
    done: 'La contraseña se ha cambiado.',
    errors: {
      invalid_credentials: 'Esta no es la contraseña actual.',
      invalid_payload: 'El servicio no puede guardar esta contraseña. Elija otra.',
      unavailable:
        'El servicio no pudo guardar la contraseña nueva; la anterior sigue siendo válida. Su registro dice por qué.',
    },
  },
};
