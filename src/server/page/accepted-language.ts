import { chooseLanguage, type Language } from '../../page/texts/texts.ts';
import { readQualities } from '../http/negotiation.ts';

/** Chooses a language by `Accept-Language` (RFC 9110, section 12.5.4). */
export function acceptedLanguage(acceptLanguage: string): Language {
  const accepted = [...readQualities(acceptLanguage)].filter(([, quality]) => quality > 0);
  accepted.sort(([, a], [, b]) => b - a);
  return chooseLanguage(accepted.map(([tag]) => tag));
}
