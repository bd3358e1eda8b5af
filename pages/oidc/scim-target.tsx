// The parts of the page of a SCIM target: its fields, its certificate, and the buttons.

import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { DEPARTED } from '../../shared/services/oidc/scim/schemas.ts';
import type { ScimTarget } from '../../shared/services/oidc/scim/targets.ts';
import { Button } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import {
  CheckField,
  FieldGroup,
  Form,
  FormActions,
  HiddenField,
  RadioField,
  TextArea,
  TextField,
} from '../components/form.tsx';
import { editedFrom, type SavedField, type Typed, withLost } from '../layout/form-state.tsx';
import { List } from '../units/listing.tsx';
import { SCIM_LABELS } from './scim-words.tsx';

const LEFT: Readonly<Record<(typeof DEPARTED)[number], string>> = {
  deactivate: 'Deactivated there',
  remove: 'Removed there',
};

interface FieldsProps {
  href: string;
  csrf: string;
  typed: Typed;
  target: ScimTarget | undefined;
  /** What base URLs of the product look like. */
  example: string;
}

export const savedTarget = (target: ScimTarget | undefined): SavedField[] => [
  [SCIM_LABELS.base_url, 'base_url', target?.base_url ?? ''],
  [SCIM_LABELS.groups, 'groups', (target?.groups ?? []).join('\n')],
  [SCIM_LABELS.domain, 'domain', target?.domain ?? ''],
  [SCIM_LABELS.departed, 'departed', target?.departed ?? DEPARTED[0]],
  [SCIM_LABELS.enabled, 'enabled', target?.enabled ?? true],
];

export function TargetForm({ href, csrf, typed: given, target, example }: FieldsProps) {
  const typed = withLost(given);
  const text = (name: 'base_url' | 'domain', saved: string) => ({
    ...{ name, label: SCIM_LABELS[name], value: typed.text(name, saved), error: typed.of(name) },
  });
  return (
    <List title="Settings">
      <Form
        action={href}
        csrf={csrf}
        {...editedFrom(given, target?.revision ?? 0, savedTarget(target))}
        label="SCIM target"
      >
        <FieldGroup legend="Where">
          <TextField
            {...text('base_url', target?.base_url ?? '')}
            mono
            wide
            required
            placeholder={example}
            help="As the product shows it: /Users and /Groups are added; https only."
          />
          <TextField
            name="token"
            label={SCIM_LABELS.token}
            type="password"
            value=""
            autocomplete="new-password"
            error={typed.of('token')}
            help={
              target
                ? 'Leave it empty to keep the stored token. Another server needs its own.'
                : 'The product gives it out. Sealed before it is stored, and never shown.'
            }
          />
        </FieldGroup>
        <FieldGroup legend="Users and groups">
          <TextArea
            name="groups"
            label={SCIM_LABELS.groups}
            mono
            rows={3}
            value={typed.text('groups', (target?.groups ?? []).join('\n'))}
            help="One per line, by the name that is sent to the client. Empty: all groups of the client; if the client has no list of groups, all users are pushed."
            error={typed.of('groups')}
          />
          <TextField
            {...text('domain', target?.domain ?? '')}
            mono
            placeholder="lab.example"
            help="vCenter 8 and VCF Identity Broker store it beside the user name. Empty: the domain of the organization in the directory."
          />
          <RadioField
            name="departed"
            label={SCIM_LABELS.departed}
            value={typed.text('departed', target?.departed ?? DEPARTED[0])}
            options={DEPARTED.map((value) => ({ value, label: LEFT[value] }))}
            error={typed.of('departed')}
          />
          <CheckField
            name="enabled"
            group={SCIM_LABELS.enabled}
            label="Changes are pushed within five minutes"
            checked={typed.checked('enabled', target?.enabled ?? true)}
            error={typed.of('enabled')}
          />
        </FieldGroup>
        <FormActions note="Takes effect immediately. Another server needs its token and its certificate anew.">
          <Button kind="primary">Save target</Button>
        </FormActions>
      </Form>
    </List>
  );
}

interface Seen {
  server: string;
  address: string;
  sha256: string;
  subject: string;
  valid_until: string;
  confirmed: boolean;
}

interface CertificateProps {
  href: string;
  csrf: string;
  target: ScimTarget;
  may: boolean;
  outcome: FormOutcome | null;
}

export function TargetCertificate({ href, csrf, target, may, outcome }: CertificateProps) {
  const looked = outcome?.operation_id === 'lookAtOidcScimCertificateForm' && outcome.problem === null;
  const seen = looked ? (outcome.result as Seen) : null;
  return (
    <List title="Certificate">
      <FactsList
        facts={[
          {
            label: 'Confirmed',
            value:
              target.sha256 === null ? (
                'None: nothing is sent before one is confirmed'
              ) : (
                <>
                  <code class="wrap">{target.sha256}</code> at <code>{target.address}</code>
                </>
              ),
          },
          ...(seen
            ? [
                { label: 'Shown now', value: <code class="wrap">{seen.sha256}</code> },
                { label: 'By', value: <code>{seen.address}</code> },
                { label: 'Issued to', value: <code class="wrap">{seen.subject}</code> },
              ]
            : []),
        ]}
      />
      {seen?.confirmed && <p>This certificate is confirmed.</p>}
      {seen && !seen.confirmed && may && (
        <Form action={`${href}/confirm-certificate`} csrf={csrf} look="stack" label="Confirm the certificate">
          <HiddenField name="sha256" value={seen.sha256} />
          <p>Compare it with the fingerprint (SHA-256) that the console of the server shows.</p>
          <div class="actions">
            <Button kind="primary">It is the same: confirm it</Button>
          </div>
        </Form>
      )}
      {may && (
        <Form action={`${href}/look-at-certificate`} csrf={csrf} look="stack" label="Look at the certificate">
          <div class="actions">
            <Button>Look at the certificate</Button>
            <p class="muted">Connects, and sends nothing.</p>
          </div>
        </Form>
      )}
    </List>
  );
}
