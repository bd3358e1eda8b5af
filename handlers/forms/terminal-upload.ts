// What both ways of an upload say.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { plainText } from '../../shared/ground/schemas/plain-text.ts';
import type { FormFields } from '../../shared/kernel/operation/operation.ts';
import { FILES } from '../../shared/services/web-terminal/remote-files/limits.ts';

export const folderField = v.pipe(v.string(), v.startsWith('/', 'A path begins with /.'), v.maxBytes(FILES.path));
export const nameField = v.pipe(
  v.string(),
  v.minLength(1, 'Enter a name.'),
  v.maxBytes(FILES.name, `A name has at most ${FILES.name} bytes.`),
  plainText,
);

/** The page of the folder. */
export const backTo = ({ visit_id }: Record<string, string>, fields: FormFields): string =>
  `${pagePath('terminal-visit', visit_id!)}?${new URLSearchParams({ path: fields.values.get('folder') ?? '/' })}`;
