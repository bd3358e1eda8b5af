// Whom a Host header names.

/** The host of a Host header in lower case, without port, brackets and trailing dot; empty for a wrong one. */
export function hostNamed(header: string): string {
  const [, six, other] = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]@/]+))(?::\d{0,5})?$/i.exec(header) ?? [];
  return (six ?? other ?? '').toLowerCase().replace(/\.$/, '');
}
