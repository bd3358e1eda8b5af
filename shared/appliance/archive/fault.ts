// Why an archive can't be read, as a refusal. It never quotes what was read.
import { AgeFault } from '../../ground/age/fault.ts';
import { JsonFault } from '../../ground/canonical-json.ts';
import { invalid, Problem } from '../../ground/problems.ts';
import { TarFault } from '../../ground/tar/fault.ts';

export const unreadable = (detail: string): Problem =>
  new Problem('state_conflict', `This archive can’t be read. ${detail} Nothing was saved.`);

/** What opens it is a member of the request. */
const AT = {
  needs_passphrase: '/passphrase',
  wrong_passphrase: '/passphrase',
  needs_identity: '/identity',
  wrong_identity: '/identity',
  identity_malformed: '/identity',
} as const;

/** A fault of the formats below as a refusal; other errors as they are. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof AgeFault) {
    const pointer = (AT as Partial<Record<string, string>>)[error.fault];
    return pointer ? invalid({ pointer, detail: error.message }) : unreadable(error.message);
  }
  return error instanceof TarFault || error instanceof JsonFault ? unreadable(error.message) : error;
}
