// Which names an uploaded certificate has to have: all that the settings name; without any, one that leads here.
import { parseAddress } from '../../ground/addresses/address.ts';
import type { FieldError } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import { uploadedRow } from './uploaded.ts';

/** `*.lab.example` stands for one label (RFC 6125, 6.4.3). */
export function covers(held: readonly string[], wanted: string): boolean {
  const name = wanted.toLowerCase();
  const address = parseAddress(name)?.text;
  if (address !== undefined) return held.some((each) => parseAddress(each)?.text === address);
  return held.some((each) => {
    const own = each.toLowerCase();
    return own === name || (own.startsWith('*.') && name.slice(name.indexOf('.')) === own.slice(1));
  });
}

/** Faults of settings that choose an uploaded certificate. One statement, where they do. */
export async function namesFault(
  db: Database,
  { source, names }: { source: string; names: readonly string[] },
): Promise<FieldError[]> {
  if (source !== 'uploaded') return [];
  const row = await uploadedRow(db);
  if (!row) return [{ pointer: '/source', detail: 'No certificate was uploaded yet: upload it first.' }];
  const held = JSON.parse(row.names) as string[];
  return names.flatMap((name, at) =>
    covers(held, name) ? [] : [{ pointer: `/names/${at}`, detail: `The uploaded certificate is not for ${name}.` }],
  );
}
