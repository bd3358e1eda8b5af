// The content security policy of the provider's pages: nothing but our stylesheet, no script, in no frame. A form leads to us, and
// by our answer to the one client that the person signs in to: browsers hold redirects after a form against it too.

export const identityPolicy = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ['form-action', "'self'", ...new Set(origins)].join(' '),
  ].join('; ');
