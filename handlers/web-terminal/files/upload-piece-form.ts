// Takes a piece of an upload to another machine from the script of a page: the bytes as body, the session's CSRF token in the header
// X-CSRF-Token.
import * as v from 'valibot';
import { enterVisit } from '../../../shared/appliance/terminal-files.ts';
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { offsetSchema } from '../../../shared/platform/uploads/schemas.ts';
import { FILES } from '../../../shared/services/web-terminal/remote-files/limits.ts';
import { receiveIn } from '../../../shared/services/web-terminal/remote-files/uploading.ts';

export const operation = defineForm(
  {
    id: 'uploadTerminalPieceForm',
    path: `${pageRoute('terminal-visit')}/{upload_id}/content`,
    access: { session: 'write:terminal' },
    effect: 'immediate',
    tag: 'Web terminal',
    summary: 'Upload a piece of a file to another machine',
    description: `Changes nothing here but the audit log. The body is the bytes of the file from \`offset\` on, at most ${FILES.upload_piece} of them: the other machine has them before this is answered. Pieces come in order; a refused one says how many bytes are there. The last one puts the file in its place.`,
    params: v.strictObject({
      ...idParam('visit_id', 'Id of the connection.').entries,
      ...idParam('upload_id', 'Id of the upload.').entries,
    }),
    query: v.strictObject({ offset: offsetSchema('file') }),
    binary: true,
    bodyLimit: FILES.upload_piece,
    problems: ['resource_not_found', 'insufficient_scope', 'state_conflict', 'remote_refused', 'remote_timeout'],
    audit: ['terminal.file.uploaded'],
    async prepare({ services, actor, request, params, query, body }) {
      const entered = await enterVisit(services, actor, request, params.visit_id);
      const piece = { offset: Number(query.offset), bytes: body as unknown as Buffer };
      return receiveIn(entered, params.upload_id, piece);
    },
    run: async ({ prepared }) => ({ body: { received_bytes: prepared as number }, unchanged: true }),
  },
  {
    page: pageRoute('terminal-visit'),
    fetch: true,
    done: (_answer, _fields, { visit_id }) => ({ location: pagePath('terminal-visit', visit_id!) }),
  },
);
