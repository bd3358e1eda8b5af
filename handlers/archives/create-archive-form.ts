// The form that makes an archive, after the own password.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as createArchive } from './create-archive.ts';

const PAGE = `${pagePath('archives')}/new`;

export const operation = defineForm(
  { of: createArchive, path: PAGE },
  {
    page: PAGE,
    secret: ['passphrase', 'again'],
    confirms: { resource_type: 'archive' },
    decode(fields) {
      const encryption = fields.text('encryption');
      // What stands in fields of another choice counts for nothing.
      return {
        encryption,
        ...(encryption === 'passphrase' && { passphrase: fields.values.get('passphrase') ?? '' }),
        ...(encryption === 'recipients' && { recipients: fields.list('recipients') }),
      };
    },
    faults(fields) {
      const differ = (fields.values.get('passphrase') ?? '') !== (fields.values.get('again') ?? '');
      if (fields.text('encryption') !== 'passphrase' || !differ) return [];
      return [{ pointer: '/again', detail: 'The two passphrases differ.' }];
    },
    done: ({ body }) => ({
      location: pagePath('archive', (body as { id: string }).id),
      flash: 'The archive is made. Download it and keep it elsewhere.',
    }),
  },
);
