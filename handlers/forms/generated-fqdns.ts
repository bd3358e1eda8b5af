// What the two forms of the dialog of generated names share: their fields, and what is said when they are done.
import type { FormFields } from '../../shared/kernel/operation/operation.ts';
import { INPUTS, type Inputs } from '../../shared/vcf/names/dialog-address.ts';
import type { Result } from '../../shared/vcf/names/schemas.ts';

export function inputsOf(fields: Pick<FormFields, 'text'>): Inputs {
  return Object.fromEntries(INPUTS.map((name) => [name, fields.text(name)])) as Inputs;
}

/** Without first addresses: what names a deployment. */
export function namesOf(fields: Pick<FormFields, 'text'>): Pick<Inputs, 'catalog' | 'prefix' | 'suffix' | 'domain'> {
  const { catalog, prefix, suffix, domain } = inputsOf(fields);
  return { catalog, prefix, suffix, domain };
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
const recordsIn = (rows: Result['created']): number => rows.reduce((sum, { addresses }) => sum + addresses.length, 0);

export function createdWords({ created, skipped }: Result): string {
  const before = skipped.length === 0 ? '' : `, ${counted(skipped.length, 'name was', 'names were')} there before`;
  return `${counted(recordsIn(created), 'record')} created${before}.`;
}

export function deletedWords({ deleted, preserved }: Result): string {
  const kept = preserved.length === 0 ? '' : `, ${counted(preserved.length, 'name')} preserved`;
  return `${counted(recordsIn(deleted), 'record')} deleted${kept}.`;
}
