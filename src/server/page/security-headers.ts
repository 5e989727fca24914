import type { Headers } from '../http/headers.ts';

/**
 * The headers of every page. Its only sources are its own script, its own style and the API below the same origin; the icon is
 * a `data:` address. No text can become code: without inline scripts, and without a Trusted Types policy.
 */
export const securityHeaders: Headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};
