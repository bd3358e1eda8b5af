// A deployment's names as a file: hosts file, CSV, or members of the installer's specification.
import * as v from 'valibot';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { GENERATED } from '../../shared/vcf/names/dialog-address.ts';
import { FORMATS, type Format } from '../../shared/vcf/names/export.ts';
import { preview, requireRequest } from '../../shared/vcf/names/generate.ts';
import { NAMES_MEMBERS, START_MEMBERS } from '../../shared/vcf/names/schemas.ts';

export const operation = defineOperation({
  id: 'downloadGeneratedFqdns',
  method: 'GET',
  path: `${GENERATED}/export/{format}`,
  plane: 'management',
  access: { session: 'read:dns' },
  tag: 'Pages',
  summary: 'Names of a deployment as a file',
  description: 'hosts: saved addresses as lines of a hosts file. csv: every name. installer: members of its JSON.',
  params: v.strictObject({
    format: v.pipe(v.picklist(Object.keys(FORMATS) as Format[]), v.description('hosts, csv or installer.')),
  }),
  query: v.strictObject({ ...NAMES_MEMBERS, ...START_MEMBERS }),
  answers: { 200: { description: 'The file.' } },
  async run({ db, params, query }) {
    const { type, file, write } = FORMATS[params.format];
    const previewed = await preview(db, requireRequest(query, 'optional'));
    const name = `${previewed.preview.catalog}-${previewed.preview.domain}-${file}`;
    return {
      html: write(previewed.preview),
      headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
    };
  },
});
