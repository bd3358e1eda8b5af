// The fields that forms of clients share.
import type { FormFields } from '../../shared/kernel/operation/operation.ts';
import { linesOf } from './certificate-fields.ts';

/** One a line: a group, and after an equals sign what the client calls it. */
function groupsOf(text: string): { group: string; as: string }[] {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  return lines.map((line) => {
    const [group = '', as = group] = line.split('=').map((part) => part.trim());
    return { group, as };
  });
}

export const clientFields = (fields: FormFields) => ({
  name: fields.text('name'),
  description: fields.text('description'),
  redirect_uris: linesOf(fields.text('redirect_uris')),
  logout_uris: linesOf(fields.text('logout_uris')),
  sends_groups: groupsOf(fields.values.get('sends_groups') ?? ''),
});
