import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** What a service needs to speak HTTPS, in PEM. */
export interface Certificate {
  /** The certificate of the service; the intermediate certificates follow it. */
  readonly cert: string;
  /** Its private key. */
  readonly key: string;
}

/** What is wrong with a certificate, without any of its contents; `undefined` if nothing is. */
export function findCertificateProblem(value: unknown): string | undefined {
  const { cert, key } = (value ?? {}) as Partial<Certificate>;
  if (typeof cert !== 'string' || typeof key !== 'string')
    return 'expected an object of two texts in PEM, cert and key';
  const [certificate, privateKey] = [
    attempt(() => new X509Certificate(cert)),
    attempt(() => createPrivateKey(key)),
  ];
  if (certificate === undefined) return 'the certificate is not one in PEM';
  if (privateKey === undefined) return 'the private key is not one in PEM, or it needs a password';
  if (!certificate.checkPrivateKey(privateKey)) return 'the private key does not belong to the certificate';
  return findChainProblem({ cert, key });
}

/** OpenSSL reads all the certificates; above, only the first one was read. */
function findChainProblem(certificate: Certificate): string | undefined {
  try {
    createSecureContext(certificate);
    return undefined;
  } catch (error) {
    const { reason = 'unknown reason' } = error as { reason?: string }; // A fixed text of OpenSSL.
    return `one of the certificates cannot be used: ${reason}; each must be complete, on lines of its own, with a key that is long enough`;
  }
}

function attempt<T>(create: () => T): T | undefined {
  try {
    return create();
  } catch {
    return undefined; // The reason may quote the key.
  }
}
