// The keys of the list as a CSV file: in which state each is and who got it, and nothing of its material.
import { instant } from '../../shared/ground/clock.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { keyFilter, listKeys } from '../../shared/services/kms/keys/administration.ts';
import { KEYS_LIST } from '../../shared/services/kms/keys/list-words.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: KEYS_LIST,
  path: pagePath('kms-keys'),
  scope: 'read:kms',
  by: ['search', 'sort', 'state'],
  head: [
    'id',
    'provider_id',
    'state',
    'origin',
    'algorithm',
    'length_bits',
    'created_by',
    'created_at',
    'activated_at',
    'deactivated_at',
    'compromised_at',
    'destroyed_at',
    'erased_after',
    'last_get_at',
    'last_get_from',
  ],
  async rows({ db, query, request }, page) {
    const found = await listKeys(db, { ...keyFilter(query), ...page }, instant(request.now));
    return {
      ...found,
      items: found.items.map((key) => [
        key.id,
        key.provider_id,
        key.state,
        key.origin,
        key.algorithm,
        key.length_bits,
        key.created_by,
        key.created_at,
        key.activated_at,
        key.deactivated_at,
        key.compromised_at,
        key.destroyed_at,
        key.erased_after,
        key.last_get_at,
        key.last_get_from,
      ]),
    };
  },
});
