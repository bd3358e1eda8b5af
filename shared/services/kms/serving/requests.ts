// The list of the last requests. It has no value and no material.
import type { Database, Transaction } from '../../../ground/store/database.ts';

export interface KmsRequest {
  at: string;
  provider: string;
  client: string;
  source_address: string;
  version: string;
  operation: string;
  key_id: string | null;
  attributes: string[];
  result: string;
  took_ms: number;
}

/** Newest first; at most REQUESTS_MOST are kept. */
export async function lastRequests(db: Database, most = 200): Promise<KmsRequest[]> {
  const rows = await db.all<Omit<KmsRequest, 'attributes'> & { attributes: string }>(
    `SELECT at, provider, client, source_address, version, operation, key_id, attributes, result, took_ms
      FROM kms_request ORDER BY seq DESC LIMIT ?`,
    [most],
  );
  return rows.map(({ attributes, ...row }) => ({ ...row, attributes: JSON.parse(attributes) as string[] }));
}

export const forgetKmsRequests = async (tx: Transaction): Promise<void> => {
  await tx.run('DELETE FROM kms_request');
};
