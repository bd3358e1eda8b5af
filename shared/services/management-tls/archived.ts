// What an archive has of the uploaded certificate: itself and its key, where it is encrypted.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  management_certificate: {
    as: 'sealed',
    label: 'Certificate of the management UI',
    columns: 'chain_pem subject names sha256 key_algorithm not_before not_after created_by created_at',
    key: 'sha256',
    json: 'names',
    secret: 'kek_id sealed_key sealed_value',
    plain: true,
  },
};
