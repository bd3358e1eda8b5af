// The one retrieval of a Kickstart. The attempt is consumed and the transaction committed before a byte of it leaves.
import * as v from 'valibot';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import type { RequestFacts } from '../../shared/kernel/operation/operation.ts';
import { appliedOrigin } from '../../shared/services/network-boot/boot/context.ts';
import { refusedToMachine } from '../../shared/services/network-boot/boot/requests.ts';
import { appliedNow, attemptEvent, retrieveOnce } from '../../shared/services/network-boot/boot/retrieve.ts';
import { kickstartPath, macOfDashed } from '../../shared/services/network-boot/paths.ts';

const segment = v.pipe(v.string(), v.maxLength(64));

export const operation = defineOperation({
  id: 'getKickstart',
  method: 'GET',
  path: '/boot/kickstarts/{mac}/{revision}/{file}',
  plane: 'boot',
  access: 'public',
  effect: 'immediate',
  tag: 'Boot',
  summary: 'Retrieve a Kickstart, once',
  description:
    'Changes application state immediately: the authorization is consumed. A capability shown with another MAC address, revision or listener burns its attempt. The listener is plain HTTP: whoever can read along in the boot network sees the capability and the text, so that it has to be a segment that is trusted. A part of the text can not be had, nor can the text under another spelling of its path. An apply that runs does not stop it. Values of vaults that the text names are opened for it, and each is recorded; without one of them nothing is handed out and the attempt ends.',
  params: v.object({ mac: segment, revision: segment, file: segment }),
  answers: { 200: { description: 'The text.' } },
  audit: ['network-boot.attempt.consume', 'network-boot.attempt.burn', 'network-boot.attempt.alarm', 'vault.entry.use'],
  guarded: false,
  async run({ services, tx, request, params: { mac, revision, file }, audit, afterCommit }) {
    const mac_address = macOfDashed(mac);
    const capability = file.replace(/\.cfg$/, '');
    if (mac_address === null || !isPlain(request, kickstartPath(mac_address, revision, capability))) {
      throw refusedToMachine();
    }
    const applied = await appliedNow(services);
    const origin = applied && appliedOrigin(applied, request.headers.host);
    const { source_address } = request;
    const shown = { mac_address, revision, capability, origin, source_address };
    const got = await retrieveOnce(tx, services, shown, applied);
    if (got.kind === 'unknown') throw refusedToMachine();
    const { attempt } = got;
    const user_agent = productOf(request.headers['user-agent']);
    services.logger.info('kickstart', { attempt: attempt.id, host: attempt.hostname, outcome: got.kind, user_agent });
    afterCommit(() => services.notify('pending'));
    for (const use of got.uses) audit(use);
    if (got.kind === 'burnt') {
      const { reason, detail } = got;
      const verb = reason === 'mismatch' ? 'alarm' : 'burn';
      audit({ ...attemptEvent(verb, attempt, { reason, ...detail }), outcome: 'failure' });
      return { refuse: refusedToMachine() };
    }
    audit(attemptEvent('consume', attempt));
    return { text: got.text, headers: { 'content-type': 'text/plain', 'cache-control': 'no-store, private' } };
  },
});

/** Who asked, for the log: product and version, in words that are shorter than any secret; `unknown` for all others. */
const productOf = (user_agent = ''): string =>
  /^[A-Za-z0-9._-]{1,32}\/[A-Za-z0-9._+-]{1,32}(?=[ (;]|$)/.exec(user_agent)?.[0] ?? 'unknown';

/** The whole text under its own spelling, and nothing added. */
function isPlain({ path, query_string, headers }: RequestFacts, spelling: string): boolean {
  return path === spelling && query_string === '' && headers.range === undefined && headers['if-range'] === undefined;
}
