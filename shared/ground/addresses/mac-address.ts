// Hardware addresses of Ethernet: one canonical spelling for the many that tools print.

const GROUPS = /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}|[0-9a-f]{12})$/;

/**
 * Canonical text of a 48-bit address: lower case, pairs separated by colons. Hyphens, the three groups with dots and
 * bare digits are read as well; null for anything else.
 */
export function parseMac(text: string): string | null {
  const written = text.trim().toLowerCase();
  if (!GROUPS.test(written)) return null;
  return written.replaceAll(/[:.-]/g, '').match(/../g)!.join(':');
}

/** Whether one network card can own it: not all zeros, and no group or broadcast address (IEEE 802). */
export function isUnicastMac(mac: string): boolean {
  return mac !== '00:00:00:00:00:00' && (Number.parseInt(mac.slice(0, 2), 16) & 1) === 0;
}
