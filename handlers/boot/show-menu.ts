// The menu of a booting machine. The first request does not say yet which machine it is.
import { identifyScript, unidentifiedScript } from '../../shared/network-boot/console.ts';
import { machineOf, menuUrl } from '../../shared/network-boot/context.ts';
import { MENU_PATH } from '../../shared/network-boot/paths.ts';
import { askedOf, MACHINE_OPEN_QUERY, MACHINE_QUERY } from '../../shared/network-boot/requests.ts';
import { menuFor } from '../../shared/network-boot/start.ts';
import { defineOperation } from '../../shared/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'showBootMenu',
  method: 'GET',
  path: MENU_PATH,
  plane: 'boot',
  access: 'public',
  effect: 'read',
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
