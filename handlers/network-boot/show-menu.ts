// The menu of a booting machine. The first request does not name the machine yet.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { identifyScript, unidentifiedScript } from '../../shared/services/network-boot/boot/console.ts';
import { machineOf, menuUrl } from '../../shared/services/network-boot/boot/context.ts';
import { askedOf, MACHINE_OPEN_QUERY, MACHINE_QUERY } from '../../shared/services/network-boot/boot/requests.ts';
import { menuFor } from '../../shared/services/network-boot/boot/start.ts';
import { MENU_PATH } from '../../shared/services/network-boot/paths.ts';

export const operation = defineOperation({
  id: 'showBootMenu',
  method: 'GET',
  path: MENU_PATH,
  plane: 'boot',
  access: 'public',
  tag: 'Boot',
  summary: 'Boot menu',
  description: 'An iPXE script: the entry that is assigned to the machine, and its local disk, which is the default.',
  query: MACHINE_QUERY,
  openQuery: MACHINE_OPEN_QUERY,
  answers: { 200: { description: 'An iPXE script.' } },
  async run({ services, db, request, query }) {
    const { applied, origin } = await askedOf(services, request);
    const machine = machineOf(query);
    if (machine) return { text: await menuFor(db, applied, origin, machine) };
    const first = query.mac === undefined && query.firmware === undefined;
    return { text: first ? identifyScript(menuUrl(origin, null)) : unidentifiedScript() };
  },
});
