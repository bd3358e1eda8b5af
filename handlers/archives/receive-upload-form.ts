// Takes a piece of an archive from the script of a page: the bytes as body, the session's CSRF token in the header X-CSRF-Token.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as receiveUpload } from './receive-upload.ts';

export const operation = defineForm(
  { of: receiveUpload, id: 'uploadArchivePieceForm', path: `${pageRoute('archive')}/content` },
  { page: pageRoute('archive'), fetch: true, done: () => ({ location: pagePath('archives') }) },
);
