// One profile: the names that it may be issued for, and for how long.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { findProfile } from '../../shared/platform/certificate-authority/profile-store.ts';
import { profileParam } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, TextArea, TextField } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import {
  editedFrom,
  type LastSave,
  lastSaveOf,
  mayOnlyRead,
  Refused,
  type SavedField,
  StaleForm,
  typedInto,
} from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { PROFILE_WORDS } from './certificate-words.tsx';
import { AUTHORITY, PROFILES_PLACE } from './trail.tsx';

const LABELS = { allowed_names: 'Allowed names', validity_days: 'Valid for' };

interface Data {
  profile: Awaited<ReturnType<typeof findProfile>>;
  last: LastSave | null;
}

export const page = definePage({
  id: 'certificateProfilePage',
  path: pageRoute('certificate-profile'),
  current: AUTHORITY.href,
  access: { session: 'read:ca' },
  params: profileParam,
  async load({ db, params, outcome }): Promise<Data> {
    const profile = await findProfile(db, params.profile_name);
    return { profile, last: await lastSaveOf(db, outcome, { type: 'certificate_profile', id: profile.name }) };
  },
  title: ({ profile: { name } }) => PROFILE_WORDS[name].word,
  view({ data: { profile, last }, state, outcome }) {
    const { name, allowed_names, validity_days, revision } = profile;
    const typed = typedInto('updateCertificateProfileForm', outcome);
    const names = allowed_names.join('\n');
    const days = validity_days === null ? '' : String(validity_days);
    const saved: SavedField[] = [
      [LABELS.allowed_names, 'allowed_names', names],
      [LABELS.validity_days, 'validity_days', days],
    ];
    const edited = editedFrom(typed, revision, saved);
    const writes = state.user.scopes.includes('write:ca');
    return (
      <>
        <PageHead
          title={PROFILE_WORDS[name].word}
          trail={[AUTHORITY, PROFILES_PLACE]}
          intro={PROFILE_WORDS[name].help}
        />
        <Refused typed={typed} labels={LABELS} />
        <StaleForm
          typed={typed}
          name={PROFILE_WORDS[name].word}
          revision={revision}
          last={last}
          saved={saved}
          now={state.now}
        />
        <Form
          action={pagePath('certificate-profile', name)}
          csrf={state.csrf}
          revision={edited.revision}
          opened={edited.opened}
          label="Profile"
        >
          <TextArea
            name="allowed_names"
            label="Allowed names"
            mono
            rows={6}
            value={typed.text('allowed_names', names)}
            error={typed.of('allowed_names')}
            help="One a line: vc01.lab.example, *.lab.example for every name below it, 172.16.20.10, or 172.16.0.0/12. None: every name."
          />
          <TextField
            name="validity_days"
            label="Valid for"
            inputmode="numeric"
            value={typed.text('validity_days', days)}
            error={typed.of('validity_days')}
            help="Days. Empty: as the settings say."
          />
          <FormActions
            note={
              writes
                ? 'Takes effect immediately, for what is issued from now on.'
                : mayOnlyRead('the certificate authority')
            }
          >
            {writes && <Button kind="primary">Save profile</Button>}
            <ButtonLink href={PROFILES_PLACE.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
