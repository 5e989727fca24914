import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCertificateProblem } from '../../src/server/config.ts';
import { newCertificate } from '../support/certificate.ts';

const [own, other] = await Promise.all([newCertificate(), newCertificate()]);
const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

test('a chain is accepted', () => {
  assert.equal(findCertificateProblem({ ...own, cert: `${own.cert}\n${other.cert}` }), undefined);
});

for (const [what, chain] of [
  ['a damaged certificate', `\n${damaged}`],
  ['half a certificate', `\n${other.cert.slice(0, 300)}`],
] as const) {
  test(`a chain with ${what} is a problem`, () => {
    const problem = findCertificateProblem({ ...own, cert: own.cert + chain });
    assert.match(
      problem ?? '',
      /^one of the certificates cannot be used: [a-z0-9 ]+; each must be complete, /,
    );
  });
}
