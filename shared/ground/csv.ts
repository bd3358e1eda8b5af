// Rows as CSV (RFC 4180), safe to open in a spreadsheet.

export type Cell = string | number | boolean | null;

/** Lines end in CR LF; null is an empty cell. */
export function csv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A text that a spreadsheet would take for a formula gets an apostrophe before it. */
function cell(value: Cell): string {
  const plain = String(value ?? '');
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
