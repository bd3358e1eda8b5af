// Brings a small file to another machine in one form, for a browser without scripts.
import * as v from 'valibot';
import { enterVisit } from '../../../shared/appliance/terminal-files.ts';
import { pageRoute } from '../../../shared/ground/page-paths.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { FILES } from '../../../shared/services/web-terminal/remote-files/limits.ts';
import { beginIn, receiveIn } from '../../../shared/services/web-terminal/remote-files/uploading.ts';
import { backTo, folderField, nameField } from '../../forms/terminal-upload.ts';

/** Beside the file: the other fields and the marks between them. */
const BESIDES = 32 << 10;

export const operation = defineForm(
  {
    id: 'uploadTerminalFileForm',
    path: `${pageRoute('terminal-visit')}/upload`,
    access: { session: 'write:terminal' },
    effect: 'immediate',
    tag: 'Web terminal',
    summary: 'Upload a small file to another machine',
    description: `Changes nothing here but the audit log. The file comes with the form: at most ${FILES.form >> 20} MiB. One that is there already is replaced only where that was chosen.`,
    params: idParam('visit_id', 'Id of the connection.'),
    body: v.strictObject({
      folder: folderField,
      name: nameField,
      replace: v.boolean(),
      file: v.pipe(v.string(), v.minLength(1, 'Choose a file that is not empty.')),
    }),
    bodyLimit: FILES.form + BESIDES,
    problems: ['resource_not_found', 'insufficient_scope', 'state_conflict', 'remote_refused', 'remote_timeout'],
    audit: ['terminal.file.upload', 'terminal.file.uploaded'],
    async prepare({ services, actor, request, params, body: { file, ...begin } }) {
      const entered = await enterVisit(services, actor, request, params.visit_id);
      const bytes = Buffer.from(file, 'base64');
      const { id } = await beginIn({ ...entered, entropy: services.entropy }, { ...begin, size_bytes: bytes.length });
      await receiveIn(entered, id, { offset: 0, bytes });
    },
    run: async ({ body: { name } }) => ({ body: { name }, unchanged: true }),
  },
  {
    page: pageRoute('terminal-visit'),
    files: ['file'],
    secret: ['file'],
    decode: (fields) => ({
      folder: fields.values.get('folder') ?? '',
      name: fields.values.get('name') ?? '',
      replace: fields.checked('replace'),
      file: fields.values.get('file') ?? '',
    }),
    done: (_answer, fields, params) => ({ location: backTo(params, fields), flash: 'The file is there.' }),
  },
);
