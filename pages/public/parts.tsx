// Parts that the public pages share: who is signed in there, and the words of what a certificate may be used for.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { OWN_PROFILES } from '../../shared/platform/certificate-authority/own-requests.ts';
import { PROFILE_WORDS } from '../certificate-authority/certificate-words.tsx';
import { Button } from '../components/button.tsx';
import { HiddenField } from '../components/form.tsx';

export const REQUESTS = pagePath('public-requests');
export const NEW_REQUEST = `${REQUESTS}/new`;

/** Who is signed in, and the way out. */
export function SignedIn({ name, csrf }: { name: string; csrf: string | null }) {
  return (
    <form class="signed-in" method="post" action={`${pagePath('public')}/sign-out`} aria-label="Session">
      <HiddenField name="csrf" value={csrf ?? ''} />
      <span class="muted">
        Signed in as <b>{name}</b>, to ask for certificates and for nothing else.
      </span>
      <Button>Sign out</Button>
    </form>
  );
}

export const ownProfileOptions = () =>
  OWN_PROFILES.map((value) => ({ value, label: `${PROFILE_WORDS[value].word}: ${PROFILE_WORDS[value].help}` }));
