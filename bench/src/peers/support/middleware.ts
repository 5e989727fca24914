/** The login and the verification of tokens with jose, for Express and json-server (an older Express). */
import type { Body, Envelope } from './envelope.ts';
import { answerLogin, isAllowed, refusal } from './tokens.ts';

interface Request {
  readonly headers: { readonly authorization?: string | undefined };
  readonly body: unknown;
}

interface Response {
  status(code: number): { json(body: unknown): unknown };
}

export function send(response: Response, envelope: Envelope): void {
  response.status(envelope.status).json(envelope);
}

export async function logIn(request: Request, response: Response): Promise<void> {
  send(response, await answerLogin(request.body as Body));
}

export async function checkToken(request: Request, response: Response, next: () => void): Promise<void> {
  if (await isAllowed(request.headers.authorization)) next();
  else send(response, refusal);
}
