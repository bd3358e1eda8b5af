// Asks before an archive is deleted.
import { findArchive, type KeptArchive } from '../../shared/appliance/archive/kept.ts';
import { archiveParam } from '../../shared/appliance/archive/schemas.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ARCHIVES } from './words.ts';

export const page = definePage({
  id: 'deleteArchivePage',
  path: `${pageRoute('archive')}/delete`,
  current: ARCHIVES.href,
  access: { session: 'write:archives' },
  params: archiveParam,
  load: ({ db, params }): Promise<KeptArchive> => findArchive(db, params.archive_id),
  title: ({ name }) => `Delete ${name}`,
  view({ data: { id, name }, state, outcome }) {
    const href = pagePath('archive', id);
    return (
      <>
        <PageHead
          title={
            <>
              Delete <span class="mono">{name}</span>?
            </>
          }
          trail={[ARCHIVES, { href, label: <code>{name}</code> }]}
          here="Delete"
        />
        <Refused typed={typedInto('deleteArchiveForm', outcome)} labels={{}} />
        <p>The file is gone from the appliance. Copies that were downloaded stay.</p>
        <Form action={`${href}/delete`} csrf={state.csrf} label={`Delete ${name}`}>
          <FormActions>
            <Button kind="bad">Delete archive</Button>
            <ButtonLink href={href}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
