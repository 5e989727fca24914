import type { Headers } from '../http/headers.ts';

/**
 * The headers of every page. Its only sources are its own script, its own style and the API below the same origin; the icon is
 * a `data:` address. No text can become code: without inline scripts, and without a Trusted Types policy.
 *
 * @param hasBase Whether the page names the folder of its addresses, which are relative.
 */
export const securityHeaders = (hasBase: boolean): Headers => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "form-action 'self'",
    `base-uri ${hasBase ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
});
