// Asking for a certificate, for somebody else to decide.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, SelectField, TextField } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { CsrFields } from './certificate-new.tsx';
import { profileOptions } from './certificate-words.tsx';
import { AUTHORITY, REQUESTS } from './trail.tsx';

const PATH = `${pagePath('certificate-requests')}/new`;
const LABELS = { csr: 'Signing request', profile: 'Profile', names: 'Names and addresses', note: 'Note' };

export const page = definePage({
  id: 'newCertificateRequestPage',
  path: PATH,
  current: AUTHORITY.href,
  access: { session: 'write:ca-requests' },
  load: async () => null,
  title: () => 'Ask for a certificate',
  view({ state, outcome }) {
    const typed = typedInto('createCertificateRequestForm', outcome);
    return (
      <>
        <PageHead title="Ask for a certificate" trail={[AUTHORITY, REQUESTS]} />
        <Refused typed={typed} labels={LABELS} />
        <Form action={PATH} csrf={state.csrf} label="Request" files>
          <CsrFields value={typed.text('csr', '')} error={typed.of('csr')} />
          <SelectField
            name="profile"
            label="Profile"
            value={typed.text('profile', 'server')}
            options={profileOptions()}
            error={typed.of('profile')}
          />
          <TextField
            name="note"
            label="Note"
            maxlength={200}
            value={typed.text('note', '')}
            error={typed.of('note')}
            help="For the approver."
          />
          <FormActions note="Nothing is issued until somebody approves.">
            <Button kind="primary">Send the request</Button>
            <ButtonLink href={REQUESTS.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
