// The base URL of a SCIM service (RFC 7644, 1.3): https alone, and nothing in it that is no address.
export const BASE_URL_MOST = 512;

/** What is wrong with it, for people; null: nothing. Whether the machine may be reached is asked later. */
export function baseUrlFault(text: string): string | null {
  if (Buffer.byteLength(text) > BASE_URL_MOST) return `At most ${BASE_URL_MOST} bytes.`;
  if (!URL.canParse(text))
    return 'Enter the whole address, such as https://vc01.lab.example/usergroup/t/CUSTOMER/scim/v2.';
  const url = new URL(text);
  if (url.protocol !== 'https:') return 'Only https is spoken: the token would be readable on the way.';
  if (url.username !== '' || url.password !== '') return 'Leave out the user name and the password.';
  if (text.includes('?') || text.includes('#')) return 'Leave out the query and the fragment.';
  return null;
}

/** In its one spelling, without a slash at its end. It was checked before. */
export function canonicalBaseUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** Authority as an address field takes it, and path without a slash at its end. */
export function partsOf(base_url: string): { server: string; path: string } {
  const { host, pathname } = new URL(base_url);
  return { server: host, path: pathname.replace(/\/+$/, '') };
}
