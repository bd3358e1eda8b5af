// What another certificate of the management UI means to people: who is asked again, and how it can go wrong.
import type { Impact, UnitChange } from '../../platform/units/unit.ts';
import type { Described, ManagementTlsDesired } from './desired.ts';
import { managementTls } from './facts.ts';
import { certificateWords } from './words.ts';

const ASKED_AGAIN =
  'Browsers and programs that accepted the certificate in force, or pinned it, ask again or refuse until they trust the new one. Open connections keep the one they have.';

/** Pure. `desired` has the service's own certificate, which no fact tells. */
export function impact({ before, after }: UnitChange, desired?: Pick<ManagementTlsDesired, 'own'>): Impact {
  const own = desired?.own ?? null;
  const was = managementTls.get(before, 'certificate') ?? own;
  const becomes = managementTls.get(after, 'replaced') ? managementTls.get(after, 'certificate') : own;
  const says: string[] = [];
  if (was) says.push(`In force is the certificate ${certificateWords(was)}.`);
  if (becomes) says.push(`From then on it is ${certificateWords(becomes)}.`);
  if (was?.sha256 !== becomes?.sha256) says.push(ASKED_AGAIN, ...lost(was, becomes ?? null));
  if (managementTls.get(after, 'source') === 'issued')
    says.push('Clients that trust the root certificate of the certificate authority go on without a question.');
  if (managementTls.get(after, 'source') === 'uploaded' && !becomes)
    says.push('No uploaded certificate is kept, so this can’t be applied: an earlier plan brings none back.');
  else if (managementTls.get(after, 'source') === 'uploaded')
    says.push(
      'It is the one that was uploaded last: an earlier plan that is restored brings no former upload back.',
      'Nobody renews an uploaded certificate: upload the next one before this one expires.',
    );
  return { says, risk: 'high', interruption: 'none' };
}

/** Names that somebody may still use. */
function lost(was: Described | null, becomes: Described | null): string[] {
  if (!was || !becomes) return [];
  const gone = was.names.filter((name) => !becomes.names.includes(name));
  return gone.length === 0 ? [] : [`It is no longer for ${gone.join(', ')}.`];
}
