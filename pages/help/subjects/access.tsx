// Help: who may do what, how people and programs sign in, and what slows down who guesses.
import { roleWords } from '../../../shared/kernel/access/role-words.ts';
import { ROLES } from '../../../shared/kernel/access/scopes.ts';
import { See, type Subject, Terms } from '../subject.tsx';

export const access: Subject = {
  id: 'access',
  title: 'Users and tokens',
  intro: 'Who may do what, and how people and programs sign in.',
  paragraphs: [
    {
      id: 'users',
      title: 'Users and roles',
      text: (
        <>
          <Terms rows={ROLES.map((role) => [[role], roleWords(role)])} />
          <p>
            Every role that writes may also follow jobs, manage tokens of its own reach, and run the reviewed apply. An
            apply concerns the whole appliance, whoever edited it.
          </p>
          <p>
            Changing users asks for your own password again. Disabling a user ends sessions and tokens for good. A new
            role leaves the tokens, which never reach beyond it. The sessions of a user are on the user's page, where
            one or all can be ended; tokens go on.
          </p>
        </>
      ),
    },
    {
      id: 'account',
      title: 'Your account',
      text: (
        <p>
          <i>Your account</i>, in the menu below your name, changes your password. It lists your sessions, here and at
          the OpenID Connect provider, and ends one of them or all but this. A new password ends your sessions, also
          those at the provider, and your tokens unless you keep them. A program asks <code>GET /api/v1/account</code>{' '}
          who it is, and changes the password of its user with <code>POST /api/v1/account/password</code>.
        </p>
      ),
    },
    {
      id: 'lost-password',
      title: 'A lost password',
      text: (
        <p>
          Another administrator sets a new one, or somebody on the appliance's shell:{' '}
          <code>groundcrew user reset-password NAME</code>. It always works, whoever waits at the sign-in. Add{' '}
          <code>--keep-tokens</code> to leave the tokens, <code>--generate</code> to have a password made and printed.
        </p>
      ),
    },
    {
      id: 'external',
      title: 'External sign-in',
      text: (
        <>
          <p>
            People may sign in at a provider of OpenID Connect: <i>Users</i>, <i>External sign-in</i>. At each sign-in
            the user gets the highest role that their groups give; anyone in no such group is refused, and loses the
            sessions and API tokens they still have here. The account is made at the first sign-in. It has no password,
            so these users cannot do what asks for your own password again. A second factor is asked for as after a
            password, unless the ID token names one that you trust (acr, amr).
          </p>
          <p>
            To keep somebody out, disable the user: a deleted one is made again at the next sign-in. Users with a
            password sign in as before, whatever happens to the provider, and the last admin with a password always
            stays. When the provider gets a new certificate, confirm it again. Its endpoints for tokens, keys and
            userinfo may be on other servers that its discovery document names: these show the same certificate, or one
            that a public authority issued for their name. Sessions end when you switch the provider off, or change its
            issuer, client id, groups claim, groups and roles, or trusted second factors.
          </p>
        </>
      ),
    },
    {
      id: 'second-factors',
      title: 'Second factors',
      text: (
        <>
          <p>
            Beside the password, a user may sign in with a code of an authenticator app (RFC 6238) or with a passkey.
            Both are added on <i>Your account</i> with the own password; with the first come ten recovery codes, each
            good for one sign-in. A code works once. A passkey is bound to the name by which the appliance was opened,
            over TLS; by an address there are none. On the public pages a code works, and a passkey does not.
          </p>
          <p>
            An administrator says on <i>Users</i> which roles must have one. Who has none then adds an authenticator at
            the next sign-in, before anything else opens. API tokens need no second factor: they were made by somebody
            who had signed in. Ten wrong codes slow a user down to one guess a minute, wherever they come from.
          </p>
          <p>
            Who has lost them all asks another administrator, who resets them on the user's page, or somebody on the
            appliance's shell: <code>groundcrew user reset-second-factors NAME</code>. An appliance that starts from an
            encrypted archive has its accounts with their second factors: authenticators keep working, passkeys only
            where the appliance has the same host name; make new recovery codes. Other archives have neither.
          </p>
        </>
      ),
    },
    {
      id: 'tokens',
      title: 'API tokens',
      text: (
        <>
          <p>
            A token is for a program. It has a purpose, scopes (<code>read:dns</code>, <code>write:dns</code>; writing
            includes reading) and an end, 1 hour to 365 days ahead. Its secret is shown once. It never reaches beyond
            the role of the user who made it.
          </p>
          <p>
            A token that was created with another token expires no later than that one, and ends with it. In the
            browser, creating a token asks for your own password again. On the shell:{' '}
            <code>groundcrew token create --name ci --scope write:dns --lifetime 7d</code>.
          </p>
        </>
      ),
    },
    {
      id: 'signing-in',
      title: 'Failed sign-ins',
      text: (
        <>
          <p>
            No account is ever locked, and no answer tells whether a name exists. Failures count until 15 minutes pass
            without another one:
          </p>
          <ul>
            <li>
              <b>Per source</b> (an IPv4 address or an IPv6 /64): after 5 failures at one name, or 30 in all, the source
              waits 2 seconds, doubled with each failure, up to 60. Everybody behind that address, or behind the same
              proxy, waits with it.
            </li>
            <li>
              <b>Unknown sources at one account</b>: after 20 failures they take turns, 0.5 to 5 seconds apart. The
              source with the fewest failures in the last hour goes first (an IPv6 /48 counts as one), then the one that
              asked first. The owner at a new address waits at most 5 seconds for each source that asked before and has
              not failed yet. After 20 seconds the answer is to try again; the place in line is kept for ten minutes. An
              attacker with thousands of addresses can delay unknown sources by 5 seconds with each, once an hour.
            </li>
            <li>
              <b>Known sources</b> skip that line, and their passwords are hashed apart from those of strangers: the
              last 16 sources that signed in to the account, for 30 days, until its password changes.
            </li>
          </ul>
          <p>
            Setting the clock prolongs no wait, and no session beyond 12 hours of uptime. It may end sessions and boot
            codes. For what a full listener does, see <See at="listeners#connections">connections</See>.
          </p>
        </>
      ),
    },
  ],
};
