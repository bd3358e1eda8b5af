// The choice in the menu: it starts an attempt, whose code the console then shows.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { codeOfClaim, shownCode } from '../../shared/services/network-boot/boot/boot-code.ts';
import { refusalScript, waitingScript } from '../../shared/services/network-boot/boot/console.ts';
import { attemptUrl, lifetime, machineOf, menuUrl } from '../../shared/services/network-boot/boot/context.ts';
import {
  askedOf,
  MACHINE_OPEN_QUERY,
  MACHINE_QUERY,
  refusedToMachine,
} from '../../shared/services/network-boot/boot/requests.ts';
import { attemptEvent } from '../../shared/services/network-boot/boot/retrieve.ts';
import { STARTS_MOST, startAttempt } from '../../shared/services/network-boot/boot/start.ts';
import { POLL_FILE, START_PATH } from '../../shared/services/network-boot/paths.ts';

export const operation = defineOperation({
  id: 'startBootAttempt',
  method: 'GET',
  path: START_PATH,
  plane: 'boot',
  access: 'public',
  effect: 'immediate',
  tag: 'Boot',
  summary: 'Start a boot attempt',
  description: `Changes application state immediately. The ten minutes begin here. An attempt of the same host that is still open ends, but for one that is authorized and was chosen from another address: then the console is told to wait or to have it revoked. At most ${STARTS_MOST} of one host within ten minutes. Nobody proves here which machine he is: whoever is in the boot network can choose for any host, end a choice that waits for its code, and use up those of ten minutes. An apply that runs does not stop it.`,
  query: MACHINE_QUERY,
  openQuery: MACHINE_OPEN_QUERY,
  answers: { 200: { description: 'An iPXE script with the boot code.' } },
  audit: ['network-boot.attempt.start'],
  guarded: false,
  async run({ services, tx, request, query, audit, afterCommit }) {
    const { applied, origin } = await askedOf(services, request);
    const machine = machineOf(query);
    if (!machine) throw refusedToMachine();
    const menu = menuUrl(origin, machine);
    const { source_address } = request;
    const started = await startAttempt(tx, services, { applied, origin, machine, source_address });
    if (started.refused !== undefined) {
      const { refused } = started;
      services.logger.info('boot attempt refused', { reason: refused, ...machine, source_address });
      return { text: refusalScript(refused, menu), unchanged: true };
    }
    const { attempt, claim, superseded } = started;
    audit(attemptEvent('start', attempt, { superseded: superseded.map(({ id }) => id) }));
    afterCommit(() => services.notify('pending'));
    const code = shownCode(codeOfClaim(services.keys, claim));
    const poll = attemptUrl(origin, claim, POLL_FILE);
    return { text: waitingScript({ code, hostname: attempt.hostname, left: lifetime(services), poll, menu }) };
  },
});
