// Which KMIP clients a restore would let in to keys: whoever brings an archive may have written it. Pure.
import type { CollectionDifference } from './difference.ts';
import type { Json, State } from './rows.ts';

export interface LetIn {
  /** Name of the client, and of its provider. */
  name: string;
  provider: string;
  /** SHA-256 of its certificate. */
  sha256: string;
}

/** Clients that come, and those of here whose certificate is revoked or on hold now and would not be any more. */
export function letsIn(now: State, archived: State, picked: readonly CollectionDifference[]): LetIn[] {
  const rows = (table: string) => picked.find((each) => each.table.name === table)?.rows ?? [];
  const providers = new Map(
    [archived, now].flatMap((state) => (state.get('kms_provider') ?? []).map(({ id, name }) => [id, name] as const)),
  );
  const let_in = ({ name, provider_id, sha256 }: Record<string, Json>): LetIn => ({
    name: String(name),
    provider: String(providers.get(String(provider_id)) ?? provider_id),
    sha256: String(sha256),
  });
  const coming = rows('kms_client').flatMap(({ wanted }) => (wanted ? [let_in(wanted)] : []));
  const free = new Set(
    rows('issued_certificate').flatMap(({ now: was, wanted }) =>
      was && was.revoked_at !== null && wanted?.revoked_at === null ? [was.sha256] : [],
    ),
  );
  const standing = now.get('kms_client') ?? [];
  return [...coming, ...standing.filter(({ sha256 }) => free.has(sha256!)).map(let_in)];
}
