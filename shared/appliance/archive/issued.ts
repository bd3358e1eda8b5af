// What a certificate authority issued, in an archive that is older than what was issued since. A root that stays forgets
// nothing: what it revoked or replaced meanwhile stays so, a request that was decided stays decided, and its revocation
// list goes on counting. Otherwise a restore would make a revoked certificate good again.
import type { ArchiveRow, State } from './rows.ts';

const ROOTS = 'certificate_authority';
const ISSUED = 'issued_certificate';
const REQUESTS = 'certificate_request';

/** The archive as it would be here; its rows have the ids of here already. */
export function issuedHere(now: State, archived: State): State {
  const roots = archived.get(ROOTS);
  const issued = archived.get(ISSUED);
  if (!roots || !issued) return archived;
  const standing = byId(now, ROOTS);
  const stays = new Set(roots.filter(({ id }) => standing.has(id)).map(({ id }) => id));
  const here = byId(now, ISSUED);
  const came = new Set(issued.map(({ id }) => id));
  const since = [...here.values()].filter((row) => !came.has(row.id) && stays.has(String(row.authority_id)));
  const after = [...issued.map((row) => here.get(row.id) ?? row), ...since];
  const stands = new Set<unknown>([null, ...after.map(({ id }) => id)]);
  const decided = byId(now, REQUESTS);
  const requests = (archived.get(REQUESTS) ?? []).map((row) => {
    const was = decided.get(row.id);
    return was && was.state !== 'pending' && stands.has(was.certificate_id) ? was : row;
  });
  return new Map([
    ...archived,
    [ROOTS, roots.map((row) => counting(row, standing.get(row.id)))],
    [ISSUED, after],
    ...(archived.has(REQUESTS) ? [[REQUESTS, requests] as const] : []),
  ]);
}

const byId = (state: State, table: string): Map<string, ArchiveRow> =>
  new Map((state.get(table) ?? []).map((row) => [row.id, row]));

const counting = (row: ArchiveRow, was: ArchiveRow | undefined): ArchiveRow => ({
  ...row,
  crl_number: Math.max(Number(row.crl_number), Number(was?.crl_number ?? 0)),
});
