// Gives the page of the terminal its way in: a ticket for the WebSocket, for the user's own password.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { missingScope } from '../../shared/kernel/access/missing-scope.ts';
import { refuseIfThrottled } from '../../shared/kernel/access/throttle.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { opensAt, readManifest } from '../../shared/services/web-terminal/manifest.ts';
import { shellGuesser } from '../../shared/services/web-terminal/session/guesser.ts';
import { ticketsOf } from '../../shared/services/web-terminal/session/tickets.ts';

/** The right to what administrators alone may write stands for the role. */
const ADMIN_ONLY = 'Only an administrator can open a terminal.';

const PAGE = pagePath('web-terminal-shell');

/** As useradd(8) makes them; root is refused by the terminal's own configuration as well. */
const account = v.pipe(
  v.string(),
  v.regex(
    /^[a-z_][a-z0-9_-]{0,31}$/,
    'Enter the name of an account of the operating system: lower case letters, digits, - and _.',
  ),
  v.check((name) => name !== 'root', 'root can’t sign in here: use an account of your own, and sudo.'),
);

export const operation = defineForm(
  {
    id: 'openTerminalForm',
    path: `${PAGE}/ticket`,
    access: { session: 'write:terminal' },
    tag: 'Web terminal',
    summary: 'Open the web terminal',
    description:
      'For an administrator, at an address that the web terminal was applied for: a ticket for the WebSocket of the page, for 30 seconds, once. It asks for the own password again; the account of the operating system is asked for its password over the WebSocket, and wrong ones are slowed like a sign-in.',
    effect: 'immediate',
    audit: ['terminal.ticket'],
    problems: ['state_conflict', 'insufficient_scope', 'too_many_attempts'],
    body: v.strictObject({ account }),
    async run({ services, actor, request, body, audit }) {
      if (actor.role !== 'admin') throw missingScope(actor, 'write:users', ADMIN_ONLY);
      const manifest = await readManifest(services.host);
      if (!opensAt(manifest, request.connection?.local_address ?? ''))
        throw new Problem('state_conflict', 'The web terminal is not in force at this address.');
      const asked = {
        user_id: actor.user_id!,
        credential_id: actor.credential_id!,
        account: body.account,
        source_address: request.source_address,
      };
      await refuseIfThrottled(services.store, shellGuesser(services.keys, asked), services.clock.now());
      const ticket = ticketsOf(services).give(asked);
      const detail = { account: body.account };
      audit({ action: 'terminal.ticket', resource_type: 'terminal', resource_id: null, detail });
      return { body: { ticket } };
    },
  },
  {
    page: PAGE,
    confirms: { resource_type: 'terminal' },
    fetch: true,
    decode: (fields) => ({ account: fields.text('account') }),
    done: () => ({ location: PAGE }),
  },
);
