import { generate } from 'selfsigned';

/** A new certificate of 127.0.0.1 and of a host name, if one is given, signed by itself, and its private key, in PEM. */
export async function newCertificate(name?: string): Promise<{ cert: string; key: string }> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          ...(name === undefined ? [] : [{ type: 2 as const, value: name }]),
        ],
      },
    ],
  });
  return { cert, key };
}
