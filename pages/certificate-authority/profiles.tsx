// The profiles of certificates: what each is for, and which names it is issued for.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { listProfiles } from '../../shared/platform/certificate-authority/profile-store.ts';
import { DataTable } from '../components/table.tsx';
import { definePage } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Codes } from '../units/listing.tsx';
import { PROFILE_WORDS } from './certificate-words.tsx';
import { AUTHORITY } from './trail.tsx';

export const page = definePage({
  id: 'certificateProfilesPage',
  path: pagePath('certificate-profiles'),
  current: AUTHORITY.href,
  access: { session: 'read:ca' },
  load: ({ db }) => listProfiles(db),
  title: () => 'Certificate profiles',
  view: ({ data: profiles }) => (
    <>
      <PageHead
        title="Certificate profiles"
        trail={[AUTHORITY]}
        here="Profiles"
        intro="What a certificate may be used for, and the names that it may be issued for."
      />
      <DataTable
        caption="Profiles"
        columns={[
          {
            key: 'name',
            label: 'Profile',
            cell: ({ name }) => <a href={pagePath('certificate-profile', name)}>{PROFILE_WORDS[name].word}</a>,
          },
          { key: 'help', label: 'For', cell: ({ name }) => PROFILE_WORDS[name].help },
          {
            key: 'names',
            label: 'Allowed names',
            cell: (profile) => <Codes items={profile.allowed_names} none="every name" />,
          },
          {
            key: 'days',
            label: 'Valid for',
            look: 'nowrap',
            cell: ({ validity_days }) =>
              validity_days === null ? <span class="muted">as the settings say</span> : `${validity_days} days`,
          },
        ]}
        rows={profiles}
        rowKey={({ name }) => name}
        empty="There are no profiles."
      />
    </>
  ),
});
