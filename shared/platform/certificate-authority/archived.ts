// What an archive has of the authority and of what it issued: certificates and their keys, where it is encrypted.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  certificate_authority: {
    as: 'sealed',
    label: 'Root certificates',
    columns:
      'subject certificate_pem sha256 serial_number key_algorithm not_before not_after standing path_length chain_pem origin crl_number created_by created_at',
    key: 'sha256',
    unique: 'serial_number',
    // One root signs, and one comes next; former ones are many.
    meanwhile: { standing: 'former' },
    secret: 'kek_id sealed_key sealed_value',
    // The list is signed anew from what was revoked.
    left: 'crl_der crl_at',
    plain: true,
  },
  issued_certificate: {
    as: 'sealed',
    label: 'Certificates',
    columns:
      'authority_id purpose profile names replaced_at revoked_at revocation_reason subject certificate_pem sha256 serial_number key_algorithm not_before not_after created_by created_at',
    key: 'sha256',
    unique: 'serial_number',
    json: 'names',
    refers: { authority_id: 'certificate_authority' },
    secret: 'kek_id sealed_key sealed_value',
    // It counts what this appliance's portal is named by.
    left: 'portal_host',
    plain: true,
  },
  // Every appliance has the same profiles: what is saved of them comes back, and none is added or removed.
  certificate_profile: {
    as: 'desired',
    label: 'Certificate profiles',
    columns: 'allowed_names validity_days',
    key: 'id',
    json: 'allowed_names',
    id: 'name',
    left: 'revision',
    plain: true,
  },
  // The root makes it anew.
  ocsp_signer: { as: 'derived' },
  // They hold no secret, and name certificates, which are in encrypted archives alone.
  certificate_request: {
    as: 'sealed',
    label: 'Certificate requests',
    columns:
      'state profile csr_pem subject names key_algorithm note certificate_id reason decided_by decided_at created_by created_at',
    key: 'subject id',
    json: 'names',
    refers: { certificate_id: 'issued_certificate' },
    plain: true,
  },
};
