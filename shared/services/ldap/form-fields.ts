// Posted fields of the directory's forms → members of request bodies. Fields that a form of a saved one does not have are
// left out.
import type { FormFields } from '../../kernel/operation/operation.ts';

const common = (fields: FormFields) => ({
  enabled: fields.checked('enabled'),
  description: fields.text('description'),
});

export const organizationFields = (fields: FormFields) => ({
  slug: fields.optional('slug'),
  suffix: fields.optional('suffix'),
  ...common(fields),
});

export const userFields = (fields: FormFields) => ({
  organization_id: fields.optional('organization_id'),
  uid: fields.optional('uid'),
  kind: fields.optional('kind'),
  given_name: fields.text('given_name'),
  surname: fields.text('surname'),
  display_name: fields.text('display_name'),
  mail: fields.text('mail'),
  telephone: fields.text('telephone'),
  ...common(fields),
});

/** One name a line. */
const lines = (fields: FormFields, name: string): string[] =>
  fields
    .text(name)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const groupFields = (fields: FormFields) => ({
  organization_id: fields.optional('organization_id'),
  name: fields.optional('name'),
  member_users: lines(fields, 'member_users'),
  member_groups: lines(fields, 'member_groups'),
  ...common(fields),
});

export const accountFields = (fields: FormFields) => ({
  organization_id: fields.optional('organization_id'),
  name: fields.optional('name'),
  ...common(fields),
});
