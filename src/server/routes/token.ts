import type { Attempts } from '../../auth/attempts.ts';
import { parseLogin, type CredentialCheck } from '../../auth/credentials.ts';
import type { Tokens } from '../../auth/tokens.ts';
import { ShelflistError } from '../../errors.ts';
import { ref } from '../openapi/schemas.ts';
import type { Route } from '../route.ts';

/** `POST /token`: a name and a password against a token. */
export function tokenRoutes(isAccepted: CredentialCheck, attempts: Attempts, tokens: Tokens): Route[] {
  return [
    {
      method: 'POST',
      path: '/token',
      public: true,
      status: 200,
      message: 'Token generated successfully',
      operation: {
        id: 'issueToken',
        tag: 'tokens',
        summary: 'Get a token',
        description:
          'The token lasts 15 minutes. After too many failed logins, an address has to wait. The body has at most 16 KiB.',
        body: { 'application/json': ref('Login') },
        data: ref('Token'),
        errors: [
          'invalid_payload',
          'invalid_credentials',
          'too_many_attempts',
          'token_not_signed',
          'unavailable',
        ],
      },
      async handle(call) {
        const login = parseLogin(await call.readJson('login'));
        // Before the comparison: an address that is out of tries learns nothing from a right password.
        attempts.check(call.address);
        if (!isAccepted(login)) {
          attempts.failed(call.address);
          throw new ShelflistError('invalid_credentials');
        }
        return { data: { token: await tokens.issue() } };
      },
    },
  ];
}
