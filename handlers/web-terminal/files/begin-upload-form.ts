// Begins to bring a file to another machine. Its bytes come in pieces.
import * as v from 'valibot';
import { enterVisit } from '../../../shared/appliance/terminal-files.ts';
import { pageRoute } from '../../../shared/ground/page-paths.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { FILES } from '../../../shared/services/web-terminal/remote-files/limits.ts';
import { beginIn } from '../../../shared/services/web-terminal/remote-files/uploading.ts';
import type { Upload } from '../../../shared/services/web-terminal/remote-files/writing.ts';
import { backTo, folderField, nameField } from '../../forms/terminal-upload.ts';

export const operation = defineForm(
  {
    id: 'beginTerminalUploadForm',
    path: `${pageRoute('terminal-visit')}/uploads`,
    access: { session: 'write:terminal' },
    effect: 'immediate',
    tag: 'Web terminal',
    summary: 'Begin to upload a file to another machine',
    description: `Changes nothing here but the audit log, which has the path and the bytes before the other machine has any. At most ${FILES.upload / 2 ** 30} GiB. The file is beside its place under a name of its own until all of it is there. One that is there already is replaced only where \`replace\` is true. An upload that was not finished is dropped.`,
    params: idParam('visit_id', 'Id of the connection.'),
    body: v.strictObject({
      folder: folderField,
      name: nameField,
      size_bytes: v.pipe(v.number('Expected a number of bytes.'), v.integer(), v.minValue(1, 'The file is empty.')),
      replace: v.boolean(),
    }),
    problems: ['resource_not_found', 'insufficient_scope', 'state_conflict', 'remote_refused', 'remote_timeout'],
    audit: ['terminal.file.upload'],
    async prepare({ services, actor, request, params, body }) {
      const entered = await enterVisit(services, actor, request, params.visit_id);
      return beginIn({ ...entered, entropy: services.entropy }, body);
    },
    run: async ({ prepared }) => ({ body: { id: (prepared as Upload).id }, unchanged: true }),
  },
  {
    page: pageRoute('terminal-visit'),
    fetch: true,
    decode: (fields) => ({
      folder: fields.values.get('folder') ?? '',
      name: fields.values.get('name') ?? '',
      size_bytes: fields.integer('size_bytes'),
      replace: fields.checked('replace'),
    }),
    done: (_answer, fields, params) => ({ location: backTo(params, fields) }),
  },
);
