// An issued certificate as a file.
import { notFound } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Answer } from '../../kernel/operation/operation.ts';
import { authorityById, issuedById, namesOf } from './certificate-store.ts';
import { certificateFile, type Format, fileName } from './file-formats.ts';

/** @throws Problem 404 */
export async function issuedFile(db: Database, id: string, format: Format = 'pem'): Promise<Answer> {
  const row = await issuedById(db, id);
  if (!row) throw notFound('This certificate');
  const authority = await authorityById(db, row.authority_id);
  const chain_pem = authority ? authority.certificate_pem + authority.chain_pem : '';
  const name = fileName(namesOf(row)[0] ?? row.subject);
  return certificateFile({ name, pem: row.certificate_pem, chain_pem }, format);
}
