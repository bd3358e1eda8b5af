// What may be a domain name: its labels, its length, its canonical spelling.

const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Service labels and the like (RFC 8552) begin with an underscore; Active Directory also has zones of such names. */
const SERVICE_LABEL = /^_?[a-z0-9](?:[a-z0-9_-]{0,60}[a-z0-9])?$/;

const MAX_NAME = 253;

/** Lower case, without surrounding white space and without the trailing dot. */
export function canonicalName(text: string): string {
  return text.trim().toLowerCase().replace(/\.$/, '');
}

/** The fault of a canonical name as an owner or target, in words; null when it has none. */
export function nameFault(name: string, labels: 'host' | 'service'): string | null {
  if (name === '') return 'A name is missing.';
  if (name.length > MAX_NAME) return 'A name has at most 253 characters.';
  if (name.includes('*')) {
    return 'Wildcard names are not supported: dnsmasq would also answer for names that have other records.';
  }
  for (const label of name.split('.')) {
    if (label === '') return 'A name must not have an empty label.';
    if (label.length > 63) return 'A label of a name has at most 63 characters.';
    if (HOST_LABEL.test(label)) continue;
    if (labels === 'service' && SERVICE_LABEL.test(label)) continue;
    if (label.includes('_') && labels === 'host') return 'A host name must not contain an underscore.';
    return 'A label consists of letters, digits and inner hyphens; write an internationalised name in its xn-- form.';
  }
  return null;
}

/** A name whose last label is a number, also a hexadecimal one, would be read as an address (WHATWG URL, 3.5). */
export const endsInNumber = (name: string): boolean => /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name);

export function isDomainName(name: string): boolean {
  return nameFault(name, 'service') === null && !endsInNumber(name);
}

/** The fault of a canonical name as that of a machine, in words; null when it has none. */
export function hostNameFault(name: string): string | null {
  const fault = nameFault(name, 'host');
  return fault === null && endsInNumber(name) ? 'A host name must not end in a number.' : fault;
}
