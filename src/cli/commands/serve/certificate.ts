import { configError, type Setting } from '../../../config/environment.ts';
import { createSettingFinder, type SettingSources } from '../../../config/read-settings.ts';
import { findCertificateProblem, type Certificate } from '../../../server/config.ts';

type Part = Setting<string | undefined>;

/**
 * The certificate that two settings name; `undefined` if neither does.
 *
 * @throws {ShelflistError} `config`: one is missing, or they do not fit. Never a value.
 */
export function certificateOf(tlsCert: Part, tlsKey: Part): Certificate | undefined {
  const [cert, key] = [tlsCert.value, tlsKey.value];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const [given, other] = key === undefined ? [tlsCert, 'TLS_KEY'] : [tlsKey, 'TLS_CERT'];
    throw configError(`${given.source} is set, but not ${other} or ${other}_FILE; HTTPS needs both`);
  }
  const problem = findCertificateProblem({ cert, key });
  if (problem !== undefined)
    throw configError(`TLS_CERT (${tlsCert.source}) and TLS_KEY (${tlsKey.source}): ${problem}`);
  return { cert, key };
}

/** Reads the certificate again from where the service had found it. @throws As {@link certificateOf} does. */
export async function readCertificate(sources: SettingSources): Promise<Certificate | undefined> {
  const find = await createSettingFinder(sources);
  const none = { value: undefined, source: 'not set' };
  return certificateOf((await find('tlsCert')) ?? none, (await find('tlsKey')) ?? none);
}
