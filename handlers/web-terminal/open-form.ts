// Gives the page of the terminal its way in: a ticket for the WebSocket, for the user's own password.
import * as v from 'valibot';
import { remoteOf, requireTerminalAdmin } from '../../shared/appliance/terminal-hosts.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { refuseIfThrottled } from '../../shared/kernel/access/throttle.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { opensAt, readManifest } from '../../shared/services/web-terminal/manifest.ts';
import { shellGuesser } from '../../shared/services/web-terminal/session/guesser.ts';
import { openTerminalsOf, takeable, whatOf } from '../../shared/services/web-terminal/session/open-terminals.ts';
import { type RemoteTarget, ticketsOf } from '../../shared/services/web-terminal/session/tickets.ts';
import { serverText } from '../../shared/vcf/connection/target.ts';

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

/** Choice of a vault's entry and of one of its ssh addresses. */
const target = v.pipe(v.string(), v.maxLength(128));

const body = v.pipe(
  v.strictObject({ account: v.optional(account), target: v.optional(target) }),
  v.forward(
    v.check(
      ({ account: here, target: there }) => (here === undefined) !== (there === undefined),
      'Choose an account of this appliance, or another machine.',
    ),
    ['account'],
  ),
);

export const operation = defineForm(
  {
    id: 'openTerminalForm',
    path: `${PAGE}/ticket`,
    access: { session: 'write:terminal' },
    tag: 'Web terminal',
    summary: 'Open the web terminal',
    description:
      'For an administrator, at an address that the web terminal was applied for: a ticket for the WebSocket of the page, for 30 seconds, once. It asks for the own password again; the account of the operating system is asked for its password over the WebSocket, and wrong ones are slowed like a sign-in. With `target` in place of `account` it is for another machine, by an entry of a vault: its host key has to be confirmed, and its value is opened when the WebSocket opens, for that connection alone.',
    effect: 'immediate',
    audit: ['terminal.ticket'],
    problems: ['state_conflict', 'insufficient_scope', 'resource_not_found', 'too_many_attempts'],
    body,
    async run({ tx, services, actor, request, body, audit }) {
      requireTerminalAdmin(actor);
      const manifest = await readManifest(services.host);
      if (!opensAt(manifest, request.connection?.local_address ?? ''))
        throw new Problem('state_conflict', 'The web terminal is not in force at this address.');
      const asked = {
        user_id: actor.user_id!,
        credential_id: actor.credential_id!,
        source_address: request.source_address,
        ...(body.target === undefined ? { account: body.account! } : await remoteOf(tx, actor, body.target)),
      };
      await refuseIfThrottled(tx, shellGuesser(services.keys, asked), services.clock.now());
      const ticket = ticketsOf(services).give(asked);
      const { account: name, remote } = asked as { account: string; remote?: RemoteTarget };
      const detail = { account: name, ...(remote && { target: serverText(remote), entry_id: remote.entry_id }) };
      audit({ action: 'terminal.ticket', resource_type: 'terminal', resource_id: null, detail });
      const other = takeable(openTerminalsOf(services), asked.user_id, whatOf(asked));
      return { body: { ticket, other: other && { since: other.since, source_address: other.source_address } } };
    },
  },
  {
    page: PAGE,
    confirms: { resource_type: 'terminal' },
    fetch: true,
    decode: (fields) =>
      fields.text('target') === '' ? { account: fields.text('account') } : { target: fields.text('target') },
    done: () => ({ location: PAGE }),
  },
);
