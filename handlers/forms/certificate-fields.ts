// Fields that forms of certificates share.
import type { FormFields } from '../../shared/kernel/operation/operation.ts';

/** Words of a text area, separated by lines, spaces or commas. */
export const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** Left out where nothing was typed. */
export function numberOf(fields: FormFields, name: string): Record<string, number | string> {
  const typed = fields.text(name) === '' ? undefined : fields.integer(name);
  return typed === undefined ? {} : { [name]: typed };
}

/** What was uploaded: PEM as text, everything else as base64; empty without a file. */
export function fileOf(fields: FormFields, name: string): string {
  const base64 = fields.text(name);
  const text = Buffer.from(base64, 'base64').toString('utf8');
  return text.includes('-----BEGIN ') ? text : base64;
}
