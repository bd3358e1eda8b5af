// What an archive has of key management: all of it, and only where it is encrypted. A restore adds what is missing and touches
// nothing else: an older state must not take a key away, nor bring back an earlier state of one.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  kms_provider: {
    as: 'sealed',
    label: 'Key providers',
    columns: 'name description activates_on_create created_by',
    // Not its name: who is let in for one must not get the keys of another that is called the same.
    key: 'id',
    unique: 'name',
    booleans: 'activates_on_create',
    onlyAdded: true,
  },
  kms_client: {
    as: 'sealed',
    label: 'KMIP clients',
    columns: 'provider_id name origin certificate_pem sha256 subject not_before not_after created_by created_at',
    key: 'sha256',
    unique: 'sha256',
    refers: { provider_id: 'kms_provider' },
    // Observed here.
    left: 'last_seen_at last_seen_from',
    plain: true,
    onlyAdded: true,
  },
  kms_key: {
    as: 'sealed',
    label: 'Keys',
    columns:
      'provider_id origin state length_bits usage_mask attributes activated_at deactivated_at compromised_at destroyed_at created_by created_at changed_at',
    key: 'id',
    json: 'attributes',
    refers: { provider_id: 'kms_provider' },
    secret: 'kek_id sealed_key sealed_value',
    left: 'last_get_at last_get_from',
    plain: true,
    onlyAdded: true,
  },
  kms_tombstone: {
    as: 'sealed',
    label: 'Clients and keys that are gone for good',
    columns: 'kind subject provider_id provider name why created_by created_at',
    key: 'kind subject created_at',
    unique: 'subject created_at',
    plain: true,
    onlyAdded: true,
  },
  kms_request: { as: 'history' },
  kms_receiver: { as: 'history' },
};
