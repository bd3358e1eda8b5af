// Posted fields of the directory's forms → members of request bodies: of a saved one, and of a new one, which also says
// where it is and its name.
import type { FormFields } from '../../kernel/operation/operation.ts';

const common = (fields: FormFields) => ({
  enabled: fields.checked('enabled'),
  description: fields.text('description'),
});

export const organizationFields = common;
export const newOrganizationFields = (fields: FormFields) => ({
  slug: fields.text('slug'),
  suffix: fields.text('suffix'),
  ...common(fields),
});

export const userFields = (fields: FormFields) => ({
  kind: fields.optional('kind'),
  given_name: fields.text('given_name'),
  surname: fields.text('surname'),
  display_name: fields.text('display_name'),
  mail: fields.text('mail'),
  telephone: fields.text('telephone'),
  ...common(fields),
});

export const newUserFields = (fields: FormFields) => ({
  organization_id: fields.text('organization_id'),
  uid: fields.text('uid'),
  ...userFields(fields),
});

/** One name a line. */
const lines = (fields: FormFields, name: string): string[] =>
  fields
    .text(name)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const groupFields = (fields: FormFields) => ({
  member_users: lines(fields, 'member_users'),
  member_groups: lines(fields, 'member_groups'),
  ...common(fields),
});
export const newGroupFields = (fields: FormFields) => ({
  organization_id: fields.text('organization_id'),
  name: fields.text('name'),
  ...groupFields(fields),
});

export const accountFields = common;
export const newAccountFields = (fields: FormFields) => ({
  organization_id: fields.text('organization_id'),
  name: fields.text('name'),
  ...common(fields),
});
