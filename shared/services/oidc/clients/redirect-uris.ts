// Redirect URIs: compared letter by letter, so what is saved has to be what the client sends (RFC 9700, 2.1). The library that
// answers would take wildcards and plain HTTP.

/** Bytes of one, and how many a client has of each kind. */
export const URI_MOST = 1024;
export const URIS_MOST = 20;

/** What names the machine that the browser runs on (RFC 8252, 7.3 and 8.3). */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What is wrong with it, in a sentence; null: nothing. */
export function redirectFault(text: string): string | null {
  if (Buffer.byteLength(text) > URI_MOST) return `At most ${URI_MOST} bytes.`;
  if (!/^[\x21-\x7e]+$/.test(text)) return 'Only printable ASCII characters: encode others with %.';
  if (!URL.canParse(text)) return 'Must be a whole address, such as https://vc01.lab.example/callback.';
  const { protocol, hostname, username, password, href } = new URL(text);
  if (text.includes('#')) return 'Must have no fragment (#…): it never reaches the client.';
  if (/[*\\]/.test(text)) return 'Must have no wildcard and no backslash: it is compared letter by letter.';
  if (username !== '' || password !== '' || /^[a-z]+:\/\/[^/?]*@/i.test(text)) return 'Must have no user name in it.';
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.has(hostname)))
    return 'Must begin with https://; http:// is for the browser’s own machine alone: localhost, 127.0.0.1 or [::1].';
  if (hostname === '') return 'Must name a host.';
  // What the browser would go to is what is saved.
  if (href !== text && href !== `${text}/`) return `Browsers write it otherwise: ${href}`;
  return null;
}

/** Origin for `form-action`: after signing in, the browser is sent on to it. */
export const originOf = (uri: string): string => new URL(uri).origin;
