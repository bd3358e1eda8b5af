// What an archive has of the authority and of what it issued: certificates and their keys, where it is encrypted.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  certificate_authority: {
    as: 'sealed',
    label: 'Root certificates',
    columns: 'subject certificate_pem sha256 serial_number key_algorithm not_before not_after created_by created_at',
    key: 'sha256',
    unique: 'serial_number',
    secret: 'kek_id sealed_key sealed_value',
    plain: true,
  },
  issued_certificate: {
    as: 'sealed',
    label: 'Certificates',
    columns:
      'authority_id purpose names replaced_at subject certificate_pem sha256 serial_number key_algorithm not_before not_after created_by created_at',
    key: 'sha256',
    unique: 'serial_number',
    json: 'names',
    refers: { authority_id: 'certificate_authority' },
    secret: 'kek_id sealed_key sealed_value',
    plain: true,
  },
};
